"""Sheet 4a, self-attention: one token's scores, shares and output, with all tokens visible.

A model's mask comes on sheet 4b, as a discovery; so here its head is computed without it.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from generator.engine.fitness import FreeHead, unmasked
from generator.engine.rounding import GUARD, guarded
from generator.engine.trace import Trace
from generator.insight.attention import AttentionRow
from generator.insight.behaviour import to_see
from generator.notation.shown import shown_decimals, shown_values
from generator.sheets import attending
from generator.sheets import plan as plans
from generator.sheets.attending import AT, ROW, Widest
from generator.sheets.plan import MOST_EXPONENT, MOST_NUMBERS, Plan, dot, seconds

EXAMPLE, OWN = "example", "own"  # how the parts of the worked row and of the own one are called
WIDEST = Widest(model=8, head=3)
SUPPORTED_ROWS = 2  # at the first level: two scores are computed, the others are given
MOST_OUTPUTS = 2
MOST_SUMMED = 7  # tokens: of more a lesson has no time for a second number of the output
NEAR_E = 2.71828  # for calculators without a key for eˣ
EXPONENTS = range(-3, 5)  # of a table of powers
MOST_DECIMALS = 3  # in it
CHAIN = ("query", "key", "value", "scores", "scaled", "exp", "sum", "weights", "output")


class Mind(NamedTuple):
    """What there is to mind in a head's numbers: signs, roundings, powers that no table has.

    `against` says whether a query has a negative number, `near` whether powers of `NEAR_E` are
    those of e, to the last digit but one.
    """

    negative: bool
    against: bool
    near: bool
    rounded: bool
    looked_up: bool


@dataclass(frozen=True, kw_only=True)
class Plan4a(Plan):
    """`visible` and `worked_visible` are the tokens that the own and the worked one see.

    `rows` are the tokens whose scores are asked, `outputs` how many numbers of the output, and
    `projects` whether the query is. Keys and values are everybody's: the worked row needs them all.
    `mind` is what there is to mind. `free` is whether the model has a mask that this sheet leaves
    away, `seen` whether what its preset shows is to be seen even so. `compares` says whether the
    largest and the smallest power can be compared with what they would be without √d_k. `opening`
    is long enough for the example's row, with all its steps, at the board.
    """

    opening: int = 10
    at: str = AT
    mind: Mind
    free: bool = False
    seen: bool = True
    visible: tuple[int, ...]
    worked_visible: tuple[int, ...]
    rows: tuple[int, ...] = ()
    outputs: int
    projects: bool = False
    compares: bool = False

    @property
    def calculator(self) -> bool:
        """Whether a power is in no table on the sheet, or something is rounded."""
        return self.mind.rounded or not self.mind.looked_up

    @property
    def head(self) -> FreeHead:
        """The head that the sheet is about."""
        return FreeHead(self.at, self.free)

    def own_row(self, trace: Trace) -> AttentionRow:
        """The pupils' own row of attention."""
        return AttentionRow(trace, self.head, self.own, self.visible)

    def worked_row(self, trace: Trace) -> AttentionRow:
        """The row of the worked example."""
        return AttentionRow(trace, self.head, self.worked, self.worked_visible)


def plan(trace: Trace, level: int) -> Plan4a:
    """What sheet 4a shows and asks at a level, for this Trace's sentence.

    Head 1 of block 1. Raises `UserError` where the preset has no attention or is too wide for
    paper, where the sentence has more than 12 tokens or fewer than the sheet needs.
    """
    attending.require_attention(trace, "4a", _widest(trace), "'brille' or 'katze'")
    plans.require_shown(trace)
    width, everyone = trace[f"{AT}.value"].shape[1], tuple(range(len(trace.tokens)))
    head = FreeHead(AT, free=f"{AT}.mask" in trace)
    free = unmasked(trace, AT) if head.free else ()
    shown = trace.with_steps(free)
    both = plans.both_tokens(trace, "sheet.tokens", sheet="4a")
    worked, own = (AttentionRow(shown, head, k, everyone) for k in both)
    projects = level == 3 and width <= WIDEST.head
    most = min(MOST_OUTPUTS, width) if projects else width
    outputs = 1 if level < 3 or len(everyone) > MOST_SUMMED else most
    numbers_left = MOST_NUMBERS[min(level, 2)] - len(everyone) - 1 - outputs
    wanted = SUPPORTED_ROWS if level == 1 else len(everyone)
    ranked = sorted(everyone, key=lambda j: -own.among("scores")[0][j])
    telling = dict.fromkeys((ranked[0], ranked[-1], *everyone))  # who gets most is computed
    rows = tuple(sorted(list(telling)[: max(0, min(wanted, numbers_left // ROW))]))
    query, weight = own["query"], own["weight.query"].values
    asked = {(head.step(name), own.token, j) for name in ("scores", "scaled", "exp") for j in rows}
    asked |= own.share_cells() | own.output_cells(outputs)
    asked |= {(query.name, own.token, c) for c in range(query.shape[1]) if projects}
    spent = len(rows) * attending.row_seconds(weight.shape[1])
    spent += len(everyone) * (attending.share_seconds() + outputs * seconds()["weighted"])
    spent += projecting(own) if projects else 0
    n, summed = len(everyone), outputs == width == 2  # whether the output is checked, too
    checks = {"compare": 2 + summed, "weighted": n * summed, "add": (n + 1) * summed}
    beside = plans.practised([width], sum=2 * n, draw=0 if projects else n, copy=2 * n, **checks)
    told, compared = about(worked, own), level > 2 and compares(own)
    if compared:  # the largest and the smallest power, without √d_k too, and their ratios
        kinds = ("mark", "add") if told["mind"].looked_up else ("exp", "share")
        beside += 2 * sum(seconds()[kind] for kind in ("copy", *kinds))
    return Plan4a(
        **told,
        free=head.free,
        seen=not head.free or _seen(shown, head),
        rows=rows,
        outputs=outputs,
        projects=projects,
        compares=compared,
        extra=(*free, *worked.parts(EXAMPLE), *own.parts(OWN)),
        asked=frozenset(asked),
        minutes=plans.minutes(spent, 5 if projects else 4),
        beside=beside,
    )


def projecting(row: AttentionRow) -> float:
    """Seconds for one token's query: for copying where a column of the matrix only selects."""
    used = [column[column != 0].tolist() for column in row["weight.query"].values.T]
    return math.fsum(seconds()["copy"] if one == [1] else dot(max(1, len(one))) for one in used)


def _seen(trace: Trace, head: FreeHead) -> bool:
    """Whether a preset's promises about who looks at whom are kept by the shares of this sheet.

    Whom they are about says the mask: a token that comes later is none of them.
    """
    shares = trace[head.step("weights")]
    return to_see(trace.with_steps([shares._replace(name=f"{head.at}.weights")]))


def compares(row: AttentionRow) -> bool:
    """Whether a row's largest and smallest power differ, with √d_k and without, and have a ratio.

    That is, none is 0 as printed or too long to write down.
    """
    scores, scale = row.among("scores")[0], row.trace["scale"].values[0, 0]
    tabled = row.trace.preset.softmax_base is not None
    least, most = (EXPONENTS[0], EXPONENTS[-1]) if tabled else (-MOST_EXPONENT, MOST_EXPONENT)
    if scale == 1 or not least <= scores.min() <= scores.max() <= most:
        return False
    return all(one.differs for one in row.contrasts())


def about(worked: AttentionRow, own: AttentionRow) -> dict[str, Any]:
    """What a plan says of the rows of the example and of the pupils' own."""
    seen = {"visible": own.visible, "worked_visible": worked.visible}
    return {"worked": worked.token, "own": own.token, "mind": _mind(own), **seen}


def _mind(row: AttentionRow) -> Mind:
    """Of all tokens, as all have the same pages; not of asked cells, as a blank asks for none."""
    trace, steps = row.trace, [row[name] for name in CHAIN]
    pairs = ((s.values, s.op.value(*map(trace.values, s.inputs))) for s in (*steps, trace["scale"]))
    exponents = row["scaled"].values.ravel().tolist()
    negative, against = (bool((shown_values(row[name]) < 0).any()) for name in ("key", "query"))
    return Mind(
        negative=negative or against,
        against=against,
        near=trace.preset.softmax_base is None and _near(row),
        rounded=any(bool((guarded(x, GUARD) != guarded(y, GUARD)).any()) for x, y in pairs),
        looked_up=set(exponents) <= set(dict(powers(trace.preset.softmax_base))),
    )


def _near(row: AttentionRow) -> bool:
    """Whether each power of `NEAR_E` is, rounded as the power of e, at most one digit off."""
    decimals, exponents = shown_decimals(row["exp"]), row["scaled"].values
    if abs(exponents).max() > MOST_EXPONENT:
        return False
    off = abs(NEAR_E**exponents - np.exp(exponents))
    return bool(off.max() < 10.0**-decimals)


def powers(base: float | None) -> list[tuple[float, float]]:
    """Small exponents and their powers, where these are short; none of e."""
    if base is None:
        return []
    pairs = ((float(x), float(base) ** x) for x in EXPONENTS)
    return [(x, y) for x, y in pairs if y == round(y, MOST_DECIMALS)]


def _widest(trace: Trace) -> Widest:
    """Four numbers in a key have room where they are whole and short."""
    names = [name for name in (f"{AT}.key", f"{AT}.value") if name in trace]
    short = all(trace[n].decimals == 0 and abs(trace[n].values).max() < 100 for n in names)
    return WIDEST._replace(head=4) if short else WIDEST


def picked(weight: np.ndarray) -> tuple[int, ...]:
    """The dimensions (from 1) that a weight matrix copies; empty where it does more."""
    ones = bool(((weight == 0) | (weight == 1)).all() and (weight.sum(axis=0) == 1).all())
    return tuple((weight.argmax(axis=0) + 1).tolist()) if ones else ()
