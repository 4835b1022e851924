"""Sheet 4b, mask and heads: one row without the future, a second head, both side by side."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.heads import CONCAT
from generator.insight.row_parts import row_parts
from generator.insight.unmasked import unmasked
from generator.sheets.attending import (
    AT,
    ROW,
    output_cells,
    require_attention,
    row_seconds,
    seen,
    share_cells,
    share_seconds,
)
from generator.sheets.effort import minutes, seconds
from generator.sheets.plan import MOST_NUMBERS, require_level, require_shown
from generator.sheets.sheet4a.plan import EXAMPLE, OWN, WIDEST, Plan4a

SHEET = "4b"
MOST_VISIBLE = 4  # so that a whole head fits into level 2
LEAST_VISIBLE = 2  # a share of one token alone is 1 and teaches nothing
STEPS = ("scores", "scaled", "masked", "exp")

Shared: TypeAlias = dict[tuple[int, int], tuple[int, ...]]  # (head, token): the tokens it sees


@dataclass(frozen=True, kw_only=True)
class Plan4b(Plan4a):
    """`row` is the token whose row is masked, from powers that are given for all tokens.

    `heads` are the heads shown (1, or 1 and 2), `computed` those whose whole way `own` goes,
    `mixed` those whose output is asked. At the third level `row` is another token than `own`.
    """

    row: int
    row_visible: tuple[int, ...]
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
    worked, own = _focus(trace)
    heads = (1, 2) if trace.preset.heads > 1 else (1,)
    computed = _computed(level, heads)
    row = _other(trace, own, worked) if 1 in computed else own
    visible, row_visible = seen(trace, own), seen(trace, row)
    shared = {(1, row): row_visible} | {(h, own): visible for h in computed}
    mixed = computed or (1,)
    asked = _ends(trace, own, shared, mixed, heads)
    room = MOST_NUMBERS[level] - len(asked)
    rows = visible[: room // (ROW * len(computed)) if computed else 0]
    return Plan4b(
        sheet=SHEET,
        level=level,
        at=AT,
        worked=worked,
        own=own,
        row=row,
        visible=visible,
        worked_visible=seen(trace, worked),
        row_visible=row_visible,
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
            yield from row_parts(trace, named, row, seen(trace, row), f"{prefix}{number}")


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
    if f"{AT}.shifted" in trace:
        raise UserError(
            f"preset {preset.name!r} subtracts each row's maximum, which differs with and without "
            "the mask; sheet 4b compares both: set [softmax] shifted = \"never\" or take 'katze'"
        )
    require_shown(trace)


def _focus(trace: Trace) -> tuple[int, int]:
    """The worked token and the pupils' own.

    Worked is the first that sees two, not the preset's: the last one has nothing masked. Own is
    the preset's, or the one that sees most up to four.
    """
    count = [len(seen(trace, k)) for k in range(len(trace.tokens))]
    known = [k for k, n in enumerate(count) if n >= LEAST_VISIBLE]
    if len(known) < 2:
        raise UserError(
            f"sheet 4b masks later tokens for tokens that see at least {LEAST_VISIBLE}; "
            f"{trace.sentence!r} has {len(trace.tokens)} tokens: write a longer sentence"
        )
    fitting = [k for k in known[1:] if count[k] <= MOST_VISIBLE and count[k] < len(count)]
    if not fitting:
        return known[1], known[0]
    if trace.exercise in fitting:
        return known[0], trace.exercise
    return known[0], fitting[-1]


def _other(trace: Trace, own: int, worked: int) -> int:
    """The nearest token that is neither own nor worked, sees at least two and has some masked.

    Earlier ones first; where there is none, the nearest earlier one that sees any.
    """
    count = [len(seen(trace, k)) for k in range(len(trace.tokens))]
    others = [k for k in range(len(count)) if k not in (own, worked)]
    telling = [k for k in others if LEAST_VISIBLE <= count[k] <= min(MOST_VISIBLE, len(count) - 1)]
    if telling:
        return min(telling, key=lambda k: (k > own, abs(k - own)))
    return max(k for k in others if k < own and count[k])


def _computed(level: int, heads: tuple[int, ...]) -> tuple[int, ...]:
    """The heads that are computed from their scores on."""
    return {1: (), 2: heads[-1:], 3: heads}[level]


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
    for (number, token), among in shared.items():
        cells |= share_cells(f"block1.head{number}", token, among)
    for number in mixed:
        cells |= output_cells(f"block1.head{number}", own, width)
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
