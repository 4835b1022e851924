"""The exercise workbook: which cells of each tab are yellow, at three levels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from generator.engine.ops import Copy
from generator.engine.predict import drawing_row
from generator.engine.trace import Trace
from generator.sheets.plan import Cell, require_level
from generator.text.catalogue import step_place

MOST = {1: 16, 2: 40, 3: 60}

Wanted: TypeAlias = list[tuple[int, list[Cell]]]  # from which level on, cells of one row


@dataclass(frozen=True)
class WorkbookPlan:
    """What an exercise workbook asks: the row `own`, and the cells to fill."""

    level: int
    own: int
    asked: frozenset[Cell]


def plan(trace: Trace, level: int) -> WorkbookPlan:
    """The cells that the exercise asks at a level: at most 16, 40 or 60 a tab.

    Own row: the exercise's token, or the last one. From level 2 on also what the essential steps
    are made of, at level 3 also keys, values and the row of the worked token. Masked cells and
    later rounds are never asked. The numbers themselves play no part. Raises `UserError` for an
    unknown level.
    """
    require_level(level)
    asked: set[Cell] = set()
    own = trace.exercise if trace.exercise is not None else len(trace.tokens) - 1
    for wanted in _tabs(trace, own):
        rows = [cells for least, cells in wanted if least <= level and cells]
        asked.update(_share(rows, MOST[level]))
    return WorkbookPlan(level, own, frozenset(asked))


def _share(rows: Sequence[list[Cell]], most: int) -> Iterator[Cell]:
    """As many cells of each row as fit, the same number of each; then the first rows only."""
    length = max((len(row) for row in rows), default=0)
    while length > 1 and sum(min(length, len(row)) for row in rows) > most:
        length -= 1
    for row in rows[:most]:
        yield from row[:length]


def _tabs(trace: Trace, own: int) -> Iterator[Wanted]:
    """What could be asked on each tab, in order of importance."""
    rows = _Rows(trace, own)
    yield rows.of(("ids", 1), ("embedding", 1), ("similarity", 2), ("similarity+", 3))
    yield _bpe(trace)
    yield rows.of(("input", 1), ("position", 2), ("position.angle", 3), ("input+", 3))
    for block, head in _places(trace):
        yield _head(rows, f"block{block}.head{head}.") if head else []
    for block in range(1, trace.preset.blocks + 1):
        yield from _block(rows, f"block{block}.")
    yield rows.of(*_norm("final.", "", 1))
    yield _output(trace, rows)


def _head(rows: "_Rows", at: str) -> Wanted:
    softmax = ("scores", "exp", "sum", "weights", *_untold(rows.trace, at))
    return rows.of(
        *((f"{at}{name}", 1) for name in softmax),
        *((f"{at}{name}", 2) for name in ("scaled", "query")),
        *((f"{at}{name}", 3) for name in ("key", "value", "max", "shifted")),
        *((f"{at}{name}+", 3) for name in softmax),
    )


def _untold(trace: Trace, at: str) -> tuple[str, ...]:
    """The head's output, except where a part of the tabs gives the same numbers further on."""
    after = trace.steps.get(f"{at.partition('head')[0]}attention")
    return () if after and after.kind == "given" else ("output",)


def _block(rows: "_Rows", at: str) -> Iterator[Wanted]:
    """Attention and feed-forward tab of a block; with pre-norm the first norm has its own."""
    joined = ((f"{at}residual1", 1), (f"{at}attention", 2))
    if rows.trace.preset.norm == "pre":
        yield rows.of(*_norm(at, "1", 1))
        yield rows.of(*joined)
        first = 2
    else:
        yield rows.of(*joined, *_norm(at, "1", 1))
        first = 1
    network = tuple((f"{at}{name}", 1) for name in ("hidden", "activation", "feedforward"))
    worked = tuple((f"{at}{name}+", 3) for name in ("hidden", "activation", "feedforward"))
    yield rows.of(*network, (f"{at}residual2", first), *_norm(at, "2", 2), *worked)


def _norm(at: str, number: str, level: int) -> tuple[tuple[str, int], ...]:
    names = ("mean", "variance", "deviation", "normalised")
    return (*((f"{at}{name}{number}", level) for name in names), (f"{at}norm{number}", 2))


def _output(trace: Trace, rows: "_Rows") -> Wanted:
    drawn = drawing_row(trace.preset)
    chain = ("output.exp", "output.sum", "output.probabilities")
    return [
        *rows.at(0, ("output.logits", 1)),
        *rows.at(drawn, *((name, 1) for name in chain)),
        *rows.at(0, ("sampling.next", 1), ("sampling.rank", 3)),
        *rows.at(drawn, ("output.tempered", 3)),
    ]


def _bpe(trace: Trace) -> Wanted:
    """The counts of round 2, for round 1 is the example, and lengths of later rounds.

    Which pairs there are in round 3 hangs on the answers of round 2, so it asks for no count.
    """
    pairs = trace.steps.get("bpe.merge2.pairs")
    if pairs is None:
        return []
    places = trace["bpe.merge2.places"].values
    wanted: Wanted = [(m - 1, [(f"bpe.merge{m}.length", 0, 0)]) for m in (2, 3, 4)]
    for i in range(pairs.shape[0]):
        row = [(pairs.name, i, j) for j in range(pairs.shape[1]) if places[i, j]]
        wanted.append((1, row))
    return wanted


class _Rows:
    """Rows of computed steps, without their masked cells."""

    def __init__(self, trace: Trace, own: int) -> None:
        self.trace = trace
        self.own = own

    def of(self, *names: tuple[str, int]) -> Wanted:
        """The own row of each step; with "+" the worked token's."""
        wanted: Wanted = []
        for name, level in names:
            if not name.endswith("+"):
                wanted += self.at(self.own, (name, level))
            elif self.trace.worked not in (None, self.own):
                wanted += self.at(self.trace.worked or 0, (name.rstrip("+"), level))
        return wanted

    def at(self, row: int, *names: tuple[str, int]) -> Wanted:
        """That row of each of the steps."""
        return [(level, self._row(name, row)) for name, level in names]

    def _row(self, name: str, row: int) -> list[Cell]:
        step = self.trace.steps.get(name)
        if step is None or step.kind == "given" or isinstance(step.op, Copy):
            return []
        width = step.shape[1]
        if step_place(name)[2] in ("scores", "scaled", "shifted", "exp", "weights"):
            width = min(width, self._visible(row))
        return [(name, row, j) for j in range(width)]

    def _visible(self, row: int) -> int:
        """How many tokens, from the first on, a token sees while the mask is on."""
        mask = self.trace.preset.mask
        return row + (mask == "causal") if mask != "none" else len(self.trace.tokens)


def _places(trace: Trace) -> list[tuple[int, int]]:
    blocks, heads = range(1, trace.preset.blocks + 1), range(1, trace.preset.heads + 1)
    return [(block, head) for block in blocks for head in heads]
