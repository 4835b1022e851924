"""Stamped pages are the rendered ones: as pictures, as text, for screen readers, without leaks."""

import contextlib
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest

from generator.engine.trace import Trace
from generator.render.worksheet import worksheet as rendering
from generator.render.worksheet.sheet_check import tampered
from generator.render.worksheet.stamp import template as stamping
from generator.render.worksheet.stamp.difference import DoesNotFit
from generator.render.worksheet.stamp.template import StampedSeat, Template, stamped_or_rendered
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import VARIANTS, SheetOptions
from generator.sheets.plan import Plan
from tests.support.covering import covering, each
from tests.support.sheets import text
from tests.support.stamped import (
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
    trace, exact, *_ = pupil(0, language=language)
    return Template.lay_out(sheet, trace, exact, replace(options, language=language), variant)


def assert_same(seat: StampedSeat, made: Template) -> None:
    """Stamped and rendered in full are the same page."""
    stamped, own = made.stamp(seat), made.own
    full = in_full(own.plan.sheet, seat, own.options, VARIANTS[not made.blank])
    assert max(different_pixels(stamped, full)) == 0
    assert text(stamped) == text(full)
    assert structure(stamped) == structure(full)
    assert not problems(stamped)


def asked_alike(sheet: str, count: int) -> list[StampedSeat]:
    """Pupils who are asked what the template's pupil is; sheet 6 asks for shares that are seen."""
    usual = planned(sheet, pupil(0).trace, WORK).bare
    seats = map(pupil, range(3, 90))
    found = (seat for seat in seats if planned(sheet, seat.trace, WORK).bare == usual)
    return list(islice(found, count))


@pytest.mark.parametrize(("sheet", "variant"), covering(("4a", "6"), VARIANTS))
def test_stamped_pages_are_the_rendered_ones(sheet: str, variant: str) -> None:
    seats = asked_alike(sheet, 2)
    assert len(seats) == 2
    for seat in seats:
        assert_same(seat, template(sheet, variant))


@pytest.mark.sweep
@pytest.mark.parametrize("sheet", ["4a", "4b", "5", "6"])
def test_stamped_pages_of_many_pupils_are_the_rendered_ones(sheet: str) -> None:
    fits = 0
    for k in range(1, 45, 4):  # 11 pupils, with all values of two of the embeddings
        for variant in VARIANTS:
            try:
                template(sheet, variant).stamp(pupil(k))
            except DoesNotFit:
                continue
            fits += 1
            assert_same(pupil(k), template(sheet, variant))
    assert fits >= 11


@pytest.mark.parametrize("variant", VARIANTS)
def test_alone_or_with_others_the_bytes_are_the_same(variant: str) -> None:
    seats = [pupil(k) for k in (2, 9)]
    alone = [template("4a", variant).stamp(seat) for seat in seats]
    template.cache_clear()
    made = template("4a", variant)
    together = [made.filling(seat) for seat in (pupil(4), *reversed(seats))]
    assert [one.file() for one in together[:0:-1]] == alone


@pytest.mark.ci
def test_in_english_with_a_qr_code() -> None:
    english = replace(QR, language="en")
    seat = pupil(5, language="en")
    made = template("4a", "solution", QR, "en")
    assert made.own.options == english
    assert_same(seat, made)


@pytest.mark.ci
def test_another_own_token_needs_another_template() -> None:
    for token in (2, 3):
        seat = pupil(1, exercise=token)
        made = Template.lay_out("4a", seat.trace, seat.exact, WORK, "solution")
        assert_same(pupil(9, exercise=token), made)
        with pytest.raises(DoesNotFit, match="tags"):
            made.stamp(pupil(9, exercise=5 - token))


def _tampered(seat: StampedSeat, plan: Plan) -> Trace:
    return tampered(seat.trace.with_steps(plan.extra), plan, 0.37)


@pytest.mark.parametrize("sheet", ["4a", "6"])
def test_a_stamped_blank_does_not_hang_on_answers(
    sheet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other numbers in the asked cells: the same bytes in the blank, others in the solution."""
    seat = pupil(4)
    plan = planned(sheet, seat.trace, WORK)
    other = _tampered(seat, plan)
    whole = [template(sheet, variant).stamp(seat) for variant in VARIANTS]
    extra = replace(plan, extra=tuple(other[step.name] for step in plan.extra))
    monkeypatch.setattr(stamping, "planned", lambda *_: extra)
    changed = template(sheet, "blank").stamp(seat._replace(trace=other))
    assert whole[0] == changed
    with contextlib.suppress(DoesNotFit):  # where an answer in words is too long now
        assert whole[1] != template(sheet, "solution").stamp(seat._replace(trace=other))


@pytest.mark.ci
def test_what_does_not_fit_is_rendered_in_full() -> None:
    """Sheet 5 draws an axis with marks where the numbers are, which no slot holds."""
    seat = pupil(2)
    made = template("5", "solution")
    with pytest.raises(DoesNotFit, match="tags"):
        made.stamp(seat)
    found = stamped_or_rendered(made, "5", seat, WORK, "solution")
    assert found == in_full("5", seat, WORK, "solution")


@pytest.mark.parametrize("sheet", each(2, ["3", "5"]))
def test_pupils_with_the_same_numbers_are_stamped_on_every_sheet(sheet: str) -> None:
    seat = pupil(0)._replace(code="ZZZZZZZ9")
    for variant in VARIANTS:
        assert_same(seat, template(sheet, variant))


def test_a_slot_that_is_too_narrow_is_told() -> None:
    trace, exact, code, *_ = pupil(3)
    step = trace["block1.head1.value"]
    wide = trace.with_steps([step._replace(values=step.values * 1e7)])
    with pytest.raises(DoesNotFit, match="px"):
        template("4a", "blank").stamp(StampedSeat(wide, exact, code))


ANOTHER = """
import hashlib
from tests.render.test_stamp import pupil, template
found = b"".join(template("4a", one).stamp(pupil(7)) for one in ("blank", "solution"))
print(hashlib.sha256(found).hexdigest())
"""


@pytest.mark.ci
def test_the_same_bytes_in_another_process() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", ANOTHER],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


@pytest.mark.ci
def test_a_code_stands_on_every_page_of_a_rendered_sheet() -> None:
    seat = pupil(1)
    for options in (WORK, QR):
        found = in_full("4a", seat, options, "blank")
        assert text(found).count(seat.code) == 2
    plain = replace(WORK, code="")
    without = rendering.render("4a", seat.trace, seat.exact, plain)
    assert seat.code not in text(without)


def test_differences_are_seen() -> None:
    one, other = (template("4a", "solution").stamp(pupil(k)) for k in (3, 4))
    assert max(different_pixels(one, other)) > 0
    assert not np.array_equal(text(one), text(other))
