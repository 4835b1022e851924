"""The booklet: all sheets in taught order, with contents, page numbers, bookmarks and tags."""

import io
import re
from dataclasses import replace

import pikepdf
import pypdfium2
import pytest

from generator.cli import main
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.worksheet.booklet import booklet, fitting
from generator.render.worksheet.sheet_check import tampered
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import SheetOptions
from generator.sheets.series import SHEETS
from tests.cli.command import files_below
from tests.support.sheets import paper, pdf, pdf_of, pictures, text, traces
from tests.support.structure import bookmarks, stays_within, tags

LEAST = ("4a", "6")  # two sheets that this preset fills, whatever else there is


def made(variant: str, language: str = "de", sheets=LEAST, **options) -> bytes:
    trace, exact = traces("katze", language)
    chosen = SheetOptions(language=language, **options)
    ready = {name: pdf(trace, exact, chosen, variant, name) for name in sheets if name in SHEETS}
    return booklet(sheets, trace, exact, chosen, variant=variant, ready=ready.__getitem__)


@pytest.fixture(scope="module")
def whole() -> bytes:
    trace, exact = traces("katze", "de")
    options = SheetOptions()
    fit = fitting(SHEETS, trace, options)
    assert len(fit) > 1
    ready = {name: pdf(trace, exact, options, "blank", name) for name in fit}
    return booklet(fit, trace, exact, options, variant="blank", ready=ready.__getitem__)


def test_contents_name_each_sheet_with_the_page_it_begins_on(whole):
    pages = [p.get_textpage().get_text_range() for p in pypdfium2.PdfDocument(io.BytesIO(whole))]
    phrases = load("de").phrases
    names = fitting(SHEETS, *_katze())
    titles = [phrases[f"sheet{name}.title"] for name in names]
    starts = [int(n) for n in re.findall(r"(?:min|–) +(\d+)\s*$", pages[0], re.MULTILINE)]
    assert len(starts) == len(titles)
    assert starts == sorted(starts)
    assert starts[0] == 2
    assert phrases["sheet.booklet.apart"].split(":")[0] in pages[0]
    flat = _letters(pages[0])
    places = [flat.index(_letters(title)) for title in titles]
    assert places == sorted(places)
    for name, start in zip(names, starts, strict=True):
        before, found = (pages[k].replace("\r\n", " ") for k in (start - 2, start - 1))
        foot = f"Seite {start}"
        assert foot in found
        assert foot not in before
        assert f"Blatt {phrases[f'sheet{name}.name']} · " in found


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


@pytest.mark.ci
def test_a_sheet_looks_in_the_booklet_as_it_does_alone():
    together = pictures(made("solution", "en"), dpi=60)
    alone = pictures(pdf_of("4a", "katze", "en", variant="solution"), dpi=60)
    for one, other in zip(together[1:], alone, strict=False):
        cut = round(0.93 * one.shape[0])  # the page number below differs
        assert (one[:cut] != other[:cut]).any(axis=2).mean() < 1e-4


@pytest.mark.parametrize("options", [{}, {"large_print": True, "duplex": True}])
def test_each_page_has_its_number_in_the_booklet_and_no_other(options):
    pages = pypdfium2.PdfDocument(io.BytesIO(made("solution", sheets=("1", "2"), **options)))
    shown = [page.get_textpage().get_text_range() for page in pages]
    found = [re.findall(r"Seite (\d+)", text) for text in shown]
    numbered = [str(k) for k, text in enumerate(shown, 1) if text]
    assert [number for one in found for number in one] == numbered
    assert len(numbered) == len(shown) or options


def test_on_both_sides_every_sheet_begins_on_an_odd_page():
    with pikepdf.open(io.BytesIO(made("blank", sheets=("1", "2"), duplex=True))) as book:
        begins = [list(book.pages).index(pikepdf.Page(target)) + 1 for target in linked(book)]
    assert begins == [3, 7]


def linked(book: pikepdf.Pdf) -> list[pikepdf.Object]:
    """The pages to which the contents lead."""
    return [note.Dest[0] for note in book.pages[0].obj.Annots]


def test_the_tags_of_all_sheets_hang_together(whole):
    with pikepdf.open(io.BytesIO(whole)) as book:
        places = {page.obj.objgen: k for k, page in enumerate(book.pages)}
        elements = tags(book)
        pages = [places[tag.element.Pg.objgen] for tag in elements if "/Pg" in tag.element]
        assert set(pages) == set(places.values())
        assert sum(tag.kind == "Art" for tag in elements) == len(fitting(SHEETS, *_katze()))
        names = [str(tag.element.ID) for tag in elements if "/ID" in tag.element]
        used = {str(key) for tag in elements if tag.kind == "TD" for key in tag.element.A.Headers}
        assert len(set(names)) == len(names)
        assert used <= set(names)
        owners = book.Root.StructTreeRoot.ParentTree.Nums
        keys = [int(key) for key in list(owners)[::2]]
        assert keys == sorted(set(keys))
        assert [int(page.obj.StructParents) for page in book.pages] == [
            key for key, owner in zip(keys, list(owners)[1::2], strict=True)
            if isinstance(owner, pikepdf.Array)
        ]  # fmt: skip


def test_a_sheet_made_already_is_not_made_again(monkeypatch):
    trace, exact = traces("katze", "de")
    alone = {name: pdf(trace, exact, SheetOptions(), "blank", name) for name in LEAST}
    together = booklet(LEAST, trace, exact, SheetOptions(), variant="blank")
    monkeypatch.setattr(PrintedSheet, "file", None)
    ready = booklet(LEAST, trace, exact, SheetOptions(), variant="blank", ready=alone.__getitem__)
    assert ready == together


@pytest.mark.ci
def test_a_blank_booklet_does_not_hang_on_the_asked_numbers():
    own = paper("5")
    asked = frozenset(cell for cell in own.plan.asked if cell[0] in own.trace)  # not its own steps
    assert len(asked) > 20
    other = tampered(own.trace, replace(own.plan, asked=asked), 0.37)
    one, same = (
        booklet(("5",), trace, own.exact, own.options, variant="blank")
        for trace in (own.trace, other)
    )
    assert one == same


def test_the_order_is_the_taught_one_and_unknown_sheets_are_named():
    shown = text(made("blank", sheets=("6", "4a")))
    assert shown.rindex("Blatt 4a · ") < shown.index("Blatt 6 · ")
    with pytest.raises(UserError, match="no sheet '4x'"):
        booklet(("4x",), *traces("katze", "de"), SheetOptions(), variant="blank")
    with pytest.raises(UserError, match="no variant 'both'"):
        booklet(LEAST, *traces("katze", "de"), SheetOptions(), variant="both")


@pytest.mark.ci
def test_make_writes_a_booklet_where_there_are_several_sheets(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["make", "--sheets", "4a,math", "--only", "pdf", "--out", "two"]) == 0
    assert main(["make", "--sheets", "4a", "--only", "pdf", "--out", "one"]) == 0
    several = [name.partition("/")[2] for name in files_below(tmp_path / "two")]
    single = [name.partition("/")[2] for name in files_below(tmp_path / "one")]
    assert {"hand-out/worksheets-blank.pdf", "teacher/worksheets-solution.pdf"} <= set(several)
    assert not [name for name in single if "worksheets" in name]
