"""What was typed into one file that came back, and whose file it is.

Whatever the file was (a workbook, a PDF form, a line of a CSV), the marking sees only this.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.grading.reading.raw import Reason
from generator.plans.workbook import WorkbookPlan
from generator.sheets.plan import Plan

WORKBOOK = "workbook"  # stands among `sheets` for the tabs of an exercise workbook
CSV = "csv"  # the list that is typed from paper
KINDS = ("xlsx", "ods", "pdf", CSV)


class Source(NamedTuple):
    """Where entries came from.

    `file` is the name as the teacher sees it, within the folder that was collected; `code` is the
    pupil's. `sheets` are those that it answers, or `WORKBOOK` alone; they share one computation.
    """

    file: str
    kind: str
    code: str
    sheets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entries:
    """What was typed, cell by cell, exactly as it was typed; blank cells are absent.

    A number stands where the file holds one, otherwise the text: "0,35", "35 %". `given` is what
    stands in the cells that were given, where the file says so. `changed` is when the file says
    that it was last saved (ISO 8601), never what the file system says.
    """

    source: Source
    typed: Mapping[Cell, str | float]
    given: Mapping[Cell, str | float] = field(default_factory=dict)
    changed: str | None = None


@dataclass(frozen=True, slots=True)
class Stray:
    """A file that is not marked, and why; the others are."""

    file: str
    reason: Reason

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}"


Taken = tuple[list[Entries], list[Stray]]  # of some files, or of some lines of one


@dataclass(frozen=True, slots=True)
class Collected:
    """All that a folder held: what will be marked, one for each pupil and sheet, and the rest."""

    entries: tuple[Entries, ...]
    stray: tuple[Stray, ...]


@dataclass(frozen=True, slots=True)
class PupilTask:
    """What a pupil had to compute: the own Trace, and what each sheet (or the workbook) asks."""

    trace: Trace
    plans: Mapping[str, Plan | WorkbookPlan]

    @property
    def asked(self) -> frozenset[Cell]:
        """All cells that were to be filled."""
        return frozenset(cell for plan in self.plans.values() for cell in plan.asked)
