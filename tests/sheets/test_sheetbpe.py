"""Sheet bpe: right counts, no leak, the declared boxes and minutes, the rounds by hand."""

import re

import pytest

from generator.engine.bpe import encode
from generator.errors import UserError
from generator.locales.locale import CorpusWords, FigureCorpus, locale_of
from generator.render.worksheet.worksheet import planned
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheetbpe import plan as sheetbpe
from generator.sheets.sheetbpe.view import forest, rules
from generator.sheets.slots import Filler
from tests.support.sheets import Cells, html, pdf, text, traces
from tests.support.views import view

SHEET = "bpe"
CASES = [("katze", "de", 1), ("katze", "en", 2), ("katze", "de", 3), ("ausgabe", "en", 3)]
LONG = "Der Donaudampfschifffahrtsgesellschaftskapitän isst mit Appetit Kuchen am Tisch"

# Counted by hand, round by round: the pairs in the order met, the winner, the new length.
ROUNDS = {
    "de": [  # kauf 6, kaufen 4, laufen 2, laute 3: 24 + 24 + 12 + 15 letters
        ({"k a": 10, "a u": 15, "u f": 12, "f e": 6, "e n": 6, "l a": 5, "u t": 3, "t e": 3}, 60),
        ({"k au": 10, "au f": 12, "f e": 6, "e n": 6, "l au": 5, "au t": 3, "t e": 3}, 48),
        ({"k auf": 10, "auf e": 6, "e n": 6, "l auf": 2, "l au": 3, "au t": 3, "t e": 3}, 38),
        ({"kauf e": 4, "e n": 6, "l auf": 2, "auf e": 2, "l au": 3, "au t": 3, "t e": 3}, 32),
    ],
    "en": [  # fun 7, funny 6, runner 2, sunny 3: 21 + 30 + 12 + 15 letters
        ({"f u": 13, "u n": 18, "n n": 11, "n y": 9, "r u": 2, "n e": 2, "e r": 2, "s u": 3}, 60),
        ({"f un": 13, "un n": 11, "n y": 9, "r un": 2, "n e": 2, "e r": 2, "s un": 3}, 47),
        ({"fun n": 6, "n y": 9, "r un": 2, "un n": 5, "n e": 2, "e r": 2, "s un": 3}, 38),
        ({"fun ny": 6, "r un": 2, "un n": 2, "n e": 2, "e r": 2, "s un": 3, "un ny": 3}, 32),
    ],
}
CUT = {  # the new word after 2, 3, 4 rounds, and its letters for each token
    "de": [("e i n k auf e n", 1.3), ("e i n kauf e n", 1.5), ("e i n kauf en", 1.8)],
    "en": [("un fun n y", 1.8), ("un fun ny", 2.3), ("un funny", 3.5)],
}


def case(preset: str, language: str, level: int):
    trace, exact = traces(preset, language)
    return trace, exact, SheetOptions(language=language, level=level)


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_rounds_as_counted_by_hand(language):
    trace, _ = traces("katze", language)
    whole = trace.with_steps(sheetbpe.plan(trace, 3).extra)
    for m, (pairs, length) in enumerate(ROUNDS[language], start=1):
        step = whole[f"bpe.merge{m}.pairs"]
        assert dict(zip(step.rows, step.values[:, 0], strict=True)) == pairs
        assert list(step.rows) == list(pairs)
        best = max(pairs, key=lambda pair: pairs[pair])
        assert list(pairs.values()).count(pairs[best]) == 1, "a tie in an asked round"
        assert whole[f"bpe.merge{m}.winner"].values[0, 0] == best
        assert whole[f"bpe.merge{m}.length"].values[0, 0] == length
    assert whole["bpe.length"].values[0, 0] == {"de": 75, "en": 78}[language]


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_new_word_as_cut_by_hand(language, level):
    trace, exact, options = case("katze", language, level)
    shown = Cells(html(trace, exact, options, blank=False, sheet=SHEET)).found
    pieces, ratio = CUT[language][level - 1]
    found = {cell[0]: value for cell, _, value in shown if cell[0].startswith("bpe.encoding")}
    spelled = str(ratio).replace(".", "," if language == "de" else ".")
    assert found == {"bpe.encoding.pieces": pieces, "bpe.encoding.ratio": spelled}


def test_the_asked_rounds_are_not_read_off_the_sheet_by_any_number():
    trace, exact, options = case("katze", "de", 3)
    blank = text(pdf(trace, exact, options, "blank", SHEET))
    for answer in ("48", "38", "32", "1,8", "kauf e n\n", "✓\n✓"):
        assert answer not in blank.replace("50\u202f000", ""), answer


@pytest.mark.parametrize(("preset", "language", "level"), CASES)
def test_no_round_shows_the_winner_of_an_asked_round_before_it(preset, language, level):
    trace, exact, options = case(preset, language, level)
    plan = planned(SHEET, trace, options)
    blank = html(trace, exact, options, blank=True, sheet=SHEET)
    rounds = re.findall(r'<div class="round .*?</table>\s*</div>', blank, re.DOTALL)
    assert len(rounds) == len(plan.rounds) == level
    whole = trace.with_steps(plan.extra)
    merged = {pair.replace(" ", "") for pair in _winners(whole, plan.rounds)}
    assert merged
    given = [re.findall(r'class="tile">([^<]+)<', part) for part in rounds]
    assert not merged & {piece for pieces in given for piece in pieces}
    assert given[0]
    assert not any(given[1:])
    solved = html(trace, exact, options, blank=False, sheet=SHEET)
    shown = re.findall(r'<div class="round .*?</table>\s*</div>', solved, re.DOTALL)
    for m, part in zip(plan.rounds[1:], shown[1:], strict=True):
        words, pairs = whole[f"bpe.merge{m - 1}.corpus"].values[:, 0], whole[f"bpe.merge{m}.pairs"]
        pieces = sum(len(word.split()) for word in words) + 2 * len(pairs.rows)
        assert len(re.findall(r'class="tile">([^<]+)<', part)) == pieces


def _winners(whole, rounds):
    return [whole[f"bpe.merge{m}.winner"].values[0, 0] for m in rounds]


def test_slips_have_their_place_and_only_those_of_asked_rounds_are_named():
    trace, exact, options = case("katze", "de", 2)
    found = view(planned(SHEET, trace, options), trace, exact, options, Formulas(), blank=False)
    assert [found.place(slip) for slip in found.slips()][2] == "Runde 3, l + au"
    level1 = sheetbpe.plan(trace, 1)
    first = view(level1, trace, exact, SheetOptions(level=1), Formulas(), blank=False)
    assert "used_up" not in {slip.key for slip in first.slips()}


def test_the_tree_is_what_the_rules_make_of_the_word():
    trace, _ = traces("katze", "en")
    whole = trace.with_steps(sheetbpe.plan(trace, 3).extra)
    learned = rules(whole, 4)
    trees = forest("unfunny", learned)
    assert tuple(node.text for node in trees) == encode("unfunny", learned) == ("un", "funny")
    assert [(node.text, node.rule, node.level) for node in trees[1].all() if node.rule] == [
        ("funny", 4, 3), ("fun", 2, 2), ("un", 1, 1), ("ny", 3, 1)
    ]  # fmt: skip
    assert [node.text for node in trees[0].all()] == ["un", "u", "n"]
    assert (trees[1].start, trees[1].stop) == (2, 7)


def test_the_figure_does_not_show_the_asked_rules():
    trace, exact, options = case("katze", "de", 3)
    page = html(trace, exact, options, blank=True, sheet=SHEET)
    trees = re.findall(r'<svg class="tree".*?</svg>', page, re.DOTALL)
    assert len(trees) == 2
    assert re.findall(r">([a-z]+|\d)</text>", trees[0])[-2:] == ["en", "4"]
    assert re.findall(r">([a-z]+|\d)</text>", trees[1]) == list("einkaufen")


@pytest.mark.parametrize(
    "sentence", [LONG, "a b c d e f g h i j k l", "der der der", "<b> {{ 1 }}"]
)
def test_any_sentence_gives_the_same_tasks(sentence):
    trace, exact = traces("katze", "de", sentence)
    own, exact_own = traces("katze", "de")
    pages = [
        html(a, b, SheetOptions(), blank=True, sheet=SHEET)
        for a, b in ((trace, exact), (own, exact_own))
    ]
    bodies = [page.partition("</h1>")[2] for page in pages]
    assert bodies[0].count("<td") == bodies[1].count("<td") > 60
    assert "<b> {{" not in pages[0]


@pytest.fixture
def own_corpus(monkeypatch):
    """Sets the German corpus that the sheet then takes."""

    def write(**words: int) -> None:
        figure = FigureCorpus(word="ab", rounds=1, words={"ab": 1})
        corpus = CorpusWords(new="nah", words=words, figure=figure)
        own = locale_of("de").model_copy(update={"corpus": corpus})
        monkeypatch.setattr(sheetbpe, "locale_of", lambda language: own)

    return write


@pytest.mark.parametrize(
    ("words", "part"),
    [({"abc": 2}, "tied: [1]"), ({"ab": 2}, "found 1 rounds")],
)
def test_corpora_that_make_no_sheet_are_said(own_corpus, words, part):
    trace, _ = traces("katze", "de")
    own_corpus(**words)
    with pytest.raises(UserError, match=re.escape(part)) as error:
        sheetbpe.plan(trace, 1)
    assert "language.toml of 'de', corpus" in str(error.value)


def test_a_pair_that_stands_twice_in_a_word_is_counted_twice(own_corpus):
    trace, exact = traces("katze", "de")
    own_corpus(banane=3, anker=2, dank=4, bar=1)
    context = view(
        sheetbpe.plan(trace, 1), trace, exact, SheetOptions(level=1), Formulas(), blank=False
    )
    assert context.winner(1) == ("a", "n")
    shown = Filler(context.trace, frozenset(), "de", blank=False).fill(context.counting(1, 1))
    assert shown == "2 · 3 + 2 + 4"
    assert [tile.side for tile in context.tiles(0, 0)] == ["", "left", "right", "left", "right", ""]
