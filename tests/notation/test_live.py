"""Live lines: for every token in focus they read as the worked arithmetic, in two programs."""

import io
import re
from typing import NamedTuple

import numpy as np
import pytest
from openpyxl import Workbook
from openpyxl.utils import get_column_letter

import generator
from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.engine.trace import Trace
from generator.notation.live import LONGEST_FORMULA, AllTerms, LiveLines, is_worked_out
from generator.presets.load import load_preset
from tests.engine.models import small
from tests.support.covering import each
from tests.support.recalculate import ironcalc_values, libreoffice_values
from tests.support.workbook import LANGUAGES

PRESETS = ["katze", "brille", "paris", "random"]
OTHER_SHEET = "Zahlen ’24, a"


class Sheet(NamedTuple):
    """A workbook of a trace's numbers and its live lines, and where each line stands."""

    trace: Trace
    xlsx: bytes
    lines: dict[tuple[str, str, int, int], tuple[str, str]]


class Places:
    """Each step's numbers below the last one's, every other step turned."""

    def __init__(self, trace: Trace) -> None:
        self.top: dict[str, tuple[int, bool]] = {}
        row = 3
        for k, step in enumerate(trace):
            self.top[step.name] = row, k % 2 == 1
            row += max(step.shape) + 1

    def cell(self, step: str, i: int, j: int) -> tuple[int, int]:
        row, turned = self.top[step]
        return (row + j, 1 + i) if turned else (row + i, 1 + j)

    def address(self, step: str, i: int, j: int) -> str:
        row, column = self.cell(step, i, j)
        return f"{get_column_letter(column)}{row}"

    def from_afar(self, step: str, i: int, j: int) -> str:
        return f"'{OTHER_SHEET}'!{self.address(step, i, j)}"


def sheet(trace: Trace, numbers: Trace | None = None) -> Sheet:
    """German lines beside the numbers, English ones on another sheet; one for each focus."""
    numbers = numbers or trace
    book, places = Workbook(), Places(trace)
    beside, afar = book.worksheets[0], book.create_sheet("Lines")
    beside.title = OTHER_SHEET
    for step in numbers:
        for i, j in np.ndindex(*step.shape):
            value = step.values[i, j]
            beside.cell(*places.cell(step.name, i, j)).value = "−∞" if value == -np.inf else value
    lines = {}
    ways = {
        "de": (beside, places.address, "$Z${}", 30),
        "en": (afar, places.from_afar, f"'{OTHER_SHEET}'!$Z${{}}", 1),
    }
    for k in range(len(trace.tokens) + trace.rounds):
        beside.cell(k + 1, 26).value = k + 1
    for language, (page, address, focus, column) in ways.items():
        row = 0
        for step in trace:
            for i, j in asked(trace, step.name):
                made = LiveLines(trace, language, address, focus.format(i + 1)).of(step.name, j)
                if made is None:
                    continue
                row += 1
                page.cell(row, column).value = made
                where = (page.title, f"{get_column_letter(column)}{row}")
                lines[language, step.name, i, j] = where
    out = io.BytesIO()
    book.save(out)
    return Sheet(numbers, out.getvalue(), lines)


def asked(trace: Trace, name: str) -> list[tuple[int, int]]:
    """The cells whose lines are compared: all, on the diagonal, or of the one row drawn with."""
    step = trace[name]
    height, width = step.shape
    tokens = trace["round2.tokens" if name.startswith("round2.") else "tokens"].values[:, 0]
    if step.rows != tuple(tokens):
        row = drawing_row(trace.preset) if step.rows == trace[drawn(trace)].rows else 0
        return [(row, j) for j in range(width)]
    square = step.columns == step.rows and "output." not in name
    return [(i, j) for i in range(height) for j in range(width) if i == j or not square]


def drawn(trace: Trace) -> str:
    return "output.tempered" if "output.tempered" in trace else "tokens"


def compared(made: Sheet, values) -> int:
    worked = {language: AllTerms(made.trace, language) for language in LANGUAGES}
    for (language, name, i, j), (page, cell) in made.lines.items():
        line, found = worked[language].line(name, i, j), values[page][cell]
        assert plain(found) == plain(str(line)), (language, name, i, j)
        if made.trace[name].decimals is not None:
            assert found.endswith(f" {line.relation} {pointed(line.result)}"), (language, name)
    return len(made.lines)


def pointed(text: str) -> str:
    """With decimal points, as programs print that do not speak German."""
    return re.sub(r"(?<=\d),(?=\d)", ".", text)


def plain(text: str) -> str:
    """Without the zeros that fill up given numbers to equal length; π as spreadsheets cut it."""
    text = pointed(text).replace("3.141592653589793", "3.14159265358979")
    return re.sub(r"\.\d+", lambda m: m[0].rstrip("0").rstrip("."), text)


@pytest.fixture(scope="module")
def sheets() -> list[Sheet]:
    """The shipped presets in both arithmetics."""
    return [
        sheet(generator.compute(preset=preset, rounding=rounding))
        for preset in PRESETS
        for rounding in ("paper", "exact")
    ]


@pytest.mark.ci
def test_lines_read_as_worked_arithmetic_for_every_token(sheets):
    for made in sheets:
        assert compared(made, ironcalc_values(made.xlsx)) > 100


def test_libreoffice_reads_the_same(sheets, office):
    books = [made.xlsx for made in sheets]
    for made, values in zip(sheets, libreoffice_values(books, office), strict=True):
        assert compared(made, values) > 100


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_other_models(changes, rounding):
    made = sheet(compute(small(**changes), rounding=rounding))
    assert compared(made, ironcalc_values(made.xlsx)) > 100


def test_lines_follow_edited_numbers():
    """Longer digits, other signs and another word than the formulas were written with."""
    trace = generator.compute(preset="katze", rounding="paper")
    edits = {
        "block1.head1.weight.query[1,1]": -0.125,
        "block1.head1.weight.value[2,1]": 0.0625,
        "vocabulary.embedding[1,1]": -0.75,
        "temperature": 2.5,
        "tokens[2]": trace.tokens[3],
    }
    edited = generator.compute(preset="katze", rounding="paper", edits=edits)
    made = sheet(trace, edited)
    values = ironcalc_values(made.xlsx)
    assert compared(made, values) > 100
    page, cell = made.lines["de", "block1.head1.query", 0, 0]
    assert "(−0.125)" in values[page][cell]


@pytest.mark.parametrize(
    ("name", "rounding", "off"),
    each(
        2,
        (
            ("paris", "exact", ("mask", "scale")),
            ("katze", "exact", ("mask", "scale")),
            ("katze", "paper", ("mask", "scale", "position", "heads[1,2]")),
        ),
    ),
)
def test_lines_follow_the_switches_in_every_round(name, rounding, off):
    preset = load_preset(name)
    extra = {"rounding": rounding, "controls": True, "rounds": 2 if name == "katze" else 1}
    trace = compute(preset, **extra)
    edits = {f"switch.{switch}": 0 for switch in off}
    if "sampling.strategy" in trace:
        edits |= {"sampling.strategy": "top-k", "sampling.k": 2, "sampling.random": 0.9}
    for numbers in (trace, compute(preset, edits=edits, **extra)):
        made = sheet(trace, numbers)
        assert compared(made, ironcalc_values(made.xlsx)) > 200
        rounds = {line[1].partition(".")[0] for line in made.lines}
        assert ("round2" in rounds) == (trace.rounds == 2)


def test_what_has_no_line():
    trace = generator.compute(preset="katze")
    address = Places(trace).address
    for name in ("tokens", "vocabulary.embedding", "onehot", "embedding", "last", "sampling.next"):
        assert LiveLines(trace, "de", address, "$Z$1").of(name, 0) is None
    weights = LiveLines(trace, "de", address, "$Z$1").of("block1.head1.weights", 0)
    assert weights is not None
    assert len(weights) < 1000
    too_long = "$Z$1" + "+0" * (LONGEST_FORMULA // 10)
    assert LiveLines(trace, "de", address, too_long).of("block1.head1.weights", 0) is None


def test_words_in_columns_are_no_tokens():
    """The vocabulary is the sentence; yet a word's logit is that of column j, in every row."""
    trace = compute(small(output_positions="all"), "a b c")
    step = trace["output.all.logits"]
    assert step.rows == step.columns
    address = Places(trace).address
    formulas = {LiveLines(trace, "en", address, "$Z$1").of(step.name, j) for j in range(3)}
    assert len(formulas) == 3


def test_thirty_tokens_fit_into_a_cell():
    trace = compute(small(), " ".join("abc"[k % 3] for k in range(30)), rounding="paper")
    address = Places(trace).address
    for step in trace:
        if is_worked_out(step):
            assert LiveLines(trace, "de", address, "Start!$E$3").of(step.name, 0), step.name
