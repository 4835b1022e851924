"""Sheet run: every number of every token stands on it, in the source's order, for teachers only."""

import re
from html import unescape
from itertools import cycle, product
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

import generator
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.make import Request, make
from generator.notation.shown import number, shown_decimals
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import COMPLETE, SERIES, SHEETS
from generator.sheets.sheetrun.view import ELSEWHERE
from generator.steps import kind_of
from tests.support.covering import each
from tests.support.filled import PRESETS
from tests.support.sheets import html, pdf, solved, traces
from tests.support.views import render
from tests.support.workbook import LANGUAGES

SHIPPED = list(product(PRESETS, LANGUAGES))


def masked(trace: Trace, name: str) -> np.ndarray:
    """Where a table has a dash: scores, powers and shares of what a token must not see."""
    head, _, last = name.rpartition(".")
    if last in ("masked", "exp", "weights") and f"{head}.mask" in trace:
        found: np.ndarray = trace[f"{head}.mask"].values != 0
        return found
    return np.zeros(trace[name].shape, dtype=bool)


@pytest.mark.parametrize(("preset", "language"), each(5, SHIPPED))
def test_each_number_of_each_step_stands_in_its_table(preset: str, language: str) -> None:
    paper, exact = traces(preset, language)
    shown = paper.with_steps(planned(COMPLETE, paper, SheetOptions()).extra)
    found = html(paper, exact, SheetOptions(language=language), blank=False, sheet=COMPLETE)
    tables = re.findall(r'<figure class="step" data-step="([^"]*)">(.*?)</figure>', found, re.S)
    assert tables
    for name, table in tables:
        step = shown[name]
        printed = [
            unescape(re.sub("<[^>]*>", "", td)) for td in re.findall("<td>(.*?)</td>", table)
        ]
        turned = kind_of(name).by_word
        values = (step.values.T if turned else step.values).ravel().tolist()
        if step.shape == (1, 1) and not step.text:
            continue  # it stands in its worked line
        hidden = masked(shown, name).ravel().tolist()
        seen = [v for v, gone in zip(values, hidden, strict=True) if not gone]
        assert len(printed) == len(seen), name
        for text, value in zip(printed, seen, strict=True):
            expected = value if step.text else number(value, shown_decimals(step), language)
            assert text == expected, name


@pytest.mark.parametrize("preset", PRESETS)
def test_no_step_of_the_computation_is_forgotten(preset: str) -> None:
    paper, _ = traces(preset, "de")
    shown = {
        name
        for part in solved(COMPLETE, preset, 2).sections()
        for group in part.groups
        for name in group.steps
    }
    for step in paper:
        kind = kind_of(step.name)
        beside = kind.name in ELSEWHERE or kind.tab in ("count", "bpe")
        assert (step.name in shown) != (beside or kind.name.startswith("loss.")), step.name


def test_the_order_is_that_of_the_source() -> None:
    keys = [part.key for part in solved(COMPLETE, "katze", 2).sections()]
    assert keys == [
        *("tokens", "position", "scale", "head", "free", "head", "head", "heads", "norm.1"),
        *("feedforward", "norm.2", "logits", "choice"),
    ]


@pytest.mark.ci
@pytest.mark.parametrize(
    ("preset", "language"),
    each(4, [*zip(PRESETS, cycle(LANGUAGES)), SHIPPED[1]], others=pytest.mark.whole),
)
def test_it_is_no_longer_than_ten_pages(preset: str, language: str) -> None:
    paper, exact = traces(preset, language)
    found = pdf(paper, exact, SheetOptions(language=language), "solution", COMPLETE)
    assert 2 <= len(pypdfium2.PdfDocument(found)) <= 10


def test_a_blank_of_it_and_more_tokens_than_it_has_room_for_are_refused() -> None:
    paper, exact = traces("katze", "de")
    with pytest.raises(UserError, match="sheet run prints every number, so there is no blank"):
        render(COMPLETE, paper, exact, SheetOptions(), variant="blank")
    trace = generator.compute("Die Katze sitzt auf der Matte und die Maus", preset="katze")
    with pytest.raises(UserError, match="the complete run shows at most 8"):
        planned(COMPLETE, trace, SheetOptions())


def test_make_writes_it_for_the_teacher_alone(tmp_path: Path) -> None:
    trace = traces("ausgabe", "de")[0]
    made = make(trace, Request(only=("html",), sheets=(COMPLETE,)), tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in made.paths] == ["teacher/complete-run.html"]
    assert COMPLETE not in SHEETS
    assert COMPLETE in SERIES
    everything = make(trace, Request(only=("html",)), tmp_path / "all")
    names = {str(path.relative_to(tmp_path / "all")) for path in everything.paths}
    assert "teacher/complete-run.html" in names
    assert not [name for name in names if "complete-run" in name and name.startswith("hand-out")]
    blank = make(trace, Request(only=("html",), variant="blank"), tmp_path / "blank")
    assert not [path for path in blank.paths if "complete-run" in path.name]
