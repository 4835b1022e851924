"""No refusal advises what is the case already: the preset, the arithmetic, the language taken."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

import generator
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.make.files import chosen_sheets
from generator.make.request import Request
from generator.presets.load import load_preset, shipped
from generator.render.worksheet.worksheet import planned
from generator.sheets import left_out
from generator.sheets.options import SheetOptions
from generator.sheets.series import COMPLETE, SHEETS
from generator.sheets.sheet import advised

SENTENCES = {"de": ("", "Katze", "die die die die"), "en": ("", "cat", "the the the the")}


def refusals(trace: Trace) -> Iterator[str]:
    """Why sheets are not made of a computation, and what is said of those that are."""
    for sheet in (*SHEETS, COMPLETE):
        for level in (1, 3):
            try:
                planned(sheet, trace, SheetOptions(language=trace.language, level=level))
            except UserError as error:
                yield str(error)
    yield from chosen_sheets(trace, Request())[1]
    yield from left_out.notes(trace, SHEETS)


def contradictions(said: str, trace: Trace, own: bool) -> Iterator[str]:
    """What a message advises that is so already; "preset 'x' is …" names it, which is no advice."""
    taken = trace.preset.name
    for advice in re.finditer(r"(?<=take )'[\w-]+'(?:(?:, | or )'[\w-]+')*", said):
        unchanged = said[advice.end() :].startswith(" as it is shipped") and not own
        if f"'{taken}'" in advice[0] and not unchanged:
            yield advice[0]
    if f"preset ('{taken}')" in said:
        yield f"preset {taken}"
    if f"--rounding {trace.rounding}" in said:
        yield trace.rounding
    if f"--language {trace.language}" in said:
        yield trace.language


def computed(preset: str, sentence: str, language: str, rounding: str) -> Trace | str:
    try:
        return generator.compute(
            sentence or None, preset=preset, language=language, rounding=rounding
        )
    except UserError as error:
        return str(error)


@pytest.mark.parametrize("preset", shipped())
def test_whatever_preset_sentence_and_arithmetic_is_taken(preset: str):
    looked = 0
    for rounding in ("paper", "exact"):
        language = ("de", "en")[len(preset) % 2]
        for sentence in SENTENCES[language]:
            trace = computed(preset, sentence, language, rounding)
            if isinstance(trace, str):
                assert f"--rounding {rounding}" not in trace
                assert f"take '{preset}'" not in trace
                continue
            for said in refusals(trace):
                looked += 1
                own = not sentence and rounding == trace.preset.rounding
                assert not list(contradictions(said, trace, own)), said
    assert looked


@pytest.mark.parametrize("rounding", ["exact", "paper"])
def test_a_loss_that_cannot_be_computed_exactly_either(rounding: str):
    preset = replace(load_preset("katze"), temperatures=(0.0001,), shifted="always")
    with pytest.raises(UserError) as stopped:
        generator.compute(preset=preset, rounding=rounding, next_word="sitzt")
    assert ("--rounding exact" in str(stopped.value)) == (rounding == "paper")
    assert rounding == "paper" or "more decimals" not in str(stopped.value)


def test_the_preset_in_force_is_left_out(message: str, mended: str):
    preset = load_preset("katze")
    assert advised(message, preset) == mended
    assert advised(mended, preset) == mended
