"""What the schema of SpreadsheetML asks of any part of a workbook: order, attributes, places.

ECMA-376 part 1 (chapter 18) and Excel's limits; openpyxl and LibreOffice forgive much of it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree
from openpyxl.utils import column_index_from_string

Element = etree._Element

ROWS, COLUMNS, QUOTED = 1_048_576, 16_384, 255
OURS = re.compile(".*(spreadsheetml/2006/main|package/2006/(relationships|content-types))")
# The children in the order of the schema; each once, but for those that repeat.
ORDER = {
    "workbook": "fileVersion fileSharing workbookPr workbookProtection bookViews sheets "
    "functionGroups externalReferences definedNames calcPr extLst",
    "worksheet": "sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr "
    "sheetProtection protectedRanges scenarios autoFilter sortState dataConsolidate "
    "customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks "
    "printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties "
    "cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF picture oleObjects "
    "controls webPublishItems tableParts extLst",
    "styleSheet": "numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles "
    "colors extLst",
    "dxf": "font numFmt fill alignment border protection extLst",
    "headerFooter": "oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter",
}
REPEATED = {"conditionalFormatting"}
REQUIRED = {
    "Relationship": "Id Type Target", "Override": "PartName ContentType",
    "Default": "Extension ContentType", "sheet": "name sheetId", "definedName": "name",
    "row": "r", "c": "r", "col": "min max", "autoFilter": "ref", "mergeCell": "ref",
    "conditionalFormatting": "sqref", "cfRule": "type priority", "dataValidation": "sqref",
    "hyperlink": "ref", "numFmt": "numFmtId formatCode", "brk": "id", "comment": "ref authorId",
}  # fmt: skip
RANGES = {
    "autoFilter": "ref", "mergeCell": "ref", "dimension": "ref", "hyperlink": "ref",
    "comment": "ref", "conditionalFormatting": "sqref", "dataValidation": "sqref",
}  # fmt: skip
# Of errors the schema takes 255 characters; who types one into Excel may type 225.
LENGTHS = {"errorTitle": 32, "promptTitle": 32, "error": 225, "prompt": 255}
COUNTED = ("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs",
           "mergeCells", "dataValidations", "rowBreaks", "colBreaks")  # fmt: skip
PLACE = re.compile(
    r"([A-Z]{1,3}[1-9]\d*)(:[A-Z]{1,3}[1-9]\d*)?|[1-9]\d*:[1-9]\d*|[A-Z]{1,3}:[A-Z]{1,3}"
)


class Area(NamedTuple):
    """First row and column, last row and column, counted from 1."""

    top: int
    left: int
    bottom: int
    right: int

    def within(self, other: "Area") -> bool:
        inside = self.top >= other.top and self.left >= other.left
        return inside and self.bottom <= other.bottom and self.right <= other.right


SHEET = Area(1, 1, ROWS, COLUMNS)


def schema(tree: Element) -> Iterator[str]:
    """What the schema asks of any part: order, attributes, counts, places, lengths, ids."""
    for e in tree.iter("{*}*"):
        if not OURS.match(e.nsmap.get(e.prefix, "")):
            continue  # drawings and charts use some of the names for other things
        name = local(e)
        for key in (k for k in REQUIRED.get(name, "").split() if e.get(k) is None):
            yield f"<{name}> without {key}"
        if name in ORDER:
            yield from _ordered(e, name)
        if name in COUNTED and int(e.get("count", len(e))) != len(e):
            yield f"<{name}> says {e.get('count')} and has {len(e)}"
        for one in (e.get(RANGES.get(name, "-"), "")).split():
            if not (area := area_of(one)) or not area.within(SHEET):
                yield f"<{name}> {one} is no place of a sheet"
        if name == "dataValidation":
            yield from (f"{k} of {e.get('sqref')} is too long" for k, most in LENGTHS.items()
                        if len(e.get(k, "")) > most)  # fmt: skip
            yield from (f"rule of {e.get('sqref')} is too long" for f in e if len(f.text) > QUOTED)
        if name in ORDER["headerFooter"].split() and len(e.text or "") > QUOTED:
            yield f"<{name}> is too long"
    yield from (f"shape {i} is there twice" for i in repeated_ids(tree, "cNvPr", "id"))
    yield from (f"two rules of priority {i}" for i in repeated_ids(tree, "cfRule", "priority"))


def _ordered(e: Element, name: str) -> Iterator[str]:
    known, children = ORDER[name].split(), [local(child) for child in e]
    yield from (f"<{child}> in <{name}> is unknown" for child in set(children) - set(known))
    yield from (f"<{child}> is there twice in <{name}>" for child in twice(children)
                if child not in REPEATED)  # fmt: skip
    places = [known.index(child) for child in children if child in known]
    if places != sorted(places):
        yield f"<{name}> has its children in another order: {children}"


def area_of(place: str) -> Area | None:
    """The area of "B2", "A1:I9", "1:1" or "A:C"; None for what is none."""
    if not PLACE.fullmatch(place):
        return None
    ends = [re.fullmatch(r"([A-Z]*)(\d*)", end) for end in place.split(":")]
    first, last = ends[0], ends[-1]
    area = Area(int(first[2] or 1), column_index_from_string(first[1] or "A"),
                int(last[2] or ROWS), column_index_from_string(last[1] or "XFD"))  # fmt: skip
    return area if area.top <= area.bottom and area.left <= area.right else None


def repeated_ids(tree: Element, name: str, key: str) -> set[str]:
    return twice(e.get(key) for e in tree.iter(f"{{*}}{name}"))


def twice(items: Iterable) -> set:
    return {one for one, count in Counter(items).items() if count > 1}


def local(e: Element) -> str:
    return etree.QName(e).localname
