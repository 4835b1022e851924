"""A blank worksheet whose answer boxes are form fields: to fill on a screen, or to print.

The fields lie over the boxes that the page has anyway, so the page looks as the blank does. They
have no script and compute nothing. WeasyPrint writes them, with their place in the structure; here
it is told which boxes they are, and given a font in which every program can write.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from generator.engine.step import Cell
from generator.render.worksheet.pdf_libraries import pydyf
from generator.sheets.fonts import TEXT, font_bytes
from generator.sheets.page_tree import classes

FONT = "PaperformerForm"
AGAIN = "~"  # before the number of a further box for the same cell
SIZE, OF_HEIGHT, LEAST = 11.0, 0.6, 4.0  # points of the type; its share of a low box
INSET = 1.0  # CSS pixels that the lines of a box stay free
CENTRED = 1
FIRST, LAST = 32, 255
# Signs of ours at codes that the Windows encoding leaves free, by the names that all programs know.
FURTHER = {129: ("minus", 0x2212), 141: ("infinity", 0x221E)}
NOT_SYMBOLIC = 32
STEM = 80

Titles = Callable[[Cell], str]


def field_name(step: str) -> str:
    """How the names of a step's fields begin: no dots, which would make groups of fields."""
    return step.replace(".", "_")


class FormMaker:
    """What to_pdf is given to make fields: `prepare` before and `finish` after WeasyPrint wrote."""

    def __init__(self, asked: frozenset[Cell], titles: Titles, mark: str) -> None:
        self.asked = asked
        self.titles = titles
        self.mark = mark
        self.sizes: list[float] = []

    def prepare(self, document: Any) -> None:
        """Tell WeasyPrint which boxes of a laid out document are fields, and whose it is."""
        document.metadata.keywords = [self.mark]
        seen: dict[str, int] = {}
        for page in document.pages:
            fields = list(self._fields(page._page_box, seen))
            page.forms = {None: [(box, self._place(box)) for box in fields]}

    def _fields(self, page: Any, seen: dict[str, int]) -> Iterator[Any]:
        """The boxes of a page to write in, in reading order; their elements get names.

        Of two boxes for a cell each has its own name.
        """
        for box in page.descendants(placeholders=True):
            cell = _cell(box)
            if cell is None or box.element.get("name"):
                continue
            # Pupils write there: an answer, or a start value that they bring.
            if cell not in self.asked and not {"ask", "carry"} <= classes(box.element):
                continue
            name = f"{field_name(cell[0])}[{cell[1]}][{cell[2]}]"
            seen[name] = seen.get(name, 0) + 1
            more = f"{AGAIN}{seen[name]}" if seen[name] > 1 else ""
            # Where WeasyPrint looks. A field for text would have a whole font embedded, 200 kB; a
            # check box needs none.
            box.element.set("type", "checkbox")
            box.element.set("name", f"{name}{more}")
            box.element.set("title", self.titles(cell))
            yield box

    def _place(self, box: Any) -> tuple[float, float, float, float]:
        """The place of a field on its page; how large its type is follows from that."""
        x, y, width, height = box.hit_area()
        self.sizes.append(max(LEAST, min(SIZE, OF_HEIGHT * height * 0.75)))
        return x + INSET, y + INSET, x + width - INSET, y + height - INSET

    def finish(self, pdf: Any) -> None:
        """Make the check boxes that WeasyPrint wrote fields for text, with our font."""
        if "AcroForm" not in pdf.catalog:
            return
        form, text = pdf.catalog["AcroForm"], pydyf.String
        fonts = pydyf.Dictionary({FONT: _font(pdf).reference})
        form["DR"] = pydyf.Dictionary({"Font": fonts})
        form["DA"] = text(_appearance(SIZE))
        for reference, size in zip(form["Fields"], self.sizes, strict=True):
            field = _object(pdf, reference)
            for drawn in field.pop("AP")["N"].values():
                _object(pdf, drawn).free = "f"  # the tick, which nobody sets
            for key in ("AS", "MK"):
                del field[key]
            left, top, right, bottom = field["Rect"]
            field["Rect"] = pydyf.Array((left, min(top, bottom), right, max(top, bottom)))
            field |= {"FT": "/Tx", "V": text(""), "DA": text(_appearance(size)), "Q": CENTRED}


def _object(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]


def _cell(box: Any) -> Cell | None:
    """The cell whose place a box is; the lines within it have the same element."""
    element = getattr(box, "element", None)
    where = element.get("data-cell") if element is not None else None
    within = hasattr(box, "text_overflow")  # as lines have
    if element is None or not where or within or box.element_tag != element.tag:
        return None
    name, i, j = where.split("|")
    return name, int(i), int(j)


def _appearance(size: float) -> str:
    return f"0 0 0 rg /{FONT} {size:.1f} Tf"


def _font(pdf: Any) -> Any:
    """A font of ours with one byte a sign, as programs that fill forms expect it."""
    data, described, widths = _embedded()
    encoding = {"Type": "/Encoding", "BaseEncoding": "/WinAnsiEncoding"}
    file = pydyf.Stream([data], {"Length1": len(data)}, compress=True)
    pdf.add_object(file)
    descriptor = pydyf.Dictionary({**described, "FontFile2": file.reference})
    pdf.add_object(descriptor)
    differences = [part for code, (name, _) in FURTHER.items() for part in (code, f"/{name}")]
    entries = {
        "Type": "/Font",
        "Subtype": "/TrueType",
        "BaseFont": f"/{FONT}",
        "FirstChar": FIRST,
        "LastChar": LAST,
        "Widths": pydyf.Array(widths),
        "FontDescriptor": descriptor.reference,
        "Encoding": pydyf.Dictionary({**encoding, "Differences": pydyf.Array(differences)}),
    }
    font = pydyf.Dictionary(entries)
    pdf.add_object(font)
    return font


@cache
def _embedded() -> tuple[bytes, dict[str, Any], tuple[int, ...]]:
    """The font file with the signs that can be typed and no others, what a PDF says of it, widths.

    These are of the Windows encoding's signs, and of ours, in thousandths.
    """
    font, out = TTFont(io.BytesIO(font_bytes(TEXT[0].file)), recalcTimestamp=False), io.BytesIO()
    glyphs, widths, head, lines = font.getBestCmap(), font["hmtx"], font["head"], font["hhea"]
    signs = [_sign(code) for code in range(FIRST, LAST + 1)]
    unit, box = head.unitsPerEm, (head.xMin, head.yMin, head.xMax, head.yMax)
    described = {
        "Type": "/FontDescriptor",
        "FontName": f"/{FONT}",
        "Flags": NOT_SYMBOLIC,
        "FontBBox": pydyf.Array([round(side * 1000 / unit) for side in box]),
        "ItalicAngle": 0,
        "Ascent": round(lines.ascent * 1000 / unit),
        "Descent": round(lines.descent * 1000 / unit),
        "CapHeight": round(font["OS/2"].sCapHeight * 1000 / unit),
        "StemV": STEM,
    }
    wide = tuple(round(widths[glyphs[s]][0] * 1000 / unit) if s in glyphs else 0 for s in signs)
    options = Options(
        hinting=False, layout_features=[], notdef_outline=True, recalc_timestamp=False
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=signs)
    subsetter.subset(font)
    font.save(out)
    return out.getvalue(), described, wide


def _sign(code: int) -> int:
    if code in FURTHER:
        return FURTHER[code][1]
    return ord(bytes([code]).decode("cp1252", errors="replace"))
