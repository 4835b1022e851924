"""The exercise workbook: the same tabs with empty yellow cells, checked against one's own entries.

Everything is rendered from a Trace from which the asked numbers, and all that follow from them,
have been taken out, so nothing in the file can tell them.
"""

from generator.checks.exercise import Exercise
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.plans.workbook import plan
from generator.render.workbook.exercise_writer import ExerciseWriter
from generator.render.workbook.file.package import to_bytes
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.layout import Layout
from generator.render.workbook.paper import paper
from generator.render.workbook.solution import check, code, marks_of, new_workbook, write_tabs
from generator.render.workbook.start.start import Progress, Start
from generator.text.catalogue import Catalogue


def render(trace: Trace, catalogue: Catalogue, level: int = 2) -> bytes:
    """`workbook-exercise.xlsx`: given numbers, cells to fill, and checks over those cells.

    The trace is one with controls; tabs and texts are in the catalogue's language. Raises
    `UserError` as the solution does, for an unknown level, and where nothing could be asked.
    """
    exercise = exercise_of(trace, level)
    layout = exercise_layout(exercise, catalogue)
    writer = ExerciseWriter(new_workbook(layout.trace, catalogue), layout, catalogue, exercise)
    writer.workbook.properties.identifier += f"|exercise|{level}"
    marks = marks_of(layout.trace, catalogue)
    first = writer.workbook.worksheets[0]
    Start(first, writer, layout, code(layout.trace), "exercise", progress_of(writer)).write()
    paper(first, marks)
    write_tabs(writer, marks)
    return to_bytes(writer.workbook)


def exercise_of(trace: Trace, level: int) -> Exercise:
    """What is asked at a level; raises `UserError` as `render` does."""
    check(trace)
    exercise = Exercise(trace, plan(trace, level).asked)
    if not exercise.asked:
        raise UserError(
            f"preset {trace.preset.name!r}: these tabs have nothing to fill in for "
            f"{trace.sentence!r}; take a longer sentence or other sheets"
        )
    return exercise


def exercise_layout(exercise: Exercise, catalogue: Catalogue) -> Layout:
    """Where everything stands; its trace has no hidden number."""
    return lay_out(exercise.without_numbers(), catalogue, exercise.asked)


def progress_of(writer: ExerciseWriter) -> dict[str, Progress]:
    """How many entries are right, by the title of the tab; for the map of the Start tab."""
    return {
        title: Progress(f"={tab.count('right')}", len(tab.asked))
        for title, tab in writer.tabs.items()
    }
