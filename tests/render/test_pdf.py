"""The PDF: only our fonts, nothing from outside, no warning, the same bytes, readable aloud."""

import base64
import gc
import hashlib
import io
import logging
import os
import subprocess
import sys

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from generator.errors import UserError
from generator.render.worksheet.pdf import PdfDocument, RenderError, document_css
from generator.render.worksheet.pdf_engine import without_notes
from generator.sheets.maths import Formulas

OURS = {"Source-Sans-3", "STIX-Two-Math"}
EMPTY = "file:///dev/null"  # there is one: only a refusal keeps it out


def page(formulas: Formulas) -> str:
    formula = formulas.image(r"\frac{q \cdot k}{\sqrt{d_k}}", "q mal k, geteilt durch Wurzel d k")
    return (
        '<html lang="de"><title>Blatt 4a</title><h1>Größe</h1>'
        f"<p>Es ist {formula} ≈ −1,10.</p><p><b>fett ⊕</b> <i>schräg</i> x ∈ ℝ ⊤ ✓ ≤ √2</p>"
        '<table><tr><td></td><th scope="col">q₁</th></tr>'
        '<tr><th scope="row">„mag“</th><td>0,24</td></tr></table>'
    )


def made(html: str, formulas: Formulas, *css: str, where: str = "sheet 4a", **more: bool) -> bytes:
    return PdfDocument(html, [document_css(), *css], formulas, where, **more).to_pdf()


def render(body: str = "<p>Katze</p>", *css: str) -> bytes:
    html = f'<html lang="de"><title>Blatt</title>{body}'
    return made(html, Formulas(), *css, where="sheet 1")


@pytest.fixture(scope="module")
def pdf() -> bytes:
    formulas = Formulas()
    return made(page(formulas), formulas)


def texts(pdf: bytes, key: str) -> list[str]:
    """What stands under this key in any dictionary of the file."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        found = [o for o in document.objects if isinstance(o, pikepdf.Dictionary) and key in o]
        return [str(dictionary[key]) for dictionary in found]


def words(pdf: bytes) -> str:
    """What stands on the first page, without spaces."""
    return "".join(pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded().split())


def fonts(pdf: bytes) -> set[str]:
    """The families in the file, without subset tag and style."""
    names = [name.partition("+")[2] for name in texts(pdf, "/FontName")]
    assert names
    return {next(filter(name.startswith, OURS), name) for name in names}


def test_only_our_fonts_are_in_it(pdf):
    assert fonts(pdf) == OURS


@pytest.mark.parametrize("family", ["sans-serif", "monospace", "DejaVu Sans", "Noto Sans"])
def test_a_family_that_is_not_ours_finds_no_system_font(family):
    assert fonts(render("<p>Katze</p>", f"html {{ font-family: '{family}', {family} }}")) <= OURS


def test_a_page_is_a4_and_has_no_date(pdf):
    document = pikepdf.open(io.BytesIO(pdf))
    assert [round(float(x)) for x in document.pages[0].MediaBox] == [0, 0, 595, 842]
    assert b"CreationDate" not in pdf
    assert "/CreationDate" not in document.trailer.get("/Info", {})


def test_it_can_be_read_aloud(pdf):
    document = pikepdf.open(io.BytesIO(pdf))
    assert document.Root.Lang == "de"
    assert document.Root.MarkInfo.Marked
    assert str(document.docinfo["/Title"]) == "Blatt 4a"
    assert texts(pdf, "/Alt") == ["q mal k, geteilt durch Wurzel d k"]


def test_tags_need_a_language_and_alternative_texts():
    with pytest.raises(RenderError, match="lang"):
        made("<title>x</title><p>x</p>", Formulas())
    formulas = Formulas()
    silent = formulas.image("x", "ix").replace('alt="ix"', "")
    with pytest.raises(RenderError, match="no required alt"):
        made(f'<html lang="de">{silent}', formulas)


def test_without_tags_it_is_smaller(pdf):
    formulas = Formulas()
    bare = made(page(formulas), formulas, tagged=False)
    assert len(bare) < len(pdf)
    assert "/StructTreeRoot" not in pikepdf.open(io.BytesIO(bare)).Root


def test_a_formula_is_drawn_in_the_colour_of_its_text():
    formulas = Formulas()
    html = f'<p style="color: #f00">{formulas.image("x", "x")}</p>'
    pdf = made(html, formulas, tagged=False)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        content = document.pages[0].Contents.read_bytes()
    assert b"1 0 0 rg" in content
    assert formulas.cache["formula:0"].operators in content


def test_the_same_bytes_again_also_after_another_document(pdf):
    render("<h1>something else ∈</h1>", "h1 { color: red }")
    formulas = Formulas()
    assert made(page(formulas), formulas) == pdf


@pytest.mark.parametrize("seed", ["1", "2024"])
def test_the_same_bytes_in_another_process(pdf, seed):
    code = (
        "import hashlib; from tests.render.test_pdf import *; formulas = Formulas()\n"
        "pdf = made(page(formulas), formulas)\n"
        "print(hashlib.sha256(pdf).hexdigest())"
    )
    environment = os.environ | {"PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == hashlib.sha256(pdf).hexdigest()


@pytest.mark.parametrize("where", ["p", "b", "i"])
def test_a_character_without_glyph_is_named(where):
    with pytest.raises(UserError) as caught:
        render(f"<{where}>龘 und 😀</{where}>")
    message = str(caught.value)
    assert message.startswith("sheet 1: ")
    assert "'龘' (U+9F98 CJK UNIFIED IDEOGRAPH-9F98)" in message
    assert "'😀' (U+1F600 GRINNING FACE)" in message


def refused(address: str, formulas: Formulas) -> None:
    with pytest.raises(RenderError, match="Failed to load image"):
        made(f'<img src="{address}" alt="x">', formulas, tagged=False)


@pytest.mark.parametrize(
    ("body", "css", "said"),
    [
        ("x", "@font-face { font-family: x; src: local('DejaVu Sans') }", "cannot be loaded"),
        ('<img src="README.md" alt="x">', "", "Relative URI"),
        (f'<link rel="stylesheet" href="{EMPTY}"><p>x</p>', "", "null: .* from outside"),
        ("x", "p { colour: red }", "colour"),
        ("x", "@import 'https://example.org/x.css';", r"example\.org.* from outside"),
        ("x", f"@import '{EMPTY}';", "null : .* from outside"),
    ],
)
def test_what_is_outside_and_what_is_warned_of_is_an_error_each_time(body, css, said):
    for _ in range(2):
        with pytest.raises(RenderError, match=said):
            render(body, css)


@pytest.mark.parametrize("scheme", ["file", "data"])
def test_a_real_picture_outside_the_document_is_refused(tmp_path, scheme):
    file = tmp_path / "dot.png"
    Image.new("1", (1, 1)).save(file)
    data = "data:image/png;base64," + base64.b64encode(file.read_bytes()).decode()
    refused({"file": file.as_uri(), "data": data}[scheme], Formulas())


def test_an_unknown_address_is_refused_each_time(address):
    formulas = Formulas()
    refused(address, formulas)
    refused(address, formulas)
    assert formulas.cache == {}


def test_a_page_without_the_styles_of_notes_is_the_same_page():
    import tinycss2
    from weasyprint.html import UA

    rules = [rule for rule in tinycss2.parse_stylesheet(UA) if rule.type == "qualified-rule"]
    assert len([rule for rule in rules if not without_notes(rule)]) == 5  # else it takes longer
    body = "<h1>a</h1><ol><li>b<ul><li>c</ul></ol><p>d<br><q>e</q></p><table><td>1</table>"
    whole = render(body, "/* footnote */")  # laid out with WeasyPrint's own styles
    assert render(body) == whole
    assert "1.◦" in words(whole)  # with the markers of its lists


def test_a_style_sheet_with_footnotes_has_them():
    made = render("<p>Katze<i>sitzt</i></p>", "i { float: footnote }")
    assert "Katze1" in words(made)
    assert "1.sitzt" in words(made)


def test_a_silenced_log_hides_nothing_and_garbage_is_collected_again():
    logger = logging.getLogger("weasyprint")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with pytest.raises(RenderError):
            render("<p>x</p>", "p { color: nonsense }")
        assert logger.level == logging.CRITICAL
        assert gc.isenabled()
        render()
        assert gc.isenabled()
    finally:
        logger.setLevel(before)
