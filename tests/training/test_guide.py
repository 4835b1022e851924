"""The guide to training is true, and the command line does what it says."""

import re
import tomllib
from pathlib import Path

import pytest

from generator import compute, load_preset
from generator.cli import main
from generator.sheets.loss_chart import LossChart
from generator.training.spec import TrainingKeys

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "train-a-preset.md"


def test_every_key_is_in_the_table():
    rows = [line.split("|")[1] for line in GUIDE.read_text("utf-8").splitlines() if "|" in line]
    for key in TrainingKeys.model_fields:
        assert any(f"`{key}`" in row for row in rows), key


@pytest.mark.ci
def test_the_spec_to_paste_trains(tmp_path, monkeypatch, capsys):
    text, texts = re.findall(r"```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert list(tomllib.loads(texts)["corpus"]["texts"].values()) == [2, 1]
    (tmp_path / "spec.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["presets", "train", "spec.toml"]) == 0
    said = capsys.readouterr()
    assert said.out == "mine.toml\nmine.history.json\n"
    assert re.search(r"ahead by at least \d\d\.\d points", said.err)
    assert main(["presets", "check", "mine.toml"]) == 0
    trace = compute("tick tock", preset=tmp_path / "mine.toml", language="en")
    assert trace["sampling.next"].values[0, 0] == "tick"
    assert main(["presets", "train", "spec.toml"]) == 1
    assert "exists already" in capsys.readouterr().err


@pytest.mark.ci
def test_the_shipped_preset_goes_on_as_said(tmp_path, monkeypatch, capsys):
    command = re.search(r"\$ paperformer (.* --from katze-trained .*)", GUIDE.read_text("utf-8"))[1]
    monkeypatch.chdir(tmp_path)
    assert main(command.split()) == 0
    assert capsys.readouterr().out == "further.toml\nfurther.history.json\n"


def test_the_picture_is_that_of_the_kept_history():
    history = load_preset("katze-trained").history
    drawn = (GUIDE.parents[1] / "pictures" / "learning.svg").read_text("utf-8")
    assert drawn == LossChart(history.losses).svg("step", "loss", "en"), (
        "run: python -m docs.pictures.make"
    )


def test_a_spec_that_is_not_there(capsys):
    assert main(["presets", "train", "nowhere.toml"]) == 1
    assert "nowhere.toml: there is no such file; expected a TOML file" in capsys.readouterr().err
