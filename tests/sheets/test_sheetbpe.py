"""Sheet bpe: right counts, no leak, the rounds by hand, the trees, a corpus of one's own."""

import re
import tomllib
from pathlib import Path

import pytest

from generator.engine.bpe import encode
from generator.errors import UserError
from generator.locales.locale import CorpusWords, FigureCorpus, locale_of
from generator.sheets.sheetbpe import plan as sheetbpe
from generator.sheets.sheetbpe.view import forest, rules
from generator.sheets.slots import Filler
from tests.support.sheets import paper, text, traces

CASES = [("katze", "de", 1), ("katze", "en", 2), ("katze", "de", 3), ("ausgabe", "en", 3)]
LONG = "Der Donaudampfschifffahrtsgesellschaftskapitän isst mit Appetit Kuchen am Tisch"

BY_HAND = tomllib.loads(Path(__file__).with_name("byte_pairs.toml").read_text("utf-8"))


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_rounds_as_counted_by_hand(language):
    whole = paper("bpe", language=language, level=3).view.trace
    for m, one in enumerate(BY_HAND["rounds"][language], start=1):
        pairs, step = one["pairs"], whole[f"bpe.merge{m}.pairs"]
        assert list(zip(step.rows, step.values[:, 0], strict=True)) == list(pairs.items())
        best, second = sorted(pairs, key=lambda pair: -pairs[pair])[:2]
        assert pairs[best] > pairs[second], "a tie in an asked round"
        assert whole[f"bpe.merge{m}.winner"].values[0, 0] == best
        assert whole[f"bpe.merge{m}.length"].values[0, 0] == one["length"]
    assert whole["bpe.length"].values[0, 0] == {"de": 75, "en": 78}[language]


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_new_word_as_cut_by_hand(language, level):
    shown = paper("bpe", language=language, level=level).shown
    pieces, ratio = BY_HAND["cut"][language][level - 1]
    encoding = {cell[0]: shown[cell] for cell in shown if cell[0].startswith("bpe.encoding")}
    spelled = str(ratio).replace(".", "," if language == "de" else ".")
    assert encoding == {"bpe.encoding.pieces": pieces, "bpe.encoding.ratio": spelled}


def test_the_asked_rounds_are_not_read_off_the_sheet_by_any_number():
    blank = text(paper("bpe", level=3).pdf("blank")).replace("50\u202f000", "")
    for answer in ("48", "38", "32", "2,0", "a n kauf en\n", "✓\n✓"):
        assert answer not in blank, answer


@pytest.mark.parametrize(("preset", "language", "level"), CASES)
def test_no_round_shows_the_winner_of_an_asked_round_before_it(preset, language, level):
    one = paper("bpe", preset, language, level=level)
    blank, solved = (
        [re.findall(r'class="tile">([^<]+)<', part)
         for part in re.findall(r'(?s)<div class="round .*?</table>\s*</div>', page)]
        for page in (one.blank, one.solution)
    )  # fmt: skip
    rounds, whole = one.plan.rounds, one.view.trace
    assert len(blank) == len(rounds) == level
    winners = [whole[f"bpe.merge{m}.winner"].values[0, 0] for m in rounds]
    merged = {pair.replace(" ", "") for pair in winners}
    assert merged
    assert not merged & {piece for pieces in blank for piece in pieces}
    assert [bool(pieces) for pieces in blank] == [True] + [False] * (level - 1)
    for m, pieces in zip(rounds[1:], solved[1:], strict=True):
        words, pairs = whole[f"bpe.merge{m - 1}.corpus"].values[:, 0], whole[f"bpe.merge{m}.pairs"]
        assert len(pieces) == sum(len(word.split()) for word in words) + 2 * len(pairs.rows)


def test_slips_have_their_place_and_only_those_of_asked_rounds_are_named():
    second, first = (paper("bpe", level=level).view for level in (2, 1))
    assert [second.place(slip) for slip in second.slips()][2] == "Runde 3, l + au"
    assert "used_up" not in {slip.key for slip in first.slips()}


def test_the_tree_is_what_the_rules_make_of_the_word():
    learned = rules(paper("bpe", language="en", level=3).view.trace, 4)
    trees = forest("unfunny", learned)
    assert tuple(node.text for node in trees) == encode("unfunny", learned) == ("un", "funny")
    assert [(node.text, node.rule, node.level) for node in trees[1].all() if node.rule] == [
        ("funny", 4, 3), ("fun", 2, 2), ("un", 1, 1), ("ny", 3, 1)
    ]  # fmt: skip
    assert [node.text for node in trees[0].all()] == ["un", "u", "n"]
    assert (trees[1].start, trees[1].stop) == (2, 7)


def test_the_figure_does_not_show_the_asked_rules():
    trees = re.findall(r'(?s)<svg class="tree".*?</svg>', paper("bpe", level=3).blank)
    figure, own = (re.findall(r">([a-z]+|\d)</text>", tree) for tree in trees)
    assert figure[-2:] == ["en", "4"]
    assert own == list("ankaufen")


@pytest.mark.parametrize("sentence", [LONG, "a b c d e f g h i j k l", "der der der"])
def test_any_sentence_gives_the_same_tasks(sentence):
    bodies = [paper("bpe", sentence=one).blank.partition("</h1>")[2] for one in (sentence, None)]
    assert bodies[0].count("<td") == bodies[1].count("<td") > 60


@pytest.fixture
def own_corpus(monkeypatch):
    """Sets the German corpus that the sheet then takes."""

    def write(**words: int) -> None:
        figure = FigureCorpus(word="ab", rounds=1, words={"ab": 1})
        corpus = CorpusWords(new="nah", words=words, figure=figure)
        own = locale_of("de").model_copy(update={"corpus": corpus})
        monkeypatch.setattr(sheetbpe, "locale_of", lambda language: own)

    return write


def test_corpora_that_make_no_sheet_are_said(own_corpus, words, part):
    own_corpus(**words)
    with pytest.raises(UserError, match=rf"language.toml of 'de', corpus.*{re.escape(part)}"):
        sheetbpe.plan(traces("katze", "de")[0], 1)


def test_a_pair_that_stands_twice_in_a_word_is_counted_twice(own_corpus):
    own_corpus(banane=3, anker=2, dank=4, bar=1)
    view = paper("bpe", level=1).view
    assert view.winner(1) == ("a", "n")
    shown = Filler(view.trace, frozenset(), "de", blank=False).fill(view.counting(1, 1))
    assert shown == "2 · 3 + 2 + 4"
    assert [tile.side for tile in view.tiles(0, 0)] == ["", "left", "right", "left", "right", ""]


def test_the_vocabulary_grows_by_one_token_a_round():
    """ "kauf", "kaufen", "laufen", "laute" have 8 letters."""
    view = paper("bpe", "katze", "de", level=3).view
    assert [view.vocabulary(m) for m in range(5)] == [8, 9, 10, 11, 12]


@pytest.mark.parametrize(("preset", "language", "level"), CASES)
def test_a_task_names_each_asked_round_and_checks_stand_below_the_tables(preset, language, level):
    one = paper("bpe", preset, language, level=level)
    tasks = " ".join(re.findall(r'(?s)<p class="task">(.*?)</p>', one.blank))
    assert all(re.search(rf"[Rr](unde|ounds?)\b[^.:]*\b{m}\b", tasks) for m in one.plan.rounds[1:])
    assert one.blank.index('class="round half"') < one.blank.index('class="probe"')
