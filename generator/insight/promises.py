"""Whether a preset does what it states, on the sentences that it has itself."""

from collections.abc import Iterator
from itertools import product

from generator.engine.model import ROUNDINGS, compute
from generator.engine.preset import Preset
from generator.engine.stated import Stated
from generator.engine.trace import Trace
from generator.insight.behaviour import RULES, looks, predicted
from generator.presets.language import in_language
from generator.presets.problems import Problem


def broken(preset: Preset) -> Iterator[Problem]:
    """Each `[[behaviour]]` that a computation does not show, where it has a case of it.

    Every language of the preset, in exact arithmetic, and on paper where it computes so itself.
    """
    roundings = ROUNDINGS if preset.rounding == "paper" else (preset.rounding,)
    for language, rounding in product(preset.sentences, roundings):
        one = in_language(preset, language)
        for number, stated in enumerate(one.behaviour, 1):
            trace = compute(one, stated.sentence or None, rounding=rounding)
            where = f"{trace.sentence!r} ({language}, {rounding})"
            for found, expected in _missed(trace, stated):
                yield Problem(f"behaviour.{number}", f"{found} in {where}", expected)


def _missed(trace: Trace, stated: Stated) -> Iterator[tuple[str, str]]:
    if stated.tokens and len(trace.tokens) > stated.tokens:
        return
    if stated.rule not in RULES:
        wanted, found = predicted(trace, stated)
        if wanted and found not in wanted:
            yield f"{found!r} as next token", " or ".join(map(repr, wanted))
        return
    for look in looks(trace, stated):
        if look.share < stated.least:
            who, at = trace.tokens[look.token], ", ".join(trace.tokens[j] for j in look.at)
            yield f"a share of {look.share:.3f} from {who!r} to {at}", f"{stated.least:g} or more"
