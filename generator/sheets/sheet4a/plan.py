"""Sheet 4a, self-attention: one token's scores, shares and output, with all tokens visible.

A model's mask comes on sheet 4b, as a discovery; so here its head is computed without it.
"""

from dataclasses import dataclass
from itertools import chain

from generator.engine.fitness import FreeHead, unmasked
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.heads import row_parts
from generator.sheets.attending import (
    AT,
    ROW,
    Widest,
    output_cells,
    require_attention,
    row_seconds,
    share_cells,
    share_seconds,
)
from generator.sheets.plan import (
    MOST_NUMBERS,
    Plan,
    counted,
    dot,
    minutes,
    require_level,
    require_shown,
    seconds,
)

SHEET = "4a"
EXAMPLE, OWN = "example", "own"  # how the parts of the worked row and of the own one are called
WIDEST = Widest(model=8, head=3)
SUPPORTED_ROWS = 2  # at the first level: two scores are computed, the others are given
MOST_OUTPUTS = 2


@dataclass(frozen=True, kw_only=True)
class Plan4a(Plan):
    """`visible` and `worked_visible` are the tokens that the own and the worked one see.

    `rows` are the tokens whose scores are asked, `outputs` how many numbers of the output, and
    `projects` whether the query is. Keys and values are everybody's: the worked row needs them all.
    `free` is whether the model has a mask that this sheet leaves away.
    """

    at: str = AT
    free: bool = False
    visible: tuple[int, ...]
    worked_visible: tuple[int, ...]
    rows: tuple[int, ...]
    outputs: int
    projects: bool

    @property
    def head(self) -> FreeHead:
        """The head that the sheet is about."""
        return FreeHead(self.at, self.free)


def plan(trace: Trace, level: int) -> Plan4a:
    """What sheet 4a shows and asks at a level, for this Trace's sentence.

    Head 1 of block 1. Raises `UserError` where the preset has no attention or is too wide for
    paper, where the sentence has more than 12 tokens or fewer than the sheet needs.
    """
    require_level(level)
    require_attention(trace, SHEET, _widest(trace), "'brille' or 'katze'")
    require_shown(trace)
    worked, own = trace.worked, trace.exercise
    if worked is None or own is None:
        raise UserError(
            f"sheet 4a works through one token and asks for another; "
            f"{trace.sentence!r} has {counted(trace)}: write a longer sentence"
        )
    head, everyone = FreeHead(AT, free=f"{AT}.mask" in trace), tuple(range(len(trace.tokens)))
    width = trace[f"{AT}.value"].shape[1]
    projects = level == 3 and width <= WIDEST.head
    outputs = _outputs(level, width, projects)
    rows = _rows(level, everyone, outputs)
    return Plan4a(
        sheet=SHEET,
        level=level,
        worked=worked,
        own=own,
        free=head.free,
        visible=everyone,
        worked_visible=everyone,
        rows=rows,
        outputs=outputs,
        projects=projects,
        asked=_asked(trace, head, own, rows, outputs, projects),
        minutes=_minutes(trace, everyone, rows, outputs, projects),
        extra=_extra(trace, head, worked, own),
    )


def _extra(trace: Trace, head: FreeHead, worked: int, own: int) -> tuple[Step, ...]:
    """The head without its mask, and the worked and the own row of it taken apart."""
    free = unmasked(trace, AT) if head.free else ()
    shown, everyone = trace.with_steps(free), tuple(range(len(trace.tokens)))
    rows = ((worked, EXAMPLE), (own, OWN))
    parts = (row_parts(shown, head.step, row, everyone, prefix) for row, prefix in rows)
    return (*free, *chain.from_iterable(parts))


def _outputs(level: int, width: int, projects: bool) -> int:
    if level == 3 and not projects:
        return width
    return 1 if level == 1 else min(MOST_OUTPUTS, width)


def _widest(trace: Trace) -> Widest:
    """Four numbers in a key have room where they are whole and short."""
    names = [name for name in (f"{AT}.key", f"{AT}.value") if name in trace]
    short = all(trace[n].decimals == 0 and abs(trace[n].values).max() < 100 for n in names)
    return WIDEST._replace(head=4) if short else WIDEST


def _rows(level: int, visible: tuple[int, ...], outputs: int) -> tuple[int, ...]:
    numbers_left = MOST_NUMBERS[min(level, 2)] - len(visible) - 1 - outputs
    wanted = SUPPORTED_ROWS if level == 1 else len(visible)
    return visible[: max(0, min(wanted, numbers_left // ROW))]


def _asked(
    trace: Trace, head: FreeHead, own: int, rows: tuple[int, ...], outputs: int, projects: bool
) -> frozenset[Cell]:
    cells = {(head.step(name), own, j) for name in ("scores", "scaled", "exp") for j in rows}
    cells |= share_cells(head, own, tuple(range(len(trace.tokens))))
    cells |= output_cells(head, own, outputs)
    if projects:
        width = trace[f"{AT}.query"].shape[1]
        cells |= {(f"{AT}.query", own, c) for c in range(width)}
    return frozenset(cells)


def _minutes(
    trace: Trace, visible: tuple[int, ...], rows: tuple[int, ...], outputs: int, projects: bool
) -> int:
    width = trace[f"{AT}.query"].shape[1]
    spent = len(rows) * row_seconds(width)
    spent += len(visible) * (share_seconds() + outputs * seconds()["weighted"])
    if projects:
        spent += width * _projection(trace, "query")
    return minutes(spent, 5 if projects else 4)


def _projection(trace: Trace, name: str) -> float:
    weight = trace[f"{AT}.weight.{name}"].values
    selects = bool(((weight == 0) | (weight == 1)).all() and (weight.sum(axis=0) == 1).all())
    return seconds()["copy"] if selects else dot(weight.shape[0])
