"""Right numbers in the wrong boxes: two exchanged, a row moved along, another row's numbers."""

from collections.abc import Iterator, Mapping, Sequence

from generator.engine.step import Cell
from generator.grading.credit import How
from generator.grading.meant import Number
from generator.grading.question import Question

FEWEST = 2  # numbers that tell another row or a move; a single one may be there by chance
Misses = Iterator[tuple[Cell, tuple[How, str]]]  # a cell, what is wrong, and where it belongs


def misplaced(question: Question, wrong: Mapping[Cell, Number]) -> dict[Cell, tuple[How, str]]:
    """The wrong entries that would be right elsewhere in their step, each with what was noticed.

    Two entries of a step that each hold the other's right value are exchanged. Two or more
    neighbours that all hold the right value so many boxes on are moved along. Entries that all
    are the numbers of the same other row come from there, such as another token's; the row is
    named. Numbers that are equal within the tolerance tell nothing.
    """
    elsewhere: dict[Cell, tuple[How, str]] = {}
    for name in dict.fromkeys(cell[0] for cell in wrong):
        cells = [cell for cell in wrong if cell[0] == name]
        elsewhere.update(_other_row(question, cells, wrong))
        elsewhere.update(_moved(question, [c for c in cells if c not in elsewhere], wrong))
        elsewhere.update(_exchanged(question, [c for c in cells if c not in elsewhere], wrong))
    return elsewhere


def _exchanged(question: Question, cells: Sequence[Cell], wrong: Mapping[Cell, Number]) -> Misses:
    for cell in cells:
        partners = [
            other for other in cells if other != cell and _crossed(question, cell, other, wrong)
        ]
        if len(partners) == 1:
            yield cell, (How.MISPLACED, "")


def _crossed(question: Question, one: Cell, other: Cell, wrong: Mapping[Cell, Number]) -> bool:
    there = question.same(one, wrong[one], question.right(other))
    return there and question.same(other, wrong[other], question.right(one))


def _moved(question: Question, cells: Sequence[Cell], wrong: Mapping[Cell, Number]) -> Misses:
    for row in dict.fromkeys(cell[:2] for cell in cells):
        asked = {cell[2]: question.right(cell) for cell in question.rows[row]}
        typed = {cell[2]: wrong[cell] for cell in cells if cell[:2] == row}
        for by in (1, -1):
            there = [
                j
                for j, value in typed.items()
                if j + by in asked and question.same((*row, j), value, asked[j + by])
            ]
            if len(there) >= FEWEST and len({asked[j + by] for j in there}) >= FEWEST:
                for j in there:
                    yield (*row, j), (How.MISPLACED, "")


def _other_row(question: Question, cells: Sequence[Cell], wrong: Mapping[Cell, Number]) -> Misses:
    for row in dict.fromkeys(cell[:2] for cell in cells):
        here = [cell for cell in cells if cell[:2] == row]
        step = question.step(here[0])
        values = {wrong[cell] for cell in here}
        rows = [
            k for k in range(step.shape[0]) if k != row[1] and _is_row(question, here, k, wrong)
        ]
        if len(here) >= FEWEST and len(values) >= FEWEST and len(rows) == 1:
            yield from ((cell, (How.OTHER_ROW, step.rows[rows[0]])) for cell in here)


def _is_row(
    question: Question, cells: Sequence[Cell], k: int, wrong: Mapping[Cell, Number]
) -> bool:
    step = question.step(cells[0])
    there = [step.values[k, j] for _, _, j in cells]
    numbers = [str(value) if step.text else float(value) for value in there]
    return len(set(numbers)) >= FEWEST and all(
        question.same(cell, wrong[cell], value) for cell, value in zip(cells, numbers, strict=True)
    )
