"""Whether a preset does what it states, on the sentences that it has itself."""

from collections.abc import Iterator
from itertools import product

from generator.engine.choices import ROUNDINGS
from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.insight.behaviour import missed
from generator.presets.language import in_language
from generator.presets.problems import Problem


def broken(preset: Preset) -> Iterator[Problem]:
    """Each `[[behaviour]]` that a computation does not show, where it has a case of it.

    Every language of the preset, in exact arithmetic, and on paper where it computes so itself.
    """
    roundings = ROUNDINGS if preset.rounding == "paper" else (preset.rounding,)
    for language, rounding in product(preset.sentences, roundings):
        one = in_language(preset, language)
        for number, promise in enumerate(one.behaviour, 1):
            trace = compute(one, promise.sentence or None, rounding=rounding)
            if promise.tokens and len(trace.tokens) > promise.tokens:
                continue
            where = f"{trace.sentence!r} ({language}, {rounding})"
            for shown, expected in missed(trace, promise):
                yield Problem(f"behaviour.{number}", f"{shown} in {where}", expected)
