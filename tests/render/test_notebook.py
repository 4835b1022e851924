"""The notebook: solved it is the computation, blank it holds no answer, a check carries errors."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.cli import main
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.make import exact_of
from generator.presets.computed import computed
from generator.presets.load import load_preset, shipped
from generator.render.notebook import Notebook
from tests.support.covering import covering
from tests.support.sheets import traces

NONE = ("paris", "same-word", "induction")  # the first word sees nothing


def notebook(trace: Trace, *, solved: bool) -> Notebook:
    return Notebook(exact_of(trace), load(trace.language), solved)


def code(made: bytes) -> list[str]:
    cells = json.loads(made)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def run(cells: list[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The variables at the end, and what each failing check said."""
    there: dict[str, Any] = {}
    failed = {}
    for cell in cells:
        try:
            exec(cell, there)  # what the program itself has written
        except AssertionError as error:
            failed[cell.partition('"')[2].partition('"')[0]] = str(error)
    return there, failed


def assert_computes(trace: Trace) -> None:
    book = notebook(trace, solved=True)
    there, failed = run(code(book.render()))
    assert not failed
    assert book.written
    for step in book.written:
        got = there[book._name(step.name)]
        np.testing.assert_allclose(got, step.values.astype(float), atol=1e-7, err_msg=step.name)


@pytest.mark.parametrize(
    ("preset", "language"), covering([x for x in shipped() if x not in NONE], ("de", "en"))
)
def test_a_solved_notebook_is_the_computation(preset, language):
    assert_computes(traces(preset, language)[0])


@pytest.mark.parametrize(
    "choice",
    [{"norm": "pre"}, {"norm_form": "rms"}, {"shifted": "always"}, {"activation": "gelu_tanh"},
     {"mask": "none"}, {"output_positions": "all"}],
    ids=str,
)  # fmt: skip
def test_so_it_is_for_other_choices(choice):
    preset = replace(load_preset("katze"), **choice)
    assert_computes(computed(None, preset=preset))


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_blank_is_the_solution_without_the_right_hand_sides(language):
    trace = traces("katze", language)[0]
    blank, solved = (notebook(trace, solved=one).render() for one in (False, True))
    todo = load(language).t("notebook.todo")
    lines = solved.decode().splitlines()
    gone = [line for line in lines if line.strip().startswith('"    return ')]
    assert len(gone) > 15
    there = [x for x in blank.decode().splitlines() if f'"    ...  # {todo}' in x]
    assert len(there) == len(gone)
    kept = [x for x in lines if x not in gone]
    assert kept == [x for x in blank.decode().splitlines() if x not in there]
    assert blank == notebook(trace, solved=False).render()


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_blank_fails_its_checks_and_says_why(language):
    blank = notebook(traces("katze", language)[0], solved=False)
    _, failed = run(code(blank.render()))
    t = load(language).t
    assert len(failed) == len(blank.written)
    for name, said in failed.items():
        assert said == t("notebook.empty").format(name=name)


def test_an_error_carried_forward_counts_as_right():
    cells = code(notebook(traces("katze", "en")[0], solved=True).render())
    slips = {
        "return query @ key.T": ("return 2 * query @ key.T", {"head1_scores", "head2_scores"}),
        "return X + attention": ("return X - attention", {"residual1", "residual2"}),
        "return powers / total": ("return powers", {"head1_weights", "head2_weights"}),
    }
    for right, (wrong, names) in slips.items():
        changed = [cell.replace(right, wrong) for cell in cells]
        assert changed != cells
        there, failed = run(changed)
        assert set(failed) == names
        assert all("does not fit your values before it" in x for x in failed.values())
        assert there["output_probabilities"].sum() == pytest.approx(3)


def test_what_is_empty_or_of_another_shape_is_said(wrong, said):
    cells = code(notebook(traces("katze", "en")[0], solved=True).render())
    right = "return powers.sum(axis=1, keepdims=True)"
    changed = [cell.replace(right, wrong).replace("return powers / total", "return powers")
               for cell in cells]  # fmt: skip
    _, failed = run(changed)
    assert any(said in text for text in failed.values()), failed


@pytest.mark.parametrize("preset", NONE)
def test_a_model_whose_first_word_sees_nothing_is_refused(preset):
    with pytest.raises(UserError, match="the first word sees nothing"):
        notebook(traces(preset, "de")[0], solved=False).render()


def test_what_numpy_has_no_function_for_is_refused():
    preset = replace(load_preset("katze"), activation="gelu")
    with pytest.raises(UserError, match="cannot write 'normal' with NumPy alone"):
        notebook(computed(None, preset=preset), solved=False).render()


def test_the_command_writes_both(tmp_path: Path, capsys):
    assert main(["make", "--preset", "brille", "--only", "ipynb", "--out", str(tmp_path)]) == 0
    names = sorted(path.relative_to(tmp_path).as_posix().partition("/")[2]
                   for path in tmp_path.rglob("*.*"))  # fmt: skip
    assert names == ["hand-out/notebook-blank.ipynb", "teacher/notebook-solution.ipynb"]
    assert main(["make", "--only", "ipynb", "--sheets", "4a", "--out", str(tmp_path)]) == 1
    assert "a notebook has the whole model" in capsys.readouterr().err


@pytest.mark.ci
@pytest.mark.parametrize("language", ["de", "en"])
def test_jupyters_own_runner_passes_the_solution_and_fails_the_blank(language):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    trace = traces("katze", language)[0]
    books = [notebook(trace, solved=one).render().decode() for one in (True, False)]
    solved, blank = (nbformat.reads(book, as_version=4) for book in books)
    for book in (solved, blank):
        nbformat.validate(book)
    nbclient.NotebookClient(solved, timeout=120).execute()
    said = "".join(str(out.get("text", "")) for cell in solved.cells if cell.cell_type == "code"
                   for out in cell.outputs)  # fmt: skip
    right = load(language).t("notebook.right")
    assert right.format(name="output_probabilities") in said
    empty = load(language).t("notebook.empty").format(name="head1_query")
    with pytest.raises(nbclient.exceptions.CellExecutionError) as error:
        nbclient.NotebookClient(blank, timeout=120).execute()
    assert empty in str(error.value)
