"""A strict check of xlsx files: what Excel would "repair" or refuse, though others read it."""

import io
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator

from tests.support.xlsx_schema import (
    COLUMNS,
    QUOTED,
    ROWS,
    SHEET,
    Area,
    Element,
    area_of,
    etree,
    local,
    repeated_ids,
    schema,
    twice,
)

TYPES, WORKBOOK, STYLES = "[Content_Types].xml", "xl/workbook.xml", "xl/styles.xml"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
TEXT, FORMULA, HEIGHT, WIDTH = 32_767, 8_192, 409, 255
ARGUMENTS, DEEPEST = 255, 64
NAME = re.compile(r"[A-Za-z_\\][\w.\\?]{0,254}")
LIKE_A_CELL = re.compile(r"[A-Z]{1,3}\d+|[RC]\d*|R\d*C\d*", re.IGNORECASE)
TO_A_SHEET = re.compile(r"(?:'((?:[^']|'')+)'|\b([A-Za-z_][\w.]*))!(\$?[A-Z$\d]+(?::[A-Z$\d]+)?)")
QUOTE = re.compile(r'"(?:[^"]|"")*"')


def problems(content: bytes) -> list[str]:
    """Everything that is wrong with a workbook, a line each; an empty list for a sound one."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        found = [f"{name}: twice in the archive" for name, n in Counter(names).items() if n > 1]
        parts = {name: archive.read(name) for name in names}
    trees = {n: etree.fromstring(c) for n, c in parts.items() if n.endswith((".xml", ".rels"))}
    found += _package(parts, trees)
    for name, tree in trees.items():
        found += (f"{name}: {problem}" for problem in schema(tree))
    return found + list(_workbook(trees))


def _package(parts: Iterable[str], trees: dict[str, Element]) -> Iterator[str]:
    kinds = {(e.get("PartName") or e.get("Extension")): e for e in trees[TYPES]}
    yield from (f"{n}: a type, but no part" for n in kinds if n[0] == "/" and n[1:] not in parts)
    reached = {TYPES}
    for name, tree in trees.items():
        if name.endswith(".rels"):
            reached |= {name, *_targets(name, tree).values()}
            yield from (f"{name}: {i} is there twice" for i in twice(e.get("Id") for e in tree))
    for name in parts:
        if f"/{name}" not in kinds and (name.startswith("xl/") and name.endswith(".xml")):
            yield f"{name}: no content type of its own"
        elif f"/{name}" not in kinds and name.rpartition(".")[2] not in kinds and name != TYPES:
            yield f"{name}: no content type"
    yield from (f"{name}: no relationship leads to it" for name in set(parts) - reached)
    yield from (f"{name}: a relationship leads to nothing" for name in reached - set(parts))


def _targets(name: str, tree: Element) -> dict[str, str]:
    """The parts that a file of relationships leads to, by their ids."""
    base = posixpath.dirname(posixpath.dirname(name))
    inside = [e for e in tree if e.get("TargetMode") != "External"]
    return {e.get("Id"): posixpath.normpath(posixpath.join("/", base, e.get("Target")))[1:]
            for e in inside}  # fmt: skip


def _workbook(trees: dict[str, Element]) -> Iterator[str]:
    book = trees[WORKBOOK]
    targets = _targets("xl/_rels/workbook.xml.rels", trees["xl/_rels/workbook.xml.rels"])
    sheets = {e.get("name"): trees[targets[e.get(RELATION)]] for e in book.iter("{*}sheet")}
    yield from (f"two sheets {name}" for name in twice(map(str.casefold, sheets)))
    yield from (f"two sheets have the id {i}" for i in repeated_ids(book, "sheet", "sheetId"))
    for name in sheets:
        if len(name) > 31 or re.search(r"[\[\]:*?/\\]|^'|'$", name):
            yield f"sheet {name!r}: no legal name"
    used = {name: _used(tree) for name, tree in sheets.items()}
    for e in book.iter("{*}definedName"):
        yield from (f"name {e.get('name')}: {p}" for p in _defined(e, used))
    scoped = [
        (e.get("name").casefold(), e.get("localSheetId")) for e in book.iter("{*}definedName")
    ]
    yield from (f"name {name} is there twice" for name in twice(scoped))
    for name, tree in sheets.items():
        yield from (f"{name}: {problem}" for problem in _sheet(tree, trees[STYLES], used, name))
    for name, tree in trees.items():
        if name.startswith("xl/charts/"):
            for f in tree.iter("{*}f"):
                yield from (f"{name}: {problem}" for problem in _told(f.text, used))


def _defined(e: Element, used: dict[str, Area]) -> Iterator[str]:
    name = e.get("name")
    if not name.startswith("_xlnm.") and (not NAME.fullmatch(name) or LIKE_A_CELL.fullmatch(name)):
        yield "no legal name"
    if name != "_xlnm.Print_Area":  # charts may stand beyond the cells
        yield from _told(e.text, used)


def _told(formula: str, used: dict[str, Area]) -> Iterator[str]:
    """What is wrong with the places on sheets that a name or a chart tells."""
    for quoted, plain, place in TO_A_SHEET.findall(formula):
        sheet, area = quoted.replace("''", "'") or plain, area_of(place.replace("$", ""))
        if sheet not in used:
            yield f"{formula} leads to no sheet"
        elif not area or not area.within(SHEET):
            yield f"{formula} is no place of a sheet"
        elif not area.within(used[sheet]) and ROWS not in area and COLUMNS not in area:
            yield f"{formula} is outside of what is written there"


def _sheet(tree: Element, styles: Element, used: dict[str, Area], name: str) -> Iterator[str]:
    looks, changes = len(styles.find("{*}cellXfs")), styles.find("{*}dxfs")
    last = 0
    for row in tree.find("{*}sheetData"):
        places = [area_of(c.get("r")) for c in row]
        columns = [place.left if place else 0 for place in places]
        if int(row.get("r")) <= last or columns != sorted({*columns}) or 0 in columns:
            yield f"row {row.get('r')}: its cells or the rows are in another order"
        last = int(row.get("r"))
        if any(place and place.top != last for place in places):
            yield f"row {last}: a cell of another row"
        if float(row.get("ht", 0)) > HEIGHT:
            yield f"row {last}: too high"
        for c in row:
            yield from (f"{c.get('r')}: {problem}" for problem in _cell(c, looks, used))
    for e in tree.iter("{*}cfRule"):
        if int(e.get("dxfId", -1)) >= (0 if changes is None else len(changes)):
            yield "a rule with a look that is not there"
        for f in (f for f in e.iter("{*}formula") if len(f.text) > QUOTED or "!" in f.text):
            yield f"a rule that is too long, or of another sheet, as Google has none: {f.text}"
    if any(float(e.get("width", 0)) > WIDTH for e in tree.iter("{*}col")):
        yield "a column that is too wide"
    for e in tree.iter("{*}autoFilter", "{*}mergeCell"):
        area = area_of(e.get("ref", ""))
        if area and not area.within(used[name]):
            yield f"<{local(e)}> {e.get('ref')} is outside of what is written there"
    yield from (f"link {e.get('location')} leads to no sheet" for e in tree.iter("{*}hyperlink")
                if list(_told(e.get("location") or "", used)))  # fmt: skip


def _cell(c: Element, looks: int, used: dict[str, Area]) -> Iterator[str]:
    kind, value, formula = c.get("t", "n"), c.find("{*}v"), c.find("{*}f")
    if int(c.get("s", 0)) >= looks:
        yield "a look that is not there"
    if (
        kind == "n"
        and value is not None
        and not re.fullmatch(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", value.text)
    ):
        yield f"{value.text!r} is no number"
    if kind not in ("n", "s", "str", "inlineStr", "b"):
        yield f"a value of the kind {kind}"
    for t in c.iter("{*}t"):
        if len(t.text or "") > TEXT or (
            (t.text or "").strip() != (t.text or "") and not t.get(SPACE)
        ):
            yield "a text that is too long or loses its spaces"
    if formula is not None:
        yield from _formula(formula.text, used)


def _formula(text: str, used: dict[str, Area]) -> Iterator[str]:
    plain = QUOTE.sub("", text)
    if len(text) > FORMULA or any(len(q) - 2 > QUOTED for q in QUOTE.findall(text)):
        yield "a formula or a text in it that is too long"
    if plain.count("(") != plain.count(")") or '"' in plain or "#REF" in plain:
        yield f"no formula: {text}"
    if not _nested(plain):
        yield f"brackets too deep, or too many arguments: {text}"
    for quoted, name, _ in TO_A_SHEET.findall(plain):
        if (quoted.replace("''", "'") or name) not in used:
            yield f"{text} leads to no sheet"


def _nested(plain: str) -> bool:
    """Whether Excel takes so deep brackets and so many arguments."""
    commas, most, deepest = [0], 0, 0
    for sign in plain:
        if sign == "(":
            commas.append(1)
        elif sign == ")" and len(commas) > 1:
            most = max(most, commas.pop())
        elif sign == ",":
            commas[-1] += 1
        deepest = max(deepest, len(commas) - 1)
    return deepest <= DEEPEST and most <= ARGUMENTS


def _used(tree: Element) -> Area:
    """The area of all written cells of a sheet."""
    found = [area for c in tree.iter("{*}c") if (area := area_of(c.get("r")))]
    if not found:
        return Area(1, 1, 1, 1)
    return Area(min(a.top for a in found), min(a.left for a in found),
                max(a.bottom for a in found), max(a.right for a in found))  # fmt: skip
