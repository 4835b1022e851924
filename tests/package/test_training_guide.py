"""The guide to one training step: its example prints what it says, its commands run."""

import re
import shlex
from pathlib import Path

import pytest

from generator.cli import main

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "one-training-step.md"


def block(kind: str) -> str:
    texts = re.findall(rf"```{kind}\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert texts
    return "".join(texts)


def test_the_example_prints_what_the_guide_says(capsys: pytest.CaptureFixture[str]):
    exec(compile(block("python"), GUIDE.name, "exec"), {})
    assert capsys.readouterr().out == block("text")


def test_the_commands_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [line.removeprefix("$ paperformer ") for line in block("console").splitlines()]
    assert len(lines) == 5
    for line in lines:
        small = ["--variant", "solution"] if line.startswith("make") else []
        assert main([*shlex.split(line), *small]) == 0
    out = capsys.readouterr().out
    assert "−0,634" in out
    assert "W_U⁺ = W_U − η · ∂W_U" in out
    assert "-train-3-rate-0.5-output" in out
    assert "step6.loss.cross_entropy" in (tmp_path / "learning.csv").read_text(encoding="utf-8")
