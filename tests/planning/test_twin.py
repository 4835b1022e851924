"""The twin leaf shows the shares of both heads, and of the pupils' own row only in the solution."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import generator
from generator.cli import main
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.planning.papers import Planning
from generator.planning.twin import HeadPicture
from generator.render.worksheet.binding import page_count
from generator.render.worksheet.sheet_check import tampered
from generator.sheets.plan import Plan
from tests.presets.test_import import CONFIG, run, tensors, tokenizer
from tests.support.covering import covering
from tests.support.sheets import traces

PARTS = {"de": ["Die", "ĠKat", "ze", "Ġs", "itzt", "Ġauf", "Ġder", "ĠMat", "te"],
         "en": ["The", "Ġcat", "Ġsits", "Ġon", "Ġthe", "Ġmat"]}  # fmt: skip


def checkpoint(folder: Path, language: str) -> Path:
    """The preset of a tiny model in GPT-2's own files, with byte-level word parts."""
    parts = PARTS[language]
    letters = sorted({*"".join(parts)})
    grown = [part[:k] for part in parts for k in range(2, len(part) + 1)]
    vocab = list(dict.fromkeys([*letters, *grown]))
    merges = [[one[:-1], one[-1]] for one in dict.fromkeys(grown)]
    written = tokenizer(vocab={word: k for k, word in enumerate(vocab)}, merges=merges)
    (folder / "tokenizer.json").write_text(json.dumps(written))
    numbers = tensors()
    for name, rows in (("wte", len(vocab)), ("wpe", 16)):
        numbers[f"transformer.{name}.weight"] = np.sin(np.arange(rows * 6.0) * 1.7).reshape(-1, 6)
    config = {**CONFIG, "vocab_size": len(vocab), "n_positions": 16}
    as_stored = {name: array.astype(np.float32) for name, array in numbers.items()}
    return run(folder, "--sentence", PARTS[language][0], config=config, numbers=as_stored)


def leaf(trace: Trace, other: Path | str, head: str, *, blank: bool) -> str:
    papers = Planning.asked(trace, ["4a"], 45, twin=other, head=head)
    return papers.twin_html(papers.whole, blank=blank)


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_head_of_an_imported_gpt2_stands_beside_the_pupils(language, tmp_path):
    trace = traces("katze-trained", language)[0]
    other = checkpoint(tmp_path, language)
    shares = generator.compute(trace.sentence, preset=other)["block2.head1.weights"].values
    page = leaf(trace, other, "block2.head1", blank=False)
    t, right = load(language).t, page.rpartition("head-picture")[2]
    shown = re.findall(r'<rect[^>]*width="([0-9.]+)" height="\1" fill="#d5dde2"', right)
    sides = [float(x) for x in shown]
    seen = [shares[i, j] for i in range(len(shares)) for j in range(i + 1)]
    np.testing.assert_allclose(sides, sides[0] * np.sqrt(seen), atol=0.02)
    assert t("plan.twin.space") in page
    differs = t("plan.twin.cut", name="mine", left=6, right=len(PARTS[language])) in page
    assert differs == (language == "de")
    assert t("plan.twin.masked") in right
    assert t("plan.twin.chosen") not in page


@pytest.mark.parametrize("preset", ["katze", "brille", "subject-verb"])
def test_a_blank_keeps_nothing_of_the_own_row(preset):
    trace = traces(preset, "en")[0]
    blank, solved = (leaf(trace, preset, "block1.head1", blank=one) for one in (True, False))
    own = {("block1.head1.weights", trace.exercise, j) for j in range(len(trace.tokens))}
    spoilt = tampered(trace, Plan(asked=frozenset(own)), 0.3)
    page = blank.partition("head-picture")[2].rpartition("head-picture")[0]
    papers = Planning.asked(trace, ["4a"], 45, twin=preset)
    twin = replace(papers.twin, house=replace(papers.twin.house, trace=spoilt))
    assert page in replace(papers, twin=twin).twin_html(papers.whole, blank=True)
    assert page not in solved
    assert 'class="answer"' not in blank


def picture(preset: str, head: str = "block1.head1") -> HeadPicture:
    return HeadPicture(generator.compute(preset=preset, language="en"), head, "en")


@pytest.mark.parametrize(
    ("preset", "pattern"), [("previous-word", "before"), ("brille", "none"), ("katze", "none")]
)
def test_a_pattern_is_said_where_half_of_the_shares_make_it(preset, pattern):
    page = leaf(traces("katze", "en")[0], preset, "block1.head1", blank=False)
    phrases = load("en").phrases
    said = {key for key in ("first", "itself", "before", "none")
            if phrases[f"plan.twin.pattern.{key}"].partition("{")[0] in page}  # fmt: skip
    assert said == {pattern}


def test_the_largest_share_of_a_row_is_all_that_are_as_large_in_print():
    one = picture("katze")
    for i in range(1, len(one.tokens)):
        row = [round(one.share(i, j) * 100) for j in range(len(one.tokens))]
        best = [one.tokens[j] for j, share in enumerate(row) if share == max(row)]
        assert [x.rpartition(" (")[0] for x in one.most(i)] == best


@pytest.mark.parametrize("preset", ["katze", "brille"])
def test_the_rows_to_compare_are_those_where_the_pictures_differ_most(preset):
    """Rather a row in which not the same tokens get most: nothing else is to be compared."""
    trace = traces("katze-trained", "de")[0]
    twin = Planning.asked(trace, ["4a"], 45, twin=preset, head="block1.head1").twin
    assert twin is not None
    left, right = (one.trace["block1.head1.weights"].values for one in twin.pictures)
    apart = np.abs(left - right).sum(axis=1).round(9)
    differ = [i for i in range(1, len(left))
              if {*best(left[i])} != {*best(right[i])}]  # fmt: skip
    assert differ
    row = max(differ, key=lambda i: apart[i])
    assert twin.rows == (row, row)
    page = leaf(trace, preset, "block1.head1", blank=True)
    assert load("de").t("plan.twin.row", row=twin.house.tokens[row]) in page


def best(shares: np.ndarray) -> list[int]:
    shown = [round(x * 100) for x in shares.tolist()]
    return [j for j, share in enumerate(shown) if share == max(shown)]


@pytest.mark.parametrize(
    ("asked", "part"),
    [({"head": "block1.head9"}, "has no head"), ({"twin": "random"}, "two pictures have room")],
)
def test_what_cannot_be_compared_is_said(asked, part):
    trace = generator.compute(" ".join(["cat"] * 9), preset="katze", language="en")
    with pytest.raises(UserError, match=part):
        Planning.asked(trace if "twin" in asked else traces("katze", "en")[0], ["4a"], 45,
                       **{"twin": "katze", **asked})  # fmt: skip


@pytest.mark.ci
@pytest.mark.parametrize(("preset", "language"), covering(["katze", "brille"], ["de", "en"]))
def test_the_leaf_is_one_page(preset, language, tmp_path):
    asked = ["--preset", preset, "--language", language, "--sheets", "4a", "--minutes", "45"]
    assert main(["plan", *asked, "--twin", preset, "--out", str(tmp_path)]) == 0
    paths = sorted(tmp_path.iterdir())
    pages = {path.stem: page_count(path.read_bytes()) for path in paths if "twin" in path.stem}
    assert pages == {"twin": 1, "twin-solution": 1}
