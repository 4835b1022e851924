"""What the template of sheet 6 may ask: temperatures, origin of the last vector, bars, slips.

Also here:

* What stands below the last task of sheet 6, so that it takes no page more than it must.
* What pupils tick at the end of the series: a line for each sheet that their model fills.
* What sheet 6 says of its own result, each sentence with what must be true of it.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from math import prod

from markupsafe import Markup

from generator.engine.rounding import GUARD, guarded
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight import output_layer, output_step
from generator.insight.attention import leaders
from generator.insight.claims import Claim, of_trace, or_plain
from generator.insight.output_layer import EXP, LOGITS, SHARES, TEMPERED, TOTAL
from generator.insight.slips import Slip
from generator.insight.tolerances import compared, cut, needs
from generator.locales.locale import locale_of
from generator.notation.latex import OPERATORS
from generator.notation.shown import number, shown_decimals, shown_value
from generator.notation.worked import NO_BREAK
from generator.sheets.context import Context, Help
from generator.sheets.geometry import AXIS_MM, Mm
from generator.sheets.sheet6.plan import MOST_BARS, Plan6, barred
from generator.sheets.slots import fills, taken

LONG_WORD = 12
WRITTEN = 4  # products of a logit on one line
VECTOR_MM, VECTORS_MM = 11.0, 62.0  # one column of the vector and its table, all of them
BROUGHT_MM = 56.0  # all of them where pupils write the vector
NUMBER_MM, SLIM_MM, SLIM = 21, 18, 6  # a column from logit to P; a slim one, beside longer vectors
ROUNDED = (
    *("tempered", "exp", "sum", "probabilities"),
    *("probability", "cross_entropy", "perplexity"),
)
# Millimetres, measured: how high each part of the work leaf is.
PAGE, TOP = 276, 14  # the lower edge of a page, its first line
ABOVE, ASKED, GIVEN, SUMS = 77, 9.7, 6, 18  # a table: the head of the leaf, its rows, its foot
AGAIN, SAFE = 11, 6  # the head of a further table; a sentence of two lines, a box for marks
BARS, GROUP, DRAWN = 12, 10.5, 1.3  # the bars: their task and axis, a word's, one to draw
ENDS, CHOICE, CHOSEN, DRAWS = 32, 26, 5.5, 82  # what stands around the rows of intervals; the draws
ORDER, RATIO, LOSS, CLOSE, STORY = 23.7, 24.2, 42, 15.2, 12.5  # the last tasks; the story's end
TICKS, TICK, HINTS, NEXT = 7, 4.9, 20.5, 11  # what pupils can tick, a line of it; what follows
BROKEN = 10  # lost in a table where words break
LABEL, SQUARE = 13, 5  # of the squares
FEWEST, MOST = 3, 24  # rows of squares
JOURNEY = ("1", "2", "3", "4a", "4b", "5", "6")


def heard_all(trace: Trace, plan: Plan6) -> bool:
    """Whether the last token sees all that come before it, and there are some."""
    if "block1.head1.weights" not in trace or len(trace.tokens) < 2:
        return False
    mask = "block1.head1.mask"
    return mask not in trace or bool((trace[mask].values[-1, :-1] == 0.0).all())


def one_leads(trace: Trace, plan: Plan6) -> bool:
    """Whether one word alone is the likeliest, as printed for the given temperature."""
    return len(leaders(trace[SHARES], plan.drawn, range(trace[SHARES].shape[1]))) == 1


def one_logit_leads(trace: Trace, plan: Plan6) -> bool:
    """Whether one word alone has the largest logit, as printed, and is the likeliest."""
    words = range(trace[LOGITS].shape[1])
    return leaders(trace[LOGITS], 0, words) == (output_layer.heat(trace, plan.drawn).best,)


def tied(trace: Trace) -> int:
    """How many words have the largest logit, so that no temperature tells them apart."""
    logits = guarded(trace[LOGITS].values[0], GUARD)
    return int((logits == logits.max()).sum())


def heat_counts(trace: Trace, plan: Plan6) -> bool:
    """Whether the likeliest word gets more at the lowest temperature than at the highest."""
    best, low, high = output_layer.heat(trace, plan.drawn)
    at_low, at_high = (shown_value(trace[SHARES], row, best) for row in (low, high))
    return one_leads(trace, plan) and at_low > at_high


def goes_on(trace: Trace, plan: Plan6) -> bool:
    """Whether more of the model follows what sheet 5 computes, before the last vector."""
    return fills("5")(trace, plan) and not trace["last"].inputs[0].startswith("block1.")


def whole_way(trace: Trace, plan: Plan6) -> bool:
    """Whether the series begins with the sentence and not with given vectors."""
    return trace.preset.start == "sentence"


def taught(trace: Trace, plan: Plan6) -> bool:
    """Whether pupils have all sheets that lead here, from the sentence on."""
    before = JOURNEY[: JOURNEY.index("6")]
    return whole_way(trace, plan) and plan.beside_it(
        *(one for one in before if taken(one, trace, plan.level))
    )


SIGNED = ("sheet6.calculator", "sheet6.hint.exp")
CLAIMS = {
    **or_plain(lambda trace, _: bool((trace[LOGITS].values < 0).any()), *SIGNED),
    "sheet6.story.open": Claim(heard_all, "sheet6.story.open.alone"),
    "sheet6.origin.block": Claim(fills("5"), "sheet6.origin.block.bare"),
    "sheet6.origin.more": Claim(goes_on),
    "sheet6.tied": Claim(  # the embeddings are those of sheet 2, and the input is made of them
        lambda t, p: whole_way(t, p) and fills("2")(t, p), "sheet6.tied.rows"
    ),
    "sheet6.origin.last": Claim(heard_all),
    "sheet6.loop": of_trace(lambda trace: trace.preset.stop is not None, "sheet6.loop.endless"),
    "sheet6.choice.greedy.how": Claim(one_leads, "sheet6.choice.greedy.how.general"),
    "sheet6.finding": Claim(heat_counts, "sheet6.finding.general"),
    "sheet6.discuss.1.answer": Claim(one_logit_leads, "sheet6.discuss.1.answer.tied"),
    "sheet6.discuss.1.answer.tied": of_trace(
        lambda trace: tied(trace) > 1, "sheet6.discuss.1.answer.general"
    ),
    "sheet6.next.learning": Claim(fills("7a")),
    "sheet6.next": Claim(taught),
    "sheet6.next.map": Claim(lambda _, plan: plan.beside_it("math"), "sheet6.next.series"),
    "sheet6.story.close": Claim(taught, "sheet6.story.close.part"),
}


class NextToken(Context):
    """A view whose model ends in logits."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the vocabulary, by ID."""
        return self.trace[LOGITS].columns


class View6(NextToken):
    """The view of sheet 6 that its template has."""

    claims = CLAIMS

    plan: Plan6

    @property
    def best(self) -> int:
        """The likeliest word at the temperature that is given: the one of the worked lines."""
        return self.heat().best

    def heat(self) -> output_layer.Heat:
        """The likeliest word, and the rows of the lowest and the highest temperature."""
        return output_layer.heat(self.trace, self.plan.drawn)

    def best_unrounded(self) -> str:
        """Whether another word would be the likeliest if nothing was rounded, as a sentence."""
        row = self.plan.drawn
        return self.unrounded(lambda one: self.words[output_layer.heat(one, row).best])

    def likeliest(self) -> list[int]:
        """The words that bars are drawn for: the likeliest above, as on the slide of source 004.

        The order is that of the logits, which every temperature keeps.
        """
        return output_layer.by_logit(self.trace)[:MOST_BARS]

    def barred(self) -> list[int]:
        """The words with bars to draw."""
        return barred(self.trace, self.plan.drawn)

    @property
    def some(self) -> str:
        """The end of the key of a phrase about bars where these leave words out."""
        return ".some" if len(self.words) > MOST_BARS else ""

    @property
    def writes_out(self) -> bool:
        """Whether each logit with a bar stands on one line, with all its products."""
        terms = self.size("last")[1] + self.has("output.bias")
        return not self.brings and terms <= WRITTEN and not self._broken

    def table(self) -> str:
        """The step whose rows the last vector is multiplied with."""
        return output_layer.matrix(self.trace)

    def temperature(self, row: int) -> str:
        """A temperature as it is printed."""
        return self.shown("temperature", row, 0)

    def origin(self) -> str:
        """Where the last vector is from, as the end of a catalogue key."""
        trace = self.trace
        if trace.preset.start == "vector":
            return "given"
        if any(step.place.final for step in trace):
            return "final"
        return "block" if any(step.place.block == 1 for step in trace) else "input"

    @property
    def brings(self) -> bool:
        """Whether pupils bring the last vector: sheet 5 ends with it if it is about this token."""
        row = self.trace["last"].inputs
        return self.carries and bool(row) and self.had("5", *self.row_of_own(*row))

    def rows_of_block(self) -> dict[str, int]:
        """Rows with which sheet 5 ends, by what they are: its example's, the own one, the last.

        Only where the last one is y, and not in large print. Others are answers of a class, so
        they stand on the board; the own one is there for whoever brings it, whatever its token.
        """
        block, last = taken("5", self.trace, self.plan.level), len(self.tokens) - 1
        alone = self.origin() == "block" and self.trace.preset.blocks == 1
        here = alone and self.plan.beside_it("5") and not self.options.large_print
        if block is None or not here:
            return {}
        (step,) = self.trace["last"].inputs[:1]
        whole = self.had("5", *((step, block.own, j) for j in range(self.size(step)[1])))
        rows = {"example": block.worked, **({"own": block.own} if self.carries and whole else {})}
        return {**{name: i for name, i in rows.items() if i != last}, "last": last}

    def widths(self) -> dict[str, Mm]:
        """The widths of the columns: words, a number of the vector, one from logit to P.

        Long vectors take some of the others' room. Pupils have as much as there is to write theirs.
        """
        columns = self.size("last")[1]
        number = SLIM_MM if columns > SLIM else NUMBER_MM
        room = (BROUGHT_MM if self.brings else VECTORS_MM) + 4 * (NUMBER_MM - number)
        vector = room / columns if self.brings else min(VECTOR_MM, room / columns)
        word = 170 - (vector * columns + 4 * number) - (14 if self.has("output.bias") else 0)
        return {"word": Mm(word), "vector": Mm(vector), "number": Mm(number)}

    def saved(self) -> str:
        """The multiplications that a KV cache saves at the next token, or ""."""
        factors = output_layer.cached_products(self.trace)
        if not factors:
            return ""
        shown = [f for k, f in enumerate(factors) if k < 4 or f != 1]
        line = f" {locale_of(self.options.language).signs.times} ".join(map(str, shown))
        return f"{line} = {prod(factors)}".replace(" ", NO_BREAK)

    def logit_tolerance(self) -> str:
        """By how much the rounded logits may miss y · Σ embeddings; "" where none is rounded."""
        factors = [("last", self.table()), *([("output.bias",)] if self.has("output.bias") else ())]
        rounded = cut(self.trace, LOGITS) or needs(self.trace, LOGITS, *factors)
        return self.slack((compared(self.trace, len(self.words)), LOGITS)) if rounded else ""

    def exponent_tolerance(self, row: int) -> str:
        """By how much the exponents may miss Σ logits : T; "" where none is rounded."""
        decimals = shown_decimals(self.trace[TEMPERED])
        temperature = float(self.trace["temperature"].values[row, 0])
        quotients = self.trace[LOGITS].values / temperature
        exact = bool((guarded(quotients, decimals) == guarded(quotients, GUARD)).all())
        total = 1 / temperature if cut(self.trace, LOGITS) else 0.0
        return self.slack((0 if exact else len(self.words), TEMPERED), (total, "check.sum"))

    def share_tolerance(self) -> str:
        """By how much the rounded shares may miss 1."""
        return self.share_slack(SHARES, EXP, TOTAL, len(self.words))

    def strip_mm(self, j: int) -> Mm:
        """The width of a word's part of the strip from 00 to 99."""
        end, start = (self.trace[f"strip.{name}"].values[0, j] for name in ("cumulative", "from"))
        return Mm((end - start) * AXIS_MM)

    def skills(self) -> list[tuple[str, str]]:
        """What pupils can tick, if there is room for it: names and keys, in the sheets' order.

        Those that the model fills count, and of a set that is a part of the series those in it. A
        known next word may take the room.
        """
        t, filled = self.catalogue.t, [x for x in JOURNEY if fills(x)(self.trace, self.plan)]
        end = self._reach(self._parts)[-1] + TICKS + TICK * len(filled) / 2
        room = not self.plan.loss or end <= PAGE
        return [(t(f"sheet{name}.name"), f"sheet{name}.skill") for name in filled * room]

    # How far the parts of the work leaf reach down its pages, and what has room below them.

    @property
    def hints_at(self) -> str:
        """Where the hints stand: at the "end", below the "bars" if only these leave room, or "".

        They take no page of their own.
        """
        plain, moved = self._ends(0), self._ends(HINTS)
        bars = self._reach(self._parts[: len(self.plan.heated) + 1])[-1] + HINTS <= PAGE
        if self.options.large_print or plain[-1] + HINTS + NEXT * bars <= PAGE:
            return "end"
        return "bars" if bars and self.plan.level < 3 and len(moved) == len(plain) else ""

    @property
    def _crowded(self) -> bool:
        """Whether no squares fill up a page that others follow."""
        return self.options.large_print or self._broken or self.hints_at == "bars"

    @property
    def first_rows(self) -> int:
        """How many rows of squares fill up the first page, where what follows has no room on it."""
        return 0 if self._crowded else squares(int(PAGE - self._reach(self._parts)[0] - LABEL))

    @property
    def middle_rows(self) -> int:
        """How many rows of squares fill up the page of the bars, where the draws begin another."""
        *parts, draws = self._parts[: len(self.plan.heated) + 3]
        ends = self._reach(parts)
        fits = self._crowded or len(ends) == 1 or ends[-1] + draws <= PAGE  # the first is filled
        return 0 if fits else squares(int(PAGE - ends[-1] - LABEL - HINTS))

    @property
    def shows_next(self) -> bool:
        """Whether the sheet says how it goes on: not where this alone would take a page."""
        hints = HINTS * (self.hints_at == "end")
        return self.options.large_print or self._last + NEXT + hints <= PAGE

    @property
    def rows(self) -> int:
        """How many rows of squares fill up the page; 0 for too few.

        In large print the squares above the table are the only ones: these would take a page.
        """
        hints = HINTS * (self.hints_at == "end" and self.plan.level < 3)
        below = LABEL + NEXT * self.shows_next + hints
        filled = self.options.large_print or self._broken
        return 0 if filled else squares(int(PAGE - self._last - below))

    @cached_property
    def _parts(self) -> list[float]:
        """The heights of the tables, bars and tasks, as they follow each other."""
        plan, v, n = self.plan, len(self.words), len(self.plan.heated)
        asked = [sum(self.asks(SHARES, row, j) for j in range(v)) for row in plan.heated]
        tables = [AGAIN + SUMS + ASKED * k + GIVEN * (v - k) + BROKEN * self._broken for k in asked]
        tables[0] += ABOVE - AGAIN + SAFE * (self.options.points or len(self.trace.sentence) > 60)
        bars = BARS + (GROUP + DRAWN * n) * len(self.barred())
        choice = BROKEN * self._broken + (ENDS + ASKED * v if plan.ends else CHOICE + CHOSEN * v)
        last = LOSS if plan.loss else STORY * self.options.story
        return [*tables, bars, RATIO if plan.level == 3 else ORDER, choice + DRAWS, CLOSE, last]

    @property
    def _last(self) -> float:
        """Where the last page ends."""
        return self._ends(HINTS * (self.hints_at == "bars"))[-1]

    def _ends(self, below_bars: float) -> list[float]:
        """Where each page ends, with what pupils can tick, and so much room below the bars."""
        parts, at = self._parts, len(self.plan.heated) + 1
        ticks = TICKS + TICK * len(self.skills()) / 2
        return self._reach([*parts[:at], below_bars, *parts[at:], ticks])

    def _reach(self, parts: list[float]) -> list[float]:
        """Where each page ends: a part that does not fit begins another one."""
        ends = [0.0]
        for part in parts:
            if ends[-1] + part > PAGE:
                ends.append(TOP)
            ends[-1] += part
        return ends

    @property
    def _broken(self) -> bool:
        """Whether a word is longer than its column."""
        return max(map(len, (*self.words, self.own))) > LONG_WORD

    def entropy_formula(self) -> Markup:
        """The cross-entropy of one word, and its perplexity."""
        return self.formula(
            "6.entropy", "\\mathrm{CE} = -\\ln P \\qquad \\mathrm{PP} = e^{\\mathrm{CE}}"
        )

    def keeps(self, at: str, j: int) -> bool:
        """Whether a way of choosing leaves a word. Only for solutions."""
        return bool(self.trace[f"{at}.kept"].values[0, j])

    def tally(self, j: int) -> int:
        """How often the printed draws hit a word. Only for solutions."""
        name = str(j) if self.plan.by_number else self.words[j]
        return Counter(self.trace["draw.token"].values[:, 0].tolist())[name]

    def expected(self, j: int, row: int) -> str:
        """How many of the printed draws a word would get if all went as its share says."""
        share = float(self.trace[SHARES].values[row, j])
        return number(share * len(self.trace["draw.token"].values), 1, self.options.language)

    def slips(self) -> list[Slip]:
        plan = self.plan
        usual = output_layer.slips(self.trace, plan.heated[0], plan.words, ends=plan.ends)
        asked = [one for one in usual if one.step != EXP or plan.heated[0] not in plan.looked_up]
        return [*asked, *output_step.slips(self.trace)]

    def named(self, slip: Slip) -> dict[str, str]:
        heated = slip.step.startswith("output.")
        names = {"t": self.temperature(slip.i)} if heated else {}
        return {"token": self.words[slip.j], **names}

    def telling(self) -> dict[str, str]:
        best, low, high = self.heat()
        names = {"token": self.words[best], "count": str(len(self.words))}
        for key, row in {"low": low, "high": high}.items():
            names |= {key: self.share(SHARES, row, best), f"t_{key}": self.temperature(row)}
        return names

    def ends(self) -> Iterator[tuple[str, Cell]]:
        row = self.plan.heated[0]
        yield from ((word, (SHARES, row, j)) for j, word in enumerate(self.words))

    def behaviour(self) -> str:
        """What there is to see in this model, for the teacher page."""
        return self.shows()

    def decimals(self) -> str:
        """To how many decimals pupils round, said before the first task."""
        return self.rounded(ROUNDED)

    def hints(self) -> tuple[str, ...]:
        power = () if self.plan.heated[0] in self.plan.looked_up else ("exp",)
        return (*power, "share", "ticks")

    def helps(self) -> tuple[Help, ...]:
        row, j = self.plan.heated[0], self.plan.words[0]
        power = self.formula("6.exp", f"{self.base()}^{{z {self._over} T}}")
        word = self.words[j]
        like = self.plan.drawn, self.best
        share = Help("share", self.share_formula(), SHARES, row, j, like, word)
        given = row in self.plan.looked_up
        return (share,) if given else (Help("exp", power, EXP, row, j, like, word), share)

    @property
    def example(self) -> str:
        """The word whose row is worked out, the likeliest."""
        return self.words[self.best]

    def pressed(self) -> dict[str, str]:
        return {"base": self.base()}

    def logit_formula(self) -> Markup:
        """The logit of a word: the last vector times the word's row."""
        bias = " + b" if self.has("output.bias") else ""
        key = "6.logit.bias" if bias else "6.logit"
        return self.formula(key, f"z = y \\cdot w{bias}")

    def temper_formula(self) -> Markup:
        """The exponent: a logit over the temperature."""
        return self.formula("6.temper", "\\dfrac{z}{T}")

    def share_formula(self) -> Markup:
        """The share of a word."""
        power = f"{self.base()}^{{z {self._over} T}}"
        return self.formula("6.share", f"P = \\dfrac{{{power}}}{{\\Sigma\\, {power}}}")

    @property
    def _over(self) -> str:
        return OPERATORS[locale_of(self.options.language).signs.divided]


def squares(room: int) -> int:
    """How many rows of squares have room in so many millimetres; 0 for too few."""
    rows = room // SQUARE
    return min(rows, MOST) if rows >= FEWEST else 0
