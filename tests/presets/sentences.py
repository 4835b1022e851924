"""Fifty sentences for each head with a meaning, drawn so that they are always the same."""

from collections.abc import Callable, Mapping, Sequence

from generator.engine.draws import draw
from generator.engine.preset import Preset

COUNT = 50
MOST_DRAWN = 200  # some of them are the same
LIVING = ("person", "animal")
# By kind; a word in capitals stands for itself, by its German form.
PATTERNS = (
    ("article", "living", "action", "property", "living"),
    ("article", "living", "action", "article", "thing"),
    ("property", "living", "action", "thing"),
    ("living", "und", "living", "action", "article", "living"),
    ("article", "living", "in", "place", "action", "property", "thing"),
    ("article", "thing", "action", "article", "living"),
)


def sentences(preset: Preset) -> list[str]:
    """Fifty different sentences of a preset's words, as its promises are about them."""
    found: dict[str, None] = {}
    for number in range(MOST_DRAWN):
        found[" ".join(MAKERS[preset.name](preset, Picker(preset.name, number)))] = None
    return list(found)[:COUNT]


class Picker:
    """Numbers drawn one after the other for one sentence."""

    def __init__(self, key: str, sentence: int) -> None:
        self.key, self.sentence, self.counter = key, sentence, 0

    def below(self, size: int) -> int:
        self.counter += 1
        return draw("sentences", self.sentence, self.key, self.counter, size)

    def one(self, words: Sequence[str]) -> str:
        return words[self.below(len(words))]

    def different(self, words: Sequence[str], count: int) -> list[str]:
        left = list(words)
        return [left.pop(self.below(len(left))) for _ in range(count)]


def any_words(preset: Preset, pick: Picker) -> list[str]:
    """Three to seven words, equal ones among them."""
    words = list(preset.words)
    return [pick.one(words) for _ in range(3 + pick.below(5))]


def with_a_copy(preset: Preset, pick: Picker) -> list[str]:
    """Three to seven words and an earlier one of them again."""
    found = any_words(preset, pick)
    return [*found, pick.one(found)]


def with_a_pattern(preset: Preset, pick: Picker) -> list[str]:
    """Different words and one of them again, or a row of words that starts anew."""
    words = pick.different(list(preset.words), 3 + pick.below(4))
    if pick.below(2):
        return [*words, pick.one(words[:-1])]
    return [words[k % len(words)] for k in range(len(words) + 1 + pick.below(8 - len(words)))]


def of_kinds(preset: Preset, pick: Picker) -> list[str]:
    """A sentence of a subject, a verb and more."""
    found = [pick.one(_words(preset, kind)) for kind in PATTERNS[pick.below(len(PATTERNS))]]
    starts = {"die": "Die", "alle": "Alle", "viele": "Viele", "zwei": "Zwei"}
    first = starts.get(found[0], found[0])
    return [first, *(next((k for k, v in starts.items() if v == w), w) for w in found[1:])]


def four_kinds(preset: Preset, pick: Picker) -> list[str]:
    """Who, does, which, what."""
    return [pick.one(_words(preset, kind)) for kind in ("acting", "action", "property", "thing")]


def _words(preset: Preset, kind: str) -> list[str]:
    if kind in preset.words:
        return [kind]
    kinds = LIVING if kind == "living" else (kind,)
    places = [preset.dimensions.index(one) for one in kinds]
    return [word for word, numbers in preset.words.items() if numbers.index(max(numbers)) in places]


MAKERS: Mapping[str, Callable[[Preset, Picker], list[str]]] = {
    "previous-word": any_words,
    "same-word": with_a_copy,
    "induction": with_a_pattern,
    "subject-verb": of_kinds,
    "mental": four_kinds,
}
