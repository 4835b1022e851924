"""The exercise workbook: which cells of each tab are yellow, at three levels.

Also here:

* What it asks of a step of training: as sheets 7a and 7b, the output alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.engine.learning import MATRIX
from generator.engine.loss import TARGET
from generator.engine.masks import MASKS
from generator.engine.ops.copying import Copy
from generator.engine.ops.learning import MatTMul
from generator.engine.place import RATE, Place, step_prefix
from generator.engine.predict import drawing_row
from generator.engine.preset import EMBEDDING
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.sheets.plan import require_level
from generator.steps import Asked, kind_of
from generator.steps.home import Home, home_of

MOST = {1: 16, 2: 40, 3: 60}
# Of byte-pair encoding, round 1 is the example; which pairs there are in round 3 depends on the
# answers of round 2, so only that asks for counts. New lengths: from which level on in each round.
COUNTED = 2
LENGTHS = {2: 1, 3: 2, 4: 3}


class WantedRow(NamedTuple):
    """Cells of one row that could be asked; what is `later` drops out first."""

    later: bool
    level: int
    cells: list[Cell]


@dataclass(frozen=True)
class WorkbookPlan:
    """What an exercise workbook asks: the row `own`, and the cells to fill."""

    level: int
    own: int
    asked: frozenset[Cell]
    extra: tuple[Step, ...] = ()  # no steps of its own, as a sheet may have


def plan(trace: Trace, level: int) -> WorkbookPlan:
    """The cells that the exercise asks at a level: at most 16, 40 or 60 a tab.

    Own row: the exercise's token, or the last one. From level 2 on also what the essential steps
    are made of, at level 3 also keys, values and the row of the worked token. Masked cells and
    later rounds are never asked. The numbers themselves play no part. Raises `UserError` for an
    unknown level.
    Of training, the loss and what the output learns (`learning`).
    """
    require_level(level)
    asked: set[Cell] = set()
    own = trace.exercise if trace.exercise is not None else len(trace.tokens) - 1
    for tab in _tabs(trace, own):
        rows = [one.cells for one in sorted(tab, key=lambda row: row.later) if one.level <= level]
        asked.update(_share(rows, MOST[level]))
    return WorkbookPlan(level, own, frozenset(asked))


def _share(rows: Sequence[list[Cell]], most: int) -> Iterator[Cell]:
    """As many cells of each row as fit, the same number of each; then the first rows only."""
    length = max((len(row) for row in rows), default=0)
    while length > 1 and sum(min(length, len(row)) for row in rows) > most:
        length -= 1
    for row in rows[:most]:
        yield from row[:length]


def _tabs(trace: Trace, own: int) -> Iterable[list[WantedRow]]:
    """What could be asked on each tab: rows of the steps of the first round that ask for one."""
    tabs: dict[Home, list[WantedRow]] = {}
    norm_first = trace.preset.norm == "pre"
    for step in trace:
        asked = kind_of(step.name).asked
        copied = step.kind == "given" or isinstance(step.op, Copy)
        first = step.place.round == 1 and not step.place.learning  # no further round, no training
        if asked is not None and not copied and first:
            tab = tabs.setdefault(home_of(step.place, norm_first), [])
            tab += [one for one in _wanted(trace, step, asked, own) if one.cells]
        elif by_hand := list(asked_of(trace, step)):
            tab = tabs.setdefault(home_of(step.place, norm_first), [])
            tab += [WantedRow(False, *one) for one in by_hand]
    return tabs.values()


def _wanted(trace: Trace, step: Step, asked: Asked, own: int) -> Iterator[WantedRow]:
    level = _level(trace, step.place, asked)
    match asked.row:
        case "own":
            if asked.unless and _makes_needless(trace, step.place, asked.unless):
                return
            yield WantedRow(False, level, _row(trace, step, own))
            if asked.worked and trace.worked not in (None, own):
                yield WantedRow(True, asked.worked, _row(trace, step, trace.worked or 0))
        case "first":
            yield WantedRow(False, level, _row(trace, step, 0))
        case "drawn":
            yield WantedRow(False, level, _row(trace, step, drawing_row(trace.preset)))
        case "merges":
            if step.place.number in LENGTHS:
                yield WantedRow(False, LENGTHS[step.place.number], [(step.name, 0, 0)])
        case "pairs":
            if step.place.number == COUNTED:
                yield from (WantedRow(True, level, row) for row in _pairs(trace, step))


def _level(trace: Trace, place: Place, asked: Asked) -> int:
    """From which level on; with pre-norm all around the second layer comes later."""
    if place.number != 2:
        return asked.level
    return 2 if trace.preset.norm == "pre" else asked.second or asked.level


def _makes_needless(trace: Trace, place: Place, further: str) -> bool:
    """Whether a part of the tabs is given the same numbers further on in that block."""
    after = trace.steps.get(f"block{place.block}.{further}")
    return after is not None and after.kind == "given"


def _row(trace: Trace, step: Step, row: int) -> list[Cell]:
    """A row without its masked cells."""
    masked = kind_of(step.name).square and step.place.head is not None
    seen = (j for j in range(step.shape[1]) if not masked or _sees(trace, row, j))
    return [(step.name, row, j) for j in seen]


def _sees(trace: Trace, row: int, column: int) -> bool:
    """Whether a token sees another one while the mask is on."""
    mask = MASKS.get(trace.preset.mask)
    return mask is None or bool(mask.visible(len(trace.tokens))[row, column])


def _pairs(trace: Trace, step: Step) -> Iterator[list[Cell]]:
    """The counts of a round, without those of empty places."""
    places = trace[step.inputs[0]].values
    for i in range(step.shape[0]):
        yield [(step.name, i, j) for j in range(step.shape[1]) if places[i, j]]


ROWS = 3  # rows of the output that pupils change: one more at each level
LOSS, ERROR, BIAS = "loss.cross_entropy", "grad.output.tempered", "output.bias"
SECOND = step_prefix(2)
AFTER = ("output.exp", "output.sum", "output.probabilities")


def asked_of(trace: Trace, step: Step) -> Iterator[tuple[int, list[Cell]]]:
    """The rows of a step that a class computes by hand, each with the level from which on.

    Of the weights those of the word that really comes next, then those after it in the vocabulary:
    which ones must not depend on what the model says.
    """
    if step.name.startswith(SECOND):
        yield from _again(trace, step)
    elif {RATE, TARGET, "loss.probability"} <= trace.steps.keys():
        yield from _first(trace, step)


def _again(trace: Trace, step: Step) -> Iterator[tuple[int, list[Cell]]]:
    """The prediction with the new weights, where its loss is that of one word."""
    own, row = step.name.removeprefix(SECOND), drawing_row(trace.preset)
    at = {"output.logits": 0, LOSS: 0, **dict.fromkeys(AFTER, row)}.get(own)
    if at is not None and f"{SECOND}loss.probability" in trace:
        yield 1, [(step.name, at, j) for j in range(step.shape[1])]


def _first(trace: Trace, step: Step) -> Iterator[tuple[int, list[Cell]]]:
    """The loss, P − y, rows of the gradient and of the new weight."""
    weight = MATRIX if f"update.{MATRIX}" in trace else EMBEDDING
    name, wide = step.name, step.shape[1]
    if name in (LOSS, ERROR):
        yield 1, [(name, 0, j) for j in range(wide)]
    elif name == f"update.{weight}" or (name == f"grad.{weight}" and isinstance(step.op, MatTMul)):
        for level, word in enumerate(_words(trace), start=1):
            yield level, [(name, word, j) for j in range(wide)]
    elif name in (f"update.{BIAS}", f"grad.{BIAS}"):
        for level, word in enumerate(_words(trace), start=1):
            yield level, [(name, 0, word)]


def _words(trace: Trace) -> list[int]:
    """The right word and those after it in the vocabulary, which begins again at its end."""
    words = trace["vocabulary.words"].values[:, 0].tolist()
    first = words.index(trace[TARGET].values[0, 0])
    return [(first + k) % len(words) for k in range(min(ROWS, len(words)))]
