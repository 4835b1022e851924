"""From which numbers individual ones are drawn: the preset's [vary], or near its own."""

import hashlib

import numpy as np
import pytest

from generator.classroom.numbers import variation
from generator.classroom.numbers.fairness import unfair
from generator.classroom.numbers.task import PupilNumbers, Task
from generator.classroom.numbers.variation import Lot, choices, own_numbers
from generator.engine.preset import Range
from generator.errors import UserError
from generator.presets.load import FOLDER, parse
from generator.presets.portable import from_data, to_data
from generator.presets.schema import PresetError
from tests.support.classes import task

KATZE = (FOLDER / "katze.toml").read_text(encoding="utf-8")
BRILLE = (FOLDER / "brille.toml").read_text(encoding="utf-8")
TABLE = "vocabulary.embedding"


def varied(
    step: str, numbers: str, source: str = BRILLE, sheets: tuple[str, ...] = ("4a",)
) -> Task:
    """A class whose preset says what varies."""
    return Task(parse(f'{source}\n[vary."{step}"]\n{numbers}\n', "mine.toml"), sheets)


def table(given: Task, who: str = "01", step: str = TABLE) -> np.ndarray:
    """A pupil's own numbers of a step."""
    return given.trace(own_numbers(given, Lot("seed", who)).edits)[step].values


def test_a_range_in_the_preset_keeps_its_zeros():
    given = varied(TABLE, "from = 0.2\nto = 1.0\nstep = 0.2")
    base = given.base[TABLE].values
    for who in ("01", "02"):
        found = table(given, who)
        assert ((found == 0) == (base == 0)).all()
        assert set(found[found != 0].tolist()) <= {0.2, 0.4, 0.6, 0.8, 1.0}


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_range_with_a_share_of_zeros(share):
    given = varied(TABLE, f"from = -0.9\nto = 0.9\nstep = 0.1\nzeros = {share}")
    (cells,) = choices(given).values()
    assert cells[0].count(0.0) / len(cells[0]) == pytest.approx(share)
    zeros = np.mean([(table(given, f"{k}") == 0).mean() for k in range(40)])
    assert zeros == pytest.approx(share, abs=0.06)


def test_all_cells_may_be_zero_where_the_preset_says_so():
    given = varied(TABLE, "from = 1\nto = 1\nstep = 1\nzeros = 1", sheets=("1",))
    assert (table(given) == 0).all()


def test_weights_vary_where_the_preset_says_so():
    step = "block1.head1.weight.query"
    given = varied(step, "from = -1\nto = 1\nstep = 0.5\nzeros = 0.5")
    edits = own_numbers(given, Lot("seed", "01")).edits
    assert all(name.startswith(f"{step}[") for name in edits)
    assert np.array_equal(table(given), given.base[TABLE].values)


def test_a_draw_is_the_scheme_of_the_contract():
    """SHA-256 of `paperformer/1|purpose|seed|NFC(key)|counter`, by hand."""
    given = varied(TABLE, "from = 0.1\nto = 0.9\nstep = 0.1\nzeros = 0.01")
    drawn = own_numbers(given, Lot("0fa9", "Zoe\u0308"))
    (cells,) = choices(given).values()
    for k in (0, 5, 23):
        text = f"paperformer/1|pupil|0fa9|Zo\u00eb|{drawn.redrawn}|{TABLE}|{k}"
        number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        found = drawn.numbers.paper[TABLE].values.ravel()[k]
        assert found == cells[k][number % len(cells[k])]


def test_ranges_that_make_no_sense(step, numbers, message):
    with pytest.raises(PresetError) as caught:
        varied(step, numbers)
    assert f"vary.{step}" in str(caught.value)
    assert message in str(caught.value)


def test_ranges_survive_a_manifest():
    preset = varied(TABLE, "from = 0.2\nto = 1.0\nstep = 0.2").preset
    assert from_data(to_data(preset)).vary == preset.vary == {TABLE: Range(0.2, 1.0, 0.2)}


def test_numbers_move_within_the_limits_that_they_have():
    given = Task(parse(BRILLE, "x"), ("4a",))
    (cells,) = choices(given).values()
    assert cells[0] == (0.6, 0.7, 0.8, 0.9)  # of 0.9, the largest
    assert cells[1] == (0.1, 0.2, 0.3, 0.4)  # of 0.1; below is 0, which would be another pattern
    assert cells[2] == (0.0,)


def test_long_numbers_move_as_far_as_short_ones():
    source = BRILLE.replace("Die = [0.9, 0.1,", "Die = [0.8765, 0.1,")
    (cells,) = choices(Task(parse(source, "x"), ("4a",))).values()
    assert min(cells[0]) == pytest.approx(0.8765 - 0.27, abs=1e-9)
    assert max(cells[0]) == 0.9
    assert len(cells[0]) == 2935 + 1 - 1 or len(cells[0]) > 2900


def test_numbers_that_cannot_be_others():
    with pytest.raises(UserError) as caught:
        choices(varied(TABLE, "from = 0.5\nto = 0.5\nstep = 1"))
    assert "vocabulary.embedding has no number that could be another one" in str(caught.value)
    assert "--vary focus" in str(caught.value)


def test_no_fair_numbers_says_which_condition_fails_and_how_often(monkeypatch):
    monkeypatch.setattr(variation, "MOST_DRAWS", 40)
    given = varied(TABLE, "from = 7\nto = 9\nstep = 1")
    with pytest.raises(UserError) as caught:
        own_numbers(given, Lot("seed", "01"))
    told = str(caught.value)
    assert "preset 'brille', 'Die Katze sitzt auf der Matte', sheets 4a" in told
    assert "no fair numbers in 40 draws" in told
    assert "no scaled score beyond ±3: 40 times" in told
    assert "(the preset's own numbers do not meet it either)" not in told
    assert "--preset katze has fair numbers for these sheets; with --vary focus" in told
    assert "01" not in told


def test_a_preset_whose_own_numbers_are_not_fair_says_so(monkeypatch):
    monkeypatch.setattr(variation, "MOST_DRAWS", 40)
    for preset in ("previous-word", "induction"):
        with pytest.raises(UserError) as caught:
            own_numbers(task(preset, "4a"), Lot("seed", "01"))
        told = str(caught.value)
        assert "±3: 40 times (the preset's own numbers do not meet it either)" in told
        assert "--preset katze has fair numbers for these sheets" in told


def test_own_numbers_are_near_where_the_preset_names_a_range():
    """Its own scores are beyond ±3; in its range most are fair, and each word has its kind."""
    own = task("subject-verb", "4a")
    assert unfair(PupilNumbers(own, {}))
    found = [own_numbers(own, Lot("seed", f"{k:02}")) for k in range(5)]
    assert sum(one.redrawn for one in found) < 20
    kinds = own.base.values("vocabulary.embedding") != 0
    for one in found:
        assert ((one.numbers.paper.values("vocabulary.embedding") != 0) == kinds).all()


@pytest.mark.parametrize("preset", ["katze", "brille"])
def test_where_no_other_preset_works_none_is_named(monkeypatch, preset: str):
    monkeypatch.setattr(variation, "MOST_DRAWS", 20)
    no_keys = {"block1.head1.weight.key": [[0.0, 0.0]] * 4}  # so that all shares are equal
    with pytest.raises(UserError) as caught:
        own_numbers(task(preset, "4a", edits=no_keys), Lot("seed", "01"))
    told = str(caught.value)
    assert "fewer sheets at once, or another range in the preset's [vary] may help" in told
    assert "--preset" not in told


def test_a_wish_is_given_up_after_some_draws():
    """All embeddings 0.5 or 1.0: some asked number is nearly always exactly between two others."""
    source = KATZE.replace("default = 2", "default = 1")
    given = varied(TABLE, "from = 0.2\nto = 0.9\nstep = 0.1", source, ("4a", "5"))
    found = [own_numbers(given, Lot("seed", f"{k}")) for k in range(6)]
    assert max(one.redrawn for one in found) >= variation.MOST_WISHES
    assert any(variation.unfair(one.numbers) == variation.WISHED for one in found)
    assert all(variation.unfair(one.numbers) in ("", variation.WISHED) for one in found)
