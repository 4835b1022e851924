"""A blank as a form: a field on every asked box, said in words, and otherwise the blank."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pikepdf
import pytest

from generator.classroom.desk.key_rows import REPEATED
from generator.render.owner import Owner
from generator.render.worksheet.sheet_check import tampered
from generator.sheets.series import SHEETS
from tests.support.classes import FILLED
from tests.support.filled import filling
from tests.support.sheets import paper, pictures, text
from tests.support.structure import below, conforms, tags
from tests.support.views import render

OWNER = Owner("B2C3D4E5", "K7QX2MPD", ("4a",), 2)
COMPARED = ("2", "4a", "6")  # a picture of the page and two checkers take their time
CASES = [
    pytest.param(sheet, ("de", "en")[k % 2], marks=[] if sheet == "4a" else pytest.mark.ci)
    for k, sheet in enumerate(sheet for sheet in SHEETS if sheet in FILLED)
]


def form(sheet: str, language: str, **chosen) -> bytes:
    own = paper(sheet, filling(sheet), language, teacher=False, **chosen)
    return render(*own.given, owner=OWNER)


def fields(document: pikepdf.Pdf) -> list[pikepdf.Object]:
    return list(document.Root.AcroForm.Fields)


@pytest.mark.parametrize(("sheet", "language"), CASES)
def test_every_asked_box_is_a_field_and_nothing_else_changes(sheet, language, tmp_path: Path):
    own, made = paper(sheet, filling(sheet), language, teacher=False), form(sheet, language)
    with pikepdf.open(io.BytesIO(made)) as opened:
        found = [str(field.T) for field in fields(opened)]
        assert len(found) == len(set(found))
        assert {name.partition("~")[0] for name in found} == {
            f"{name.replace('.', '_')}[{i}][{j}]"
            for name, i, j in own.plan.asked
            if not REPEATED.fullmatch(name)
        }
        assert str(opened.docinfo.Keywords) == str(OWNER)
        for field in fields(opened):
            assert str(field.FT) == "/Tx"
            assert not str(field.V)
            assert len(str(field.TU)) > 5
            assert "{" not in str(field.TU)
            left, bottom, right, top = map(float, field.Rect)
            assert right - left > 12
            assert top - bottom > 9
            assert not {"/A", "/AA", "/AP", "/MK", "/JS"} & field.keys()
        assert not {"/CO", "/XFA"} & opened.Root.AcroForm.keys()
        assert not {"/OpenAction", "/AA"} & opened.Root.keys()
    if sheet not in COMPARED:
        return
    blank = own.pdf("blank")
    assert text(made) == text(blank)
    for one, other in zip(pictures(made, 60), pictures(blank, 60), strict=True):
        assert np.array_equal(one, other)
    conforms(made, tmp_path)


@pytest.mark.ci
def test_a_reader_meets_the_fields_in_their_boxes_in_the_order_of_the_page():
    with pikepdf.open(io.BytesIO(form("4a", "de"))) as opened:
        met = [tag for tag in tags(opened) if tag.kind == "Form"]
        told = [str(one.element.K[0].Obj.T) for one in met]
        assert told == [str(field.T) for field in fields(opened)]
        assert all(one.element.P.S == "/TD" for one in met)
        assert all(page.Tabs == "/S" for page in opened.pages)
        numbers = opened.Root.StructTreeRoot.ParentTree.Nums
        parents = dict(zip(map(int, list(numbers)[::2]), list(numbers)[1::2], strict=True))
        for field in fields(opened):
            assert parents[int(field.StructParent)].S == "/Form"
        assert any(one.kind == "Table" for one in below(opened.Root.StructTreeRoot))


@pytest.mark.ci
def test_the_fields_are_the_same_each_time_and_tell_no_answer():
    own = paper("4a", teacher=False, part="work")
    made, plan, whole = render(*own.given, owner=OWNER), own.plan, own.view.trace
    assert made == render(*own.given, owner=OWNER)
    other = tampered(whole, plan, 3.0)
    changed = replace(plan, extra=tuple(other[step.name] for step in plan.extra))
    assert render("4a", other, *own.given[2:], plan=changed, owner=OWNER) == made
    assert any((other[name].values != whole[name].values).any() for name, _, _ in plan.asked)


@pytest.mark.ci
def test_the_font_has_every_sign_that_is_typed():
    with pikepdf.open(io.BytesIO(form("4a", "de", part="work", large_print=True))) as opened:
        font = opened.Root.AcroForm.DR.Font.PaperformerForm
        widths = dict(zip(range(32, 256), map(int, font.Widths), strict=True))
        signs = "0123456789,.-+%/ äÖßéabcXYZ"
        assert all(widths[sign.encode("cp1252")[0]] > 0 for sign in signs)
        assert list(map(str, font.Encoding.Differences)) == ["129", "/minus", "141", "/infinity"]
        assert widths[129] == widths[ord("+")]
        assert len(font.FontDescriptor.FontFile2.read_bytes()) < 30_000


@pytest.mark.ci
def test_a_solution_and_a_sheet_to_look_up_have_no_fields():
    made = render(*paper("4a", part="work").given, variant="solution", owner=OWNER)
    with pikepdf.open(io.BytesIO(made)) as opened:
        assert "/AcroForm" not in opened.Root
