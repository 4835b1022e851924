"""The shipped trained presets do what their specs say, as the engine computes them."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import generator
from generator import compute, load_preset
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.presets.load import parse
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SHEETS
from generator.training import train
from generator.training.proof import Answer, answers, failures
from generator.training.spec import Spec, read_spec
from tests.training.specs import written

PRESETS = Path(generator.__file__).parent / "presets"
NAMES = ("katze-trained", "nihao")
KATZE = "katze-trained"
PLACES = {
    ("Katze", "auf"): "Matte",
    ("Katze", "in"): "Kiste",
    ("Maus", "auf"): "Kiste",
    ("Maus", "in"): "Kiste",
    ("Ente", "auf"): "Wiese",
    ("Ente", "in"): "Wiese",
}
ENGLISH = [
    "The cat sits on the mat",
    "The cat sleeps in the box",
    "The mouse sleeps in the box",
    "The mouse sits on the box",
    "The duck sits on the grass",
    "The duck sleeps in the grass",
]


def spec_of(name: str) -> Spec:
    return read_spec(PRESETS / "specs" / f"{name}.toml")


def traces(name: str) -> list[Trace]:
    """What the preset computes on paper for each prompt of its spec."""
    preset = load_preset(name)
    space = "" if preset.tokenizer == "character" else " "
    return [compute(space.join(prompt), preset=preset) for prompt in spec_of(name).prompts]


def test_every_spec_has_its_preset():
    assert {path.stem for path in (PRESETS / "specs").glob("*.toml")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_prompt_is_continued_as_the_spec_says(name):
    spec, preset = spec_of(name), load_preset(name)
    found = list(answers(preset, spec.prompts))
    assert len(found) == 4 * len(spec.prompts)  # two languages, two arithmetics
    assert {(one.language, one.rounding) for one in found} == {
        (language, rounding) for language in ("de", "en") for rounding in ("exact", "paper")
    }
    for one in found:
        assert one.found == one.wanted, one
        assert one.margin >= 25, one


def test_a_wrong_or_a_narrow_answer_is_a_failure():
    spec, preset = spec_of(KATZE), load_preset(KATZE)
    wrong = dict(spec.prompts)
    prompt = ("Die", "Katze", "sitzt", "auf", "der")
    wrong[prompt] = "Kiste"
    failed = failures(answers(preset, wrong), 20)
    assert len(failed) == 4
    assert {one.wanted for one in failed} == {"Kiste", "box"}
    assert all(isinstance(one, Answer) and one.margin < 0 for one in failed)
    assert len(failures(answers(preset, spec.prompts), 99)) == 4 * len(spec.prompts)


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_its_specs_own_part_and_numbers(name):
    spec = spec_of(name)
    first, made, rest = (PRESETS / f"{name}.toml").read_text("utf-8").split("\n", 2)
    assert spec.sha256[:16] in made, "the spec has changed: train the preset again"
    assert f"{first}\n{rest}".startswith(f"{spec.head}\n\n[vocabulary.words] # learned\n")


@pytest.mark.parametrize("name", NAMES)
def test_numbers_have_one_decimal(name):
    preset = load_preset(name)
    for numbers in (*preset.weights.values(), np.array(list(preset.words.values()))):
        np.testing.assert_array_equal(numbers, numbers.round(1))
        assert np.abs(numbers).max() <= 3


@pytest.mark.parametrize(("name", "sigma", "share"), [(KATZE, 0.3, 0.01), ("nihao", 0.3, 0.009)])
def test_numbers_on_the_way_are_good_on_paper(name, sigma, share):
    for trace in traces(name):
        for step in trace:
            values = step.values
            if step.name.endswith(".scaled"):
                assert np.abs(np.tril(values)).max() <= 3, step.name
            if "deviation" in step.name:
                assert values.min() >= sigma, step.name
            if step.name.endswith(".weights"):
                assert values[values > 0].min() >= share, step.name


def test_katze_trained_has_the_shape_of_katze():
    trained, katze = load_preset(KATZE), load_preset("katze")
    for key in ("d_model", "heads", "d_head", "d_ff", "blocks", "parts", "positions", "mask",
                "norm", "epsilon", "output", "input_decimals", "temperatures"):  # fmt: skip
        assert getattr(trained, key) == getattr(katze, key), key
    sizes = {name: matrix.shape for name, matrix in katze.weights.items()}
    assert {name: matrix.shape for name, matrix in trained.weights.items()} == sizes
    assert len(trained.words) == 12, "sheet 6 has room for twelve words"


@pytest.mark.parametrize("rounding", ["exact", "paper"])
@pytest.mark.parametrize("verb", ["sitzt", "schläft"])
@pytest.mark.parametrize(("who", "where"), PLACES)
def test_a_dozen_sentences_make_sense(who, where, verb, rounding):
    trace = compute(f"Die {who} {verb} {where} der", preset=KATZE, rounding=rounding)
    assert trace["sampling.next"].values[0, 0] == PLACES[who, where]


@pytest.mark.parametrize("sentence", ENGLISH)
def test_english_sentences_make_sense(sentence):
    start, _, end = sentence.rpartition(" ")
    trace = compute(start, preset=KATZE, language="en")
    assert trace["sampling.next"].values[0, 0] == end
    assert trace.sentence == start


def test_katze_trained_writes_a_sentence():
    trace = compute("Die Katze", preset=KATZE, rounds=4)
    assert " ".join(trace["round4.tokens"].values[:, 0]) == "Die Katze sitzt auf der"
    assert trace["round4.sampling.next"].values[0, 0] == "Matte"


def test_nihao_is_source_002_in_small():
    preset, trace = load_preset("nihao"), compute(preset="nihao")
    assert (preset.tokenizer, preset.positions, preset.norm) == ("character", "learned", "pre")
    assert (preset.final_norm, preset.output, preset.mask) == (True, "own", "causal")
    assert (preset.heads, preset.blocks, preset.activation) == (2, 2, "relu")
    assert trace["output.all.next"].values[:, 0].tolist() == list("好世界你")
    twelve = "你好世界" * 3
    every = compute(twelve, preset="nihao")["output.all.next"].values[:, 0]
    assert "".join(every) == "好世界你" * 3


NIHAO = (PRESETS / "nihao.toml").read_text("utf-8")


def widened(d_model: int, d_ff: int) -> Preset:
    """The model of `nihao` with wider vectors; its numbers are drawn."""
    head, _, weights = NIHAO.partition("[weights]")
    head = head.replace("d_model = 4", f"d_model = {d_model}\nd_head = {min(3, d_model // 2)}")
    head = head.replace("d_ff = 8", f"d_ff = {d_ff}")
    words = "\n".join(f'"{word}" = {[0.5] * d_model}' for word in "你好世界")
    names = re.findall(r'^"([a-z][a-z0-9.]+)" =', weights, flags=re.MULTILINE)
    drawn = "\n".join(f'"{name}" = "draw -1 1 0.1"' for name in names)
    head = head.partition("[vocabulary.words]")[0]
    return parse(f"{head}[vocabulary.words]\n{words}\n[weights]\n{drawn}\n", "wide.toml")


@pytest.mark.parametrize("level", [1, 2, 3])
def test_nihao_is_as_wide_as_every_sheet_takes(level):
    options, own = SheetOptions(level=level), compute(preset="nihao")
    for sheet in SHEETS:
        if sheet != "3":  # sine positions
            planned(sheet, own, options)
    for sheet, width, d_ff, said in (
        ("slides", 6, 6, "room for at most 4"),
        ("slides", 8, 8, "room for at most 4"),
        ("5", 8, 8, "d_model 2 to 6"),
    ):
        with pytest.raises(UserError, match=said):
            planned(sheet, compute(preset=widened(width, d_ff)), options)


def test_without_pytorch_training_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UserError, match=r"needs PyTorch.*pip install .paperformer\[train"):
        train(written(tmp_path), tmp_path / "one.toml")
