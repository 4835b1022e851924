"""Worksheets by us, by untuned WeasyPrint from the same HTML and CSS, by Chromium, in Typst."""

import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import typst

from generator.api import compute
from generator.engine.trace import Trace
from generator.render.worksheet.booklet import booklet, fitting
from generator.render.worksheet.pdf import TAGGED, Leaves, PdfDocument, document_css
from generator.render.worksheet.pdf_engine import load_engine
from generator.render.worksheet.styles import style
from generator.render.worksheet.worksheet import PrintedSheet
from generator.resources import templates
from generator.sheets.fonts import STACK
from generator.sheets.maths import Formulas
from generator.sheets.options import VARIANTS, SheetOptions
from generator.sheets.series import SERIES
from tests.benchmarks.measure import Pair

OPTIONS = SheetOptions()
FLEX = ".side, .bars .bar, .furniture, .head .line { display: flex; }"


def both():
    """The preset `katze` in paper and in exact arithmetic."""
    return (compute(preset="katze", rounding=rounding) for rounding in ("paper", "exact"))


def page(
    name: str, trace: Trace, exact: Trace, formulas: Formulas | None = None, *, blank: bool = True
) -> str:
    """A sheet's HTML, filled; formulas stand in it as pictures where none are given."""
    formulas = formulas or Formulas(embed=True)
    return PrintedSheet(name, trace, exact, OPTIONS, formulas=formulas).page(blank=blank)


class Sheet:
    """The blank 4a of the preset katze, ready to be set by each."""

    def __init__(self) -> None:
        self.trace, self.exact = both()
        self.html = page("4a", self.trace, self.exact)
        self.css = css_of("4a")
        self.typst = typst_source(self.trace).encode()
        load_engine()

    def ours(self) -> bytes:
        """As `paperformer make` does it, templates and slots included."""
        return PrintedSheet("4a", self.trace, self.exact, OPTIONS).file()

    def untuned(self) -> bytes:
        """As the manual says: fonts and style sheets loaded for each document, SVG formulas."""
        return plain(self.html, self.css)

    def with_flex(self) -> bytes:
        """The same with side-by-side tables as one would first write them: as flex items."""
        return plain(self.html, [*self.css, FLEX])

    def in_typst(self) -> bytes:
        """Tables with the same numbers on as many pages."""
        pdf: bytes = typst.compile(self.typst)
        return pdf


def series(sheets: tuple[str, ...]) -> Pair:
    """The blank sheets of the preset katze, each alone and all as a booklet; untuned as well."""
    traces = tuple(both())
    names = fitting(sheets, traces[0], OPTIONS)
    load_engine()

    @cache
    def pages() -> list[str]:
        return [page(name, *traces) for name in names]

    def ours() -> list[bytes]:
        """As `paperformer make` does it: the booklet takes the sheets' pages over."""
        made = {name: PrintedSheet(name, *traces, OPTIONS).file() for name in names}
        whole = booklet(names, *traces, OPTIONS, variant="blank", ready=made.__getitem__)
        return [*made.values(), whole]

    def untuned() -> list[bytes]:
        """As the manual says: document by document, and the booklet from all their HTML."""
        alone = [plain(page, css_of(name)) for name, page in zip(names, pages(), strict=True)]
        return [*alone, plain(_joined(pages()), css_of(*names))]

    return ours, untuned


def apart(sheets: tuple[str, ...]) -> Pair:
    """The same sheets blank and solved: each leaf once where both have it, or all laid out."""
    traces = tuple(both())
    names = fitting(sheets, traces[0], OPTIONS)
    load_engine()

    def ours() -> list[bytes]:
        found = []
        for name in names:
            leaves: Leaves = {}
            for one in VARIANTS:
                own = PrintedSheet(name, *traces, OPTIONS)
                found.append(own.file(variant=one, leaves=leaves))
        return found

    def whole() -> list[bytes]:
        return [_whole(name, variant) for name in names for variant in VARIANTS]

    def _whole(name: str, variant: str) -> bytes:
        formulas = Formulas()
        html = page(name, *traces, formulas, blank=variant == "blank")
        css = (document_css(), *map(style, ("worksheet.css", *SERIES[name].css)))
        return PdfDocument(html, css, formulas, where=name).to_pdf()

    assert ours() == whole()
    return ours, whole


def plain(html: str, css: list[str]) -> bytes:
    """WeasyPrint as its manual says: fonts and style sheets loaded for this document alone."""
    import weasyprint
    from weasyprint.text.fonts import FontConfiguration

    fonts = FontConfiguration()
    styles = [weasyprint.CSS(string=text, font_config=fonts) for text in css]
    page = weasyprint.HTML(string=html)
    pdf: bytes = page.write_pdf(stylesheets=styles, font_config=fonts, pdf_variant=TAGGED)
    return pdf


def css_of(*sheets: str) -> list[str]:
    """The texts of all style sheets that these worksheets need."""
    further = dict.fromkeys(name for one in sheets for name in SERIES[one].css)
    return [_font_faces(), *map(style, ("print.css", "worksheet.css", *further))]


def _joined(pages: list[str]) -> str:
    """One document with the leaves of all; those of the next begin on a new page."""
    bodies = [re.split("<body[^>]*>|</body>", page)[1] for page in pages]
    opening = pages[0].partition("<body")[0]
    articles = (f'<article style="break-before: page">{body}</article>' for body in bodies)
    return f'{opening}<body class="blank">{"".join(articles)}</body></html>'


def chromium() -> str | None:
    """The program, where it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def in_chromium(program: str, html: bytes) -> bytes:
    """The print-ready HTML edition, printed by a Chromium started for it."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "sheet.html"), Path(folder, "sheet.pdf")
        source.write_bytes(html)
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
        profile = f"--user-data-dir={folder}/profile"
        command = [program, *options, profile, f"--print-to-pdf={target}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
        return target.read_bytes()


def _font_faces() -> str:
    folder = (templates() / "fonts").as_uri()
    return "\n".join(
        f'@font-face {{ font-family: "{face.family}"; font-style: {face.style}; '
        f'font-weight: {face.weight}; src: url("{folder}/{face.file}"); }}'
        for face in STACK
    )


def typst_source(trace: Trace) -> str:
    """Four pages: the formula, every table of the first head, lines to write on."""
    steps = [step for step in trace if step.name.startswith("block1.head1.")]
    each = -(-len(steps) // 4)
    pages = [
        "= Self-Attention\n"
        '$ "Attention"(Q, K, V) = "softmax"((Q K^top) / sqrt(d_k)) V $\n'
        + "\n".join(_table(step.values.tolist()) for step in steps[k : k + each])
        + "\n#lorem(150)\n"
        for k in range(0, len(steps), each)
    ]
    return "#pagebreak()\n".join(pages)


def _table(rows: list[list[float]]) -> str:
    cells = ", ".join(f"[{value:.2f}]" for row in rows for value in row)
    return f"#table(columns: {len(rows[0])}, {cells})"
