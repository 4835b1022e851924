"""What the engine says about trained numbers: each prompt, each language, both arithmetics."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.engine.preset import Preset
from generator.engine.tokenizers import joined
from generator.presets.language import in_language
from generator.training.corpus import Prompt

Prompts = Mapping[Prompt, str]
TOLERANCE = 1e-9
ROUNDINGS = ("exact", "paper")


class Answer(NamedTuple):
    """What a preset says after a prompt; `margin` is how far the wanted token is ahead, in points.

    A negative margin: another token is ahead by so much. `outside` are the points that all tokens
    get together which never follow the prompt.
    """

    number: int
    language: str
    rounding: str
    prompt: str
    wanted: str
    found: str
    margin: float
    outside: float

    def __str__(self) -> str:
        return (
            f"{self.language}, {self.rounding}: {self.prompt!r}: expected {self.wanted!r}, "
            f"found {self.found!r} ({self.margin:+.1f} points; "
            f"{self.outside:.1f} for what never follows)"
        )


def answers(
    preset: Preset, prompts: Prompts, counts: Mapping[Prompt, Mapping[str, int]] | None = None
) -> Iterator[Answer]:
    """The engine's answer to each prompt, in every language of the preset and both arithmetics.

    `prompts` maps tokens in the preset's own language to the token that should lead, `counts` to
    all that may follow; without it that one only.
    """
    for language in preset.sentences:
        one = in_language(preset, language)
        table = {} if one is preset else preset.translation[language]
        for rounding in ROUNDINGS:
            for number, (tokens, wanted) in enumerate(prompts.items()):
                sentence = joined(tuple(table.get(t, t) for t in tokens), preset.tokenizer)
                here, *others = (table.get(t, t) for t in (wanted, *(counts or {}).get(tokens, ())))
                answer = _asked(one, sentence, rounding, here, {here, *others})
                yield Answer(number, language, rounding, sentence, here, *answer)


def failures(given: Iterable[Answer], margin: float, outside: float = 100.0) -> list[Answer]:
    """The answers that are wrong, not ahead by `margin` points, or give others more than `outside`.

    The worst come first.
    """
    failed = [
        one
        for one in given
        if one.found != one.wanted or one.margin < margin or one.outside > outside
    ]
    return sorted(failed, key=lambda answer: answer.margin)


def require_same_model(preset: Preset, prompts: Prompts, logits: np.ndarray) -> None:
    """Raise `RuntimeError` where the engine's exact logits are not those of the network [b, v]."""
    for tokens, expected in zip(prompts, logits, strict=True):
        sentence = joined(tokens, preset.tokenizer)
        logits_here = compute(preset, sentence, rounding="exact")["output.logits"].values[0]
        if not np.allclose(logits_here, expected, rtol=TOLERANCE, atol=TOLERANCE):
            difference = float(np.abs(logits_here - expected).max())
            raise RuntimeError(
                f"network and engine differ by {difference:.1e} after {sentence!r}: "
                "they do not compute the same model"
            )


def _asked(
    preset: Preset, sentence: str, rounding: str, wanted: str, known: Collection[str]
) -> tuple[str, float, float]:
    """The next token after a sentence, by how many points the wanted one is ahead, the others'."""
    trace = compute(preset, sentence, rounding=rounding)
    shares = trace["output.probabilities"]
    row = shares.values[drawing_row(preset)]
    place = shares.columns.index(wanted)
    others = np.delete(row, place)
    follow = [word in known for word in shares.columns]
    ahead, outside = row[place] - others.max(), row.sum() - row[follow].sum()
    next_token = str(trace["sampling.next"].values[0, 0])
    return next_token, 100.0 * float(ahead), 100.0 * float(outside)
