"""Exercise workbooks of a class: one is written as a shell, with gaps where its numbers stood.

The rest hangs on the shape of the computation and on what was looked at in its numbers while the
shell was written: a format, a width, a bound. Where a pupil's numbers have the same, the filled
shell has the bytes of `exercise.render`; where not, another shell is written.
"""

import io
from collections import deque
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import NamedTuple, TypeVar, cast

from generator.checks.exercise import Exercise
from generator.engine.trace import Step, Trace
from generator.engine.watched import Notes, NotRepeatable, WatchedTrace
from generator.plans.workbook import plan
from generator.render.workbook.bands import lay_out
from generator.render.workbook.exercise import exercise_of, render, write
from generator.render.workbook.exercise_writer import ExerciseWriter
from generator.render.workbook.gaps import Part, Parts, Slot
from generator.render.workbook.package import StillZip, write_parts
from generator.render.workbook.solution import check, new_workbook
from generator.text.catalogue import Catalogue

T = TypeVar("T", float, str, float | str)

MOST_SHAPES = 16  # own tokens, levels, sentences; a shell takes about a megabyte
MOST_OF_A_SHAPE = 4  # formats, widths, bounds


class Shell(NamedTuple):
    """A workbook without the numbers, for all with the same shape for whom the `notes` hold."""

    exercise: Exercise
    notes: Notes
    parts: tuple[Part, ...]

    @classmethod
    def write(cls, trace: Trace, catalogue: Catalogue, level: int) -> "Shell":
        """The shell of a Trace's shape; `UserError` as `exercise.render`.

        Raises `NotRepeatable` where a number is used otherwise than as what a cell says.
        """
        exercise, notes, parts = exercise_of(trace, level), Notes(), Parts()
        bare = WatchedTrace(exercise.without_numbers(), notes)
        layout = lay_out(bare, catalogue, exercise.asked)
        draft = _Draft(new_workbook(bare, catalogue), layout, catalogue, exercise.over(bare))
        write(draft, level)
        write_parts(draft.workbook, parts, parts.spell)
        return cls(exercise, notes, tuple(parts.found))

    def filled(self, trace: Trace) -> bytes:
        """The workbook with the numbers of a Trace; b"" where it does not fit them."""
        bare = self.exercise.over(trace).without_numbers()
        if not self.notes.hold(bare):
            return b""
        out = io.BytesIO()
        with StillZip(out, "w") as archive:
            for part in self.parts:
                archive.writestr(part.name, part.filled(bare))
        return out.getvalue()


class _Draft(ExerciseWriter):
    """Writes a shell: leaves a slot wherever a cell says something of the numbers."""

    def told(self, tell: Callable[[Trace], T]) -> T:
        # A slot is none of these types, and says so to whoever takes it for one.
        return cast("T", Slot(tell))


def filled_or_rendered(trace: Trace, catalogue: Catalogue, level: int = 2) -> bytes:
    """The bytes of `exercise.render`, several times as fast for all but the first of a shape.

    Raises `UserError` as that.
    """
    check(trace)
    shells = _shells(shape(trace, catalogue, level))
    for shell in tuple(shells):
        if content := shell.filled(trace):
            return content
    try:
        shells.append(Shell.write(trace, catalogue, level))
    except NotRepeatable:
        return render(trace, catalogue, level)
    return shells[-1].filled(trace)


def shape(trace: Trace, catalogue: Catalogue, level: int) -> Hashable:
    """All that decides a workbook but the contents of its steps."""
    preset = trace.preset
    model = (preset.sha256, preset.name, preset.source, preset.language, preset.rounding)
    said = (trace.sentence, trace.rounding, trace.language, trace.notices)
    chosen = (trace.worked, trace.exercise, trace.controls, trace.rounds)
    steps = (*map(_form, trace), *trace.aliases.items())
    return (model, said, chosen, steps, plan(trace, level).asked, catalogue.language, level)


@lru_cache(maxsize=MOST_SHAPES)
def _shells(_: Hashable) -> deque[Shell]:
    """The shells of a shape, the latest ones."""
    return deque(maxlen=MOST_OF_A_SHAPE)


def _form(step: Step) -> Hashable:
    """A step without its numbers and words."""
    known = (step.name, step.op, step.inputs, step.rows, step.columns)
    return (*known, step.decimals, step.rounded, step.shape, step.text)
