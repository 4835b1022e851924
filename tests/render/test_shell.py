"""Filled shells have the bytes of full rendering; what is not a cell's content decides a shell."""

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import generator
from generator.checks.exercise import Exercise
from generator.engine.trace import Step, Trace
from generator.engine.watched import NotRepeatable
from generator.errors import UserError
from generator.notation.shown import shown_decimals
from generator.plans.experiments import experiments
from generator.plans.workbook import plan
from generator.presets.computed import computed
from generator.presets.load import load_preset
from generator.render.workbook import shell as shells
from generator.render.workbook.exercise import exercise_of, render
from generator.render.workbook.gaps import Parts, Slot
from generator.render.workbook.parts import BPE, played
from generator.render.workbook.sheets import Writer
from generator.render.workbook.shell import MOST_OF_A_SHAPE, Shell, filled_or_rendered, shape
from generator.render.workbook.spelling import Formula
from generator.text.catalogue import load
from tests.render.test_exercise_file import overwritten

INPUT = "vocabulary.embedding"
GIVEN = {"ausgabe": "last", "paris": "input"}


def pupils(
    preset: str = "katze", sheets: str = "4a,6", many: int = 3, **more: object
) -> Iterator[Trace]:
    """The computations of a class in which each but the first has two numbers of their own."""
    known = generator.compute(preset=preset, **more)
    name = GIVEN.get(preset, INPUT)
    step = 10.0 ** -shown_decimals(known[name])
    cells = np.argwhere(np.abs(known[name].values) > step).tolist()
    for k in range(many):
        own = (cells[k % len(cells)], cells[-1 - k % len(cells)]) if k else ()
        edits = {
            f"{name}[{i + 1},{j + 1}]": round(float(known[name].values[i, j]) - step, 6)
            for i, j in own
        }
        trace = generator.compute(preset=preset, edits=edits, **more)
        yield played(trace, tuple(sheets.split(",")))


def filled_and_rendered(traces: Iterator[Trace], level: int) -> int:
    """How many of them a shell of the first one fitted; each of these has the right bytes."""
    first, *others = traces
    catalogue = load(first.language)
    shell = Shell.write(first, catalogue, level)
    fitted = 0
    for trace in (first, *others):
        assert shape(trace, catalogue, level) == shape(first, catalogue, level)
        content = shell.filled(trace)
        fitted += bool(content)
        expected = render(trace, catalogue, level)
        assert content in (b"", expected)
    assert filled_or_rendered(trace, catalogue, level) == expected
    return fitted


@pytest.mark.parametrize(("sheets", "language", "levels"), [
    ("4a,6", "de", (1, 2, 3)), ("4a", "en", (2, 3)), ("1,2,3", "en", (1, 3)), ("4b,5", "de", (2,)),
    (BPE, "en", (2,)),
])  # fmt: skip
def test_numbers_of_katze(sheets: str, language: str, levels: tuple[int, ...]) -> None:
    for level in levels:
        assert filled_and_rendered(pupils(sheets=sheets, language=language), level) == 3


@pytest.mark.parametrize(("preset", "sheets", "language", "fitted"), [
    ("brille", "4a", "de", 3), ("ausgabe", "6", "de", 3), ("random", "4a,6", "en", 3),
    ("nihao", "4a,6", "de", 3), ("mental", "4a", "en", 3),
    ("paris", "4a", "en", 1),  # without its only 3 the bound of what may be typed is another
])  # fmt: skip
def test_numbers_of_other_models(preset: str, sheets: str, language: str, fitted: int) -> None:
    level = 1 + len(preset) % 3
    assert filled_and_rendered(pupils(preset, sheets, language=language), level) == fitted


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_numbers_in_both_arithmetics(rounding: str) -> None:
    assert filled_and_rendered(pupils(rounding=rounding), 2) == 3


def test_own_tokens_levels_and_sentences_have_shells_of_their_own() -> None:
    sentences = (None, "Der Hund sitzt auf der Katze")
    found = set()
    for token, level, sentence in product((1, 4), (1, 3), sentences):
        trace = generator.compute(sentence, preset="katze")
        trace = played(replace(trace, exercise=token), ("4a", "6"))
        found.add(shape(trace, load("de"), level))
        assert filled_or_rendered(trace, load("de"), level) == render(trace, load("de"), level)
    assert len(found) == 8


def test_the_language_decides_the_shape() -> None:
    trace = next(pupils())
    assert shape(trace, load("de"), 2) != shape(trace, load("en"), 2)
    assert filled_or_rendered(trace, load("en")) == render(trace, load("en"))


def test_every_number_of_a_tab_is_in_a_gap() -> None:
    """Another number in every given cell: no gap was forgotten, and none is filled with its own."""
    catalogue = load("de")
    trace = next(pupils(sheets="4a"))
    shell = Shell.write(trace, catalogue, 2)
    known = generator.compute(preset="katze")[INPUT].values
    moved = {
        f"{INPUT}[{i + 1},{j + 1}]": round(float(known[i, j]) - 0.1, 1)
        for i, j in np.argwhere(np.abs(known) > 0.1).tolist()
    }
    other = played(generator.compute(preset="katze", edits=moved), ("4a",))
    assert shell.filled(other) == render(other, catalogue) != render(trace, catalogue)


def test_a_shell_never_looks_at_answers() -> None:
    catalogue = load("de")
    trace = played(generator.compute(preset="katze"), None)
    hidden = Exercise(trace, plan(trace, 3).asked).hidden
    shell = Shell.write(trace, catalogue, 3)
    changed = overwritten(trace, hidden)
    assert shell.filled(changed) == shell.filled(trace) == render(trace, catalogue, 3)


@pytest.mark.parametrize("edits", [
    {f"{INPUT}[1,1]": 123.4567}, {"temperature": 3}, {f"{INPUT}[3,1]": -27.5}, {"switch.mask": 0},
])  # fmt: skip
def test_what_decided_a_format_a_bound_or_a_text_needs_another_shell(edits) -> None:
    catalogue = load("de")
    shell = Shell.write(next(pupils(sheets="1,2,3,4a,6")), catalogue, 2)
    other = played(
        generator.compute(preset="katze", edits=edits), ("1", "2", "3", "4a", "6")
    )  # the controls are edited too
    assert shell.filled(other) == b""
    assert filled_or_rendered(other, catalogue) == render(other, catalogue)


def test_an_experiment_that_cannot_be_computed_needs_another_shell() -> None:
    """Rows of equal numbers: without positions they have σ = 0."""
    catalogue, preset = load("de"), replace(load_preset("katze"), epsilon=0.0, sha256="σ")
    alike = {f"{INPUT}[{i + 1},{j + 1}]": 0.5 for i, j in product(range(6), range(4))}
    first, other = (
        played(computed(preset=preset, edits=edits), ("3",))
        for edits in ({**alike, **{f"{INPUT}[{i},1]": 0.6 for i in range(1, 7)}}, alike)
    )
    assert [len(experiments(trace)) for trace in (first, other)] == [1, 0]
    assert Shell.write(first, catalogue, 2).filled(other) == b""
    assert filled_or_rendered(other, catalogue) == render(other, catalogue)


def test_shells_of_a_shape_are_bounded() -> None:
    shells._shells.cache_clear()
    catalogue = load("de")
    for k in range(MOST_OF_A_SHAPE + 2):
        edits = {f"{INPUT}[1,1]": k + 0.5}
        trace = played(generator.compute(preset="katze", edits=edits), ("1", "2"))
        assert filled_or_rendered(trace, catalogue) == render(trace, catalogue)
    assert len(shells._shells(shape(trace, catalogue, 2))) == MOST_OF_A_SHAPE


def test_a_number_in_a_text_lets_the_shell_step_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    def heading(self: Writer, page: object, sheet: object, band: object) -> None:
        self.write(page, 1, 9, f"{self.cached(self.trace['input'], 0, 0)}", "text")

    monkeypatch.setattr(Writer, "_heading", heading)
    trace = next(pupils(sheets="4a"))
    with pytest.raises(NotRepeatable):
        Shell.write(trace, load("de"), 2)
    assert filled_or_rendered(trace, load("de")) == render(trace, load("de"))


def test_a_number_that_decides_something_becomes_a_condition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Code that knows nothing of shells looks at numbers: no wrong file comes of it."""
    before = Writer.echo

    def echo(self: Writer, page: object, box: object, step: Step) -> None:
        before(self, page, box, step)
        if not step.text and step.values[0, 0] > 0:
            self.write(page, 1, 9, "positive", "text")

    monkeypatch.setattr(Writer, "echo", echo)
    traces = list(pupils(sheets="4a"))
    shell = Shell.write(traces[0], load("de"), 2)
    assert "input" in shell.notes.seen
    assert [bool(shell.filled(trace)) for trace in traces] == [True, False, False]


@pytest.mark.parametrize("use", [
    str, repr, bool, float, int, len, hash, list, abs, round, "{}".format,
    lambda slot: slot == 0.5, lambda slot: slot > 0, lambda slot: slot + 1, lambda slot: "a" + slot,
    lambda slot: 2 * slot, lambda slot: slot[0], lambda slot: slot in ("a", "b"), operator.index,
    lambda slot: " ".join(map(str, [slot])),
])  # fmt: skip
def test_a_slot_can_only_be_put_into_a_cell(use: Callable[[Slot], object]) -> None:
    with pytest.raises(NotRepeatable):
        use(Slot(lambda trace: 0.5))


def test_parts_are_taken_apart_at_their_slots() -> None:
    parts = Parts()
    said = Slot(lambda trace: trace.sentence)
    cells = [parts.spell("f", Formula("=A1&B1", said)), parts.spell("s", "a<b"),
             parts.spell("n", Slot(lambda trace: 0.5))]  # fmt: skip
    parts.writestr("a.xml", f"<c{cells[0]}<c{cells[1]}<c{cells[2]}")
    parts.writestr("b.xml", b"<plain/>")
    trace = generator.compute("Die Katze", preset="katze")
    assert [part.filled(trace) for part in parts.found] == [
        b'<c t="str"><f>A1&amp;B1</f><v>Die Katze</v></c>'
        b'<c t="inlineStr"><is><t>a&lt;b</t></is></c><c><v>0.5</v></c>',
        b"<plain/>",
    ]
    assert parts.namelist() == ["a.xml", "b.xml"]


def test_what_full_rendering_refuses_is_refused() -> None:
    long = played(generator.compute("Katze " * 31, preset="katze"), ("1",))
    with pytest.raises(UserError, match="30"):
        filled_or_rendered(long, load("de"))
    alone = played(generator.compute(preset="katze"), ("1",))
    with pytest.raises(UserError, match="level"):
        filled_or_rendered(alone, load("de"), 4)
    assert exercise_of(alone, 1).asked
