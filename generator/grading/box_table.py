"""`grading.xlsx`: every box of everybody as a line of a table; what a run before it said there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from generator.errors import UserError
from generator.grading.class_marks import ClassMarks
from generator.grading.tables import BOX_COLUMNS, Credits, boxes
from generator.locales.catalogue import load
from generator.render.workbook.plain_table import Column, Figure, Line
from generator.render.workbook.plain_table import render as table
from generator.render.workbook.reading.plain_lines import BROKEN, lines_of

BOXES: Final = "grading.xlsx"
WIDTHS: Final = (12, 10, 34, 16, 12, 12, 12, 16, 9, 44, 44, 34, 30)


class BoxTable(NamedTuple):
    """The table of a class's marks in a language, to be made by whichever process is free."""

    marks: ClassMarks
    language: str

    def files(self) -> list[tuple[str, bytes]]:
        """Its name and content."""
        catalogue = load(self.language)
        t = catalogue.t
        heads = [t(f"grading.box.{name}") for name in BOX_COLUMNS]
        columns = [Column(head, width) for head, width in zip(heads, WIDTHS, strict=True)]

        def tab(number: int) -> str:
            return t("grading.tab", number=number)

        lines: Iterator[Line] = (
            [entry if isinstance(entry, str) else Figure(entry) for entry in line]
            for line in boxes(self.marks, catalogue)
        )
        return [(BOXES, table(t("grading.title"), tab, columns, lines, self.language))]


def before(place: Path) -> Credits | None:
    """What each box earned in the run before; None for no run, `UserError` for a damaged file."""
    path = place / BOXES
    content = path.read_bytes() if path.is_file() else b""
    if not content:
        return None
    code, sheet, credit, address = (
        BOX_COLUMNS.index(n) for n in ("code", "sheet", "credit", "address")
    )
    try:
        return {
            (str(line[code]), str(line[sheet]), str(line[address])): float(str(line[credit]))
            for line in lines_of(content)
        }
    except BROKEN as error:  # a teacher may have edited or damaged it
        raise UserError(
            f"{path}: cannot be read ({type(error).__name__}: {error}), so that the "
            "journal could not say what changed; move it elsewhere and grade again"
        ) from error
