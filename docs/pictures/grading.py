"""Takes the pictures of the guide to grading: `python -m docs.pictures.grading`.

A class of 24 simulated pupils, some with the same slip, types sheet 4a into the teacher's list.
"""

import tempfile
from pathlib import Path

import generator
from docs.pictures.make import beside, pages, save
from generator.classroom.pupils.columns import written
from generator.grading.marking.question import blank
from generator.grading.marking.task import Batch, PupilTask, batch_in
from generator.grading.reading.whose import columns_of, list_rows
from tests.grading.pupils import solved
from tests.reference.options import Draws

PUPILS, SEED = 24, "a class for pictures"
SLIPS = (0.0, 0.02, 0.05, 0.12)  # how often pupils slip: some never, some often


def main() -> None:
    """Write grading.png beside this file: the class's report, and a pupil's page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        marks = _marked(folder)
        worst = max((marks / "feedback").iterdir(), key=lambda path: path.stat().st_size)
        shots = [pages(path.read_bytes(), [0], 90) for path in (marks / "class.pdf", worst)]
    save(beside([shot for (shot,) in shots]), "grading.png")


def _marked(folder: Path) -> Path:
    """The results of the class, graded as the command does it."""
    made = folder / "class"
    generator.batch(PUPILS, made, sheets=["4a"], vary="numbers", only=["html"], level=2, seed=SEED,
                    language="en")  # fmt: skip
    came = folder / "came"
    came.mkdir()
    (came / "typed.csv").write_bytes(_typed(batch_in(made)))
    generator.grade(came, made)
    return came / "marks"


def _typed(batch: Batch) -> bytes:
    """The batch's list as the teacher typed it from the pupils' papers."""
    table = list(map(list, list_rows(batch)))
    for number, line in enumerate(table[2:]):
        (task,) = batch.seat(line[0]).tasks
        for column, value in _paper(task, number).items():
            line[table[0].index(column)] = value
    return written(zip(*table, strict=True), ",")


def _paper(task: PupilTask, number: int) -> dict[str, str]:
    """What a pupil wrote, by the list's columns."""
    (question,) = task.questions()
    typed = solved(question, Draws(f"pupil {number}"), SLIPS[number % len(SLIPS)]).typed
    columns = {cell: str(column) for column, _, cell in columns_of(task)}
    return {columns[cell]: "" if blank(x) else str(x) for cell, x in typed.items()}


if __name__ == "__main__":
    main()
