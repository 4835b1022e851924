"""RMSNorm: what sheets, workbooks and walk show of it, and that they say nothing of layer norm."""

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import generator
from generator.engine.trace import Trace
from generator.insight.add_norm import StageRow
from generator.locales.catalogue import load
from generator.presets.load import parse
from generator.presets.schema import PresetError
from generator.render.walk.pages import pages
from generator.sheets.options import SheetOptions
from generator.sheets.sheet5 import plan as sheet5
from tests.support.covering import covering
from tests.support.office import Office
from tests.support.pupil import Desk, entries
from tests.support.recalculate import ironcalc_values, libreoffice_values, strip_caches
from tests.support.sheets import Paper, pdf, pdf_of, text
from tests.support.workbook import LANGUAGES, Book, book, compare

KINDS = ("post", "pre")
SHEETS = ("5", "math", "formulas")
# What is true of layer norm alone, in the words of any sheet.
UNTRUE = re.compile(
    r"mean (is |of )?0|Mittelwert 0|Mittelwert bei 0|[Ss]tandard deviation|Standardabweichung|[σμ]"
    r"|n − 1|subtract the mean from|variance|Varianz|β|distances|Abstände|LN\(X\)"
)
NAMED = re.compile(r"layer norm|Layer-Norm", re.IGNORECASE)  # sheet 5 compares with it


@cache
def preset(kind: str) -> str:
    """A shipped preset, its norm in the form rms: katze after, nihao before each part."""
    name, old = {"post": ("katze", 'kind = "post"'), "pre": ("nihao", 'kind = "pre"')}[kind]
    own = (files("generator.presets") / f"{name}.toml").read_text(encoding="utf-8")
    found = own.replace(old, f'{old}\nform = "rms"', 1)
    found = "\n".join(line for line in found.splitlines() if ".beta" not in line)
    return re.sub(r"\[\[behaviour\]\].*?(?=\n\[|\Z)", "", found, flags=re.S)


@cache
def traces(kind: str, language: str) -> tuple[Trace, Trace]:
    """Paper and exact."""
    own = parse(preset(kind), f"{kind}.toml")
    paper, exact = (
        generator.compute(preset=own, language=language, rounding=rounding)
        for rounding in ("paper", "exact")
    )
    return paper, exact


@cache
def workbook(kind: str, language: str) -> Book:
    own = parse(preset(kind), f"{kind}.toml")
    return book(generator.compute(preset=own, language=language, controls=True), language)


@pytest.mark.ci
@pytest.mark.parametrize(("sheet", "kind", "language"), covering(SHEETS, KINDS, LANGUAGES))
def test_no_sheet_says_of_rmsnorm_what_is_true_of_layer_norm(sheet, kind, language):
    for level in (1, 3):
        options = SheetOptions(language=language, level=level)
        words = text(pdf(*traces(kind, language), options, "solution", sheet))
        assert "RMSNorm" in words
        assert not UNTRUE.findall(re.sub(r"\s+", " ", words))
        assert sheet == "5" or not NAMED.search(words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_sentences_stand_on_the_sheets_of_layer_norm(language):
    for sheet in ("5", "math"):
        words = text(pdf_of(sheet, "katze", language, "solution", level=1))
        assert UNTRUE.search(re.sub(r"\s+", " ", words))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["post", "pre"])
def test_walk_and_workbook_say_it_neither(kind, language):
    trace, _ = traces(kind, language)
    walked = str(pages(trace, load(language)))
    assert "RMSNorm" in walked
    cells = ironcalc_values(workbook(kind, language).xlsx).values()
    written = " ".join(str(v) for sheet in cells for v in sheet.values())
    for words in (walked, written):
        said = {one.group() for one in UNTRUE.finditer(words)} - {"β"}  # GPT-2's, in the count
        assert not said
        assert not NAMED.search(words)


def test_the_numbers_by_hand():
    """For "der": s = 0.22, 0.55, 0.77, 1.26; Σ s² = 2.5314; r² = 0.63; r = 0.79."""
    trace = replace(traces("post", "de")[0], worked=5, exercise=4)
    plan = sheet5.plan(trace, 3)
    own, first = plan.own, plan.first
    whole = trace.with_steps(plan.extra)
    assert not first.mean
    assert whole[first.squares(own)].values[0].tolist() == [0.0484, 0.3025, 0.5929, 1.5876]
    assert trace["block1.square1"].values[own, 0] == 0.63
    assert trace["block1.rms1"].values[own, 0] == 0.79
    assert trace["block1.normalised1"].values[own].tolist() == [0.28, 0.70, 0.97, 1.59]
    asked = {name for name, *_ in plan.asked}
    assert {first.squares(own), "block1.square1", "block1.rms1", "block1.normalised2"} <= asked
    found = {s.key: (s.j, s.wrong) for s in StageRow(trace, first, own).slips()}
    assert found == {
        "no_count": (0, 1.59),  # √2.5314
        "variance": (3, 2.0),  # 1.26 ÷ 0.63
        "no_old": (3, 0.23),  # 0.16 ÷ 0.70
    }


@pytest.mark.parametrize("kind", ["post", "pre"])
def test_the_check_of_the_squares_holds(kind):
    own = Paper("5", *traces(kind, "de"), SheetOptions(level=3))
    trace, plan, sheet = own.trace, own.plan, own.view
    most = float(sheet.square_tolerance(plan.first).replace(",", "."))
    z = trace[plan.first.normalised].values[trace[plan.first.root].values[:, 0] >= 0.3]
    assert len(z) > 2
    assert np.abs((z**2).sum(axis=1) - z.shape[1]).max() <= most + 1e-9
    shown = re.sub("<.*?>", "", own.blank)
    shown = shown.replace("\u00a0", " ")
    letter = "ŷ" if plan.first.scaled else "y"
    off = sheet.square_tolerance(plan.first)
    assert f"Σ {letter}² = 4, durch Runden bis auf {off} genau." in shown


@pytest.mark.parametrize("kind", ["post", "pre"])
def test_both_programs_compute_the_workbook(kind: str, office: Office) -> None:
    made = workbook(kind, "en")
    cells = compare(made, libreoffice_values([made.xlsx], office)[0])
    assert compare(made, ironcalc_values(strip_caches(made.xlsx))) == cells > 500


def test_the_exercise_asks_and_judges_the_new_steps():
    desk = Desk(workbook("post", "en").trace, 1, "en")
    asked = {cell for cell in desk.plan.asked if cell[0] in ("block1.square1", "block1.rms1")}
    assert len(asked) >= 2
    right = desk.verdicts(ironcalc_values(desk.filled(entries(desk.exercise))))
    assert {right[cell] for cell in asked} == {1}


def test_a_shift_is_refused():
    text = preset("pre") + '\n"block1.beta2" = [0, 0, 0, 0]\n"final.beta" = [0, 0, 0, 0]\n'
    assert "[weights]" in text
    with pytest.raises(PresetError) as found:
        parse(text, "own.toml")
    assert [str(one) for one in found.value.problems] == [
        f"weights.{name}: found a shift, expected no shift: "
        'norm.form "rms" has a gain alone, "layer" has both'
        for name in ("block1.beta2", "final.beta")
    ]
