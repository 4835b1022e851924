"""What every plan of a worksheet holds.

Also here:

* What a plan requires of a computation: why there is no sheet of it stands in `refusals.toml`.
* How long a class needs: seconds for each kind of number, minutes for a sheet, all that it asks.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError, refused
from generator.notation.shown import number, shown_decimals
from generator.resources import table

LEVELS = (1, 2, 3)
MARKS = {1: "●", 2: "▲", 3: "■"}
MOST_NUMBERS = {1: 16, 2: 30, 3: 47}
LEAST_CLOSING = 4  # minutes in which a class can still compare anything
LEAST_OPENING = 5  # in which it has its places, and the example on the board
LEAST_SECURED = 2  # for one question
MOST_SHOWN = 12
TO_READ, IN_WORDS = ("word", "line"), ("answer", "sentence")  # of leaves.toml
MOST_ASKED = 8
MOST_EXPONENT = 9  # of a power that pupils write down
MOST_WRITTEN = 12  # signs of a number
LONGEST_WRITTEN = 8  # letters; where a word is longer, pupils write its ID


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A worksheet's content: tokens and cells by place; numbers come from the Trace.

    Whose plan it is, of which level, a sheet need not say: that is known to whoever asks for it,
    as is the neutral `mark` that is printed instead of "level 2", "" where levels do not differ.
    `asked` are the cells to fill, `minutes` what a class needs to compute them; `beside` are a
    practised pupil's seconds for what only a lesson has: checks, drawings, numbers copied. `leaf`
    names the row of `leaves.toml` with what is read, where that is not the sheet's. `own` is the
    row that pupils compute, `worked` the row of the example, where a sheet has them. `opening` are
    the minutes that a class needs at the board before it, at least. `extra` are steps that only
    this sheet shows, such as those of a second sentence. `among` are the sheets of the set that it
    belongs to, see `SheetOptions`. A sheet adds what else it decides.
    """

    sheet: str = ""
    level: int = 0
    mark: str = ""
    asked: frozenset[Cell] = frozenset()
    minutes: int = 0
    beside: float = 0.0
    leaf: str = ""
    worked: int = 0
    own: int = 0
    opening: int = LEAST_OPENING
    extra: tuple[Step, ...] = ()
    among: tuple[str, ...] = ()

    @property
    def bare(self) -> Self:
        """The plan without its own steps, which hold numbers: what can be compared and a key."""
        return replace(self, extra=())

    def beside_it(self, *sheets: str) -> bool:
        """Whether pupils have these sheets too, as far as the set decides it."""
        return not self.among or set(self.among).issuperset(sheets)

    @property
    def calculator(self) -> bool:
        """Whether pupils need more than their heads."""
        return True

    @property
    def reading(self) -> int:
        """Minutes for the information leaf: its text, and each line of its example."""
        return minutes(self._spent(*TO_READ))

    @property
    def in_exam(self) -> int:
        """Minutes for what an exam has of the work leaf: numbers, and answers in words."""
        return self.minutes + minutes(self._spent("answer"))

    @property
    def in_all(self) -> int:
        """Minutes for both leaves, which they print: all that pupils read, compute, check, draw."""
        return self.minutes + minutes(self.beside + self._spent(*TO_READ, *IN_WORDS))

    def phases(self, lesson: int) -> dict[str, int]:
        """Minutes of each part of a lesson; "left" is what no part needs, below 0 what is missing.

        Comparing and securing share what the sheet leaves, up to a third of the lesson. Where the
        sheet fits only if the opening takes no more than its reading, it takes no more.
        """
        entry = max(self.opening, self.reading) if self.reading else 10
        short = self.in_all - self.reading + entry + LEAST_CLOSING - lesson
        if self.reading and 0 < short <= entry - self.reading:
            entry -= short
        before = {"entry": entry, "compute": self.in_all - self.reading}
        rest = lesson - sum(before.values())
        closing = max(LEAST_CLOSING, min(rest, lesson // 3))
        secure = max(LEAST_SECURED, closing - round(closing * 2 / 3))
        return {**before, "compare": closing - secure, "secure": secure, "left": rest - closing}

    def _spent(self, *kinds: str) -> float:
        """A practised pupil's seconds for what `leaves.toml` counts on this sheet."""
        told, at = table("sheets/leaves.toml").get(self.leaf or self.sheet, {}), max(1, self.level)
        return practised(**{kind: told.get(kind, [0])[:at][-1] for kind in kinds})


def within_budget(plan: Callable[[Trace, int], Plan], trace: Trace, budget: int) -> Plan:
    """The plan of the largest level that fits into so many minutes; `UserError` for none."""
    plans = [plan(trace, level) for level in reversed(LEVELS)]
    fitting = [one for one in plans if one.in_all <= budget]
    demand(fitting, "sheet.budget", trace, least=plans[-1], budget=budget)
    return fitting[0]


def nothing_asked(trace: Trace, level: int) -> Plan:
    """The plan of a sheet to look things up in; the same for every computation and level."""
    return Plan()


def some_long(words: Iterable[str]) -> bool:
    """Whether there is a word among them that has no room in a box."""
    return max(map(len, words)) > LONGEST_WRITTEN


def demand(holds: object, refusal: str, trace: Trace, **facts: object) -> None:
    """Raise the `UserError` of that key of `refusals.toml`, unless what is required holds."""
    if not holds:
        count = len(trace.tokens)
        facts |= {"count": count, "counted": f"{count} token{'s' * (count != 1)}"}
        raise refused(refusal, trace=trace, preset=trace.preset, **facts)


def require_shown(trace: Trace) -> None:
    """Raise a `UserError` for a sentence with more tokens than a sheet of paper shows."""
    demand(len(trace.tokens) <= MOST_SHOWN, "sheet.shown", trace, most=MOST_SHOWN)


def require_short(plan: Plan, trace: Trace, sheet: str) -> None:
    """Raise a `UserError` where a number is asked that no box has room for."""
    whole = trace.with_steps(plan.extra)
    for name, i, j in sorted(plan.asked):
        value, step = whole[name].values[i, j], whole[name]
        written = "" if step.text else number(float(value), shown_decimals(step), trace.language)
        fits = len(written) <= MOST_WRITTEN
        demand(fits, "sheet.long", trace, sheet=sheet, number=written, most=MOST_WRITTEN)


def both_tokens(trace: Trace, refusal: str, **facts: object) -> tuple[int, int]:
    """The worked and the asked token; that `UserError` where the sentence has too few."""
    worked, own = trace.worked, trace.exercise
    demand(worked is not None and own is not None, refusal, trace, **facts)
    return worked or 0, own or 0


def require_level(level: int) -> None:
    """Raise a `UserError` for a level that there is none of."""
    if level not in LEVELS:
        raise UserError(f"there is no level {level}; choose from: 1, 2, 3")


@cache
def seconds() -> dict[str, float]:
    """The editable table of seconds for one number of each kind."""
    return {k: float(v) for k, v in table("sheets/effort.toml").items()}


def dot(terms: int) -> float:
    """Seconds for a dot product of that many terms."""
    return seconds()["dot"] * terms + seconds()["dot_start"]


def minutes(practised: float, blocks: int = 0) -> int:
    """Minutes of a class median for that many practised seconds, spread over that many blocks."""
    return round((practised * seconds()["class_median"] + blocks * seconds()["reading"]) / 60)


def practised(dots: Iterable[int] = (), **counts: float) -> float:
    """Seconds for so many numbers of each kind, and for dot products of so many terms each."""
    return math.fsum([*map(dot, dots), *(seconds()[kind] * n for kind, n in counts.items())])


def effort(blocks: int, dots: Iterable[int] = (), **counts: float) -> int:
    """Minutes for so many numbers of each kind, and for dot products of so many terms each."""
    return minutes(practised(dots, **counts), blocks)
