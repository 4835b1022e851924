"""The copier's file: every leaf as stamped, on odd pages, without tags, small, always the same."""

import io

import pikepdf

from generator.render.worksheet.binding import CopierLeaf, bound_for_copier
from generator.render.worksheet.stamp.template import Template
from generator.sheets.options import VARIANTS
from tests.render.test_stamp import template
from tests.support.sheets import pictures, text
from tests.support.stamped import VISIBLE, problems, pupil


def entries(sheet: str = "4a") -> list[CopierLeaf]:
    seats = [pupil(k) for k in range(3)]
    return [
        CopierLeaf(f"{seat.code} {variant}", template(sheet, variant).stamp(seat), (sheet, variant))
        for seat in seats
        for variant in VARIANTS
    ]


def test_each_leaf_is_the_stamped_one() -> None:
    book = pictures(bound_for_copier(entries(), "book"), 60)
    alone = [page for leaf in entries() for page in pictures(leaf.pdf, 60)]
    for page, expected in zip(book, alone, strict=True):
        assert (abs(page.astype(int) - expected) <= VISIBLE).all()


def test_it_is_small_untagged_and_has_an_outline() -> None:
    book = bound_for_copier(entries(), "Klassensatz „4a“")
    one = template("4a", "blank").stamp(pupil(0))
    assert len(book) < 3 * len(one)
    assert not problems(book)
    with pikepdf.open(io.BytesIO(book)) as pdf:
        assert "/StructTreeRoot" not in pdf.Root
        assert str(pdf.docinfo["/Title"]) == "Klassensatz „4a“"
        with pdf.open_outline() as outline:
            assert [one.title for one in outline.root] == [entry.title for entry in entries()]
            starts = [pdf.pages.index(pikepdf.Page(one.destination[0])) for one in outline.root]
    assert starts == [0, 2, 4, 6, 8, 10]


def test_a_leaf_of_odd_length_is_followed_by_an_empty_page() -> None:
    made: Template = template("slide", "blank")
    seat = pupil(0)
    length = len(pictures(made.stamp(seat), 30))
    book = bound_for_copier([CopierLeaf("", made.stamp(seat), "slide")] * 2, "book")
    with pikepdf.open(io.BytesIO(book)) as pdf:
        assert len(pdf.pages) == length + length % 2 + length
    assert text(book).count(seat.code) == 2 * length


def test_leaves_that_are_alike_are_held_once() -> None:
    one = template("4a", "blank").stamp(pupil(0))
    alone, often = (
        bound_for_copier([CopierLeaf("", one, "info", alike=True)] * n, "book") for n in (1, 20)
    )
    assert len(often) < 1.5 * len(alone)
    assert len(bound_for_copier([CopierLeaf("", one, "info")] * 20, "book")) > 2 * len(alone)
    assert text(often).split() == text(alone).split() * 20
    assert not problems(often)


def test_the_same_entries_give_the_same_bytes() -> None:
    assert bound_for_copier(entries(), "book") == bound_for_copier(entries(), "book")
