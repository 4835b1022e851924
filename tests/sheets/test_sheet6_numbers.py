"""The numbers of sheet 6: the sources', intervals without a gap, draws, slips, ways of choosing."""

import re

import numpy as np
import pytest

from generator.engine.model import compute
from generator.insight.output_layer import cached_products, extreme_steps
from generator.sheets.context import Context
from generator.sheets.options import SheetOptions
from generator.sheets.sheet6 import plan as sheet6
from tests.support.sheets import html, solved, traces

WORD = "Donaudampfschifffahrtsgesellschaftskapitän"
LONG = f"Der {WORD} isst mit Appetit Kuchen"  # a vocabulary of 12 words with those of katze


def row(view: Context, step: str, i: int = 0) -> list:
    return view.trace[step].values[i].tolist()


def test_the_numbers_of_source_003():
    view = solved("6", "ausgabe", 2)
    assert row(view, "output.logits") == [-0.09, 0.30, 0.46, 0.37, -0.09, 0.72]
    assert row(view, "output.exp", 1) == [0.914, 1.350, 1.584, 1.448, 0.914, 2.054]
    assert row(view, "output.sum", 1) == [8.264]
    assert row(view, "output.probabilities", 1) == [0.111, 0.163, 0.192, 0.175, 0.111, 0.249]
    assert row(view, "output.tempered")[1:3] + row(view, "output.tempered")[5:] == [0.6, 0.92, 1.44]
    assert row(view, "topk.tick") == row(view, "topp.tick") == ["", "", "✓", "✓", "", "✓"]
    assert row(view, "check.logits") == row(view, "check.sum") == [1.67]
    assert view.logit_tolerance() == ""
    document = html(*traces("ausgabe", "de"), SheetOptions(), blank=False, sheet="6")
    for number in ("24,9\u202f%", "8,264", "0,249", "2,054", "1,440", "4,221", "0,343"):
        assert number in document, number


def test_the_corrected_numbers_of_source_000():
    view = solved("6", "katze", 2)
    table = (view.trace["output.probabilities"].values.T * 100).round(1).tolist()
    assert table == [
        [0.7, 4.5, 9.5],
        [42.3, 34.1, 26.0],
        [4.3, 10.9, 14.7],
        [3.1, 9.3, 13.6],
        [0.7, 4.5, 9.5],
        [48.7, 36.6, 26.9],
    ]
    assert row(view, "check.logits") == [-1.12]
    assert row(view, "check.sum") == [-1.13]
    assert view.logit_tolerance() == "0,03"


@pytest.mark.parametrize("sentence", [None, "Der Hund sitzt", LONG])
def test_the_intervals_cover_00_to_99_once_and_their_ends_are_rounded_sums(sentence):
    view = solved("6", "katze", 2, sentence=sentence)
    shares, ends = (np.array(row(view, f"draw.{name}")) for name in ("share", "cumulative"))
    exact = np.cumsum(shares)[:-1]
    assert np.abs(ends[:-1] - exact).max() <= 0.005 + 1e-9
    assert ends[-1] == 1.0
    covered: list[int] = []
    for digits in row(view, "draw.digits"):
        first, _, last = digits.partition("–")
        covered += range(int(first), int(last or first) + 1) if first else []
    assert covered == list(range(100))


def test_the_intervals_of_ausgabe_are_those_of_the_workbook():
    trace, _ = traces("ausgabe", "de")
    drawn = compute(trace.preset, rounding="paper", edits={"sampling.strategy": "sample"})
    view = solved("6", "ausgabe", 2)
    for name in ("cumulative", "digits"):
        assert row(view, f"draw.{name}") == drawn[f"sampling.{name}"].values[0].tolist()


def test_printed_draws_hit_the_interval_that_the_table_gives():
    view = solved("6", "katze", 2)
    numbers = [int(n) for n in view.trace["draw.number"].values[:, 0]]
    assert numbers[:5] == [90, 17, 78, 16, 46]
    assert [f"{n:02d}" for n in numbers] == view.trace["draw.number"].values[:, 0].tolist()
    ends = row(view, "draw.cumulative")
    found = [view.words[next(j for j, end in enumerate(ends) if n < end * 100)] for n in numbers]
    assert found == view.trace["draw.token"].values[:, 0].tolist()
    assert sum(view.tally(j) for j in range(6)) == 20
    other = solved("6", "katze", 2, sentence="Die Katze").trace["draw.number"].values
    assert other.tolist() != view.trace["draw.number"].values.tolist()


def test_long_words_are_drawn_by_their_id():
    view = solved("6", "katze", 2, sentence=LONG)
    assert view.plan.by_number
    assert set(view.trace["draw.token"].values[:, 0]) <= {str(k) for k in range(12)}


def test_slips_by_hand():
    view = solved("6", "katze", 2)
    wrong = {slip.key: (slip.step, slip.j, round(slip.wrong, 3)) for slip in view.slips()}
    assert wrong == {
        "not_divided": ("output.probabilities", 5, 0.366),  # the share at T = 1
        "multiplied": ("output.probabilities", 5, 0.269),  # the share at T = 2
        "largest": ("output.probabilities", 5, 1.0),
        "negative": ("output.exp", 0, 9.777),  # e^2.28
        "added": ("draw.cumulative", 4, 0.64),  # 0.05 + 0.34 + 0.11 + 0.09 + 0.05
    }
    source = {
        slip.key: (slip.j, round(slip.wrong, 3)) for slip in solved("6", "ausgabe", 2).slips()
    }
    assert source["added"] == (2, 0.46)  # 0.11 + 0.16 + 0.19; rounding the sum gives 0.47
    assert source["negative"] == (0, 1.197)  # e^0.18
    assert "added" not in {slip.key for slip in solved("6", "katze", 1).slips()}


def test_what_a_cache_saves():
    assert cached_products(traces("katze", "de")[0]) == (6, 2, 4, 4, 1)
    assert solved("6", "katze", 2).saved().replace("\u00a0", " ") == "6 · 2 · 4 · 4 = 192"
    assert solved("6", "ausgabe", 2).saved() == ""


WAY = re.compile(r"<td>(?:<[^>]+>)*([^<]+)(?:<[^>]+>)*</td>")


@pytest.mark.parametrize(("preset", "language"), [("katze", "de"), ("ausgabe", "en")])
def test_the_teacher_sees_what_each_way_of_choosing_leaves(preset, language):
    """Source 003: greedy, top-k, top-p with this sentence's numbers; T to 0 and without end."""
    trace, exact = traces(preset, language)
    options = SheetOptions(language=language)
    page = html(trace, exact, options, blank=False, sheet="6")
    assert 'strips board"' not in html(trace, exact, options, blank=True, sheet="6")
    board = page.split('strips board"')[1].split("<tbody>")[1].split("</tbody>")[0]
    rows = [WAY.findall(row)[:7] for row in board.split("</tr>")[:-1]]
    shares = trace.values("output.probabilities")[1]
    order = np.argsort(-shares, kind="stable")
    plan = sheet6.plan(trace, 2)
    k, p = (
        int(one.values[0, 0] * 100) / 100 for one in plan.extra if one.name in ("topk.k", "topp.p")
    )
    most = next(n for n in range(1, 9) if shares[order[:n]].sum() >= p - 1e-9)
    ways = [shares, order[: int(k)], order[:most]]

    def written(number: float) -> str:
        return f"{number:.3f}".replace(".", "," if language == "de" else ".")

    for j, row in enumerate(rows):
        left = [written(shares[j] / shares[kept].sum()) if j in kept else "–" for kept in ways[1:]]
        cold = written(1) if j == order[0] else "–"
        assert [row[0], row[2], *row[4:]] == [
            written(1 / len(shares)),
            written(shares[j]),
            cold,
            *left,
        ]
    assert len(rows) == len(shares)


def test_equal_leaders_share_as_the_temperature_goes_to_0():
    trace, _ = traces("katze", "de")
    logits = trace["output.logits"]
    values = logits.values.copy()
    values[0, :2] = values.max()
    others = extreme_steps(trace.with_steps([logits._replace(values=values)]))
    (cold,) = (step.values for step in others if step.name == "cold.shared")
    ties = (values[0] == values.max()).sum()
    assert ties > 1
    assert np.count_nonzero(cold) == ties
    assert set(cold[0].tolist()) == {0.0, round(1 / ties, 3)}
