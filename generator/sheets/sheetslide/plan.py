"""Sheet slide: the hand-out to the slides, attention with small numbers; the best first lesson."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from generator.engine.fitness import FreeHead
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.heads import checked_sums, key_sums, over_visible
from generator.sheets.attending import (
    AT,
    ROW,
    Widest,
    attended,
    output_cells,
    require_attention,
    scores,
    share_cells,
    share_seconds,
    visible_to,
)
from generator.sheets.geometry import compact
from generator.sheets.plan import (
    MOST_NUMBERS,
    MOST_SHOWN,
    counted,
    dot,
    minutes,
    require_level,
    seconds,
)
from generator.sheets.sheet4a.plan import Plan4a

SHEET = "slide"
EXAMPLE = "example"  # the worked token's steps over the tokens that it sees
KEY_SUMS = "check.key"
CHECKS = "check"
WIDEST = Widest(model=8, head=4)
BLOCKS = {1: 1, 2: 4, 3: 5}


@dataclass(frozen=True, kw_only=True)
class PlanSlide(Plan4a):
    """As for sheet 4a; `powers` are the tokens whose e^x is asked.

    `parts` tells whether the contributions to the output and the check's sums of the keys are.
    """

    powers: tuple[int, ...]
    parts: bool


class Share(NamedTuple):
    """What a level asks: see `PlanSlide`."""

    rows: tuple[int, ...]
    powers: tuple[int, ...]
    outputs: int
    projects: bool
    parts: bool


def plan(trace: Trace, level: int) -> PlanSlide:
    """What the hand-out shows and asks at a level, for this Trace's sentence.

    Level 1: one power, the sum, the shares, the output; level 2: also query, scores and all
    powers; level 3: also each token's contribution and the sums for the check. Raises `UserError`
    where the preset has no attention or is too wide, where the sentence is too long, or too short
    for an example and a task.
    """
    require_level(level)
    require_fit(trace, SHEET, MOST_SHOWN, WIDEST)
    worked, own = focus(trace, SHEET)
    visible = visible_to(trace, own)
    share = _share(trace, level, visible)
    return PlanSlide(
        sheet=SHEET,
        level=level,
        worked=worked,
        own=own,
        visible=visible,
        worked_visible=visible_to(trace, worked),
        asked=_asked(trace, own, visible, share),
        minutes=_minutes(trace, level, own, visible, share),
        extra=_extra(trace, own, visible, worked),
        **share._asdict(),
    )


def require_fit(trace: Trace, sheet: str, tokens: int, widest: Widest) -> None:
    """Raise a `UserError` for what does not fit the sheet; it names a preset that does."""
    if trace.preset.softmax_base is not None:
        raise UserError(
            f"preset {trace.preset.name!r} takes powers of {trace.preset.softmax_base:g}; sheet "
            f"{sheet} is about e^x: take 'paris', or sheet 4a"
        )
    require_attention(trace, sheet, widest, "'paris' or 'katze'")
    if len(trace.tokens) > tokens:
        raise UserError(
            f"the sentence has {len(trace.tokens)} tokens; sheet {sheet} shows at most {tokens}: "
            "shorten it, or make the workbook with --only xlsx"
        )


def focus(trace: Trace, sheet: str) -> tuple[int, int]:
    """The token of the example and that of the task; `UserError` where either sees no token."""
    worked, own = trace.worked, trace.exercise
    if worked is None or own is None or not (visible_to(trace, own) and visible_to(trace, worked)):
        raise UserError(
            f"sheet {sheet} works through one token and asks for another, and both must see some; "
            f"{trace.sentence!r} has {counted(trace)}: write a longer sentence"
        )
    return worked, own


def _extra(trace: Trace, own: int, visible: tuple[int, ...], worked: int) -> tuple[Step, ...]:
    tidy = compact(trace, AT)
    shown = trace.with_steps(tidy)
    return (
        *tidy,
        *over_visible(shown, AT, worked, visible_to(trace, worked), EXAMPLE),
        key_sums(shown, AT, visible, KEY_SUMS),
        *checked_sums(shown, AT, own, visible, CHECKS),
    )


def _share(trace: Trace, level: int, visible: tuple[int, ...]) -> Share:
    width = trace[f"{AT}.value"].shape[1]
    numbers_left = MOST_NUMBERS[min(level, 2)] - len(visible) - 1  # shares and sum are asked
    if level == 1:
        return Share((), visible[:1], max(1, min(width, numbers_left - 1)), False, False)
    rows = visible[: max(1, (numbers_left - 2 * width) // ROW)]
    asked = 2 * width + ROW * len(rows) + len(visible) + 1
    more = width * (len(visible) + 1)
    parts = level == 3 and asked + more <= MOST_NUMBERS[3]
    return Share(rows, rows, width, True, parts)


def _asked(trace: Trace, own: int, visible: tuple[int, ...], share: Share) -> frozenset[Cell]:
    width = trace[f"{AT}.value"].shape[1]
    cells = {(f"{AT}.{name}", own, j) for name in scores(trace) for j in share.rows}
    cells |= {(f"{AT}.exp", own, j) for j in share.powers}
    cells |= share_cells(FreeHead(AT), own, visible) | output_cells(FreeHead(AT), own, width)
    if share.parts:
        cells |= {(KEY_SUMS, 0, c) for c in range(width)}
        cells |= {(f"{AT}.contribution{own + 1}", j, c) for j in visible for c in range(width)}
    if share.projects:
        cells |= {(f"{AT}.query", own, c) for c in range(width)}
    return frozenset(cells)


def _minutes(trace: Trace, level: int, own: int, visible: tuple[int, ...], share: Share) -> int:
    """Products with a 0 take no time: which they are follows from the given numbers."""
    table = seconds()
    query, keys, values = (_support(trace, name) for name in ("query", "key", "value"))
    spent = math.fsum(dot(max(1, int((query[own] & keys[j]).sum()))) for j in share.rows)
    spent += len(share.rows) * table["scale"] + len(share.powers) * table["exp"]
    spent += len(visible) * share_seconds()
    spent += _projection(trace) if share.projects else 0
    products = int(values[list(visible), : share.outputs].sum())
    spent += products * table["weighted"]
    if share.parts:  # each product is written down, and the columns of the keys are added up
        spent += products * table["copy"] + int(keys[list(visible)].sum()) * table["sum"]
    return minutes(spent, BLOCKS[level])


def _support(trace: Trace, name: str) -> np.ndarray:
    """Where a projection can differ from 0, [tokens, d_head]."""
    product = np.abs(trace[attended(trace)].values) @ np.abs(trace[f"{AT}.weight.{name}"].values)
    support: np.ndarray = product > 0
    return support


def _projection(trace: Trace) -> float:
    """Seconds for one token's query: copying where the matrix only selects."""
    spent = 0.0
    for column in trace[f"{AT}.weight.query"].values.T:
        used = column[column != 0]
        copies = len(used) == 1 and used[0] == 1
        spent += seconds()["copy"] if copies else dot(max(1, len(used)))
    return spent
