"""Sheet 4b, mask and heads: one row without the future, a second head, both side by side."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from generator.engine.fitness import FreeHead, unmasked
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.heads import CONCAT, row_parts, sight
from generator.sheets.attending import (
    AT,
    ROW,
    output_cells,
    require_attention,
    row_seconds,
    share_cells,
    share_seconds,
    visible_to,
)
from generator.sheets.plan import (
    MOST_NUMBERS,
    counted,
    minutes,
    require_level,
    require_shown,
    seconds,
)
from generator.sheets.sheet4a.plan import EXAMPLE, OWN, WIDEST, Plan4a

SHEET = "4b"
LEAST_VISIBLE = 2  # a share of one token alone is 1 and teaches nothing
STEPS = ("scores", "scaled", "masked", "exp")

Shared: TypeAlias = dict[int, tuple[int, ...]]  # by head: the tokens whose shares are asked


@dataclass(frozen=True, kw_only=True)
class Plan4b(Plan4a):
    """The own token is the one whose row is masked, from powers that are given for all tokens.

    Pupils have its powers and shares without the mask from sheet 4a.
    `heads` are the heads shown (1, or 1 and 2), `computed` those whose whole way it goes, `mixed`
    those whose output is asked.
    """

    heads: tuple[int, ...]
    computed: tuple[int, ...]
    mixed: tuple[int, ...]


def plan(trace: Trace, level: int) -> Plan4b:
    """What sheet 4b shows and asks at a level, for this Trace's sentence.

    Heads 1 and 2 of block 1; without a second head the sheet ends with the output of the first.
    Raises `UserError` where the preset has no attention, no mask or is too wide for paper, where
    the sentence has more than 12 tokens or too few to mask some.
    """
    require_level(level)
    _require_fit(trace)
    worked, own = _tokens(trace)
    heads = (1, 2) if trace.preset.heads > 1 else (1,)
    computed = heads[1:] if level > 1 else ()
    visible = visible_to(trace, own)
    shared = dict.fromkeys((1, *computed), visible)
    mixed = heads if computed else (1,)
    asked = _ends(trace, own, shared, mixed, heads)
    numbers_left = MOST_NUMBERS[level] - len(asked)
    rows = visible[: max(0, numbers_left) // ROW if computed else 0]
    return Plan4b(
        sheet=SHEET,
        level=level,
        worked=worked,
        own=own,
        visible=visible,
        worked_visible=visible_to(trace, worked),
        heads=heads,
        computed=computed,
        mixed=mixed,
        rows=rows,
        outputs=trace.preset.d_head,
        projects=False,
        extra=(*unmasked(trace, AT), *_parts(trace, worked, own, heads)),
        asked=asked | {(head(h, n), own, j) for h in computed for n in STEPS for j in rows},
        minutes=_minutes(trace, shared, len(mixed) * len(visible), rows, computed),
    )


def _parts(trace: Trace, worked: int, own: int, heads: tuple[int, ...]) -> Iterator[Step]:
    """The rows of the worked and of the own token taken apart, in each head that is shown."""
    for number in heads:
        named = partial(head, number)
        for row, prefix in ((worked, EXAMPLE), (own, OWN)):
            yield from row_parts(trace, named, row, visible_to(trace, row), f"{prefix}{number}")


def head(number: int, name: str) -> str:
    """The full name of a step of a head of the first block, counted from 1."""
    return f"block1.head{number}.{name}"


def _require_fit(trace: Trace) -> None:
    preset = trace.preset
    require_attention(trace, SHEET, WIDEST, "'katze'")
    if f"{AT}.mask" not in trace or not np.isinf(trace[f"{AT}.mask"].values).any():
        raise UserError(
            f"preset {preset.name!r} masks nothing here, which sheet 4b is about; take 'katze' "
            f"and a sentence of three words or more ({trace.sentence!r})"
        )
    if sight(trace, AT) not in ("causal", "strict"):
        raise UserError(
            f"preset {preset.name!r} has the mask {preset.mask!r}; sheet 4b is about masks that "
            "hide what comes later and nothing else; take 'katze'"
        )
    if f"{AT}.shifted" in trace:
        raise UserError(
            f"preset {preset.name!r} subtracts each row's maximum, which differs with and without "
            "the mask; sheet 4b compares both: set [softmax] shifted = \"never\" or take 'katze'"
        )
    require_shown(trace)


def _tokens(trace: Trace) -> tuple[int, int]:
    """The worked token and the pupils' own, which must see some tokens and have some masked."""
    worked, own = trace.worked, trace.exercise
    if None in (worked, own) or not visible_to(trace, worked or 0) or not _telling(trace, own or 0):
        raise UserError(
            f"sheet 4b masks some tokens for one that sees at least {LEAST_VISIBLE}; in "
            f"{trace.sentence!r} ({counted(trace)}) the one asked for is none of them: "
            "write a longer sentence"
        )
    return worked or 0, own or 0


def _telling(trace: Trace, token: int) -> bool:
    return LEAST_VISIBLE <= len(visible_to(trace, token)) < len(trace.tokens)


def _ends(
    trace: Trace,
    own: int,
    shared: Shared,
    mixed: tuple[int, ...],
    heads: tuple[int, ...],
) -> frozenset[Cell]:
    """All that is asked but the way of a computed head down to its powers."""
    width = trace.preset.d_head
    cells: set[Cell] = set()
    for number, among in shared.items():
        cells |= share_cells(FreeHead(f"block1.head{number}"), own, among)
    for number in mixed:
        cells |= output_cells(FreeHead(f"block1.head{number}"), own, width)
    if len(heads) > 1:
        cells |= {(CONCAT, own, c) for c in range(len(heads) * width)}
    return frozenset(cells)


def _minutes(
    trace: Trace, shared: Shared, terms: int, rows: tuple[int, ...], computed: tuple[int, ...]
) -> int:
    """`terms` are those of one output number in all mixed heads together."""
    table, width = seconds(), trace.preset.d_head
    spent = sum(map(len, shared.values())) * share_seconds()
    spent += width * terms * table["weighted"]
    spent += len(computed) * len(rows) * row_seconds(width)
    joins = trace.preset.heads > 1
    spent += joins * 2 * width * table["copy"]
    return minutes(spent, 2 + len(computed) + joins)
