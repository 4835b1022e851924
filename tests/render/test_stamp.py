"""Stamped pages are the rendered ones: as pictures, as text, for screen readers, without leaks.

Also here: the copier's file, with every leaf as stamped, on odd pages, without tags, small.
"""

import contextlib
import io
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import islice

import pikepdf
import pytest

from generator.render.worksheet.binding import CopierLeaf, bound_for_copier
from generator.render.worksheet.sheet_check import tampered
from generator.render.worksheet.stamp.difference import DoesNotFit
from generator.render.worksheet.stamp.template import Template, stamped_or_rendered
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import VARIANTS, SheetOptions
from tests.support.covering import covering, each
from tests.support.sheets import pictures, text
from tests.support.stamped import (
    VISIBLE,
    WORK,
    different_pixels,
    in_full,
    problems,
    pupil,
    structure,
)

QR = replace(WORK, qr=True)


@cache
def template(
    sheet: str, variant: str, options: SheetOptions = WORK, language: str = "de"
) -> Template:
    return Template(
        pupil(0, sheet, replace(options, language=language), language=language), variant
    )


def assert_same(own: PrintedSheet, made: Template) -> None:
    """Stamped and rendered in full are the same page."""
    stamped, full = made.stamp(own), in_full(own, VARIANTS[not made.blank])
    assert max(different_pixels(stamped, full)) == 0
    assert text(stamped) == text(full)
    assert structure(stamped) == structure(full)
    assert not problems(stamped)


@pytest.mark.parametrize(("sheet", "variant"), covering(("4a", "6"), VARIANTS))
def test_stamped_pages_are_the_rendered_ones(sheet: str, variant: str) -> None:
    """Of pupils who are asked what the template's is; sheet 6 asks for shares that are seen."""
    usual, others = pupil(0, sheet).plan.bare, (pupil(k, sheet) for k in range(3, 90))
    seats = list(islice((own for own in others if own.plan.bare == usual), 2))
    assert len(seats) == 2
    for own in seats:
        assert_same(own, template(sheet, variant))


@pytest.mark.sweep
@pytest.mark.parametrize("sheet", ["4a", "4b", "5", "6"])
def test_stamped_pages_of_many_pupils_are_the_rendered_ones(sheet: str) -> None:
    fits = 0
    for k in range(1, 45, 4):  # 11 pupils, with all values of two of the embeddings
        for variant in VARIANTS:
            with contextlib.suppress(DoesNotFit):
                template(sheet, variant).stamp(pupil(k, sheet))
                fits += 1
                assert_same(pupil(k, sheet), template(sheet, variant))
    assert fits >= 11


@pytest.mark.parametrize("variant", VARIANTS)
def test_alone_or_with_others_the_bytes_are_the_same(variant: str) -> None:
    seats = [pupil(k) for k in (2, 9)]
    alone = [template("4a", variant).stamp(own) for own in seats]
    template.cache_clear()
    made = template("4a", variant)
    together = [made.filling(own) for own in (pupil(4), *reversed(seats))]
    assert [one.file() for one in together[:0:-1]] == alone


@pytest.mark.ci
def test_in_english_with_a_qr_code() -> None:
    english = replace(QR, language="en")
    assert_same(pupil(5, options=english, language="en"), template("4a", "solution", QR, "en"))


@pytest.mark.ci
def test_another_own_token_needs_another_template() -> None:
    for token in (2, 3):
        made = Template(pupil(1, exercise=token), "solution")
        assert_same(pupil(9, exercise=token), made)
        with pytest.raises(DoesNotFit, match="tags"):
            made.stamp(pupil(9, exercise=5 - token))


@pytest.mark.parametrize("sheet", ["4a", "6"])
def test_a_stamped_blank_does_not_hang_on_answers(sheet: str) -> None:
    """Other numbers in the asked cells: the same bytes in the blank, others in the solution."""
    own = pupil(4, sheet)
    whole = [template(sheet, variant).stamp(own) for variant in VARIANTS]
    trace = tampered(own.trace.with_steps(own.plan.extra), own.plan, 0.37)
    extra = tuple(trace[step.name] for step in own.plan.extra)
    other = replace(own, trace=trace, chosen=replace(own.plan, extra=extra))
    assert whole[0] == template(sheet, "blank").stamp(other)
    with contextlib.suppress(DoesNotFit):  # where an answer in words is too long now
        assert whole[1] != template(sheet, "solution").stamp(other)


@pytest.mark.ci
def test_what_does_not_fit_is_rendered_in_full() -> None:
    """Sheet 5 draws an axis with marks where the numbers are, which no slot holds."""
    own, made = pupil(2, "5"), template("5", "solution")
    with pytest.raises(DoesNotFit, match="tags"):
        made.stamp(own)
    assert stamped_or_rendered(made, own, "solution") == in_full(own, "solution")


@pytest.mark.parametrize("sheet", each(2, ["3", "5"]))
def test_pupils_with_the_same_numbers_are_stamped_on_every_sheet(sheet: str) -> None:
    own = pupil(0, sheet)
    for variant in VARIANTS:
        same = replace(own, options=replace(own.options, code="ZZZZZZZ9"))
        assert_same(same, template(sheet, variant))


def test_a_slot_that_is_too_narrow_is_told() -> None:
    own = pupil(3)
    step = own.trace["block1.head1.value"]
    wide = own.trace.with_steps([step._replace(values=step.values * 1e7)])
    with pytest.raises(DoesNotFit, match="px"):
        template("4a", "blank").stamp(replace(own, trace=wide))


ANOTHER = """
import hashlib
from tests.render.test_stamp import pupil, template
found = b"".join(template("4a", one).stamp(pupil(7)) for one in ("blank", "solution"))
print(hashlib.sha256(found).hexdigest())
"""


@pytest.mark.ci
def test_the_same_bytes_in_another_process() -> None:
    command = [sys.executable, "-c", ANOTHER]
    environments = ({"PYTHONHASHSEED": seed, "PATH": ""} for seed in ("1", "2"))
    one, other = (subprocess.check_output(command, env=own) for own in environments)
    assert one == other


@pytest.mark.ci
def test_a_code_stands_on_every_page_of_a_rendered_sheet() -> None:
    own = pupil(1)
    for options in (WORK, QR):
        coded = replace(own, options=replace(options, code=own.options.code))
        assert text(in_full(coded, "blank")).count(own.options.code) == 2
    plain = replace(own, options=replace(WORK, code=""))
    assert own.options.code not in text(plain.file())


@cache
def leaves() -> list[CopierLeaf]:
    made = {variant: template("4a", variant) for variant in VARIANTS}
    pairs = [(pupil(k), variant) for k in range(3) for variant in VARIANTS]
    return [
        CopierLeaf(f"{own.options.code} {variant}", made[variant].stamp(own), ("4a", variant))
        for own, variant in pairs
    ]


def test_the_copiers_file_has_the_stamped_leaves_is_small_untagged_and_has_an_outline() -> None:
    book = bound_for_copier(leaves(), "Klassensatz „4a“")
    assert bound_for_copier(leaves(), "Klassensatz „4a“") == book
    alone = [page for leaf in leaves() for page in pictures(leaf.pdf, 60)]
    for page, expected in zip(pictures(book, 60), alone, strict=True):
        assert (abs(page.astype(int) - expected) <= VISIBLE).all()
    assert len(book) < 3 * len(leaves()[0].pdf)
    assert not problems(book)
    with pikepdf.open(io.BytesIO(book)) as pdf:
        assert "/StructTreeRoot" not in pdf.Root
        assert str(pdf.docinfo["/Title"]) == "Klassensatz „4a“"
        with pdf.open_outline() as outline:
            assert [one.title for one in outline.root] == [leaf.title for leaf in leaves()]
            starts = [pdf.pages.index(pikepdf.Page(one.destination[0])) for one in outline.root]
    assert starts == [0, 2, 4, 6, 8, 10]


def test_a_leaf_of_odd_length_is_followed_by_an_empty_page() -> None:
    own = pupil(0, "slide")
    made = template("slide", "blank").stamp(own)
    length = len(pictures(made, 30))
    book = bound_for_copier([CopierLeaf("", made, "slide")] * 2, "book")
    with pikepdf.open(io.BytesIO(book)) as pdf:
        assert len(pdf.pages) == length + length % 2 + length
    assert text(book).count(own.options.code) == 2 * length


def test_leaves_that_are_alike_are_held_once() -> None:
    one = leaves()[0].pdf
    alone, often = (
        bound_for_copier([CopierLeaf("", one, "info", alike=True)] * n, "book") for n in (1, 20)
    )
    assert len(often) < 1.5 * len(alone)
    assert len(bound_for_copier([CopierLeaf("", one, "info")] * 20, "book")) > 2 * len(alone)
    assert text(often).split() == text(alone).split() * 20
    assert not problems(often)
