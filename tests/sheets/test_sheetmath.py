"""Sheets math and formulas: the preset's own shapes and formulas, nothing else, right counts."""

import re
import tomllib
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from generator.engine.model import compute
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.sheets.sheetmath.formula import Spoken, Typeset
from generator.sheets.sheetmath.overview import BOX, TABLES, WIDTH, model_map, overview, sizes
from generator.sheets.sheetmath.view import LEARNED, MET, STATEMENTS, taught, terms
from tests.engine.models import small, with_weights
from tests.support.covering import each
from tests.support.sheets import Paper, html, pdf, traces
from tests.support.structure import stays_within
from tests.support.views import page, render

FORMULAS = tomllib.loads(Path(__file__).with_name("formulas.toml").read_text("utf-8"))
PRESETS = ("katze", "brille", "random", "ausgabe", "paris")
VARIANTS = {  # other structures than those of the shipped presets
    "pre-norm": {"norm": "pre", "final_norm": True},
    "no norm": {"norm": "none"},
    "gelu": {"activation": "gelu"},
    "gelu_tanh": {"activation": "gelu_tanh", "softmax_base": 2.0},
    "learned positions": {"positions": "learned"},
    "no positions": {"positions": "none", "mask": "strict"},
    "attention only": {"parts": frozenset({"attention", "output"})},
    "feed-forward only": {"parts": frozenset({"feedforward", "residual", "output"})},
    "drawn": {"strategy": "sample", "random": 0.37},
}


def variant(name):
    preset = small(**VARIANTS[name])
    if name == "learned positions":
        preset = with_weights(preset, position=np.ones((5, 4)))
    if name == "gelu":
        preset = with_weights(
            preset, block1__bias__hidden=np.ones((1, 5)), block1__gain1=np.ones((1, 4))
        )
    sentence = "b c" if preset.mask != "strict" else None
    return compute(preset, sentence)


def models():
    found = {name: traces(name, "de")[0] for name in PRESETS}
    return found | {name: variant(name) for name in VARIANTS if name != "no positions"}


def body(trace, sheet="math", language="de", blank=True):
    return html(trace, trace, SheetOptions(language=language), blank=blank, sheet=sheet)


def test_each_layer_has_its_sheet_and_idea_where_the_model_fills_it():
    """Below the map where there is room: katze has all, brille ends with attention."""
    for preset, sheets, early in (("katze", "1 2 3 4a 4b 5 6 7a", True),
                                  ("nihao", "1 2 4a 4b 5 6 7a", False),
                                  ("brille", "1 2 3 4a", True)):  # fmt: skip
        page = html(*traces(preset, "de"), SheetOptions(), blank=True, sheet="math")
        (table,) = re.findall(r'(?s)<table class="layers">.*?</table>', page)
        assert " ".join(re.findall(r"</th><td>([^<]+)</td>", table)) == sheets
        assert (page.index(table) < page.index(">Jeder Schritt<")) == early


def test_shapes_in_letters_and_in_numbers_agree():
    checked = 0
    for name, trace in models().items():
        known = sizes(trace) | {"1": 1}
        for entry in overview(trace):
            want = trace[entry.step].shape
            letters = tuple(
                known["d_model"] // 2 if letter == "d_model : 2" else known[letter]
                for letter in entry.form.split(" × ")
            )
            assert letters == want, (name, entry.key)
            checked += 1
    assert checked > 150


def test_katze_has_the_steps_of_source_000_with_its_shapes():
    trace, _ = traces("katze", "de")
    shown = [f"{e.key} " + "×".join(map(str, trace[e.step].shape)) for e in overview(trace)]
    assert ", ".join(shown) == (
        "ids 6×1, embedding 6×4, angle 6×2, position 6×4, input 6×4, query 6×2, key 6×2, "
        "value 6×2, scores 6×6, mask.causal 6×6, weights 6×6, head 6×2, concat 6×4, attention 6×4, "
        "residual1 6×4, norm1 6×4, hidden 6×8, activation.relu 6×8, feedforward 6×4, "
        "residual2 6×4, norm2 6×4, last 1×4, logits 1×6, probabilities 1×6, next 1×1"
    )


def formulas(trace, listed=()):
    """The printed formula of each listed step, and its words in English."""
    entries = listed or [entry for entry in overview(trace) if entry.key not in STATEMENTS]
    steps = {entry.step for entry in (*overview(trace), *listed)} | MET
    both = [kind(trace, load("en"), steps, {}) for kind in (Typeset, Spoken)]
    return {entry.key: tuple(one.formula(entry.step) for one in both) for entry in entries}


@pytest.mark.parametrize("name", [name for name in FORMULAS if name != "learned"])
def test_formulas_are_those_of_the_operations_and_letters_flow_from_one_to_the_next(name):
    found = formulas(variant(name) if name in VARIANTS else traces(name, "de")[0])
    for key, expected in FORMULAS[name].items():
        assert list(found[key][: len(expected)]) == expected, key


def test_a_step_of_learning_is_listed_from_its_operations():
    """The formulas of sheet 7a, and none for a model without an output to let learn."""
    taught_trace = taught(traces("katze", "en")[0])
    found = formulas(taught_trace, LEARNED)
    assert {key: list(both) for key, both in found.items()} == FORMULAS["learned"]
    trace, _ = traces("brille", "en")
    assert taught(trace) is trace
    for sheet in ("math", "formulas"):
        assert "Learning step" in body(traces("katze", "en")[0], sheet, "en")
        assert "Learning step" not in body(traces("brille", "en")[0], sheet, "en")


@pytest.mark.parametrize("language", languages())
def test_the_formulas_call_the_target_as_sheet_7a_does_and_the_next_token_a_word(language):
    """The largest P is a probability; what comes next is the word that has it."""
    trace, _ = traces("katze", language)
    t = load(language).t
    for sheet in ("math", "formulas"):
        shown = unescape(body(trace, sheet, language))
        spoken = re.findall(r'(?:alt|aria-label)="([^"]*)"', shown)
        assert t("spoken.math.next") in spoken
        assert any(f" minus {t('sheet7a.target')} " in one for one in spoken)
        assert "OH*" not in shown
    assert t("sheet7a.target") in re.sub("<[^>]*>", "", shown), "the letters are explained"


def test_a_step_that_is_neither_listed_nor_written_out_stops():
    trace = variant("drawn")
    unknown = trace["block1.head1.scores"]._replace(name="block1.gated")
    with pytest.raises(LookupError, match="gated"):
        overview(trace.with_steps([unknown]))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", [*VARIANTS])
def test_every_structure_has_its_phrases(name, language):
    trace = (
        variant(name)
        if name != "no positions"
        else compute(small(positions="none", mask="none"), "a b c")
    )
    for sheet in ("math", "formulas"):
        options = SheetOptions(language=language)
        shown = page(SERIES[sheet].plan(trace, 2), trace, trace, options, Formulas(), blank=True)
        assert shown.count('class="formula"') > 2 * len(overview(trace))  # each in its cell


def test_what_a_preset_lacks_does_not_appear():
    assert "M ist −∞ bei späteren Tokens, sonst 0" in body(traces("katze", "de")[0])
    without = body(traces("brille", "de")[0])
    for word in ("verdeckt", "Layer-Norm", "ReLU", "Concat", "Logit", "Temperatur"):
        assert word not in re.sub(r"(?s)<table class=\"roles counts\".*?</table>", "", without), (
            word
        )
    slide = body(traces("paris", "de")[0])
    assert "M ist −∞ beim Token selbst und bei späteren, sonst 0" in slide
    for word in ("Positionscodierung", "Vokabular", "GPT-2"):
        assert word not in slide, word


@pytest.mark.parametrize("preset", each(4, PRESETS))
def test_the_formula_sheet_is_one_sheet_of_paper_without_a_shape_in_numbers(preset):
    trace, exact = traces(preset, "en")
    document = pdf(trace, exact, SheetOptions(language="en"), "blank", "formulas")
    assert stays_within(document) <= 2
    bare = body(trace, "formulas", "en").partition('class="leaf info')[2].replace("CC BY 4.0", "")
    bare = re.sub(r'<span class="example">.*?</span>', "", bare)
    assert set(re.findall(r"\d+ × \d+|\d\.\d", re.sub("<[^>]*>", " ", bare))) <= {"1 × 1", "0.1"}


@pytest.mark.parametrize("preset", ["katze", "nihao", "mental", "paris", "ausgabe"])
def test_the_examples_are_true_and_by_the_operation_of_their_formula(preset):
    """Row by hand; no number of the model stands on the sheet that a whole class has."""
    by_hand = {
        "angle": "3 : 100 = 0,03",
        "input": "0,50 + 1 = 1,50",
        "query": "1 · 3 + 2 · 1 = 5",
        "scores": "6 : 2 = 3",
        "weights": "1 : 4 = 0,25",
        "head": "0,25 · 4 + 0,75 · 8 = 7",
        "residual1": "2 + (−1) = 1",
        "norm1": "(5 − 3) : 2 = 1",
        "activation": "max(−2; 0) = 0",
        "logits": "1 · 3 + 2 · 1 = 5",
        "loss": "0 − ln(0,50) ≈ 0,69",
        "update": "1 − 0,10 · 2 = 0,80",
    }
    if preset == "nihao":  # its norm ends with a factor and a shift
        by_hand |= {"norm1": "5 · 3 + 2 = 17"}
    view = Paper("formulas", *traces(preset, "de"), SheetOptions()).view
    shown = {e.kind: view.small(e) for e in view.entries + view.learned if view.small(e)}
    assert len(shown) >= 3
    assert shown == {kind: by_hand[kind] for kind in shown}


def test_each_formula_names_a_sheet_that_the_model_fills():
    for preset, sheets in (("katze", "1 2 3 4a 4b 5 6 7a"), ("nihao", "1 2 4a 4b 5 6 7a –")):
        shown = body(traces(preset, "de")[0], "formulas")
        assert set(re.findall(r'<td class="on">([^<]*)</td>', shown)) == set(sheets.split())


def test_no_number_in_an_alternative_text():
    for name, trace in models().items():
        for language in languages():
            alts = re.findall(r'alt="([^"]*)"', body(trace, language=language))
            assert alts, name
            assert not [alt for alt in alts if re.search(r"\d", alt)], name


def test_counts_are_those_of_source_000():
    shown = dict(re.findall(r'data-count="([a-z_|01]+)">([^<]*)<', body(traces("katze", "de")[0])))
    plain = {key: value.replace("\N{NARROW NO-BREAK SPACE}", "") for key, value in shown.items()}
    ours = " ".join(f"{key[:-2]} {value}" for key, value in plain.items() if key.endswith("|0"))
    assert ours == (
        "embedding 24 position 0 query_key_value 48 attention_output 16 feedforward 64 norm 16 "
        "bias 0 block 144 blocks 144 output 0 total 168"
    )
    assert plain["total|1"] == "124439808"
    assert (plain["embedding|1"], plain["feedforward|1"]) == ("38597376", "4718592")
    assert shown["embedding|1"] == "38\u202f597\u202f376"
    english = html(*traces("katze", "en"), SheetOptions(language="en"), blank=True, sheet="math")
    assert "38,597,376" in english  # grouped as the language does


def test_errata_stand_on_the_teacher_page_of_their_own_sentence_only():
    trace, _ = traces("katze", "de")
    solved = body(trace, blank=False)
    rows = re.findall(
        r'class="number">([^<]*)</td><td class="number">([^<]*)<',
        solved.partition("leaf teacher")[2],
    )
    assert rows == [
        *(("0,151", "0,203"), ("0,87", "−0,87"), ("1,48", "1,42")),
        *(("0,86", "1,06"), ("0,379", "0,341"), ("0,330", "0,366")),
    ]
    assert "0,151" not in body(trace)
    other, _ = traces("katze", "de", "Die Matte sitzt auf der Katze")
    assert "0,151" not in body(other, blank=False)
    paris = body(traces("paris", "de")[0], blank=False)
    assert re.search(r'class="number">0,339</td><td class="number">0,399<', paris)


def test_the_map_keeps_inside_its_picture_and_boxes_apart():
    for name, trace in models().items():
        entries = overview(trace)
        drawn = model_map(trace)
        boxes = [box for lane in drawn.lanes for box in lane.boxes]
        assert sorted(box.number for box in boxes) == list(range(1, len(entries) + 1)), name
        assert max(box.right for box in boxes) <= WIDTH + 1e-9
        assert max(box.bottom for box in boxes) < drawn.height < 215, name
        for one in boxes:
            for two in boxes:
                apart = one.right <= two.x or two.right <= one.x or abs(one.y - two.y) >= BOX
                assert one is two or apart, (name, one.entry.key, two.entry.key)


def test_every_word_of_the_glossary_is_explained_and_used():
    every = [word for _, words in TABLES["glossary"]["order"] for word in words.split()]
    assert {key for trace in models().values() for key in terms(trace)} == set(every)
    for language in languages():
        phrases = load(language).phrases
        assert all(f"sheetmath.term.{key}" in phrases for key in every)
        assert all(phrases[f"sheetmath.meaning.{key}"].endswith(".") for key in every)


def test_levels_change_nothing_and_unknown_ones_are_said():
    trace, exact = traces("brille", "de")
    leaves = {
        render("math", trace, exact, SheetOptions(level=level), kind="html") for level in (1, 2, 3)
    }
    assert len(leaves) == 1
    plan = SERIES["math"].plan(trace, 1)
    assert (plan.asked, plan.minutes) == (frozenset(), 0)
    with pytest.raises(UserError, match="there is no level 4"):
        SERIES["math"].plan(trace, 4)


def test_large_print_which_has_no_map_does_not_speak_of_one():
    for language, word in (("de", "Landkarte"), ("en", "map")):
        trace, _ = traces("katze", language)
        options = SheetOptions(language=language, large_print=True)
        found = html(trace, trace, options, blank=False, sheet="math")
        assert not re.search(rf"\b{word}\b", found)
