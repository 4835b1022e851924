"""Going on from a preset that has learned, and training for fewer steps."""

from pathlib import Path

import numpy as np
import pytest

from generator import load_preset
from generator.cli import main
from generator.errors import UserError
from generator.presets.history import history_of
from generator.training import Trained, train
from generator.training.spec import read_spec
from generator.training.task import numbers_of, task_of
from tests.support.words import refused
from tests.training.specs import written

CHEAP = (("rounding_steps = 80", "rounding_steps = 40"),)


@pytest.fixture(scope="module")
def begun(tmp_path_factory) -> Trained:
    folder = tmp_path_factory.mktemp("begun")
    return train(written(folder, *CHEAP), folder / "one.toml")


def test_it_goes_on_where_the_preset_ended(tmp_path, begun):
    spec = read_spec(written(tmp_path, *CHEAP))
    numbers = task_of(spec, tmp_path, begun.path).numbers
    preset = load_preset(begun.path)
    np.testing.assert_array_equal(numbers["vocabulary.embedding"], [*preset.words.values()])
    for name, weight in preset.weights.items():
        np.testing.assert_array_equal(numbers[name], weight)
    further = train(written(tmp_path, *CHEAP), tmp_path / "two.toml", start=begun.path, steps=9)
    history = history_of(further.path)
    assert (history.steps, history.free) == (9, 6), "two thirds are free, as in the spec"
    assert history.losses[0][1] == pytest.approx(history_of(begun.path).losses[-1][1], abs=0.2)
    made = further.text.splitlines()[1]
    assert f"Trained on from tiny ({preset.sha256[:16]}), 9 steps" in made
    assert spec.sha256[:16] in made


@pytest.mark.parametrize(("steps", "free"), [(1, 0), (2, 1), (3, 2), (100, 66)])
def test_fewer_steps_keep_their_proportion(tmp_path, steps, free):
    training = read_spec(written(tmp_path, *CHEAP)).shortened(steps).training
    assert (training.steps, training.rounding_steps) == (free, steps - free)


MORE = ("margin = 20", 'margin = 20\noptional = ["*.bias.hidden"]')


@pytest.mark.parametrize(
    ("options", "change", "parts"),
    [
        ({"steps": 0}, (), ("steps: found 0, expected a whole number from 1",)),
        ({"start": "kaze"}, (), ("there is no preset 'kaze'",)),
        ({"spec": None}, (), ("name a spec, or with --from",)),
        ({"spec": None, "start": ""}, (), ("name its spec too", "katze-trained, nihao")),
        ({"start": "nihao"}, (), ("do not fit: the spec does not have the word '你'",)),
        (
            {"start": ""},
            ("d_ff = 2\n", "d_ff = 3\n"),
            ("hidden: found 2 × 2 numbers, expected 2 × 3",),
        ),
        ({"start": ""}, MORE, ("the preset does not have the weight 'block1.bias.hidden'",)),
        # nothing was drawn from a seed
        (
            {"start": "", "steps": 2},
            ("margin = 20", "margin = 99.9"),
            ("more steps, more [training",),
        ),
    ],
)
def test_what_cannot_go_on_says_why(tmp_path, begun, options, change, parts):
    """Where `start` is "", it goes on from the tiny preset."""
    spec = written(tmp_path, *CHEAP, *filter(None, (change,)))
    given = {"spec": spec, "out": tmp_path / "out.toml", **options}
    with refused(*parts):
        train(**given | ({"start": begun.path} if given.get("start") == "" else {}))
    assert not given["out"].exists()


def test_words_in_another_order_keep_their_numbers(tmp_path, begun):
    spec = read_spec(written(tmp_path, *CHEAP))
    preset, sizes = load_preset(begun.path), {"vocabulary.embedding": (2, 2)}
    sizes |= {name: x.shape for name, x in preset.weights.items()}
    found = numbers_of(preset, spec._replace(words=("a", "j")), sizes)
    rows = [preset.words["a"], preset.words["j"]]
    np.testing.assert_array_equal(found["vocabulary.embedding"], rows)


def test_the_command_goes_on_and_says_texts_on_the_way(tmp_path, begun, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spec = written(tmp_path, *CHEAP)
    args = ["--from", str(begun.path), "--steps", "30", "--curve", "c.svg", "--out", "two.toml"]
    assert main(["presets", "train", str(spec), *args]) == 0
    said = capsys.readouterr()
    assert said.out == "two.toml\ntwo.history.json\nc.svg\n"
    lines = said.err.splitlines()
    assert lines[-2].startswith("step 30, loss 0.")
    assert lines[-2].endswith(": ja")
    assert "learned; the stated next token is ahead" in lines[-1]
    for wrong, message in (("0", "--steps: found '0'"), ("nan", "--steps: found 'nan'")):
        assert main(["presets", "train", str(spec), "--steps", wrong]) == 1
        assert message in capsys.readouterr().err


def test_a_history_that_is_none_is_refused(tmp_path, begun, text, said):
    path = tmp_path / "one.toml"
    path.write_bytes(begun.path.read_bytes())
    alone = load_preset(path)
    assert alone.history is None
    Path(tmp_path, "one.history.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match="what `presets train` writes beside a preset") as caught:
        load_preset(path)
    assert said in str(caught.value)
    assert load_preset(begun.path).sha256 != alone.sha256, "sheets depend on it"
