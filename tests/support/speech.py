"""Drawn sentences of every kind: known, partly known and unknown words, by a grammar or at random.

The same at every call. Presets that refuse a sentence are left out by whoever takes it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.engine.draws import draw
from generator.engine.preset import Preset
from generator.presets.language import in_language
from generator.presets.load import load_preset

LONGEST = 12
KINDS = ("own", "known", "partly", "unknown", "grammar", "repeated")
STRANGE = {
    "de": ("Heute", "scheint", "Sonne", "Meer", "Haus", "Baum", "läuft", "singt", "neben", "alte"),
    "en": ("Today", "shines", "sun", "sea", "house", "tree", "runs", "sings", "beside", "old"),
}
GRAMMAR = {
    "de": (("Die", "Der", "Eine"), STRANGE["de"], ("sitzt", "läuft", "singt"), ("auf", "neben"),
           ("der", "einer"), ("Matte", "Wiese", "Kiste", "Bank")),
    "en": (("The", "A"), STRANGE["en"], ("sits", "runs", "sings"), ("on", "beside"),
           ("the", "a"), ("mat", "grass", "box", "bench")),
}  # fmt: skip


class Speech(NamedTuple):
    """A sentence for a preset in a language; "" stands for its own."""

    preset: str
    language: str
    kind: str
    sentence: str


def speeches(presets: tuple[str, ...], count: int) -> Iterator[Speech]:
    """So many sentences for each preset and language; kinds and lengths take turns."""
    for preset in presets:
        for language in ("de", "en"):
            known = in_language(load_preset(preset), language)
            for number in range(count):
                kind = KINDS[number % len(KINDS)]
                yield Speech(preset, language, kind, _sentence(known, kind, number))


def _sentence(preset: Preset, kind: str, number: int) -> str:
    """A sentence of 2 to 12 words, of a given kind."""
    if kind == "own":
        return ""
    key = f"{preset.name}|{preset.language}|{kind}|{number}"
    length = 2 + _below(key, 0, LONGEST - 1)
    known, strange = list(preset.words) or ["a"], STRANGE[preset.language]
    if kind == "grammar":
        words = [_one(part, key, k) for k, part in enumerate(GRAMMAR[preset.language], 1)]
        return _joined(preset, words[: max(2, length)])
    choices = {
        "known": known,
        "partly": [*known, *strange],
        "unknown": strange,
        "repeated": known[:3],
    }
    words = [_one(choices[kind], key, k) for k in range(1, length + 1)]
    return _joined(preset, words)


def _joined(preset: Preset, words: list[str]) -> str:
    return ("" if preset.tokenizer == "character" else " ").join(words)


def _one(words: Sequence[str], key: str, k: int) -> str:
    return words[_below(key, k, len(words))]


def _below(key: str, counter: int, size: int) -> int:
    return draw("speech", 1, key, counter, size)
