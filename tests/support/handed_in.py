"""Files as a class hands them in: workbooks of a batch with something typed into them."""

import io
import re
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from generator.engine.step import Cell
from generator.grading.marking.task import batch_in
from generator.grading.reading.collect import Collecting
from generator.grading.reading.entries import Collected
from generator.grading.reading.whose import layout_of
from generator.render.workbook.layout.layout import Layout
from tests.support.recalculate import edit_cells, repacked

WORKBOOK = "workbook-exercise.xlsx"
_SAVED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")


def workbook(place: Path, code: str) -> bytes:
    """A pupil's exercise workbook as the batch in that folder made it."""
    return (place / "hand-out" / code / WORKBOOK).read_bytes()


def filled(place: Path, code: str, entered: Mapping[Cell, str | float], saved: str = "") -> bytes:
    """The pupil's workbook after somebody typed this into asked cells, and saved it then."""
    homes = {cell: layout(place, code).home(cell[0]) for cell in entered}
    typed = {(homes[c].sheet, homes[c].cell(*c[1:])): value for c, value in entered.items()}
    return with_parts(edit_cells(workbook(place, code), typed), saved=saved)


def collected(folder: Path, place: Path, **more: object) -> Collected:
    """What a folder holds for the batch in another one."""
    return Collecting(batch_in(place), **more).collected(folder)


def with_parts(data: bytes, parts: Mapping[str, bytes] | None = None, saved: str = "") -> bytes:
    """A packed file with further parts and another time of saving."""

    def change(name: str, content: bytes) -> bytes:
        dated = saved and name == "docProps/core.xml"
        return _SAVED.sub(rb"\g<1>" + saved.encode(), content) if dated else content

    out = io.BytesIO(repacked(data, change))
    with zipfile.ZipFile(out, "a") as archive:
        for name, content in (parts or {}).items():
            archive.writestr(name, content)
    return out.getvalue()


@cache
def layout(place: Path, code: str) -> Layout:
    """Where the cells of a pupil's workbook stand."""
    return layout_of(batch_in(place).seat(code).in_workbook)
