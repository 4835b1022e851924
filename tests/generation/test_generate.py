"""Generation: the same text with and without a KV cache, seeds, counts by hand, limits."""

import dataclasses
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

import generator
from generator.cli import main
from generator.engine.draws import random_of
from generator.engine.model import compute
from generator.generation.generate import render
from generator.generation.text_so_far import begin
from generator.presets.load import load_preset
from tests.support.words import refused

STEEP, REFUSED = (Path(__file__).with_name(f"{name}.toml") for name in ("steep", "refused"))


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_a_cache_changes_nothing_but_the_work(preset, sentence, options, rounding):
    made, anew = (
        generator.generate(
            sentence, preset=preset, tokens=6, rounding=rounding, cache=cache, **options
        )
        for cache in (True, False)
    )
    assert made.cached
    assert not anew.cached
    assert made.tokens == anew.tokens
    shares = [[choice.probability for choice in one.choices] for one in (made, anew)]
    assert shares[0] == (shares[1] if rounding == "paper" else pytest.approx(shares[1], abs=1e-12))
    assert made.without_cache == anew.without_cache == anew.multiplications
    assert made.multiplications < 0.6 * anew.multiplications


@pytest.mark.parametrize("preset", ["katze", "nihao", "random", "katze-trained"])
@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_every_number_of_the_new_row_is_that_of_the_whole_table(preset, rounding):
    first = compute(load_preset(preset), rounding=rounding)
    row, whole = (begin(first, cache=cache) for cache in (True, False))
    for token in (first.tokens[1], first.tokens[0]):
        row, whole = row.then(token), whole.then(token)
        compared = 0
        for step in whole.trace:
            if step.text or step.name in ("similarity", "ids") or step.name not in row.trace:
                continue
            mine = row.trace[step.name].values
            theirs = step.values if len(step.values) == len(mine) else step.values[-1:]
            assert np.array_equal(np.isinf(mine), np.isinf(theirs)), step.name
            assert np.allclose(mine, theirs, rtol=1e-12, atol=1e-12), step.name
            compared += len(step.values) > len(mine)
        assert compared > 20


def test_paper_arithmetic_is_that_of_compute_with_rounds():
    made = generator.generate(preset="katze", tokens=4, strategy="sample", seed=7)
    preset = dataclasses.replace(
        load_preset("katze"), strategy="sample", seed=7, random=random_of(7, "")
    )
    trace = compute(preset, rounds=4)
    names = ["sampling.next", *(f"round{r}.sampling.next" for r in (2, 3, 4))]
    assert made.tokens == tuple(trace[name].values[0, 0] for name in names)
    randoms = [trace[n.replace("next", "random")].values[0, 0] for n in names]
    assert [choice.random for choice in made.choices] == randoms
    greedy = compute(load_preset("nihao"), "你", rounds=5)
    told = generator.generate("你", preset="nihao", tokens=5)
    assert told.text == "你好世界你好"
    assert told.tokens[-1] == greedy["round5.sampling.next"].values[0, 0]


def test_the_same_seed_gives_the_same_text():
    texts = [
        generator.generate(preset="katze", strategy="sample", temperature=2.0, seed=seed).text
        for seed in (7, 7, 8)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_a_frozen_vector_of_random_numbers():
    # SHA-256 of "paperformer/1|sampling.random|7||0": first 8 bytes modulo 100, by hashlib alone.
    assert [random_of(7, prefix) for prefix in ("", "round2.", "round3.")] == [0.16, 0.33, 0.64]


def test_counts_by_hand():
    """katze: d = 4, 2 heads of 2, d_ff = 8, 6 words.

    A row takes 2·3·4·2 = 48 for Q, K and V, 4·4 = 16 for W_O, 4·8 + 8·4 = 64 for the feed-forward
    network, together 128; its scores and its output 2·(2n + 2n) = 8n for n tokens; the logits
    4·6 = 24. All rows of n tokens: 128n + 8n² + 24; a new row: 128 + 8n + 24.
    """
    made = generator.generate("Die Katze", preset="katze", tokens=3)
    whole = {n: 128 * n + 8 * n * n + 24 for n in (2, 3, 4)}
    assert made.without_cache == sum(whole.values()) == 1456
    assert made.multiplications == whole[2] + (152 + 24) + (152 + 32) == 672
    assert "with KV cache 672 multiplications, without 1,456: 54% saved" in render(made, "text")


def test_a_shift_that_only_a_new_token_needs_is_made_for_all_rows():
    """Keys that make the exponentials overflow: the earlier rows are computed again."""
    first = compute(load_preset(STEEP))
    row, whole = (begin(first, cache=cache).then("c") for cache in (True, False))
    assert "block1.head1.shifted" not in first
    assert "block1.head1.shifted" in row.trace
    assert row.done == whole.done, "all rows were computed again"
    later = row.then("a")
    assert later.done < later.whole, "and from then on the cache is used again"
    assert "block1.head1.shifted" in later.trace
    expected = whole.then("a").trace["output.logits"].values
    assert np.allclose(later.trace["output.logits"].values, expected, rtol=1e-12)


def test_without_a_mask_nothing_is_stored():
    free = dataclasses.replace(load_preset("katze"), mask="none")
    made = generator.generate(preset=free, tokens=3)
    assert not made.cached
    assert made.multiplications == made.without_cache
    assert "everything computed anew" in render(made, "text")


@pytest.mark.parametrize("row", tomllib.loads(REFUSED.read_text("utf-8"))["rows"])
def test_what_cannot_be_generated_is_said(row):
    with refused(*row["parts"]):
        generator.generate(**row["options"])


def test_nine_tokens_fill_the_learned_positions():
    assert len(generator.generate(preset="nihao", tokens=9).tokens) == 9


def test_the_command(capsys: pytest.CaptureFixture[str]):
    words = ["generate", "The cat", *["--preset", "katze", "--language", "en", "--tokens", "3"]]
    words += ["--strategy", "sample", "--temperature", "0.8", "--seed", "7"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("The cat ")
    assert printed.count("drawn with 0.") == 3
    assert main([*words, "--format", "json", "--no-cache"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["format"] == "paperformer-generation/1"
    assert told["text"] == printed.splitlines()[0]
    assert told["kv_cache"] is False
    assert told["multiplications"] == {"done": 1456, "without_cache": 1456}
    assert main(["generate", "--tokens", "many"]) == 1
    assert "expected a whole number" in capsys.readouterr().err
