"""The shipped presets: they load, in both languages, and hold the numbers of the sources."""

import re
import tomllib

import numpy as np
import pytest

from generator import compute
from generator.engine.preset import Preset
from generator.engine.vocabulary import refusal
from generator.errors import UserError
from generator.presets.language import in_language, translated
from generator.presets.load import first_comment, load_preset, shipped
from tests.frozen.slices import PRESETS
from tests.presets.files import HERE

STRANGE = "Quallen quaken quer"  # no preset has a word of it
SOURCES = tomllib.loads((HERE / "sources.toml").read_text("utf-8"))
KATZE, TOKENS = SOURCES["katze"], tuple(SOURCES["tokens"])


def numbers(preset: Preset) -> dict[str, list[list[float]]]:
    return {name: matrix.tolist() for name, matrix in preset.weights.items()}


def test_these_are_shipped():
    assert shipped() == PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_each_says_in_its_first_line_what_it_is_for(name):
    assert len(first_comment(name)) > 20
    assert not first_comment(name).startswith(("#", " "))


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("name", PRESETS)
def test_each_computes_in_both_languages(name, language):
    preset = load_preset(name)
    trace = compute(preset=name, language=language)
    assert set(preset.title) == set(preset.sentences) == {"de", "en"}
    assert trace.language == language
    assert trace.sentence == preset.sentences[language]
    assert not trace.notices


@pytest.mark.parametrize("name", ["ausgabe", "brille", "katze", "paris"])
def test_the_numbers_are_the_same_in_both_languages(name):
    german, english = compute(preset=name, language="de"), compute(preset=name, language="en")
    assert german.tokens != english.tokens
    assert list(german.steps) == list(english.steps)
    for one, other in zip(german, english, strict=True):
        assert one.text or np.array_equal(one.values, other.values)
    assert (german.worked, german.exercise) == (english.worked, english.exercise)


@pytest.mark.parametrize("name", ["ausgabe", "brille", "katze"])
def test_words_are_those_of_the_sources(name):
    preset = load_preset(name)
    assert tuple(preset.words) == TOKENS
    assert [list(embedding) for embedding in preset.words.values()] == SOURCES["embedding"]
    assert tuple(in_language(preset, "en").words) == tuple(SOURCES["english"])


def test_katze_is_source_000():
    preset, trace = load_preset("katze"), compute(preset="katze")
    assert numbers(preset) == KATZE
    assert trace.tokens == TOKENS
    assert trace["input"].values.tolist() == SOURCES["input"]
    sizes = (preset.d_model, preset.heads, preset.d_head, preset.d_ff, preset.blocks)
    assert sizes == (4, 2, 2, 8, 1)
    assert (preset.norm, preset.epsilon, preset.final_norm) == ("post", 0.0, False)
    assert (preset.mask, preset.output, preset.activation) == ("causal", "tied", "relu")
    assert preset.temperatures == (0.5, 1.0, 2.0)
    assert compute(preset="katze", rounding="exact")["input"].values.tolist() == SOURCES["input"]
    assert trace["sampling.next"].values.tolist() == [["Matte"]]


def test_brille_is_source_001():
    preset, trace = load_preset("brille"), compute(preset="brille")
    first_head = {k: v for k, v in KATZE.items() if ".head1." in k}
    assert numbers(preset) == first_head
    assert trace["input"].values.tolist() == SOURCES["input"]
    assert (preset.mask, preset.heads, preset.d_head) == ("none", 1, 2)
    assert preset.parts == {"attention"}
    assert (trace.tokens[trace.worked], trace.tokens[trace.exercise]) == ("Katze", "sitzt")


def test_ausgabe_is_source_003():
    preset = load_preset("ausgabe")
    assert preset.start_value.tolist() == [[-0.2, 0.1, 0.5, 0.8]]
    assert preset.parts == {"output"}
    assert preset.temperatures == (0.5, 1.0, 2.0)


def test_paris_is_source_004():
    preset, trace = load_preset("paris"), compute(preset="paris")
    assert trace.tokens == ("Paris", "ist", "die", "Hauptstadt", "von")
    assert trace["input"].values.tolist() == SOURCES["paris"]
    half = (np.eye(4) / 2).tolist()
    assert numbers(preset) == {
        "block1.head1.weight.query": np.eye(4).tolist(),
        "block1.head1.weight.key": half,
        "block1.head1.weight.value": half,
    }
    assert (preset.mask, preset.rounding) == ("strict", "exact")
    assert preset.compare.values == (0.304, 0.529, 0.603, 0.339)
    assert (preset.compare.step, preset.compare.row) == ("block1.head1.output", 4)
    computed = trace["block1.head1.output"].values[4]
    assert computed == pytest.approx([0.304, 0.529, 0.603, 0.399], abs=5e-4)


@pytest.mark.parametrize("name", PRESETS)
def test_who_takes_no_own_sentence_says_so_and_names_one_that_does(name):
    preset = load_preset(name)
    if not refusal(preset):
        assert compute(STRANGE, preset=preset).tokens
        return
    with pytest.raises(UserError) as caught:
        compute(STRANGE, preset=preset)
    named = re.search(r"for a sentence of your own take '(.+)' or '(.+)'", str(caught.value))
    assert named
    for other in named.groups():
        assert compute(STRANGE, preset=other)["vocabulary.words"].shape == (3, 1)


def test_a_language_that_is_missing_names_those_there_are():
    with pytest.raises(UserError) as caught:
        in_language(load_preset("katze"), "fr")
    assert str(caught.value) == (
        "there is no language 'fr'; choose from: de, en, en-US; for a language of your own name "
        "its folder: --language ./fr, or where a command has no such option: "
        "PAPERFORMER_LANGUAGES=./fr"
    )


def test_focus_is_translated():
    preset = in_language(load_preset("brille"), "en")
    assert (preset.worked, preset.exercise, preset.language) == (("cat",), ("sits",), "en")
    given = in_language(load_preset("paris"), "en")  # no vocabulary: by the place in the sentence
    assert (given.worked, given.exercise) == (("of",), ("capital",))


def test_a_sentence_takes_the_words_that_the_preset_translates(sentence, english):
    assert translated(load_preset("katze"), "en", sentence) == english


def test_a_translated_sentence_has_the_same_numbers():
    german = compute("Die Matte sitzt", preset="katze")
    english = compute("Die Matte sitzt", preset="katze", language="en")
    assert english.tokens == ("The", "mat", "sits")
    assert np.array_equal(german["output.logits"].values, english["output.logits"].values)


def test_all_numbers_are_read_only():
    preset = load_preset("ausgabe")
    with pytest.raises(ValueError, match="read-only"):
        preset.start_value[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        load_preset("katze").weights["block1.weight.output"][0, 0] = 2
    with pytest.raises(TypeError):
        load_preset("katze").words["Katze"] = (1.0, 2.0, 3.0, 4.0)
