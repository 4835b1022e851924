"""Training: the same bytes each time, and a clear word where it does not converge."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generator import compute, load_preset
from generator.errors import UserError
from generator.training import Listeners, train
from generator.training.spec import read_spec
from generator.training.trainer import answers, failures, require_same_model
from tests.training.specs import MISTAKES, written


def refused(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        train(path, path.with_name("out.toml"))
    assert not path.with_name("out.toml").exists()
    return str(caught.value)


def test_the_same_spec_gives_the_same_bytes(tmp_path):
    one, other = (train(written(tmp_path), tmp_path / f"{name}.toml") for name in ("one", "two"))
    for mine, theirs in zip(one.files, other.files, strict=True):
        assert mine.read_bytes() == theirs.read_bytes()
    assert one.path.read_text("utf-8") == one.text
    assert "with Paperformer's own gradients." in one.text
    assert one.margin >= 20


def test_the_curve_holds_the_loss_of_every_step_and_changes_no_number(tmp_path):
    heard, path = [], written(tmp_path)
    plain = train(path, tmp_path / "one.toml")
    curve, drawn, dots = (tmp_path / f"curve.{kind}" for kind in ("csv", "svg", "png"))
    said = []
    listeners = Listeners(lambda *one: heard.append(one), lambda *one: said.append(one))
    told = train(path, tmp_path / "two.toml", curves=(curve, drawn, dots), told=listeners)
    assert told.text == plain.text
    assert told.files == (told.path, tmp_path / "two.history.json", curve, drawn, dots)
    head, *lines = curve.read_text(encoding="utf-8").splitlines()
    assert head == "step,loss"
    assert [(int(step), 160, float(loss)) for step, loss in map(split, lines)] == heard
    losses = [loss for _, _, loss in heard]
    assert len(losses) == 160
    assert losses[79] < losses[0] / 10
    assert [step for step, _ in said] == sorted({1, 3, 10, 30, 100, *range(16, 161, 16)})
    assert said[0][1] != said[-1][1] == "ja"
    assert_is_the_curve(drawn.read_text("utf-8"), losses)
    assert_is_drawn(drawn.read_text("utf-8"), dots)


def assert_is_drawn(svg: str, dots: Path) -> None:
    """The picture in dots is dark along the curve, and white above its first point."""
    shot = Image.open(dots).convert("L")
    scale = shot.width / 160
    assert shot.width == 1280
    assert abs(shot.height - 77 * scale) <= 1
    *places, _ = [tuple(float(x) * scale for x in one.split(","))  # the line ends in the last
                  for one in re.search(r'points="([^"]*)"', svg)[1].split()]  # fmt: skip
    assert len(places) > 50
    assert all(shot.getpixel(place) < 100 for place in places)
    (x, y), *_ = places
    assert shot.getpixel((x + 2 * scale, y - 2 * scale)) > 200


def assert_is_the_curve(svg: str, losses: list[float]) -> None:
    """Its first, last and lowest points are where the axes say."""
    places = [tuple(map(float, one.split(","))) for one in
              re.search(r'points="([^"]*)"', svg)[1].split()]  # fmt: skip
    grid = {float(y) for y in re.findall(r'<line x1="16.00" y1="([\d.]+)" x2="156', svg)}
    zero, top = max(grid), min(grid)
    shown = [float(x) for x in re.findall(r'text-anchor="end">([\d.]+)<', svg)]
    height = (zero - top) / max(shown)
    assert places[0] == (16.0, pytest.approx(zero - losses[0] * height, abs=0.01))
    assert places[-1] == (
        pytest.approx(156.0, abs=0.3),
        pytest.approx(zero - losses[-1] * height, abs=0.3),
    )
    at_ten = 16 + 140 * math.log(10) / math.log(160)
    y = next(y for x, y in places if x == pytest.approx(at_ten, abs=0.01))
    assert y == pytest.approx(zero - losses[9] * height, abs=0.01)


def split(line: str) -> list[str]:
    return line.split(",")


def test_a_file_that_exists_stops_before_the_training(tmp_path):
    heard, curve = [], tmp_path / "curve.csv"
    curve.write_text("mine", encoding="utf-8")
    for wrong, message in (
        ((curve,), "exists already"),
        ((tmp_path / "new.csv", tmp_path / "new.csv"), "two files"),
        ((tmp_path / "new.jpg",), r"found '.jpg', expected .csv \(a table\), .svg .* or .png"),
        ((tmp_path / "new",), "found 'no ending'"),
    ):
        with pytest.raises(UserError, match=message):
            train(written(tmp_path), tmp_path / "new.toml", curves=wrong,
                  told=Listeners(lambda *one: heard.append(one)))  # fmt: skip
    assert heard == []
    assert curve.read_text(encoding="utf-8") == "mine"


@pytest.mark.ci
def test_another_seed_gives_another_preset(tmp_path):
    one = train(written(tmp_path), tmp_path / "one.toml")
    other = train(written(tmp_path, ("seed = 1", "seed = 6")), tmp_path / "two.toml")
    numbers = [text.partition("[vocabulary.words]")[2] for text in (one.text, other.text)]
    assert numbers[0] != numbers[1]


@pytest.mark.ci
def test_the_written_preset_is_right_and_has_short_numbers(tmp_path):
    path = written(tmp_path, ("margin = 20", "margin = 20\ndecimals = {hidden = 2}"))
    trained = train(path, tmp_path / "one.toml")
    preset = load_preset(trained.path)
    found = list(answers(preset, read_spec(path).prompts))
    assert all(one.found == one.wanted for one in found)
    assert trained.margin == min(one.margin for one in found) >= 20
    hidden = preset.weights["block1.weight.hidden"]
    others = [np.array(list(preset.words.values())), preset.weights["block1.weight.feedforward"]]
    for numbers, decimals in ((hidden, 2), *((one, 1) for one in others)):
        np.testing.assert_array_equal(numbers, numbers.round(decimals))


def test_the_file_begins_with_what_it_is_for_and_says_what_made_it(tmp_path):
    text = train(written(tmp_path), tmp_path / "one.toml").text
    first, second = text.splitlines()[:2]
    assert first == "# Two letters take turns; for tests."
    assert read_spec(tmp_path / "spec.toml").sha256[:16] in second
    assert 'unknown = "error" # only these two\n' in text
    assert "[corpus]" not in text


@pytest.mark.ci
def test_fixed_numbers_stay(tmp_path):
    fixed = '\n[training.fixed]\n"block1.weight.hidden" = [[1, 0.5], [-0.5, 1]]\n\n[corpus]'
    path = written(tmp_path, ("\n[corpus]", fixed))
    preset = load_preset(train(path, tmp_path / "one.toml").path)
    assert preset.weights["block1.weight.hidden"].tolist() == [[1, 0.5], [-0.5, 1]]


def test_a_spec_that_does_not_converge_says_what_was_reached(tmp_path):
    path = written(tmp_path, ("steps = 80\nr", "steps = 1\nr"), ("ing_steps = 80", "ing_steps = 1"))
    text = refused(path)
    assert "does not converge: after 1 steps and 1 with rounded numbers" in text
    assert "of 2 prompts are right and ahead by 20 points; the worst:" in text
    assert "expected 'a', found 'j'" in text or "expected 'j', found 'a'" in text
    assert "try more steps, another seed" in text


COUNTED = (
    ('lines = ["j | a", "a | j"]', 'texts = {"j | a" = 7, "a | j" = 9, "j | j" = 3}'),
    ("steps = 80\nr", "steps = 400\nr"),
    ("rounding_steps = 80", "rounding_steps = 400"),
    ("seed = 1", "seed = 4"),
)


@pytest.mark.ci
def test_counted_texts_are_learned_as_shares(tmp_path):
    path = written(tmp_path, *COUNTED)
    preset = load_preset(train(path, tmp_path / "one.toml").path)
    for rounding in ("paper", "exact"):
        shares = compute("j", preset=preset, rounding=rounding)["output.probabilities"]
        assert shares.values[0, shares.columns.index("a")] == pytest.approx(0.7, abs=0.05)


@pytest.mark.ci
def test_what_never_follows_is_held_to_its_limit(tmp_path):
    path = written(tmp_path, ("margin = 20", "outside = 0.01"))
    assert "by 2 points, with at most 0.01 outside; the worst:" in refused(path)
    spec = read_spec(written(tmp_path, *COUNTED))
    preset = load_preset(train(tmp_path / "spec.toml", tmp_path / "one.toml").path)
    found = list(answers(preset, spec.prompts, spec.counts))
    after_j = [one for one in found if one.prompt == "j"]
    assert len(after_j) == 4
    assert max(one.outside for one in after_j) < 0.1, "both may follow"
    alone = [one for one in answers(preset, spec.prompts) if one.prompt == "j"]
    assert all(one.outside > 20 for one in alone)
    assert failures(alone, 0) == []
    assert failures(alone, 0, 20) == sorted(alone, key=lambda one: one.margin)


@pytest.mark.parametrize(("old", "new", "expected"), MISTAKES["preset"])
def test_a_mistake_of_the_preset_is_named(tmp_path, old, new, expected):
    strict = ("[vocabulary]", '[mask]\nkind = "strict"\n\n[vocabulary]')
    assert expected in refused(written(tmp_path, (old, new), strict))


def test_an_existing_file_is_not_replaced(tmp_path):
    (tmp_path / "one.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="exists already"):
        train(written(tmp_path), tmp_path / "one.toml")


@pytest.mark.ci
def test_a_network_that_is_another_model_stops(tmp_path):
    path = written(tmp_path)
    preset = load_preset(train(path, tmp_path / "one.toml").path)
    with pytest.raises(RuntimeError, match="do not compute the same model"):
        require_same_model(preset, read_spec(path).prompts, np.zeros((2, 2)))
