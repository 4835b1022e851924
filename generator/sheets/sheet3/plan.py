"""Sheet 3, position: sines and cosines of a word's place, added to its embedding."""

from dataclasses import dataclass
from typing import NamedTuple

from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.position import NEARLY_ROUND, equal_words, stamped
from generator.sheets.plan import Plan, minutes, require_level, require_shown, seconds

SHEET = "3"
MOST_MODEL = 6
FITTING = "take 'katze' or 'brille'"


class WordAt(NamedTuple):
    """A word at a position: its row in the steps whose names begin with `prefix`.

    `kind` is "own", "again" (the same word once more) or "far" (seven turns of the fast pair on).
    """

    kind: str
    prefix: str
    row: int
    position: float


@dataclass(frozen=True, kw_only=True)
class Plan3(Plan):
    """`places` are the positions asked, `equal` two tokens of the sentence with one embedding.

    `angles` says whether pos ÷ divisor is printed as a number, not only as a division.
    """

    places: tuple[WordAt, ...]
    equal: tuple[int, int] | None
    angles: bool


def plan(trace: Trace, level: int) -> Plan3:
    """What sheet 3 shows and asks at a level, for this Trace's sentence.

    One, two or three places: the own word, the same word once more, the same word seven turns on.
    Raises `UserError` where the preset has no sinusoidal positions or is too wide for paper, where
    the sentence has more than 12 tokens or fewer than two.
    """
    require_level(level)
    _require_fit(trace)
    worked, own = trace.worked, trace.exercise
    if worked is None or own is None:
        raise UserError(
            f"sheet 3 works through one token and asks for another; {trace.sentence!r} has too few "
            f"for preset {trace.preset.name!r} ({len(trace.tokens)}): write a longer sentence"
        )
    width = trace.preset.d_model
    places = _places(trace, own, worked)[:level]
    return Plan3(
        sheet=SHEET,
        level=level,
        worked=worked,
        own=own,
        places=places,
        equal=equal_words(trace),
        angles=level == 1 or not _divides_evenly(trace),
        extra=_extra(trace, own, places),
        asked=_asked(places, width),
        minutes=_minutes(len(places), width),
    )


def _require_fit(trace: Trace) -> None:
    preset = trace.preset
    if "position.angle" not in trace:
        kind = "learned positions" if "position" in trace else "no positions"
        raise UserError(
            f"preset {preset.name!r} has {kind}; sheet 3 computes positions with sine and cosine: "
            + FITTING
        )
    if not 2 <= preset.d_model <= MOST_MODEL:
        raise UserError(
            f"preset {preset.name!r} has d_model = {preset.d_model}; on paper sheet 3 takes 2 to "
            f"{MOST_MODEL}: {FITTING}, or make the workbook with --only xlsx"
        )
    if "switch.position" in trace and not trace["switch.position"].values[0, 0]:
        raise UserError("the positions are switched off; sheet 3 needs them: set switch.position=1")
    require_shown(trace)


def _places(trace: Trace, own: int, worked: int) -> tuple[WordAt, ...]:
    """The own word, the same word elsewhere in the sentence or behind it, the same word far on."""
    index = trace["position.index"].values[:, 0]
    equals = [
        k
        for k, token in enumerate(trace.tokens)
        if token == trace.tokens[own] and k not in (own, worked) and index[k] != index[own]
    ]
    if equals:
        again = WordAt("again", "", equals[0], float(index[equals[0]]))
    else:
        again = WordAt("again", "task2.", 0, float(index.max()) + 1)
    far = WordAt("far", "task3.", 0, float(index[own]) + NEARLY_ROUND)
    return WordAt("own", "", own, float(index[own])), again, far


def _extra(trace: Trace, own: int, places: tuple[WordAt, ...]) -> tuple[Step, ...]:
    steps: tuple[Step, ...] = ()
    for place in places:
        if place.prefix:
            steps += stamped(trace, place.prefix, own, place.position)
    return steps


def _divides_evenly(trace: Trace) -> bool:
    """Whether the printed divisors are powers of ten, so that a division shows the whole angle."""
    divisors = trace["position.divisor"].values[0].tolist()
    return all(d.is_integer() and str(int(d)).strip("0") == "1" for d in divisors)


def _asked(places: tuple[WordAt, ...], width: int) -> frozenset[Cell]:
    names = ("position", "input")
    return frozenset((p.prefix + n, p.row, j) for p in places for n in names for j in range(width))


def _minutes(places: int, width: int) -> int:
    """A sine or cosine and a sum of two for each dimension; both are blocks, and so is drawing."""
    table = seconds()
    spent = places * width * (table["exp"] + table["add"])
    return minutes(spent, 2 * places + 1)
