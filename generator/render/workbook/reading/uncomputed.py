"""Formulas of an xlsx file that were saved without their value, as some libraries save them.

Excel, LibreOffice and Google keep what a formula gave; a script may write the formula alone. Such a
cell looks empty, though somebody answered there.
"""

import re
import zipfile
from collections.abc import Iterator
from posixpath import join, normpath

from openpyxl.xml.constants import PKG_REL_NS, REL_NS, SHEET_MAIN_NS
from openpyxl.xml.functions import fromstring

BOOK, RELATIONS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_CELL = re.compile(
    rb'<c\b[^>]*?\br="([A-Z]{1,3}[0-9]{1,7})"[^>]*>'
    rb"<f(?:\s[^>]*)?(?:/>|>[^<]*</f>)(?:<v\s*/>|<v></v>)?</c>"
)


def uncomputed(archive: zipfile.ZipFile) -> frozenset[str]:
    """The cells with such a formula, as "Tab!B5"."""
    return frozenset(
        f"{title}!{cell[1].decode()}"
        for title, part in _sheets(archive)
        if part in archive.namelist()
        for cell in _CELL.finditer(archive.read(part))
    )


def _sheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """The title of each sheet and where it is packed."""
    if not {BOOK, RELATIONS} <= set(archive.namelist()):
        return
    relations = fromstring(archive.read(RELATIONS)).findall(f"{{{PKG_REL_NS}}}Relationship")
    targets = {one.get("Id"): one.get("Target", "") for one in relations}
    for sheet in fromstring(archive.read(BOOK)).iter(f"{{{SHEET_MAIN_NS}}}sheet"):
        target = targets.get(sheet.get(f"{{{REL_NS}}}id"), "")
        yield sheet.get("name", ""), normpath(join("xl", target)).lstrip("/")
