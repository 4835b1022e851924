"""Sheet slide: the hand-out to the slides, attention with small numbers; the best first lesson."""

import math
from dataclasses import dataclass, replace

import numpy as np

from generator.engine.fitness import FreeHead
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.insight.attention import AttentionRow
from generator.sheets import attending
from generator.sheets import plan as plans
from generator.sheets.attending import AT, ROW, Widest, visible_to
from generator.sheets.geometry import compact
from generator.sheets.plan import MOST_NUMBERS, dot, seconds
from generator.sheets.sheet4a.plan import EXAMPLE, OWN, Plan4a, about, projecting

COVERED = "covered"  # how the own row is called with one token less
WIDEST = Widest(model=8, head=4)
BLOCKS = {1: 4, 2: 5, 3: 6}
MOST_COVERED = 0.99  # of all: more leaves nothing for the others to share


@dataclass(frozen=True, kw_only=True)
class PlanSlide(Plan4a):
    """As for sheet 4a; `powers` are the tokens whose e^x is asked.

    `covered` are the tokens without which the shares are asked once more: one, or none.
    """

    powers: tuple[int, ...]
    covered: tuple[int, ...]


def plan(trace: Trace, level: int) -> PlanSlide:
    """What the hand-out shows and asks at a level, for this Trace's sentence.

    Level 1: one power, the sum, the shares, the output; level 2: also query, scores and all
    powers; level 3: also the shares once more, with one token covered. Raises `UserError`
    where the preset has no attention or is too wide, where the sentence is too long, or too short
    for an example and a task.
    """
    tidy, worked, own = focus(trace, "slide", plans.MOST_SHOWN, WIDEST)
    visible, n, width = own.visible, len(own.visible), own["value"].shape[1]
    numbers_left = MOST_NUMBERS[min(level, 2)] - n - 1  # shares and sum are asked
    rows = visible[: max(1, (numbers_left - 2 * width) // ROW)] if level > 1 else ()
    shares = own.own("weights")[0]
    others = [j for j in visible if j != own.token and shares[j] < MOST_COVERED]
    covered = tuple(others[: level == 3])
    slide = PlanSlide(
        level=level,
        beside=plans.practised([width], sum=2 * n, compare=2, draw=n, copy=n),
        **about(worked, own),
        rows=rows,
        powers=rows or visible[:1],
        outputs=width if rows else max(1, min(width, numbers_left - 1)),
        projects=bool(rows),
        covered=covered,
        extra=(*tidy, *worked.parts(EXAMPLE), *own.parts(OWN), *own.without(covered, COVERED)),
    )
    return replace(slide, asked=_asked(own, slide), minutes=_minutes(own, slide))


def focus(
    trace: Trace, sheet: str, tokens: int, widest: Widest
) -> tuple[tuple[Step, ...], AttentionRow, AttentionRow]:
    """Steps with no more decimals than they need, the row of the example and that of the task.

    Raises a `UserError` for what does not fit the sheet, naming a preset that does, and where
    either sees no token.
    """
    plans.demand(trace.preset.softmax_base is None, "slide.base", trace, sheet=sheet)
    attending.require_attention(trace, sheet, widest, "'paris' or 'katze'")
    plans.demand(len(trace.tokens) <= tokens, "slide.tokens", trace, sheet=sheet, most=tokens)
    meant = [k for k in (trace.worked, trace.exercise) if k is not None and visible_to(trace, k)]
    plans.demand(len(meant) > 1, "sheet.see", trace, sheet=sheet)
    # An example whose only share is 1 shows nothing.
    others = (k for k in range(len(trace.tokens)) if k != meant[1])
    if len(visible_to(trace, meant[0])) < 2:
        meant[0] = max(others, key=lambda k: len(visible_to(trace, k)))
    tidy, head = compact(trace, AT), FreeHead(AT)
    shown = trace.with_steps(tidy)
    worked, own = (AttentionRow(shown, head, k, visible_to(trace, k)) for k in meant)
    return tidy, worked, own


def _asked(own: AttentionRow, plan: PlanSlide) -> frozenset[Cell]:
    token, columns = plan.own, range(own["value"].shape[1])
    names = attending.scores(own.trace)
    cells = {(own.head.step(name), token, j) for name in names for j in plan.rows}
    cells |= {(own.head.step("exp"), token, j) for j in plan.powers}
    cells |= own.share_cells() | own.output_cells(len(columns))
    cells |= {(f"{COVERED}.sum", 0, 0) for _ in plan.covered}
    rest = [j for k in plan.covered for j in plan.visible if j != k]
    cells |= {(f"{COVERED}.weights", 0, j) for j in rest}
    if plan.projects:
        cells |= {(own.head.step("query"), token, c) for c in columns}
    return frozenset(cells)


def _minutes(own: AttentionRow, plan: PlanSlide) -> int:
    """Products with a 0 take no time: which they are follows from the given numbers."""
    table, visible = seconds(), list(plan.visible)
    x, at = np.abs(own.trace[attending.attended(own.trace)].values), f"{AT}.weight"
    query, keys, values = (
        x @ np.abs(own.trace[f"{at}.{name}"].values) > 0 for name in ("query", "key", "value")
    )
    spent = math.fsum(dot(max(1, int((query[plan.own] & keys[j]).sum()))) for j in plan.rows)
    spent += len(plan.rows) * table["scale"] + len(plan.powers) * table["exp"]
    spent += len(visible) * attending.share_seconds()
    spent += projecting(own) if plan.projects else 0
    spent += int(values[visible, : plan.outputs].sum()) * table["weighted"]
    if plan.covered:  # old shares are copied
        spent += table["add"] + (len(visible) - 1) * (table["share"] + table["copy"])
    return plans.minutes(spent, BLOCKS[plan.level])
