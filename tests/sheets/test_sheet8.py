"""Sheet 8: the curve, P from a loss, and texts by the very numbers of their steps."""

import json
import math
import re
import shutil
import tomllib
from dataclasses import replace
from typing import Any

import pytest

import generator
from generator.cli import main
from generator.engine.draws import draw
from generator.engine.preset import State
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.presets.load import FOLDER
from generator.presets.portable import from_data, to_data
from generator.sheets.loss_chart import LossChart
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from tests.support.learning import planned_steps
from tests.support.sheets import html, traces
from tests.support.views import view
from tests.support.words import words

KATZE = "katze-trained"


def seen(preset: Any = KATZE, **more: Any) -> tuple[Trace, Any]:
    return planned_steps("8", 3, preset=preset, **more)


def test_numbers_by_hand() -> None:
    """The losses stand in the kept file; P = e^(−CE) with a calculator; a die with ten sides."""
    trace, plan = seen()
    kept = dict(json.loads((FOLDER / f"{KATZE}.history.json").read_text("utf-8"))["losses"])
    assert [round(kept[step], 2) for step in (1, 300, 3966)] == [2.71, 0.26, 0.17]
    assert trace.values("learned.loss")[:, 0].tolist() == [2.71, 0.26, 0.17]
    assert trace.values("learned.chance")[:, 0].tolist() == [0.07, 0.77, 0.84]
    assert trace.values("learned.even.chance")[0, 0] == 0.1
    assert trace.values("learned.even.loss")[0, 0] == 2.3
    context = view(plan, trace, trace, SheetOptions(level=3), Formulas(), blank=False)
    assert context.steps() == (1, 300, 3966)
    assert kept[40] < 1 < kept[37]
    assert context.below() == 40
    assert context.read() == {"low": 33, "high": 48}  # 3 mm of 140 to either side: log 4000


def test_texts_are_those_of_the_numbers(language: str, greedy: str) -> None:
    _, plan = seen(language=language)
    assert [text.greedy for text in plan.texts] == greedy.split("|")
    drawn = [text.drawn for text in plan.texts]
    assert len(set(drawn)) == 3
    assert all(text.endswith(".") for text in drawn[2])
    assert "der der der" in drawn[0][1] or "the the the" in drawn[0][1]  # the clue: repetitions


def test_the_curve_is_drawn_through_the_kept_losses_with_its_points() -> None:
    trace, exact = traces(KATZE, "de")
    page = html(trace, exact, SheetOptions(), blank=True, sheet="8")
    assert trace.preset.history is not None
    losses = trace.preset.history.losses
    curve = LossChart(losses).svg("Schritt", "Loss CE", "de")
    places = {line for line in curve.splitlines() if "<polyline" in line or "<text" in line}
    assert places - set(page.splitlines()) == set()
    drawn = {tuple(one.split(",")) for line in places for one in re.findall(r"[\d.]+,[\d.]+", line)}
    for step, loss in (losses[0], losses[9], losses[30]):
        across, down = 16 + 140 * math.log(step) / math.log(4000), 9 + 56 * (1 - loss / 3)
        assert (f"{across:.2f}", f"{down:.2f}") in drawn  # 3 is on top
    dots = set(re.findall(r'<circle cx="([^"]*)" cy="([^"]*)"', page))
    assert len(dots) == 3
    assert len(dots - drawn) <= 1, "a point of the curve each; the last may be too near another"
    for name in ("Anfang", "unterwegs", "Ende"):
        assert f">{name}</text>" in page


def test_where_two_texts_are_alike_nothing_is_to_be_sorted() -> None:
    preset = generator.load_preset(KATZE)
    assert preset.history is not None
    first, _ = preset.history.states
    twice = replace(preset.history, states=(first, State(145, first.numbers)))
    trace, plan = seen(replace(preset, history=twice))
    page = html(trace, trace, SheetOptions(language="de"), blank=True, sheet="8")
    assert plan.texts[0] == plan.texts[1]
    assert "Vergleiche die Texte" in page
    assert "Ordne zu" not in page
    assert "Warum liest sich" not in page
    assert "Ordne zu" in html(*traces(KATZE, "de"), SheetOptions(), blank=True, sheet="8")


@pytest.mark.parametrize(("preset", "learned", "counted"), [(KATZE, 152, 184), ("nihao", 404, 404)])
def test_one_count_of_learned_numbers_on_all_sheets(preset, learned, counted) -> None:
    """W_O = I and norms without gain and shift are counted by sheet math, but not learned."""
    trace, exact = traces(preset, "de")
    assert trace["count.total"].values[0, 0] == counted
    curve, math_sheet = (
        words(html(trace, exact, SheetOptions(language="de"), blank=False, sheet=sheet))
        for sheet in ("8", "math")
    )
    assert f"hat {learned} gelernte Zahlen" in curve
    assert f"in den {learned} gelernten Zahlen" in curve
    assert f"Gelernt hat unser Modell {learned} davon" in math_sheet
    said = f"zählt {counted} Parameter: Dort zählen auch {counted - learned} mit"
    assert (said in curve) == (learned < counted)


def test_without_a_history_nobody_says_what_was_learned() -> None:
    page = html(*traces("katze", "de"), SheetOptions(language="de"), blank=False, sheet="math")
    assert "Gelernt hat unser Modell" not in page


def told(language: str = "de", **changes: Any) -> str:
    """The words of the sheet for a history with changes."""
    preset = generator.load_preset(KATZE)
    assert preset.history is not None
    changed = replace(preset, history=replace(preset.history, **changes))
    trace, _ = seen(changed, language=language)
    return words(html(trace, trace, SheetOptions(language=language), blank=False, sheet="8"))


def test_the_last_step_is_the_number_of_steps_or_it_is_said_why_not() -> None:
    assert "„Ende“ ist Schritt 3966 von 4000: Seine Zahlen waren die besten" in told()
    assert "Ab Schritt 2001 rechnete das Modell mit gerundeten Zahlen" in told()
    assert "Seine Zahlen waren die besten" not in told(kept=4000)
    assert "mit gerundeten Zahlen" not in told(free=4000)


@pytest.mark.parametrize("seed", range(8))
def test_fast_at_first_is_said_only_of_a_curve_that_falls_fast_at_first(seed: int) -> None:
    """Histories whose loss at the second point, and whose steps, are drawn."""
    preset = generator.load_preset(KATZE)
    assert preset.history is not None
    start, end = 2.71, 0.17
    middle = start - (start - end) * (0.86 + draw("sheet8", seed, "loss", 0, 20) / 100)
    steps = 800 + draw("sheet8", seed, "steps", 0, 800)
    losses = ((1, start), (300, middle), (steps, end))
    page = told(losses=losses, steps=steps, kept=steps, free=steps)
    fast = start - middle >= 0.96 * (start - end) and steps >= 300 * 4
    assert ("96 % des Weges" in page) == fast
    assert "„Unterwegs“ ist" in page


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_step_is_called_as_small_as_the_pupils(language: str) -> None:
    """Training takes Adam's steps, pupils one of plain descent: nobody has compared them."""
    page = told(language)
    assert "so klein wie" not in page
    assert "as small as" not in page


def test_why_the_end_reads_better_is_told_in_numbers_of_all_beginnings() -> None:
    """No power of them: a text's beginnings are not all that there are, nor as often."""
    page = told()
    assert "Das richtige Token bekommt im Mittel am Anfang P = 0,07, unterwegs 0,77, am" in page
    assert "am Ende 0,84. Je größer P, desto eher" in page
    assert "über alle Anfänge; jeder zählt einmal" in told()


@pytest.mark.ci
def test_edits_of_the_computation_change_nothing() -> None:
    """It is about the preset's training: own numbers of pupils have none."""
    trace, plan = seen(edits={"block1.head1.weight.query[1,1]": 0.5, "tokens[2]": "Maus"})
    own, usual = seen()
    assert plan.texts == usual.texts
    for name in ("learned.chance", "learned.even.loss"):
        assert trace.values(name).tolist() == own.values(name).tolist()


def test_what_is_drawn_does_not_hang_on_how_the_preset_draws() -> None:
    preset = generator.load_preset(KATZE)
    hot = replace(preset, temperatures=(9.0,), seed=7, strategy="top-k", k=2, random=0.4)
    other = replace(hot, history=replace(preset.history))  # another object, so computed anew
    assert seen(other)[1].texts == seen()[1].texts


def test_no_history_other_numbers_and_a_later_beginning_are_refused() -> None:
    with pytest.raises(UserError, match="preset 'katze' keeps no history of its training"):
        seen("katze")
    preset = generator.load_preset(KATZE)
    other = {**preset.weights, "block1.weight.output": preset.weights["block1.weight.output"] * 2}
    with pytest.raises(UserError, match="not those that its history ends with"):
        seen(replace(preset, weights=other))
    assert preset.history is not None
    later = replace(preset, history=replace(preset.history, begun="nihao"))
    with pytest.raises(UserError, match="went on from 'nihao'"):
        seen(later)


@pytest.mark.ci
def test_a_manifest_keeps_the_history() -> None:
    preset = generator.load_preset("nihao")
    again = from_data(json.loads(json.dumps(to_data(preset))))
    assert again.history is not None
    assert again.history.losses == preset.history.losses
    assert seen(again)[1].texts == seen("nihao")[1].texts


def test_without_its_history_the_sheet_is_left_out_in_one_line(tmp_path, capsys) -> None:
    alone = tmp_path / "mine.toml"
    shutil.copy(FOLDER / f"{KATZE}.toml", alone)
    out = ["--only", "html", "--variant", "blank", "--out", str(tmp_path / "out")]
    assert main(["make", "--preset", str(alone), "--sheets", "8", *out]) == 1
    said = capsys.readouterr().err.strip()
    assert said.count("\n") == 0
    assert "keeps no history of its training, which sheet 8 shows: take 'katze-trained'" in said
    shutil.copy(FOLDER / f"{KATZE}.history.json", tmp_path / "mine.history.json")
    assert main(["make", "--preset", str(alone), "--sheets", "8", *out]) == 0


def test_a_text_that_was_cut_off_says_so_and_one_that_ended_does_not() -> None:
    page = html(*traces(KATZE, "de"), SheetOptions(language="de"), blank=True, sheet="8")
    assert "(…: abgebrochen)" in page
    assert page.count("&nbsp;…") + page.count("\xa0…") == 1
    assert "Katze der\xa0…" in page.replace("&nbsp;", "\xa0")


@pytest.mark.parametrize("language", ["de", "en"])
def test_sentences_that_were_learned_are_shown_where_these_numbers_learned_them(language) -> None:
    """Of the spec's own texts; numbers of another training have learned from others."""
    preset = generator.load_preset(KATZE)
    assert preset.history is not None
    spec = tomllib.loads((FOLDER / "specs" / f"{KATZE}.toml").read_text("utf-8"))
    into = spec["translation"]["en"] if language == "en" else {}
    texts = [
        " ".join(into.get(word, word) for word in text.replace("|", "").split()[:-1])
        for text in spec["corpus"]["texts"]
    ]
    page = words(
        html(*traces(KATZE, language), SheetOptions(language=language), blank=True, sheet="8")
    )
    quoted = re.findall("[„“]([^„“”]*\\.)[“”]", re.split("Zwei der Sätze|Two of the sent", page)[1])
    assert len(quoted[:2]) == 2
    assert all(one.replace(".", " .") in texts for one in quoted[:2])
