"""HTML becomes PDF: laid out by WeasyPrint leaf by leaf, tagged and written.

Rendering is closed: it reads our fonts and the document's own formulas, nothing else from disk or
network. Whatever WeasyPrint warns about is an error, and the same input gives the same bytes.

Also here:

* What WeasyPrint leaves open in a PDF's structure and PDF/UA asks for: header scopes, list
  bodies.
* Who makes a PDF: WeasyPrint where Pango is installed, else the browser that is there.
"""

import contextlib
import gc
import logging
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from logging.handlers import BufferingHandler
from typing import Any, TypeAlias

from generator.errors import NO_ROOM, UserError, message
from generator.render.worksheet import browser
from generator.render.worksheet.form_fields import FormMaker
from generator.render.worksheet.pdf_engine import PangoMissing, load_engine
from generator.render.worksheet.styles import style
from generator.resources import templates
from generator.sheets.fonts import MissingGlyph, font_face_css
from generator.sheets.maths import Formulas
from generator.sheets.options import PDF_BY, SheetOptions

MISSING_GLYPH = ".notdef glyph rendered"  # how a warning begins; then comes the character
TAGGED = "pdf/ua-1"

LEAF = '<section class="leaf'  # how each leaf begins; nothing of a sheet is outside of one
END = "</body>"
EMPTY = f'{LEAF}"></section>{END}</html>'
VARIANTS = ("blank", "solution")  # classes of a body; a style sheet may tell them apart

Watch = Callable[[Any, Any], None]
Leaves: TypeAlias = dict[tuple[object, ...], Any]  # laid out: by HTML, styles, page, formulas


class NoRoom(UserError):
    """There is no space left for the fonts, which WeasyPrint unpacks into temporary files."""

    def __init__(self, error: OSError) -> None:
        folder = tempfile.gettempdir()
        super().__init__(message("pdf.room", folder=folder, error=error, mend=NO_ROOM))


class RenderError(RuntimeError):
    """WeasyPrint complained about a template or a style sheet; the message holds all it said."""


@cache
def document_css() -> str:
    """The style sheet under every printed sheet: our @font-face rules and the page."""
    page = (templates() / "print.css").read_text(encoding="utf-8")
    return f"{font_face_css()}\n{page}"


def class_css(*further: str) -> tuple[str, ...]:
    """The style sheets under a teacher's papers, and further ones by name."""
    return (document_css(), *map(style, ("worksheet.css", "class.css", *further)))


@dataclass(frozen=True)
class PdfDocument:
    """A document to lay out with these style sheets (the first: `document_css()`).

    `zoom` enlarges the finished pages, so that a page of 198 mm at 1.5 is 297 mm wide. With
    `leaves` each leaf is laid out by itself, and not again where they hold it already; with `recto`
    an empty page stands before a leaf that would begin on an even one.

    `tagged` adds the structure that screen readers need (PDF/UA-1); the document must then name its
    language, and each picture needs an alternative text. `watch` is shown the laid out document and
    the finished PDF objects before they are written. With a `form` the boxes to write in are
    fields; the leaves are then laid out for this document alone.
    """

    html: str
    css: Sequence[str]
    formulas: Formulas = field(default_factory=Formulas)
    where: str = ""
    tagged: bool = True
    zoom: float = 1
    watch: Watch | None = None
    leaves: Leaves | None = None
    recto: bool = False
    form: FormMaker | None = None

    def to_pdf(self) -> bytes:
        """The document as PDF bytes.

        Raises PangoMissing, MissingGlyph naming the character and `where`, and RenderError for
        whatever else WeasyPrint complains about, such as an address outside the document.
        """
        with complaints_are_errors(self.where), no_garbage_collection():
            if self.leaves is None:
                document = self._laid_out(self.html)
            else:
                parts = list(self._parts({} if self.form else self.leaves))
                document = parts[0].copy([page for part in parts for page in part.pages])
            if self.form:
                self.form.prepare(document)
            pdf: bytes = document.write_pdf(
                zoom=self.zoom, finisher=self._finish, pdf_variant=self._variant
            )
        return pdf

    @property
    def _variant(self) -> str | None:
        return TAGGED if self.tagged else None

    def _finish(self, document: Any, pdf: Any) -> None:
        """What is done with the objects of the PDF: WeasyPrint's hook."""
        if self.tagged:
            mend_tags(pdf)
        if self.watch:
            self.watch(document, pdf)
        if self.form:
            self.form.finish(pdf)

    def _parts(self, leaves: Leaves) -> Iterator[Any]:
        """The document's leaves, each laid out alone and with the page numbers that it has in it.

        Laid out as a whole, WeasyPrint loses signs in the margin of a leaf's later pages.
        """
        before = 0
        for leaf in self._split():
            if self.recto and before % 2:
                yield self._laid_out(f"{leaf.partition(LEAF)[0]}{EMPTY}")
                before += 1
            used = (drawn for name, drawn in self.formulas.cache.items() if f'src="{name}"' in leaf)
            key = (leaf, *self.css, before, *used)
            if key not in leaves:
                counted = f"@page :first {{ counter-reset: page {before + 1} }}"
                leaves[key] = self._laid_out(leaf, counted if before else "")
            yield leaves[key]
            before += len(leaves[key].pages)

    def _split(self) -> list[str]:
        """The document in parts of one leaf each; around each its frame, which names no variant."""
        frame, *leaves = self.html.partition(END)[0].split(LEAF)
        if not any(f".{variant}" in text for variant in VARIANTS for text in self.css):
            for variant in VARIANTS:
                frame = frame.replace(f'<body class="{variant}', '<body class="')
        return [f"{frame}{LEAF}{leaf}{END}</html>" for leaf in leaves] or [self.html]

    def _laid_out(self, html: str, *further: str) -> Any:
        css = (*self.css, *filter(None, further))
        engine = load_engine()
        # A copy of the cache: WeasyPrint notes failed pictures in it and is silent the second time.
        return engine.page(html, css).render(
            font_config=engine.fonts,
            stylesheets=[_stylesheet(text) for text in css],
            cache=dict(self.formulas.cache),
            pdf_variant=self._variant,
        )


@contextlib.contextmanager
def complaints_are_errors(where: str) -> Iterator[None]:
    """Within it, WeasyPrint's log is collected; at its end a complaint becomes an exception."""
    logger = logging.getLogger("weasyprint")
    # Kept to the end: raising at once would be swallowed inside WeasyPrint.
    complaints = BufferingHandler(sys.maxsize)
    complaints.setLevel(logging.WARNING)
    level = logger.level
    logger.setLevel(logging.WARNING)  # a program that silences its log must not silence ours
    logger.addHandler(complaints)
    try:
        yield
    finally:
        logger.removeHandler(complaints)
        logger.setLevel(level)
    if glyphs := dict.fromkeys(filter(None, map(_undrawn, complaints.buffer))):
        raise MissingGlyph(glyphs, where)
    if complaints.buffer:
        messages = dict.fromkeys(record.getMessage() for record in complaints.buffer)
        raise RenderError(f"{where}: " + "; ".join(messages))


def _undrawn(record: logging.LogRecord) -> str | None:
    if record.msg.startswith(MISSING_GLYPH) and isinstance(record.args, tuple):
        return str(record.args[0])
    return None


@cache
def _stylesheet(css: str) -> Any:
    engine = load_engine()
    with complaints_are_errors("style sheet"):  # before it is cached, else only the first use fails
        try:
            return engine.weasyprint.CSS(
                string=css, font_config=engine.fonts, url_fetcher=engine.fetcher
            )
        except OSError as error:
            raise NoRoom(error) from error


@contextlib.contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Within it nothing is collected; one within another collects nothing between them."""
    running = gc.isenabled()
    gc.disable()  # boxes are many and live until the end: collecting them costs a fifth of the time
    try:
        yield
    finally:
        if running:
            gc.enable()


LIST_PARTS = ("/Lbl", "/LBody")


def mend_tags(pdf: Any) -> None:
    """Give each table header its scope, and put each list item's text into a body."""
    rows_and_items = [
        one for one in pdf.objects if isinstance(one, dict) and one.get("S") in ("/TR", "/LI")
    ]
    for element in rows_and_items:
        references = [kid for kid in element["K"] if isinstance(kid, bytes)]  # else: page content
        kids = {kid: pdf.objects[int(kid.split()[0])] for kid in references}
        if element["S"] == "/LI":
            _list_body(pdf, element, kids)
            continue
        # A header that cells of its own row refer to belongs to the row, any other to its column.
        cells = [kid for kid in kids.values() if kid["S"] == "/TD"]
        used = {key.data for td in cells for key in td["A"].get("Headers", ())}
        for th in (kid for kid in kids.values() if kid["S"] == "/TH"):
            th["A"]["Scope"] = "/Row" if th["ID"].data in used else "/Column"


def _list_body(pdf: Any, item: Any, kids: dict[bytes, Any]) -> None:
    """Kids that are neither label nor body are put into one new body."""
    loose = [reference for reference, kid in kids.items() if kid["S"] not in LIST_PARTS]
    if not loose:
        return
    dictionary, array = type(item), type(item["K"])  # of pydyf, as WeasyPrint made them
    body = dictionary({"Type": "/StructElem", "S": "/LBody", "K": array(loose), "Pg": item["Pg"]})
    body["P"] = item.reference
    pdf.add_object(body)
    for reference in loose:
        kids[reference]["P"] = body.reference
    item["K"] = array([*(kid for kid in kids if kid not in loose), body.reference])


AUTO, WEASYPRINT, CHROMIUM = PDF_BY


def in_browser(options: SheetOptions) -> bool:
    """Whether a PDF with these choices is made by a browser."""
    return (_usual() if options.pdf_by == AUTO else options.pdf_by) == CHROMIUM


def named(options: SheetOptions) -> SheetOptions:
    """The same choices with the program named that makes PDFs here.

    So a batch is made by one program, whoever computes, and again by the same one.
    """
    return replace(options, pdf_by=_usual()) if options.pdf_by == AUTO else options


@cache
def _usual() -> str:
    """WeasyPrint where it works and where no browser is, which its message then says."""
    try:
        load_engine()
    except PangoMissing:
        return CHROMIUM if browser.found() else WEASYPRINT
    return WEASYPRINT


def browser_notes(options: SheetOptions) -> list[str]:
    """What to say of PDFs that a browser makes because nothing better is there."""
    if options.pdf_by == AUTO and in_browser(options):
        return [message("pdf.browser", browser=browser.require())]
    return []
