"""What Excel would "repair" on opening: limits that LibreOffice and IronCalc do not check."""

import io
import re
from dataclasses import replace

import pytest
from openpyxl import load_workbook
from openpyxl.workbook.workbook import Workbook

import generator
from generator.engine.model import compute
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.workbook import exercise, solution
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import legal
from tests.support.covering import covering

LONGEST_TITLE, LONGEST_MESSAGE, LONGEST_RULE = 32, 255, 255
LONGEST_FORMULA, MOST_ARGUMENTS, DEEPEST = 8192, 255, 64
LONGEST_SHEET, LONGEST_FURNITURE, WIDEST = 31, 255, 255
KINDS = ("solution", "exercise")
BOOKS = [
    pytest.param(case.values, marks=case.marks)
    for case in covering(("katze", "ausgabe", "random"), ("de", "en"), KINDS)
]
BOOKS.append(pytest.param(("nihao", "en", "solution"), marks=pytest.mark.ci))  # trained
LONG = "Die Donaudampfschifffahrtsgesellschaftskapitänin sitzt auf =1+1 TRUE 1/2 Matte"


@pytest.fixture(scope="module", params=BOOKS, ids=str)
def book(request: pytest.FixtureRequest) -> Workbook:
    preset, language, kind = request.param
    sentence = LONG if preset == "random" else None
    rounds = 2 if preset == "random" else 1
    learns = {"train": 2, "targets": "all"} if preset == "nihao" else {}
    trace = generator.compute(
        sentence, preset=preset, language=language, controls=True, rounds=rounds, **learns
    )
    made = {"solution": solution.render, "exercise": exercise.render}[kind](trace, load(language))
    return load_workbook(io.BytesIO(made))


def test_names_of_sheets_and_of_cells(book: Workbook) -> None:
    for page in book.worksheets:
        assert len(page.title) <= LONGEST_SHEET
        assert not set(page.title) & set("[]:*?/\\'")
    assert len({page.title.casefold() for page in book.worksheets}) == len(book.worksheets)
    assert len(book.defined_names) > 10
    assert all(legal(name) for name in book.defined_names)
    assert len({name.casefold() for name in book.defined_names}) == len(book.defined_names)


def test_messages_of_validations(book: Workbook) -> None:
    found = 0
    for page in book.worksheets:
        for rule in page.data_validations.dataValidation:
            found += 1
            assert len(rule.errorTitle or "") <= LONGEST_TITLE, rule.errorTitle
            assert len(rule.promptTitle or "") <= LONGEST_TITLE, rule.promptTitle
            assert len(rule.error or "") <= LONGEST_MESSAGE, rule.error
            assert len(rule.prompt or "") <= LONGEST_MESSAGE, rule.prompt
            assert len(rule.formula1 or "") <= LONGEST_RULE, rule.formula1
            assert rule.error, f"{page.title}: a refusal without a reason"
    assert found > 5


def test_formulas(book: Workbook) -> None:
    for page in book.worksheets:
        for row in page.iter_rows():
            for cell in (c for c in row if c.data_type == "f"):
                where = f"{page.title}!{cell.coordinate}"
                assert len(cell.value) <= LONGEST_FORMULA, where
                depth, arguments = nesting(cell.value)
                assert depth <= DEEPEST, where
                assert arguments <= MOST_ARGUMENTS, where


def nesting(formula: str) -> tuple[int, int]:
    """How deep brackets go, and the most commas within one pair."""
    plain = re.sub(r'"(?:[^"]|"")*"', "", formula)
    deepest, most, commas = 0, 0, [0]
    for sign in plain:
        if sign == "(":
            commas.append(0)
            deepest = max(deepest, len(commas) - 1)
        elif sign == ")":
            most = max(most, commas.pop() + 1)
        elif sign == ",":
            commas[-1] += 1
    assert len(commas) == 1, formula
    return deepest, most


def test_rules_and_furniture(book: Workbook) -> None:
    for page in book.worksheets:
        for area in page.conditional_formatting:
            for rule in area.rules:
                for formula in rule.formula:
                    assert len(formula) <= LONGEST_RULE, (page.title, formula)
                    assert "!" not in formula, "Google Sheets takes no other sheet here"
        for part in (page.oddHeader.left, page.oddHeader.right, page.oddFooter.left):
            assert len(part.text or "") <= LONGEST_FURNITURE
        assert all(d.width is None or d.width <= WIDEST for d in page.column_dimensions.values())
        assert page.protection.sheet
        assert page.protection.password is None
        assert not page.merged_cells.ranges


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_label_is_the_name_of_a_step(language: str) -> None:
    katze = load_preset("katze")
    single = replace(katze, temperatures=(1.0,), output_positions="all", shifted="always")
    catalogue = load(language)
    layout = lay_out(compute(single, controls=True, rounds=2), catalogue)
    labels = [x for sheet in layout.sheets for band in sheet.bands for x in band.labels]
    shown = {label.shown(catalogue) for label in labels}
    assert len(shown) > 20
    assert not [text for text in shown if re.search(r"[a-z]\.[a-z]", text)]
