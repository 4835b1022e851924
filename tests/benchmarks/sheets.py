"""The worksheet 4a by us, by untuned WeasyPrint from the same HTML and CSS, and in Typst."""

import typst

from generator.api import compute
from generator.engine.trace import Trace
from generator.render.worksheet import sheet
from generator.render.worksheet.fonts import STACK
from generator.render.worksheet.maths import Formulas
from generator.render.worksheet.options import SheetOptions
from generator.render.worksheet.pdf import TAGGED, load_engine
from generator.resources import templates

OPTIONS = SheetOptions()
FLEX = ".side, .bars .bar, .furniture, .head .line { display: flex; }"


class Sheet:
    """The blank 4a of the preset katze, ready to be set by each."""

    def __init__(self) -> None:
        self.trace, self.exact = compute(rounding="paper"), compute(rounding="exact")
        plan = sheet.planned("4a", self.trace, OPTIONS)
        self.html = sheet.page(
            plan, self.trace, self.exact, OPTIONS, Formulas(embed=True), blank=True
        )
        self.css = [_font_faces(), sheet.style("print.css"), sheet.style()]
        self.typst = typst_source(self.trace).encode()
        load_engine()

    def ours(self) -> bytes:
        """As `paperformer make` does it, templates and slots included."""
        return sheet.render("4a", self.trace, self.exact, OPTIONS)

    def untuned(self) -> bytes:
        """As the manual says: fonts and style sheets loaded for each document, SVG formulas."""
        return self._plain(self.css)

    def with_flex(self) -> bytes:
        """The same with side-by-side tables as one would first write them: as flex items."""
        return self._plain([*self.css, FLEX])

    def _plain(self, css: list[str]) -> bytes:
        import weasyprint
        from weasyprint.text.fonts import FontConfiguration

        fonts = FontConfiguration()
        styles = [weasyprint.CSS(string=text, font_config=fonts) for text in css]
        page = weasyprint.HTML(string=self.html)
        pdf: bytes = page.write_pdf(stylesheets=styles, font_config=fonts, pdf_variant=TAGGED)
        return pdf

    def in_typst(self) -> bytes:
        """Tables with the same numbers on as many pages."""
        pdf: bytes = typst.compile(self.typst)
        return pdf


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
