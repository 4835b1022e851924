"""What spreadsheet programs make of a workbook's formulas, and the tools to prepare a workbook.

Values come back as `{sheet: {"B3": value}}`, one for each cell to which the file gives a content:
float, str or bool, and `ERROR` where the program shows an error. Reading is by the file's XML, so
what is tested is what was written and not what openpyxl makes of it.
"""

import io
import posixpath
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ironcalc
from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.cell import coordinate_to_tuple

from tests.support.office import ERROR, Edit, Grid, Office

Value = float | str | bool
Values = dict[str, dict[str, Value]]


class Typed(str):
    """A formula that somebody types into a cell, with its "="."""

    __slots__ = ()


class ErrorValue(str):
    """An error that somebody types into a cell; the same signs as a plain text stay a text."""

    __slots__ = ()


NOT_AVAILABLE = ErrorValue("#N/A")

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def formula_cells(xlsx: bytes) -> dict[str, dict[str, str]]:
    """Each formula with its `=`, as written in the file: `{sheet: {"B3": "=A1+1"}}`."""
    return {
        sheet: {
            cell.get("r"): f"={formula}"
            for cell in tree.iter(f"{_MAIN}c")
            if (formula := cell.findtext(f"{_MAIN}f")) is not None
        }
        for sheet, tree in _trees(xlsx)
    }


def cached_values(xlsx: bytes) -> Values:
    """What a program shows that does not compute; empty cells and empty texts are left out."""
    book = load_workbook(io.BytesIO(xlsx), data_only=True)
    return {
        sheet.title: {
            cell.coordinate: cell.value
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None
        }
        for sheet in book.worksheets
    }


def strip_caches(xlsx: bytes) -> bytes:
    """The same workbook without any value of a formula, so that no program can repeat ours."""
    return _rewritten(xlsx, lambda _, tree: _strip(tree))


def edit_cells(xlsx: bytes, edits: Mapping[tuple[str, str], object]) -> bytes:
    """The workbook after somebody typed `edits` into constant cells; None empties a cell.

    Values of formulas are stripped, for they are no longer true. Raises KeyError for a cell that
    the file does not have and ValueError for one that computes.
    """
    left = dict(edits)

    def edit(sheet: str, tree: Any) -> None:
        cells = {cell.get("r"): cell for cell in tree.iter(f"{_MAIN}c")}
        for where in [key for key in left if key[0] == sheet and key[1] in cells]:
            _type_in(cells[where[1]], left.pop(where), where)
        _strip(tree)

    edited = _rewritten(xlsx, edit)
    if left:
        raise KeyError(f"the workbook has no cells {sorted(left)}")
    return edited


def ironcalc_values(xlsx: bytes) -> Values:
    """All cells as IronCalc computes them; it never looks at values of formulas in the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book.xlsx")
        path.write_bytes(_without_comments(xlsx))
        model = ironcalc.load_from_xlsx(str(path), "en", "UTC")
    model.evaluate()
    return {
        sheet: {name: _ironcalc_value(model, index, name) for name in names}
        for index, (sheet, names) in enumerate(_filled(xlsx).items())
    }


def libreoffice_values(books: Sequence[bytes], office: Office) -> list[Values]:
    """All cells of each workbook after LibreOffice computed every formula anew; True is 1.0."""
    return [states[0] for states in libreoffice_edited(books, [[]] * len(books), office)]


def libreoffice_edited(
    books: Sequence[bytes], edits: Sequence[Sequence[Edit]], office: Office
) -> list[list[Values]]:
    """All cells of each workbook as it is, and after each of its edits, typed in one by one.

    LibreOffice computes after an edit what depends on it, as under a person's hands, and nothing
    is loaded anew. Only constant cells that the file has can be edited.
    """
    computed = zip(map(_filled, books), office.edited(books, edits), strict=True)
    return [
        [{sheet: _picked(grids[sheet], names) for sheet, names in filled.items()} for grids in one]
        for filled, one in computed
    ]


def _picked(grid: Grid, names: Sequence[str]) -> dict[str, Value]:
    places = {name: coordinate_to_tuple(name) for name in names}
    return {name: grid[row - 1][column - 1] for name, (row, column) in places.items()}


def _ironcalc_value(model: Any, sheet: int, name: str) -> Value:
    row, column = coordinate_to_tuple(name)
    if model.get_cell_type(sheet, row, column) == ironcalc.CellType.ErrorValue:
        return ERROR
    return model.get_cell_value(sheet, row, column)


def _filled(xlsx: bytes) -> dict[str, list[str]]:
    """The cells of each sheet that hold a number, a text or a formula, in workbook order."""
    return {
        sheet: [cell.get("r") for cell in tree.iter(f"{_MAIN}c") if len(cell)]
        for sheet, tree in _trees(xlsx)
    }


def _trees(xlsx: bytes) -> Iterator[tuple[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(xlsx)) as archive:
        for member, sheet in _members(archive).items():
            yield sheet, etree.fromstring(archive.read(member))


def _members(archive: zipfile.ZipFile) -> dict[str, str]:
    """The name of each sheet by the zip member that holds it, in workbook order."""
    relations = etree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {relation.get("Id"): relation.get("Target") for relation in relations}
    book = etree.fromstring(archive.read("xl/workbook.xml"))
    return {
        posixpath.join("/xl", targets[sheet.get(_RELATION)])[1:]: sheet.get("name")
        for sheet in book.iter(f"{_MAIN}sheet")
    }


def _rewritten(xlsx: bytes, change: Callable[[str, Any], None]) -> bytes:
    """The file after `change(sheet, tree)` worked on the XML of each sheet."""
    with zipfile.ZipFile(io.BytesIO(xlsx)) as archive:
        sheets = _members(archive)

    def changed(name: str, content: bytes) -> bytes:
        if name not in sheets:
            return content
        tree = etree.fromstring(content)
        change(sheets[name], tree)
        return etree.tostring(tree, xml_declaration=True, encoding="UTF-8")

    return repacked(xlsx, changed)


def repacked(data: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """A packed file with each part as `change` gives it; without those of which it gives None."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as archive,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy,
    ):
        for info in archive.infolist():
            content = change(info.filename, archive.read(info))
            if content is not None:
                copy.writestr(info, content, compresslevel=1)
    return out.getvalue()


def _strip(tree: Any) -> None:
    for cell in tree.iter(f"{_MAIN}c"):
        if cell.find(f"{_MAIN}f") is not None:
            cell.attrib.pop("t", None)
            for value in cell.findall(f"{_MAIN}v"):
                cell.remove(value)


def _type_in(cell: Any, value: object, where: tuple[str, str]) -> None:
    if cell.find(f"{_MAIN}f") is not None:
        raise ValueError(f"{where} computes; only constant cells can be edited")
    del cell[:]
    cell.attrib.pop("t", None)
    match value:
        case None:
            return
        case Typed():
            etree.SubElement(cell, f"{_MAIN}f").text = value[1:]
        case ErrorValue():
            cell.set("t", "e")
            etree.SubElement(cell, f"{_MAIN}v").text = value
        case str():
            cell.set("t", "inlineStr")
            holder = etree.SubElement(etree.SubElement(cell, f"{_MAIN}is"), f"{_MAIN}t")
            holder.set(_SPACE, "preserve")
            holder.text = value
        case bool():
            cell.set("t", "b")
            etree.SubElement(cell, f"{_MAIN}v").text = str(int(value))
        case _:
            etree.SubElement(cell, f"{_MAIN}v").text = repr(float(value))


def _without_comments(xlsx: bytes) -> bytes:
    """The file without comments, for IronCalc 0.9 cannot follow openpyxl's paths to them."""

    def change(name: str, content: bytes) -> bytes | None:
        return None if "comment" in name.lower() else _COMMENT_LINKS.sub(b"", content)

    return repacked(xlsx, change)


_COMMENT_LINKS = re.compile(
    rb'<Relationship [^>]*/(?:comments|vmlDrawing)"[^>]*/>'
    rb"|<legacyDrawing[^>]*/>"
    rb'|<Override [^>]*"/xl/comments/[^>]*/>'
)
