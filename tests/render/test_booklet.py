"""The booklet: all sheets in taught order, with contents, page numbers, bookmarks and tags."""

import io
import re

import pikepdf
import pypdfium2
import pytest

from generator.cli import main
from generator.errors import UserError
from generator.render.worksheet.booklet import booklet, fitting, scoped
from generator.render.worksheet.options import SheetOptions
from generator.render.worksheet.series import SHEETS
from generator.text.catalogue import load
from tests.cli.command import files_below
from tests.support.sheets import pdf, pictures, tampered, text, traces
from tests.support.structure import bookmarks, stays_within, tags

LEAST = ("4a", "math")  # two sheets that this preset fills, whatever else there is


def made(variant: str, language: str = "de", sheets=LEAST, **options) -> bytes:
    trace, exact = traces("katze", language)
    chosen = SheetOptions(language=language, **options)
    return booklet(sheets, trace, exact, chosen, variant=variant)


@pytest.fixture(scope="module")
def whole() -> bytes:
    trace, exact = traces("katze", "de")
    options = SheetOptions()
    fit = fitting(SHEETS, trace, options)
    assert len(fit) > 1
    return booklet(fit, trace, exact, options, variant="blank")


def test_contents_name_each_sheet_with_the_page_it_begins_on(whole):
    pages = [p.get_textpage().get_text_range() for p in pypdfium2.PdfDocument(io.BytesIO(whole))]
    phrases = load("de").phrases
    names = fitting(SHEETS, *_katze())
    titles = [phrases[f"sheet{name}.title"] for name in names]
    starts = [int(n) for n in re.findall(r"(?:min|–) +(\d+)\s*$", pages[0], re.MULTILINE)]
    assert len(starts) == len(titles)
    assert starts == sorted(starts)
    assert starts[0] == 2
    flat = _letters(pages[0])
    places = [flat.index(_letters(title)) for title in titles]
    assert places == sorted(places)
    for name, start in zip(names, starts, strict=True):
        before, found = (pages[k].replace("\r\n", " ") for k in (start - 2, start - 1))
        foot = f"Seite {start}"
        assert foot in found
        assert foot not in before
        assert f"Blatt {phrases[f'sheet.name.{name}']} · " in found


def _letters(shown: str) -> str:
    """The letters and digits alone: lines may break at spaces and hyphens."""
    return re.sub(r"[\W_]", "", shown)


def _katze():
    return traces("katze", "de")[0], SheetOptions()


def test_bookmarks_title_and_language(whole):
    found = bookmarks(whole)
    titles = [load("de").phrases[f"sheet{name}.title"] for name in fitting(SHEETS, *_katze())]
    assert [title for depth, title in found if depth == 0][1:] == titles
    assert {depth for depth, _ in found} == {0, 1, 2}
    with pikepdf.open(io.BytesIO(whole)) as opened:
        assert str(opened.Root.Lang) == "de"
        assert "Arbeitsblätter" in str(opened.docinfo["/Title"])
        kinds = {tag.kind for tag in tags(opened)}
    assert {"Art", "Sect", "H1", "Table", "TH", "Figure", "Link"} <= kinds


def test_the_booklet_stays_on_the_page(whole):
    assert stays_within(whole) > 6


def test_a_sheet_looks_in_the_booklet_as_it_does_alone():
    trace, exact = traces("katze", "en")
    options = SheetOptions(language="en")
    together = pictures(made("solution", "en"), dpi=60)
    alone = pictures(pdf(trace, exact, options, "solution"), dpi=60)
    for one, other in zip(together[1:], alone, strict=False):
        cut = round(0.93 * one.shape[0])  # the page number below differs
        assert (one[:cut] != other[:cut]).any(axis=2).mean() < 1e-4


def test_a_blank_booklet_does_not_hang_on_the_asked_numbers():
    trace, exact = traces("katze", "de")
    from generator.render.worksheet.sheet import planned

    options = SheetOptions()
    other = tampered(trace, planned("4a", trace, options), 0.37)
    assert booklet(("4a",), trace, exact, options, variant="blank") == booklet(
        ("4a",), other, exact, options, variant="blank"
    )


def test_the_order_is_the_taught_one_and_unknown_sheets_are_named():
    shown = text(made("blank", sheets=("math", "4a")))
    assert shown.index("Self-Attention: Wer") < shown.index("Die ganze Mathematik auf")
    with pytest.raises(UserError, match="no sheet '4x'"):
        made("blank", sheets=("4x",))
    with pytest.raises(UserError, match="no variant 'both'"):
        made("both")


def test_a_style_sheet_is_kept_to_its_sheet():
    found = scoped("/* x */ .a, td { color: red } @page { size: A5 } @page wide { margin: 0 }", "7")
    assert found.startswith(":where(.sheet-7) {")
    assert "page: sheet-7;" in found
    inner, _, pages = found.partition("\n}\n")
    assert ".a, td { color: red }" in inner
    assert "@page sheet-7" in pages
    assert "@page wide" in pages


def test_make_writes_a_booklet_where_there_are_several_sheets(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["make", "--sheets", "4a,math", "--only", "pdf", "--out", "two"]) == 0
    assert main(["make", "--sheets", "4a", "--only", "pdf", "--out", "one"]) == 0
    several = [name.partition("/")[2] for name in files_below(tmp_path / "two")]
    single = [name.partition("/")[2] for name in files_below(tmp_path / "one")]
    assert {"hand-out/worksheets-blank.pdf", "teacher/worksheets-solution.pdf"} <= set(several)
    assert not [name for name in single if "worksheets" in name]
