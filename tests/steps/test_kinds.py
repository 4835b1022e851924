"""The registry of steps: every step has an entry, every entry has its texts and its readers."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from generator import locales
from generator.engine.activations import ACTIVATIONS
from generator.engine.learning import training_of
from generator.engine.masks import MASKS
from generator.engine.model import compute
from generator.engine.norms import FORMS
from generator.engine.place import place_of
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue, load
from generator.locales.folders import written
from generator.locales.locale import ENDINGS, depending, of_norm
from generator.notation.latex import Latex
from generator.notation.live import COPIES, LiveLines, is_worked_out
from generator.notation.symbols import Symbols
from generator.plans.workbook import plan
from generator.presets.load import load_preset, shipped
from generator.render.walk.pages import said
from generator.resources import table
from generator.sheets.sheetbpe.plan import write_live
from generator.steps import KINDS, StepKind, kind_of
from generator.steps.home import home_of
from generator.steps.variant import variant
from tests.reference.cases import cases_of_round

PHRASES = Path(locales.__file__).parent
OWN_DECIMALS = ("loss.", "bpe.", "grad")  # they round, yet no preset says to how many decimals


@cache
def traces() -> tuple[Trace, ...]:
    """Every shipped preset, plain and with all that a class plays with, and every option."""
    found = []
    for name in shipped():
        preset = load_preset(name)
        found.append(compute(preset))
        found.append(compute(preset, controls=True))
    found += [compute(load_preset(name), controls=True, rounds=2) for name in ("katze", "nihao")]
    katze = compute(load_preset("katze"), controls=True)
    words = katze["vocabulary.words"].values[:, 0]
    found.append(compute(load_preset("katze"), edits={"loss.target": str(words[0])}))
    found += trained()
    corpus = katze.scratch()
    write_live(corpus, {"hut": 2, "hund": 1}, 3, "huhn")
    return (
        *found,
        katze.with_steps(corpus.new),
        *(compute(case.preset, case.sentence) for case in cases_of_round(1)),
    )


def trained() -> list[Trace]:
    """Steps of training: of the next word, and of every position, shifted and to another base."""
    nihao, every = load_preset("nihao"), training_of(1, targets="all")
    word = {"loss.target": "Matte"}
    base = replace(nihao, softmax_base=2.0, shifted="always")
    return [
        compute(load_preset("katze"), edits=word, controls=True, training=training_of(1)),
        *(compute(preset, training=every) for preset in (nihao, base)),
    ]


def steps():
    return ((trace, step) for trace in traces() for step in trace)


def test_every_step_of_every_model_has_an_entry_and_every_entry_a_step():
    met = {step.place.kind for _, step in steps()}
    assert met == KINDS.keys()


def test_the_table_holds_what_the_keys_may_be():
    """A word that a key cannot have is refused here, as the program reads the table as it is."""
    entry = TypeAdapter(StepKind)
    assert all(entry.validate_python(asdict(kind)) == kind for kind in KINDS.values())
    with pytest.raises(ValidationError, match="chapter"):
        entry.validate_python({**asdict(KINDS["scores"]), "chapter": "scoers"})
    said = table("steps/kinds.toml")
    assert {kind.like for kind in KINDS.values()} == said["like"].keys()


@pytest.mark.parametrize("language", written())
def test_every_language_has_every_text(language: str):
    catalogue = load(language)
    phrases = catalogue.phrases
    for kind in KINDS:
        assert f"step.{kind}" in phrases, kind
    for _, step in steps():
        assert catalogue.step(step.name)
        kind = kind_of(step.name)
        assert f"formula.{kind.name}{variant(step)}" in phrases, step.name
        if kind.chapter not in (None, "count") and step.place.round == 1:
            assert said(step) in phrases, step.name


@pytest.mark.parametrize("language", written())
@pytest.mark.parametrize(("file", "entries"), [("activations", ACTIVATIONS), ("masks", MASKS)])
def test_every_entry_has_each_phrase_that_another_one_has(
    file: str, entries: Mapping[str, object], language: str
):
    path = PHRASES / language / f"{file}.toml"
    keys = [key.rpartition(".") for key in tomllib.loads(path.read_text("utf-8"))]
    bodies = dict.fromkeys(body for body, _, _ in keys)
    assert len(bodies) >= 4
    assert {name for _, _, name in keys} == entries.keys()
    missing = [(b, "", n) for n in entries for b in bodies if (b, ".", n) not in keys]
    lines = [f'"{body}.{name}" = "…"' for body, _, name in missing]
    assert not lines, "\n".join([f"{path} lacks:", *lines])


@pytest.mark.parametrize("language", written())
def test_every_form_of_norm_has_its_name_and_each_sentence_that_others_have(language: str):
    phrases = load(language).phrases
    assert all(phrases[f"norm.{form}"] for form in FORMS)
    assert not [f"{key}{end}" for key in depending(phrases) for end in ENDINGS
                if f"{key}{end}" not in phrases]  # fmt: skip


def test_a_form_of_norm_has_its_own_sentences_and_elsewhere_its_name():
    phrases = {"norm.layer": "layer norm", "norm.rms": "RMSNorm", "of": "Layer norms, β"}
    phrases |= {"spread": "as in layer norm: σ", "spread.rms": "unlike layer norm: RMS"}
    catalogue = Catalogue("en", phrases)
    assert of_norm(catalogue, "layer") is catalogue
    found = of_norm(catalogue, "rms").phrases
    assert (found["of"], found["spread"]) == ("RMSNorms, β", "unlike layer norm: RMS")
    assert "norm.layer" not in found


def test_every_text_of_a_step_belongs_to_an_entry():
    known = tuple(f"step.{name}" for name in KINDS)
    for key in load("en").phrases:
        if key.startswith("step."):
            of_form = next((ending for ending in ENDINGS if key.endswith(ending)), "")
            rest = key.removeprefix("step.").removesuffix(of_form)
            rest = rest.removeprefix("final.").rstrip("12")
            assert f"step.{rest}" in known, key


def test_entries_say_what_the_operations_do():
    for _, step in steps():
        kind = kind_of(step.name)
        if step.kind == "given":
            assert kind.source != "computed", step.name
        elif not kind.name.startswith(OWN_DECIMALS) and not isinstance(step.op, COPIES):
            assert kind.in_decimals == (step.op.precision == "rounded"), step.name


def test_rows_and_columns_are_what_the_entries_say():
    for trace, step in steps():
        kind, place = kind_of(step.name), step.place
        tokens = f"round{place.round}.input" if place.round > 1 else "input"
        if kind.rows != "tokens" or kind.name == "tokens" or tokens not in trace:
            continue
        assert step.rows == trace[tokens].rows, step.name
        assert not kind.square or step.columns == step.rows, step.name


def test_live_lines_and_symbols_can_be_printed():
    for trace in traces()[:12]:
        symbols, latex = Symbols(trace, "en"), Latex(trace, "en")
        for step in trace:
            kind = kind_of(step.name)
            if is_worked_out(step):
                assert LiveLines(trace, "en", lambda *_: "A1", "$Z$1").of(step.name, 0), step.name
            if kind.letter is not None and step.kind == "computed":
                assert symbols.step(step.name)
                assert latex.step(step.name)


def test_what_entries_ask_is_asked():
    """At the highest level every kind that asks something is asked somewhere.

    What is asked of training depends on which weight learns, so `plans.workbook` says it.
    """
    by_hand = {"grad", "update", "loss.cross_entropy"}
    asked = {name for trace in traces() for name, _, _ in plan(trace, 3).asked}
    kinds = {kind_of(name).name for name in asked}
    assert kinds == {kind.name for kind in KINDS.values() if kind.asked} | by_hand


def test_nothing_rounded_is_left_unasked_by_oversight():
    """Whoever adds a step that paper rounds says what is asked of it; these few ask nothing."""
    silent = {k.name for k in KINDS.values() if k.in_decimals and k.asked is None}
    assert silent == {
        *("position.divisor", "scale", "output.shifted", "output.all.logits"),
        *("sampling.renormalised", "sampling.cumulative", "grad", "update"),
    }


def test_homes(step: str, norm_first: bool, home: tuple[str, int, int, int]):
    assert home_of(place_of(step), norm_first) == (*home, 1)


def test_homes_of_training(step: str, home: list[object]):
    found = home_of(place_of(step), norm_first=True)
    assert [found.kind, found.step] == home
