"""Sheet generate: the command's text, no leak, declared counts, rounds by hand, limits."""

import re
from dataclasses import replace

import numpy as np
import pytest

import generator
from generator.presets.load import load_preset
from generator.sheets.options import SheetOptions
from tests.support.sheets import Paper, paper, pictures, text
from tests.support.words import refused

PRESETS = ("katze", "katze-trained", "nihao", "random")
LONG = "Der Donaudampfschifffahrtsgesellschaftskapitän isst mit Appetit"


@pytest.mark.parametrize("sentence", ["Ute mag Eis", "Ute singt"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_with_few_words_no_page_is_next_to_empty(sentence, level):
    document = paper("generate", "random", sentence=sentence, level=level).pdf("blank")
    for picture in pictures(document, 40):
        ink = (picture < 250).any(axis=(1, 2))
        body = ink[round(0.06 * len(ink)) : round(0.93 * len(ink))]
        assert np.flatnonzero(body).max() > 0.5 * len(body)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_text_is_that_of_the_command_on_the_teacher_page(preset, language):
    one = paper("generate", preset, language)
    view = one.view
    assert ("--strategy" in one.solution) == view.plan.typed == (preset != "random")
    if not view.plan.typed:
        return  # its words are those of the sentence: the first two alone have fewer
    asked = {"preset": preset, "language": language, "tokens": 3}
    made = generator.generate(view.start(), strategy="sample", seed=view.plan.seed, **asked)
    assert view.plan.drawn == made.tokens
    assert view.telling()["text"] == made.text
    greedy = generator.generate(view.start(), strategy="greedy", **asked)
    assert view.telling()["greedy"] == greedy.text
    numbers = [view.trace[f"draw{n}.number"].values[0, 0] for n in (1, 2, 3)]
    assert numbers == [f"{round(choice.random * 100):02d}" for choice in made.choices]
    costs = [view.trace[f"cost.{name}"].values[0, 0] for name in ("with", "without")]
    assert costs == [2 + 1 + 1, 2 + 3 + 4]


@pytest.mark.parametrize("preset", PRESETS)
def test_where_the_distribution_allows_a_draw_lands_elsewhere_than_on_the_favourite(preset):
    view = paper("generate", preset, level=1).view
    rounds = [(view.trace[f"draw{n}.share"].values.max(), n) for n in (1, 2, 3)]
    hits = [view.trace[f"draw{n}.chance"].values[0, 0] == most for most, n in rounds]
    # nihao has learned a single text: any other word is far-fetched
    assert all(hits) == (preset == "nihao")
    told = re.findall(r'likeliest"><span class="answer">(\w+)', paper("generate", preset).solution)
    assert told == []  # asked at the first level only
    told = paper("generate", preset, level=1).solution
    assert re.findall(r'likeliest"><span class="answer">(\w+)', told) == [
        "ja" if hit else "nein" for hit in hits
    ]


def test_the_command_is_left_out_where_the_sentence_has_words_of_its_own():
    solution = paper("generate", sentence="Die Katze mag Eis").solution
    assert "--strategy" not in solution
    assert "Die Katze" in solution


def test_the_rounds_of_katze_are_those_of_computing_the_longer_sentences():
    view = paper("generate", level=3).view
    words = view.start()
    assert words == "Die Katze"
    for number, token in enumerate(view.plan.drawn, start=1):
        whole = generator.compute(words, preset="katze")
        assert view.trace[f"draw{number}.share"].values[0].tolist() == (
            whole["output.probabilities"].values[1].tolist()
        )
        words += f" {token}"
    for j, word in enumerate(view.words):
        after = generator.compute(f"Die Katze {word}", preset="katze")
        mine = view.trace["follow.share"].values[j].tolist()
        assert mine == after["output.probabilities"].values[1].tolist()
    one = generator.compute("Die", preset="katze")
    example = view.trace["example.share"].values[0].tolist()
    assert example == one["output.probabilities"].values[1].tolist()
    assert view.example == "Die"


@pytest.mark.parametrize("preset", PRESETS)
def test_what_moves_most_and_what_another_number_draws_are_read_off_the_tables(preset):
    view = paper("generate", preset, level=2).view
    told = view.telling()
    tables = [view.trace[f"draw{n}.share"] for n in (1, 2)]
    one, two = (dict(zip(t.columns, t.values[0].tolist(), strict=True)) for t in tables)
    moves = {word: two.get(word, 0) - one.get(word, 0) for word in view.words}
    assert moves[told["up"]] == max(moves.values())
    assert moves[told["down"]] == min(moves.values())
    ends = view.trace["draw1.cumulative"].values[0].tolist()
    hits = [next(j for j, end in enumerate(ends) if n / 100 < end - 1e-9) for n in range(100)]
    drawn = view.listed("draw1").index(told["token"])
    assert told["others"] == str(sum(hit != drawn for hit in hits))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_example_is_drawn_well_inside_its_longest_interval(preset, language):
    view = paper("generate", preset, language).view
    names = ("from", "cumulative", "share")
    starts, ends, shares = (view.trace[f"example.{name}"].values[0] for name in names)
    hit = int(view.trace["example.number"].values[0, 0]) / 100
    place = view.listed("example").index(view.hit())
    assert starts[place] <= hit < ends[place]
    assert ends[place] - starts[place] == (ends - starts).max()
    assert shares[place] >= max(shares) - 0.011
    edge = min(hit - starts[place], ends[place] - hit)
    assert edge >= 0.4 * (ends[place] - starts[place])


def test_the_draws_by_hand():
    """P of "Die Katze": 0.173 0.413 0.047 0.087 0.173 0.107."""
    one = paper("generate").view
    # 0.173 · 0.099 · 0.171 = 0.00292…; 3 rounds of 2, 3 and 4 tokens, a row for each,
    # with a cache a single row from the second one on.
    numbers = {
        "draw1.cumulative": [0.17, 0.59, 0.63, 0.72, 0.89, 1.0],
        "draw1.digits": ["00–16", "17–58", "59–62", "63–71", "72–88", "89–99"],
        "draw1.number": ["09"],
        "path.together": [0.0029],
        "cost.without": [9],
        "cost.with": [4],
    }
    assert {name: one.trace[name].values[0].tolist() for name in numbers} == numbers
    assert one.plan.drawn[0] == "Die"


@pytest.mark.parametrize("preset", ["katze-trained", "katze"])
def test_words_with_a_share_of_0_have_no_row_but_are_named(preset):
    one = paper("generate", preset, level=3)
    view, document = one.view, one.blank
    whole = generator.compute(view.start(), preset=preset)["sampling.share"]
    shares = dict(zip(whole.columns, whole.values[0].tolist(), strict=True))
    listed = [word for word, share in shares.items() if share]
    assert list(view.listed("draw1")) == listed
    assert view.trace.values("draw1.share")[0].tolist() == [shares[word] for word in listed]
    assert len(set(re.findall(r'data-cell="draw1\.cumulative\|0\|(\d+)"', document))) == len(listed)
    left = shares.keys() - set(listed)
    assert (len(left) > 0) == (preset == "katze-trained")
    assert all(f"„{word}“" in view.never("draw1") for word in left)
    assert view.never("draw1") in document


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rule_of_the_limit_is_read_off_the_example(preset):
    """The intervals of the example itself show it: the next one begins where one has ended."""
    view = paper("generate", preset, "en").view
    ends = view.trace["example.cumulative"].values[0].tolist()
    limit, last = view.limit()
    assert any(end == float(limit) < 1 for end in ends)
    assert int(last) == round(100 * float(limit)) - 1
    digits = view.trace["example.digits"].values[0].tolist()
    assert any(numbers[:2] == f"{int(last) + 1:02d}" for numbers in digits)


def test_exact_arithmetic_is_drawn_from_the_table_as_printed():
    trace = generator.compute(preset="katze", rounding="exact")
    one = Paper("generate", trace, trace, SheetOptions())
    steps, drawn = {step.name: step.values for step in one.plan.extra}, one.plan.drawn
    for number in (1, 2, 3):
        ends = steps[f"draw{number}.cumulative"][0].tolist()
        hit = int(steps[f"draw{number}.number"][0, 0])
        place = next(j for j, end in enumerate(ends) if hit < round(end * 100))
        assert trace["vocabulary.words"].values[place, 0] == drawn[number - 1]
    assert "Runde 3" in one.blank


def test_long_words_are_drawn_by_their_id():
    view = paper("generate", sentence=LONG).view
    assert view.plan.by_number
    assert not view.plan.follows
    assert view.trace["draw1.token"].values[0, 0] == str(view.words.index(view.plan.drawn[0]))


def test_a_vocabulary_too_large_is_said():
    trace = generator.compute("a b c d e f g", preset=replace(load_preset("katze"), own="keep"))
    with refused("13 words", "2 to 12", "paperformer generate"):
        _ = Paper("generate", trace, trace, SheetOptions()).plan


def test_without_a_cache_nothing_is_said_of_one():
    trace = generator.compute(preset="katze", edits={"block1.head1.weight.query[1,1]": 0.9})
    one = Paper("generate", trace, trace, SheetOptions())
    assert not one.plan.costs
    assert ["KV-Cache" in page for page in (one.solution, paper("generate").blank)] == [False, True]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_work_leaf_has_a_scratch_field(level):
    assert paper("generate", level=level, part="work").blank.count('class="scratch"') == 1


def test_no_line_of_the_command_ends_within_an_option():
    shown = text(paper("generate", language="en").pdf())
    assert "--tokens 3" in " ".join(shown.split())
    assert not re.search(r"-\s*[\r\n]+\s*-?(?:tokens|seed|preset)", shown)
