"""What the engine says about trained numbers: each prompt, each language, both arithmetics."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.engine.preset import Preset
from generator.engine.tokenizers import joined
from generator.presets.language import in_language

Prompts = Mapping[tuple[str, ...], str]
TOLERANCE = 1e-9
ROUNDINGS = ("exact", "paper")


class Answer(NamedTuple):
    """What a preset says after a prompt; `margin` is how far the wanted token is ahead, in points.

    A negative margin: another token is ahead by so much.
    """

    number: int
    language: str
    rounding: str
    prompt: str
    wanted: str
    found: str
    margin: float

    def __str__(self) -> str:
        return (
            f"{self.language}, {self.rounding}: {self.prompt!r}: expected {self.wanted!r}, "
            f"found {self.found!r} ({self.margin:+.1f} points)"
        )


def answers(preset: Preset, prompts: Prompts) -> Iterator[Answer]:
    """The engine's answer to each prompt, in every language of the preset and both arithmetics.

    `prompts` maps tokens in the preset's own language to the token that should follow.
    """
    for language in preset.sentences:
        one = in_language(preset, language)
        table = {} if one is preset else preset.translation[language]
        for rounding in ROUNDINGS:
            for number, (tokens, wanted) in enumerate(prompts.items()):
                sentence = joined(tuple(table.get(t, t) for t in tokens), preset.tokenizer)
                wanted_here = table.get(wanted, wanted)
                found, margin = _asked(one, sentence, rounding, wanted_here)
                yield Answer(number, language, rounding, sentence, wanted_here, found, margin)


def failures(given: Iterable[Answer], margin: float) -> list[Answer]:
    """The answers that are wrong or not ahead by `margin` points, worst first."""
    failed = [one for one in given if one.found != one.wanted or one.margin < margin]
    return sorted(failed, key=lambda answer: answer.margin)


def require_same_model(preset: Preset, prompts: Prompts, logits: np.ndarray) -> None:
    """Raise `RuntimeError` where the engine's exact logits are not those of the network [b, v]."""
    for tokens, expected in zip(prompts, logits, strict=True):
        sentence = joined(tokens, preset.tokenizer)
        found = compute(preset, sentence, rounding="exact")["output.logits"].values[0]
        if not np.allclose(found, expected, rtol=0, atol=TOLERANCE):
            difference = float(np.abs(found - expected).max())
            raise RuntimeError(
                f"network and engine differ by {difference:.1e} after {sentence!r}: "
                "they do not compute the same model"
            )


def _asked(preset: Preset, sentence: str, rounding: str, wanted: str) -> tuple[str, float]:
    """The next token after a sentence, and by how many points the wanted one is ahead."""
    trace = compute(preset, sentence, rounding=rounding)
    shares = trace["output.probabilities"]
    row = shares.values[drawing_row(preset)]
    place = shares.columns.index(wanted)
    others = np.delete(row, place)
    return str(trace["sampling.next"].values[0, 0]), 100.0 * float(row[place] - others.max())
