"""The vocabulary that sheet 1 prints: the model's tokens and everyday ones, sorted for searching.

With the sentence's own words alone, in the order of their IDs, looking up would be copying. The
model's tokens keep their IDs, which other sheets and the workbook print; the everyday ones come
after them and belong to nobody else.
"""

from dataclasses import dataclass

import numpy as np

from generator.engine.arrays import column
from generator.engine.trace import Trace
from generator.engine.vocabulary import by_alphabet
from generator.insight.lookups import VOCABULARY
from generator.locales.catalogue import load

KNOWN = "known.words"  # all tokens in order of their IDs
LISTED = "listed"  # the printed ones, sorted
PHRASES = ("sheet1.everyday.tokens", "sheet1.everyday.sentence")
MOST_OF_MODEL = 12  # of the model's tokens; of a longer vocabulary a part is printed


@dataclass(frozen=True)
class Everyday:
    """Tokens of everyday language in order of their IDs, and a sentence made of some of them."""

    tokens: tuple[str, ...]
    sentence: tuple[str, ...]


def everyday(trace: Trace) -> Everyday:
    """Those of the Trace's language, which the model may have as well: words or characters."""
    phrases = load(trace.language).phrases
    if trace.preset.tokenizer == "character":
        letters, word = (phrases[f"{key}.characters"].replace(" ", "") for key in PHRASES)
        return Everyday(tuple(letters), tuple(word))
    tokens, sentence = (tuple(phrases[key].split()) for key in PHRASES)
    return Everyday(tokens, sentence)


def known(trace: Trace) -> np.ndarray:
    """All tokens [v] in order of their IDs: the model's, then the everyday ones that it lacks."""
    own = trace[VOCABULARY].values[:, 0].tolist()
    return column([*own, *(token for token in everyday(trace).tokens if token not in own)])


def listed(trace: Trace, needed: set[str], most: int) -> tuple[str, ...]:
    """The printed tokens, sorted: all needed ones, the model's first ones, everyday ones.

    `most` is how many there are at most of the model's own that are not needed.
    """
    own = trace[VOCABULARY].values[:, 0].tolist()
    others = [token for token in own if token not in needed]
    more = others[: max(0, most - sum(token in needed for token in own))]
    return tuple(sorted({*needed, *more, *everyday(trace).tokens}, key=by_alphabet))
