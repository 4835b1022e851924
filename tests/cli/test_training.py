"""`trace --grad`, `trace --train`, `walk --train`, and options that would change nothing."""

import csv
import io

from generator.cli import main

KATZE = ("--preset", "katze")
MAT = (*KATZE, "--next-word", "Matte")


def numbers(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        found.setdefault(row["step"], []).append(row["value"])
    return found


def test_gradients_as_data(capsys):
    assert main(["trace", *MAT, "--grad", "--format", "csv"]) == 0
    found = numbers(capsys.readouterr().out)
    assert found["grad.output.logits"] == ["0.045", "0.341", "0.109", "0.093", "0.045", "-0.634"]
    assert not [name for name in found if name.startswith(("update.", "step2."))]


def test_steps_of_training_as_data(capsys):
    assert main(["trace", *MAT, "--train", "2", "--rate", "0.05", "--learn", "output.matrix",
                 "--format", "csv"]) == 0  # fmt: skip
    found = numbers(capsys.readouterr().out)
    losses = [float(found[f"{at}loss.cross_entropy"][0]) for at in ("", "step2.", "step3.")]
    assert losses == sorted(losses, reverse=True)
    assert found["learning.rate"] == ["0.05"]
    assert [name for name in found if "update." in name] == [
        "update.output.matrix",
        "step2.update.output.matrix",
    ]


def test_the_walk_of_a_training_step(capsys):
    assert main(["walk", *MAT, "--train", "1", "--all", "--step", "update.*"]) == 0
    assert "W_E⁺ = W_E − η · ∂W_E" in capsys.readouterr().out
    assert main(["walk", *KATZE, "--targets", "all", "--grad", "--all", "--step", "grad.*"]) == 0
    assert "Gradient" in capsys.readouterr().out


def test_make_takes_a_word_that_visibly_learns_where_none_is_named(capsys, tmp_path):
    options = ["--train", "1", "--only", "xlsx", "--variant", "solution", "--out", str(tmp_path)]
    assert main(["make", *KATZE, *options]) == 0
    assert "the word that comes next is 'Katze': it learns visibly" in capsys.readouterr().err
