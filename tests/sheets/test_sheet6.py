"""Sheet 6: the sources' numbers, draws, what it asks and brings, the loss, outputs of one's own."""

import re
from functools import partial

import numpy as np
import pytest

import generator
from generator.engine.model import compute
from generator.errors import UserError
from generator.insight.output_layer import OutputSteps, cached_products
from generator.locales.catalogue import load
from generator.presets.load import load_preset, parse
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.sheets.sheet6.view import View6
from tests.support import battery
from tests.support.covering import each
from tests.support.recalculate import edit_cells, ironcalc_values
from tests.support.sheets import (
    TWELVE_WORDS,
    Cells,
    html,
    html_of,
    pdf,
    pdf_of,
    solved,
    text,
    traces,
)
from tests.support.structure import stays_within
from tests.support.views import page
from tests.support.words import words as read
from tests.support.workbook import book, compare

sheet6 = SERIES["6"]

shown = partial(html_of, "6")  # of a preset's own sentence


@pytest.mark.parametrize(("level", "most"), [(1, 16), (2, 30), (3, 47)])
@pytest.mark.parametrize("words", [2, 7, 8, 9, 12])
@pytest.mark.parametrize(("sheet", "least"), [("6", 5), ("generate", 4)])
def test_every_size_of_vocabulary_keeps_the_limits(sheet, least, level, most, words):
    names = "Ute Oma Eva Tom Udo Pia Leo Ina Kai Ben Lea Max"
    given = (*traces("random", "de", names[: 4 * words]), SheetOptions(level=level))
    assert least <= battery.boxes(sheet, *given) <= most


def test_the_origin_of_the_last_vector_is_said():
    assert "nach Block 1" in shown("katze")
    assert "vorgegeben" in shown("ausgabe")


OWN = """
format = 1
name = "own"
language = "de"
title = { de = "a", en = "a" }
sentence = { de = "ja nein", en = "yes no" }
rounding = "paper"
meaningful = true
model = { d_model = 2, parts = ["output"] }
start = { kind = "vector", value = [1.5, -0.5] }
softmax = { SOFTMAX }
output = { kind = "own" }
sampling = { temperatures = [TEMPERATURES] }
vocabulary = { words = { ja = [1.0, 0.0], nein = [0.0, 1.0] } }
translation = { en = { ja = "yes", nein = "no" } }
weights = { "output.matrix" = [[1, 2], [0.5, -1]], "output.bias" = [[0.3, -0.2]] }
"""


def own(temperatures: str, softmax: str = "base = 2"):
    source = OWN.replace("TEMPERATURES", temperatures).replace("SOFTMAX", softmax)
    return compute(parse(source, "own.toml"))


def test_an_output_of_its_own_with_a_bias_and_another_base():
    trace = own("1.0, 0.5")
    document = page(sheet6.plan(trace, 3), trace, trace, SheetOptions(), Formulas(), blank=False)
    assert "eigene Matrix" in document
    assert "1,5 · 1,5 + (−0,5) · 1,0 + 0,1 = <b>1,85</b>" in document  # the sum of the logits
    assert "<i>2</i><sup>" in document
    battery.cells_are_the_traces("6", trace, trace, SheetOptions(level=3))


def test_one_temperature_or_a_shifted_softmax_is_said():
    with pytest.raises(UserError, match=r"one temperature only.*'katze'"):
        sheet6.plan(own("1.0"), 2)
    with pytest.raises(UserError, match=r"subtracts the largest logit.*'katze'"):
        sheet6.plan(own("1.0, 0.5", 'shifted = "always"'), 2)


def row(view: Context, step: str, i: int = 0) -> list:
    return view.trace[step].values[i].tolist()


def test_another_temperature_that_is_drawn_with():
    trace = generator.compute(preset="katze", edits={"temperature": 0.7})
    plan = sheet6.plan(trace, 2)
    assert plan.drawn == 1
    assert plan.heated == (0,)
    assert "T = 0,7" in page(plan, trace, trace, SheetOptions(), Formulas(), blank=True)
    same = generator.compute(preset="katze", edits={"temperature": 0.5})
    assert sheet6.plan(same, 2).heated == (2,)


@pytest.mark.parametrize("preset", ["katze", "katze-trained", "nihao"])
def test_the_first_level_asks_the_words_that_may_come_next(preset):
    trace, _ = traces(preset, "de")
    plan = sheet6.plan(trace, 1)
    logits = trace["output.logits"].values[0]
    others = [j for j in range(len(logits)) if j not in plan.words]
    assert len(plan.words) == min(3, len(logits))
    assert min(logits[list(plan.words)]) >= max(logits[others])
    assert not any(cell[0] == "output.logits" for cell in plan.asked)
    assert trace["output.probabilities"].values[plan.heated[0], list(plan.words)].max() > 0.1


@pytest.mark.parametrize("preset", ["katze", "ausgabe", "katze-trained", "nihao", "induction"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_asked_shares_say_something(preset, level):
    """Beyond three words none is asked whose share is next to nothing."""
    plan = sheet6.plan(trace := traces(preset, "de")[0], level)
    shares = trace["output.probabilities"].values
    asked = {row: [j for step, i, j in plan.asked if step == "output.probabilities" and i == row]
             for row in plan.heated}  # fmt: skip
    for row, words in asked.items():
        assert len(words) >= min(3, len(shares[row]))
        assert len(words) <= 3 or min(shares[row, words]) >= 0.005
    counts = [(shares[row] >= 0.005).sum() for row in plan.shown if row != plan.drawn]
    assert (shares[plan.heated[0]] >= 0.005).sum() == max(counts)


def test_a_model_that_is_sure_is_heated():
    """Cold, all shares but three would be 0.00: the warm ones are asked."""
    trace, _ = traces("ausgabe", "de")
    probabilities = trace["output.probabilities"]
    sure = probabilities.values.copy()
    sure[0] = [0, 0, 0, 0.004, 0.006, 0.99]
    other = trace.with_steps([probabilities._replace(values=sure)])
    assert sheet6.plan(trace, 2).heated == (0,)
    assert sheet6.plan(other, 2).heated == (2,)
    third = sheet6.plan(other, 3)
    assert third.heated == (2, 0)
    cold = {j for step, i, j in third.asked if step == "output.probabilities" and i == 0}
    assert cold == {3, 4, 5} | set(
        sorted(range(6), key=lambda j: -trace["output.logits"].values[0, j])[:3]
    )


def test_the_last_vector_is_brought_from_sheet_5():
    """The row of "Matte" at the end of the only block, where pupils were asked for it there."""
    trace = compute(load_preset("katze"), exercise=5)
    given, own, early = (
        Cells(
            html(trace, trace, SheetOptions(carry=carry, level=level), blank=True, sheet="6")
        ).found
        for carry, level in (("given", 3), ("own", 3), ("own", 2))
    )
    assert not any(ask for (step, _, _), ask, _ in early if step == "last"), "level 2 ends before"
    vector = [(ask, value) for (step, _, _), ask, value in given if step == "last"]
    assert vector == [(False, value) for value in ("−1,47", "0,78", "−0,37", "1,06")]
    assert [(ask, v) for (step, _, _), ask, v in own if step == "last"] == [(True, "")] * 4
    assert shown("ausgabe", carry="given") == shown("ausgabe", carry="own")


def test_a_long_last_vector_has_room_for_its_numbers():
    for preset, columns in (("katze", 4), ("induction", 8)):
        given = r'<table class="output given">\s*<colgroup>(.*?)</colgroup>'
        group = re.search(given, shown(preset))
        widths = [float(w) for w in re.findall(r"width: ([\d.]+)mm", group[1])]
        assert sum(widths) == pytest.approx(170, abs=0.1)
        assert len(widths) == 1 + columns + 4
        assert min(widths[1 : columns + 1]) >= 9


def test_bars_are_sorted_and_stand_on_one_page():
    for preset, drawn in (("katze", 8), ("katze-trained", 5)):  # none of a given P of 0
        view = solved("6", preset, 2)
        page = shown(preset)
        words = re.findall(r'<tr class="worked"><th scope="row" class="word">([^<]+)<', page)
        words += re.findall(r'<div class="group"><span class="word">([^<]+)<', page)
        bars, shares = (
            [
                row(view, "draw.share")[[view.label(one) for one in view.words].index(word)]
                for word in words
            ],
            row(view, "draw.share"),
        )
        given = sorted(shares, reverse=True)[:8]
        assert bars == [*given, *given[:drawn]]
        assert len(given[:drawn]) == sum(one > 0 for one in given)


def test_bars_that_leave_words_out_say_how_many_there_are():
    for preset, some in (("katze", False), ("katze-trained", True)):
        assert ("8 größten Logits" in shown(preset)) == some


def test_each_logit_is_written_out_unless_pupils_bring_the_vector():
    trace = compute(load_preset("katze"), exercise=5)
    told = [
        read(html(trace, trace, SheetOptions(carry=carry, level=3), blank=True, sheet="6"))
        for carry in ("given", "own")
    ]
    line = "(−1,47) · 0,0 + 0,78 · 0,0 + (−0,37) · 0,0 + 1,06 · 0,9"  # of "Matte"
    assert [text.count(line) for text in told] == [1, 0]
    assert ["Alle Logits ausgerechnet" in text for text in told] == [True, False]


def test_the_boxes_of_the_check_are_filled_in_the_solution_only():
    view = solved("6", "katze", 3)
    pages = (shown("katze", blank=blank, level=3) for blank in (False, True))
    boxes = [re.findall(r'<td class="own">.*?</td>', page) for page in pages]
    sums = [view.show(step, view.trace[name].values[i, 0]) for i in view.plan.heated
            for name, step in (("check.exponents", "output.tempered"),
                               ("check.shares", "output.probabilities"))]  # fmt: skip
    assert [re.search(r'answer">([^<]+)<', box)[1] for box in boxes[0]] == sums
    assert sums[:2] == ["−2,260", "0,998"]
    assert len(boxes[1]) == len(boxes[0]) == 4
    assert not any("answer" in box for box in boxes[1])


SKILL = re.compile(r'<th scope="row" class="skill">(\w+) · .*?</td>(<td>.*?</td>)', re.DOTALL)


def test_pupils_tick_what_they_can_do_on_the_sheets_of_this_model(preset, names):
    found = [
        SKILL.findall(shown(preset, "en", story=story, blank=blank))
        for story in (True, False)
        for blank in (True, False)
    ]
    assert sorted(name for name, _ in found[0]) == names
    assert found.count(found[0]) == 4, "it is no task: a solution leaves it open"
    assert all('class="self"' in cell for _, cell in found[0])


WORD = "Donaudampfschifffahrtsgesellschaftskapitän"
LONG = f"Der {WORD} isst mit Appetit Kuchen"  # a vocabulary of 12 words with those of katze


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
    document = shown("ausgabe", blank=False)
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


def test_what_a_cache_saves():
    assert cached_products(traces("katze", "de")[0]) == (6, 2, 4, 4, 1)
    assert solved("6", "katze", 2).saved().replace("\u00a0", " ") == "6 · 2 · 4 · 4 = 192"
    assert solved("6", "ausgabe", 2).saved() == ""


WAY = re.compile(r"<td>(?:<[^>]+>)*([^<]+)(?:<[^>]+>)*</td>")


@pytest.mark.parametrize(("preset", "language"), [("katze", "de"), ("ausgabe", "en")])
def test_the_teacher_sees_what_each_way_of_choosing_leaves(preset, language):
    """Source 003: greedy, top-k, top-p with this sentence's numbers; T to 0 and without end."""
    trace, _ = traces(preset, language)
    page = shown(preset, language, blank=False)
    assert 'strips board"' not in shown(preset, language)
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
        told = [written(1 / len(shares)), written(shares[j]), cold, *left]
        assert [row[0], row[2], *row[4:]] == told
    assert len(rows) == len(shares)


def test_equal_leaders_share_as_the_temperature_goes_to_0():
    trace, _ = traces("katze", "de")
    logits = trace["output.logits"]
    values = logits.values.copy()
    values[0, :2] = values.max()
    other = OutputSteps(trace.with_steps([logits._replace(values=values)]).scratch(), 0)
    other.extremes()
    cold = other.chain["cold.shared"].values
    ties = (values[0] == values.max()).sum()
    assert ties > 1
    assert np.count_nonzero(cold) == ties
    assert set(cold[0].tolist()) == {0.0, round(1 / ties, 3)}


WORDS = {"de": "Matte", "en": "mat"}


def with_next(preset: str, language: str):
    options = {"preset": preset, "language": language, "edits": {"loss.target": WORDS[language]}}
    return generator.compute(**options), generator.compute(rounding="exact", **options)


def test_blank_equals_solution_outside_the_answers():
    battery.blank_is_solution_without_answers("6", *with_next("katze", "de"), SheetOptions())


@pytest.mark.parametrize("level", [1, 2, 3])
def test_counts_cells_and_no_leak(level):
    trace, exact = with_next("ausgabe", "en")
    options = SheetOptions(language="en", level=level)
    assert battery.boxes("6", trace, exact, options) == {1: 13, 2: 28, 3: 47}[level]
    assert sheet6.plan(trace, level).minutes == {1: 11, 2: 18, 3: 23}[level]
    battery.blank_does_not_hang_on_answers("6", trace, exact, options)
    battery.cells_are_the_traces("6", trace, exact, options)


@pytest.mark.parametrize(
    ("preset", "language", "level", "pages"),
    each(2, [("katze", "de", 2, 4), ("ausgabe", "en", 3, 5)]),
)
def test_it_takes_no_page_more(preset, language, level, pages):
    options = SheetOptions(language=language, level=level)
    document = pdf(*with_next(preset, language), options, "blank", "6")
    assert stays_within(document) == pages
    assert WORDS[language] in text(document)


def test_the_numbers_and_the_slips_by_hand():
    trace, exact = with_next("katze", "de")
    document = html(trace, exact, SheetOptions(), blank=False, sheet="6")
    assert "In Wirklichkeit kommt „Matte“" in document
    for number in ("0,366", "1,005", "2,732"):
        assert number in document
    plan = sheet6.plan(trace, 2)
    whole = trace.with_steps(plan.extra)
    view = View6(plan, whole, exact, SheetOptions(), load("de"), Formulas(), False)
    wrong = {slip.key: round(slip.wrong, 3) for slip in view.slips() if "loss." in slip.step}
    assert wrong == {"decimal": 0.437, "per_cent": -3.600}  # −log₁₀ 0.366 and −ln 36.6


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_the_workbook_computes_it_live_from_the_word(rounding):
    options = {"preset": "katze", "rounding": rounding, "controls": True}
    made = book(generator.compute(edits={"loss.target": "Matte"}, **options), "de")
    assert compare(made, ironcalc_values(made.xlsx)) > 500
    typed = {"loss.target": "Katze", "temperature": 0.5}
    values = ironcalc_values(edit_cells(made.xlsx, made.typed(typed)))
    expected = generator.compute(edits=typed, **options)
    assert expected["loss.perplexity"].values != made.trace["loss.perplexity"].values
    compare(made, values, expected)


@pytest.mark.parametrize("count", range(2, 13))
def test_no_power_is_asked_that_has_too_many_digits_to_write(count):
    """At T = 0.5 one of `katze-trained` is 119640264.198: it is printed, like its Σ."""
    said = " ".join(TWELVE_WORDS.split()[:count])
    both = traces("katze-trained", "de", said)
    plan = solved("6", "katze-trained", 3, sentence=said).plan
    powers = {
        (i, j): both[0]["output.exp"].values[i, j] for n, i, j in plan.asked if n == "output.exp"
    }
    assert powers
    assert max(powers.values()) < 9_000
    blank = html(*both, SheetOptions(level=3), blank=True, sheet="6")
    long = [i for i in plan.heated if i not in {i for i, _ in powers}]
    assert list(plan.looked_up) == long
    assert ("Die langen Potenzen sind gegeben" in blank) is bool(long)
    assert not {("output.sum", i, 0) for i in long} & plan.asked


@pytest.mark.parametrize(("level", "pages"), [(1, 2), (2, 2), (3, 3)])
def test_hints_below_the_bars_take_no_page_where_the_whole_series_is_ticked(level, pages):
    """katze-trained: eight sheets to tick; what comes next has no room below them."""
    made = pdf_of("6", "katze-trained", level=level, part="work")
    assert stays_within(made) == pages


def test_what_the_own_shares_would_give_stands_beside_the_tally():
    """katze-trained at T = 2: P of "." is 0.503, so 10.1 of 20; at ● nobody computes it."""
    view = solved("6", "katze-trained", 2)
    dot = view.words.index(".")
    assert [view.expected(dot, row) for row in (view.plan.drawn, view.plan.heated[0])] == [
        "13,3",
        "10,1",
    ]
    rows = [
        re.findall(r"20 [^<]*<i>P</i>, T = 2,0</th>(.*?)</tr>", page, re.S)[0]
        for page in (shown("katze-trained", blank=blank, level=2) for blank in (True, False))
    ]
    asked = len(view.plan.words)
    assert [row.count('class="write"') for row in rows] == [asked, asked]
    assert [row.count('class="answer"') for row in rows] == [0, asked]
    assert "<i>P</i>, T = 2,0</th>" not in shown("katze-trained", level=1)


@pytest.mark.parametrize("sheet", ["6", "generate"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_a_label_that_is_a_dot_stands_in_quotation_marks(sheet: str, language: str) -> None:
    quoted = load(language).t("sheet.quoted", text=".")
    options = SheetOptions(level=2, language=language)
    for blank in (True, False):
        shown = html(*traces("katze-trained", language), options, blank=blank, sheet=sheet)
        labels = re.findall(r"<(?:th|span)[^>]*(?:word|col)[^>]*>([^<]*)</", shown)
        assert quoted in labels
        assert "." not in labels
