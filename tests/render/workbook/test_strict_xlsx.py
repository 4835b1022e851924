"""Every workbook that is written passes the strict check, and the check finds what is broken."""

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

import generator
from generator.checks.exercise import Answer
from generator.classroom.desk import key_rows
from generator.presets.load import load_preset
from generator.render.workbook import plain_table
from tests.support.covering import covering
from tests.support.pupil import Desk
from tests.support.recalculate import repacked
from tests.support.strict_xlsx import problems
from tests.support.workbook import LANGUAGES, book, made_of

PAGE, BOOK, TYPES = "xl/worksheets/sheet1.xml", "xl/workbook.xml", "[Content_Types].xml"
LONG = "Die Donaudampfschifffahrtsgesellschaftskapitänin sitzt auf =1+1 TRUE 1/2 Matte"
RELATIONS = "xl/_rels/workbook.xml.rels"


@pytest.mark.parametrize(
    ("preset", "language", "level"),
    [
        *covering(("katze", "ausgabe", "random"), LANGUAGES, (0, 2, 1, 3)),  # 0: the solution
        pytest.param("nihao", "en", 0, marks=pytest.mark.ci),  # trained
    ],
)
def test_solution_and_exercise(preset: str, language: str, level: int) -> None:
    """Nor what Excel would "repair" that LibreOffice and IronCalc do not check."""
    options = {"random": {"sentence": LONG, "rounds": 2}, "nihao": {"train": 2, "targets": "all"}}
    trace = generator.compute(
        preset=preset, language=language, controls=True, **options.get(preset, {})
    )
    made = Desk(trace, level, language) if level else book(trace, language)
    assert problems(made.xlsx) == []
    assert len(made.pages.defined_names) > 10
    rules = [rule for page in made.pages for rule in page.data_validations.dataValidation]
    assert len(rules) > 5
    assert all(rule.error for rule in rules), "a refusal without a reason"
    for page in made.pages:
        assert (page.protection.sheet, page.protection.password) == (True, None)
        assert not page.merged_cells.ranges


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_label_is_the_name_of_a_step(language: str) -> None:
    katze = load_preset("katze")
    single = replace(katze, temperatures=(1.0,), output_positions="all", shifted="always")
    made = made_of(single, language, rounds=2)
    labels = [label for _, band in made.bands for label in band.labels]
    shown = {label.shown(made.layout.catalogue) for label in labels}
    assert len(shown) > 20
    assert not [text for text in shown if re.search(r"[a-z]\.[a-z]", text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_workbook_of_a_batch(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_table, "LONGEST", 30)  # so that the key has several tabs
    generator.batch(2, tmp_path, sheets=("4a",), language=language, only=("xlsx",), seed="strict")
    books = sorted(tmp_path.rglob("*.xlsx"))
    assert [book.name for book in books].count("workbook-exercise.xlsx") == 2
    assert books[-1].name == "answer-key.xlsx"
    assert [(book, found) for book in books if (found := problems(book.read_bytes()))] == []
    with zipfile.ZipFile(books[-1]) as archive:
        assert b'<autoFilter ref="A1:I31"' in archive.read(PAGE)
        assert "xl/worksheets/sheet2.xml" in archive.namelist()


@pytest.fixture(scope="module")
def sound() -> bytes:
    """A key of one answer: the smallest workbook that is written."""
    one = Answer("K7QX2MPD", "1", "4a", "scores", "Scores", "Die", "Die", 0.5, 2, 0.01)
    content = key_rows.render([one], "en")
    assert problems(content) == []
    return content


def broken(content: bytes, part: str, old: str, new: str) -> bytes:
    """The workbook with one text of one part put differently."""

    def change(name: str, text: bytes) -> bytes:
        assert name != part or old.encode() in text, text
        return text.replace(old.encode(), new.encode(), 1) if name == part else text

    return repacked(content, change)


RULE = '<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1"><formula>'
END = "</formula></cfRule></conditionalFormatting>"
ASKS = f'<dataValidations count="1"><dataValidation sqref="A1" error="{"x" * 226}"/>'
DEFECTS = [
    (PAGE, 'ref="A1:I2"', 'ref="A1:I0"', "<autoFilter> A1:I0 is no place"),
    (PAGE, 'ref="A1:I2"', 'ref="A1:I9"', "<autoFilter> A1:I9 is outside of what is written"),
    (PAGE, 'ref="A1:I2"', "", "<autoFilter> without ref"),
    (PAGE, "<autoFilter", "<printOptions/><autoFilter", "children in another order"),
    (PAGE, "<autoFilter", '<autoFilter ref="A1"/><autoFilter', "<autoFilter> is there twice"),
    (PAGE, "<autoFilter", "<autoFiltre/><autoFilter", "<autoFiltre> in <worksheet> is unknown"),
    (PAGE, '<row r="2">', '<row r="1">', "row 1: its cells or the rows are in another order"),
    (PAGE, 'r="B2"', 'r="A2"', "row 2: its cells or the rows are in another order"),
    (PAGE, 'r="B2"', 'r="B3"', "row 2: a cell of another row"),
    (PAGE, '<row r="2">', '<row r="2" ht="410">', "row 2: too high"),
    (PAGE, 's="3"', 's="99"', "G2: a look that is not there"),
    (PAGE, "<v>0.5</v>", "<v>0,5</v>", "G2: '0,5' is no number"),
    (PAGE, "<v>0.5</v>", "<f>Nowhere!A1+1</f>", "G2: Nowhere!A1+1 leads to no sheet"),
    (PAGE, "<v>0.5</v>", "<f>SUM((A1)</f>", "G2: no formula"),
    (PAGE, "<v>0.5</v>", f"<f>{'ABS(' * 65}1{')' * 65}</f>", "G2: brackets too deep"),
    (PAGE, "<v>0.5</v>", f"<f>MAX({'1,' * 255}1)</f>", "G2: brackets too deep, or too many"),
    (PAGE, "<pageMargins", f"{RULE}LEN(Other!A1){END}<pageMargins", "or of another sheet"),
    (PAGE, "<pageMargins", f"{RULE}{'A' * 256}{END}<pageMargins", "a rule that is too long"),
    (PAGE, ' width="', ' width="300" w="', "a column that is too wide"),
    (PAGE, "<v>0.5</v>", f'<f>"{"x" * 256}"</f>', "G2: a formula or a text in it that is too long"),
    (PAGE, "<t>K7QX2MPD", "<t> K7QX2MPD", "A2: a text that is too long or loses its spaces"),
    (PAGE, "<pageMargins", '<dataValidations count="2"/><pageMargins', "says 2 and has 0"),
    (PAGE, "<pageMargins", f"{ASKS}</dataValidations><pageMargins", "error of A1 is too long"),
    (BOOK, "$I$2<", "$I$0<", "name _xlnm._FilterDatabase: 'Key 1'!$A$1:$I$0 is no place"),
    (BOOK, "$I$2<", "$J$2<", "is outside of what is written there"),
    (BOOK, "'Key 1'!$A", "'Key 2'!$A", "leads to no sheet"),
    (BOOK, "_xlnm._FilterDatabase", "AB1", "name AB1: no legal name"),
    (BOOK, "_xlnm._FilterDatabase", "_xlnm.Print_Titles", "is there twice"),
    (BOOK, 'name="Key 1"', f'name="{"K" * 32}"', "no legal name"),
    (TYPES, "/xl/styles.xml", "/xl/style.xml", "/xl/style.xml: a type, but no part"),
    (RELATIONS, "theme/theme1.xml", "theme/theme2.xml", "a relationship leads to nothing"),
    (RELATIONS, 'Id="rId3"', 'Id="rId2"', "rId2 is there twice"),
]


@pytest.mark.parametrize(("part", "old", "new", "told"), DEFECTS)
def test_a_defect_is_found(sound: bytes, part: str, old: str, new: str, told: str) -> None:
    found = problems(broken(sound, part, old, new))
    assert [problem for problem in found if told in problem], found
