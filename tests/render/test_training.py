"""Who prints a Trace with steps of training: data, the walk, worksheets."""

import json
from functools import cache

import pytest

import generator
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.make import Request, make
from generator.notation.excel import Excel
from generator.notation.latex import Latex
from generator.notation.symbols import Symbols
from generator.notation.worked import Worked
from generator.render.data import render
from generator.render.walk.pages import pages

LISTING = ("5", "6", "math", "run")  # sheets that look through all steps


@cache
def learned() -> Trace:
    return generator.compute(preset="katze", next_word="Matte", train=1)


def test_formulas_come_from_the_operations(step: str, symbols: str, latex: str, worked: str):
    trace = learned()
    column = 5 if step == "grad.output.logits" else 0
    assert Symbols(trace, "en").step(step) == symbols
    assert latex in Latex(trace, "en").step(step)
    assert worked in str(Worked(trace, "en").line(step, 0, column))


def test_a_new_weight_is_a_live_formula():
    columns = {"block1.weight.output": "A", "learning.rate": "B"}
    formulas = Excel(lambda step, i, j: f"{columns.get(step, 'C')}{i + 1}")
    cell = formulas.formula(learned().cell("update.block1.weight.output", 0, 0))
    assert cell == "=ROUND(ROUND(A1-B1*C1,10),4)"


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_walk_tells_every_step(language: str):
    trace = generator.compute(preset="katze", next_word="Katze", train=1, language=language)
    told = pages(trace, load(language))
    assert {name for page in told for name in page.steps} == set(trace.steps)
    chapters = list(dict.fromkeys(page.chapter.partition(": ")[2] for page in told))
    t = load(language).t
    wanted = [t(f"walk.chapter.{key}") for key in ("count", "gradients", "update", "again")]
    assert chapters[-4:] == wanted
    again = [page for page in told if page.steps[0].startswith("step2.")]
    assert {page.place.partition(" · ")[0] for page in again} == {t("walk.pass", step=1)}


def test_data_holds_every_step():
    found = json.loads(render(learned(), "json"))["steps"]
    assert [step["name"] for step in found] == list(learned().steps)
    assert r"\partial W_{E}" in render(learned(), "latex")


@pytest.mark.ci
def test_sheets_that_list_steps_are_those_of_the_same_trace_without_training(tmp_path):
    plain = generator.compute(preset="katze", next_word="Matte")
    request = Request(only=("html",), sheets=LISTING, jobs=1)
    made = [make(one, request, tmp_path / name).paths
            for name, one in (("plain", plain), ("learned", learned()))]  # fmt: skip
    assert made[0]
    for before, after in zip(*made, strict=True):
        assert before.name == after.name
        assert before.read_bytes() == after.read_bytes()
