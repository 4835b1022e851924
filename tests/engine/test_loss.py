"""Cross-entropy and perplexity of a given next word: PyTorch's number, cells, what is refused."""

import math

import pytest

import generator
from generator.cli import main
from generator.errors import UserError
from generator.notation.excel import Excel, in_language
from generator.presets.load import load_preset

NAMES = ("onehot", "id", "probability", "cross_entropy", "perplexity")


def lost(word: str, rounding: str = "exact", **options):
    options = {"preset": "katze"} | options
    return generator.compute(edits={"loss.target": word}, rounding=rounding, **options)


def test_by_hand_in_paper_arithmetic():
    trace = lost("Matte", "paper")
    found = [trace[f"loss.{name}"].values.ravel().tolist() for name in NAMES]
    # −ln 0.366 = 1.00512…; e^1.005 = 2.73190…
    assert found == [[0, 0, 0, 0, 0, 1], [5], [0.366], [1.005], [2.732]]


@pytest.mark.reference
@pytest.mark.parametrize("word", ["Die", "Katze", "Matte"])
def test_exact_is_what_pytorch_says(word):
    import torch

    trace = lost(word)
    logits = torch.tensor(trace["output.logits"].values)
    target = torch.tensor([list(load_preset("katze").words).index(word)])
    expected = float(torch.nn.functional.cross_entropy(logits, target))
    assert trace["loss.cross_entropy"].values[0, 0] == pytest.approx(expected, abs=1e-12)
    assert trace["loss.perplexity"].values[0, 0] == pytest.approx(math.exp(expected), abs=1e-11)


def test_its_cell_is_a_live_formula():
    trace = lost("Katze", "paper")
    formulas = Excel(lambda step, i, j: f"{chr(65 + j)}{i + 1}")
    entropy = formulas.formula(trace.cell("loss.cross_entropy", 0, 0))
    assert entropy == "=ROUND(ROUND(0-LN(A1),10),3)"
    assert in_language(entropy, "de") == "=RUNDEN(RUNDEN(0-LN(A1);10);3)"


def test_nothing_else_changes_and_without_the_word_there_is_no_loss():
    plain, trace = generator.compute(preset="katze"), lost("Matte", "paper")
    assert "loss.target" not in plain
    assert [s.name for s in trace if not s.name.startswith("loss.")] == list(plain.steps)
    later = generator.compute(preset="katze", edits={"loss.target": "auf"}, rounds=2)
    assert "round2.loss.target" not in later


def test_what_is_refused(word, options, parts):
    with pytest.raises(UserError) as error:
        lost(word, **options)
    assert all(part in str(error.value) for part in parts), str(error.value)


def test_a_probability_of_0_on_paper_is_said():
    with pytest.raises(UserError, match=r"step loss\.cross_entropy: .*ln 0 does not exist"):
        generator.compute(
            preset="katze-trained",
            sentence="Die Katze sitzt auf der",
            edits={"loss.target": "der", "temperature": 0.3},
        )


def test_the_command_has_a_short_name_for_it(capsys: pytest.CaptureFixture[str]):
    assert main(["trace", "--next-word", "und", "--format", "csv"]) == 0
    short = capsys.readouterr().out
    assert main(["trace", "--set", "loss.target=und", "--format", "csv"]) == 0
    assert capsys.readouterr().out == short
    assert "loss.perplexity" in short
    assert main(["trace", "--next-word", "Mate"]) == 1
    assert "not in the vocabulary" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["Katze", "cat"])
def test_the_next_word_is_put_into_the_language_as_the_sentence_is(word):
    trace = lost(word, language="en")
    assert trace["loss.target"].values[0, 0] == "cat"
    assert trace["loss.id"].values[0, 0] == 1
    moved = generator.compute("Die Katze", edits={"tokens[1]": "der"}, language="en")
    assert moved.tokens == ("the", "cat")
    with pytest.raises(UserError, match=r"'Mate'.*did you mean 'mat'|'Mate' is not in"):
        lost("Mate", language="en")
