"""The copier's file: every leaf as stamped, on odd pages, without tags, small, always the same."""

import io

import pikepdf

from generator.render.worksheet.stamp.book import Entry, class_pdf
from generator.render.worksheet.stamp.template import Template
from generator.sheets.options import VARIANTS
from tests.render.test_stamp import template
from tests.support.sheets import pictures, text
from tests.support.stamped import VISIBLE, problems, pupil


def entries(sheet: str = "4a") -> list[Entry]:
    made = template(sheet)
    seats = [pupil(k) for k in range(3)]
    return [Entry(made, seat, one, f"{seat.code} {one}") for seat in seats for one in VARIANTS]


def test_each_leaf_is_the_stamped_one() -> None:
    book = pictures(class_pdf(entries(), "book"), 60)
    alone = [
        page
        for template, seat, variant, _ in entries()
        for page in pictures(template.stamp(seat, variant), 60)
    ]
    for page, expected in zip(book, alone, strict=True):
        assert (abs(page.astype(int) - expected) <= VISIBLE).all()


def test_it_is_small_untagged_and_has_an_outline() -> None:
    book = class_pdf(entries(), "Klassensatz „4a“")
    one = template("4a").stamp(pupil(0), "blank")
    assert len(book) < 3 * len(one)
    assert not problems(book)
    with pikepdf.open(io.BytesIO(book)) as pdf:
        assert "/StructTreeRoot" not in pdf.Root
        assert str(pdf.docinfo["/Title"]) == "Klassensatz „4a“"
        with pdf.open_outline() as outline:
            assert [one.title for one in outline.root] == [entry.name for entry in entries()]
            starts = [pdf.pages.index(pikepdf.Page(one.destination[0])) for one in outline.root]
    assert starts == [0, 2, 4, 6, 8, 10]


def test_a_leaf_of_odd_length_is_followed_by_an_empty_page() -> None:
    made: Template = template("slide")
    seat = pupil(0)
    length = len(pictures(made.stamp(seat, "blank"), 30))
    book = class_pdf([Entry(made, seat, "blank")] * 2, "book")
    with pikepdf.open(io.BytesIO(book)) as pdf:
        assert len(pdf.pages) == length + length % 2 + length
    assert text(book).count(seat.code) == 2 * length


def test_the_same_entries_give_the_same_bytes() -> None:
    assert class_pdf(entries(), "book") == class_pdf(entries(), "book")
