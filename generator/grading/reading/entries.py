"""What was typed into one file that came back, and whose file it is.

Whatever the file was (a workbook, a PDF form, a line of a CSV), the marking sees only this.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.engine.step import Cell
from generator.grading.reading.raw import Reason
from generator.locales.catalogue import Catalogue

WORKBOOK = "workbook"  # stands among `sheets` for the tabs of an exercise workbook
CSV = "csv"  # the list that is typed from paper
Number = float | str
NAMED = 5  # files of one reason


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
    typed: Mapping[Cell, Number]
    given: Mapping[Cell, Number] = field(default_factory=dict)
    changed: str | None = None

    @property
    def came_back(self) -> bool:
        """Whether something was handed in: an empty row of the list from paper says not."""
        return bool(self.typed) or self.source.kind != CSV


@dataclass(frozen=True, slots=True)
class Stray:
    """A file that is not marked, and why; the others are."""

    file: str
    reason: Reason

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}"

    @property
    def taken(self) -> bool:
        """Whether the rest of it was marked."""
        return self.reason.key.endswith("_taken")

    @property
    def lost(self) -> bool:
        """Whether nothing of it was marked, and no other file of its pupil was in its place."""
        return "file" not in self.reason.names and not self.taken

    def named(self, names: Mapping[str, str]) -> "Stray":
        """With a pupil's name in place of the code where `names` has one."""
        own, code = self.reason.names, str(self.reason.names.get("code", ""))
        return Stray(self.file, self.reason._replace(names={**own, "code": names.get(code, code)}))


def by_reason(stray: Iterable[Stray], catalogue: Catalogue) -> list[tuple[str, str]]:
    """Some files of each reason why they are not marked, and how many they are, with the reason."""
    files = defaultdict[str, list[str]](list)
    for one in stray:
        files[one.reason.said(catalogue)].append(one.file)
    return [
        (", ".join(some[:NAMED]) + f" … ({len(some):,})" * (len(some) > NAMED), why)
        for why, some in files.items()
    ]


Found = Entries | Stray  # one thing that a file holds


@dataclass(frozen=True, slots=True)
class Collected:
    """All that a folder held: what will be marked, one for each pupil and sheet, and the rest."""

    entries: tuple[Entries, ...]
    stray: tuple[Stray, ...]
