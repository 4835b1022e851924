"""Sheet 1, the tokenizer: from a sentence to IDs and back.

Also here:

* The vocabulary that sheet 1 prints: the model's tokens and everyday ones, sorted for searching.
"""

from dataclasses import dataclass

import numpy as np

from generator.engine.arrays import column
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.engine.vocabulary import by_alphabet
from generator.errors import UserError
from generator.insight.learned import repeated, short, swapped, words
from generator.insight.lookups import VOCABULARY, Lookups
from generator.locales.catalogue import load
from generator.sheets.plan import MOST_ASKED, Plan, minutes, require_level, require_shown, seconds

SHEET = "1"
EXAMPLE, THERE, BACK, MIXED = "example", "task1", "task2", "task3"
MOST_VOCABULARY = 1000
MOST_EXCERPT = 6  # of the vocabulary on the info leaf
OWN_WORDS = 6  # of the pupils' own vocabulary and of their own sentence, at the third level
BLOCKS = {1: 4, 2: 6, 3: 10}
KINDS = {"word": "words", "character": "characters"}
COPIES = 2  # finding an entry and writing it down takes as long as copying two numbers


@dataclass(frozen=True, kw_only=True)
class Plan1(Plan):
    """`shown` are the rows of the printed list on the work leaf, `excerpt` those on the info leaf.

    `size` counts all tokens of the list that it is a part of. `free` counts the boxes without a set
    answer, `mixes` says whether the sentence with signs and capitals is asked. List, example and
    tasks are the steps `listed.…`, `example.…`, `task1.…` (the sentence's words in another order),
    `task2.…` (an everyday sentence), `task3.…`.
    """

    shown: tuple[int, ...]
    excerpt: tuple[int, ...]
    size: int
    free: int
    mixes: bool


def plan(trace: Trace, level: int) -> Plan1:
    """What sheet 1 shows and asks at a level, for this Trace's sentence.

    Raises `UserError` where the preset has no vocabulary of words or characters, and where the
    sentence has fewer than two different ones or more than 12 tokens.
    """
    require_level(level)
    _require_fit(trace)
    look = _lookups(trace, level)
    asked = _asked(look, level)
    free = OWN_WORDS if level == 3 else 0
    return Plan1(
        sheet=SHEET,
        level=level,
        shown=tuple(range(len(look.chain[f"{LISTED}.tokens"].values))),
        excerpt=_excerpt(look),
        size=len(look.words),
        free=free,
        mixes=level > 1,
        asked=asked,
        minutes=minutes((len(asked) + free) * COPIES * seconds()["copy"], BLOCKS[level]),
        extra=look.steps(),
    )


def _require_fit(trace: Trace) -> None:
    preset = trace.preset
    if "ids" not in trace or preset.tokenizer not in KINDS:
        raise UserError(
            f"preset {preset.name!r} does not look up words or characters in a vocabulary, which "
            "sheet 1 is about; take 'katze' or 'brille'"
        )
    require_shown(trace)
    known = len(trace["vocabulary.words"].values)
    if known > MOST_VOCABULARY:
        raise UserError(
            f"the vocabulary has {known} words; sheet 1 takes at most {MOST_VOCABULARY}, as its "
            "one-hot tables have a column for each: take 'katze' or 'brille'"
        )
    if len({trace.tokens[k] for k in words(trace.tokens)}) < 2:
        raise UserError(
            f"sheet 1 makes further sentences from the {KINDS[preset.tokenizer]} of "
            f"{trace.sentence!r}; it needs at least two different {KINDS[preset.tokenizer]}: write "
            "a longer sentence"
        )


def _lookups(trace: Trace, level: int) -> Lookups:
    look = Lookups(trace, KNOWN, known(trace))
    look.encode(EXAMPLE, short(trace.tokens))
    look.encode(THERE, swapped(trace.tokens))
    look.encode(BACK, everyday(trace).sentence)
    look.decode(BACK)
    if level > 1:
        look.encode(MIXED, repeated(trace.tokens))
        look.enter(MIXED)
    needed = {word for prefix in (THERE, BACK, MIXED) for word in _used(look, prefix)}
    look.encode(LISTED, listed(trace, needed, MOST_OF_MODEL))
    return look


def _used(look: Lookups, prefix: str) -> list[str]:
    """The words of a sentence that have an ID."""
    if f"{prefix}.tokens" not in look.chain:
        return []
    tokens = look.chain[f"{prefix}.tokens"].values[:, 0].tolist()
    return [token for token in tokens if token in look.words]


def _asked(look: Lookups, level: int) -> frozenset[Cell]:
    n, back = (len(look.chain[f"{prefix}.ids"].values) for prefix in (THERE, BACK))
    cells = {(f"{THERE}.ids", i, 0) for i in range(max(0, n - MOST_ASKED), n)}
    cells |= {(f"{BACK}.words", i, 0) for i in range(back)}
    if level > 1:
        cells |= {(f"{MIXED}.entries", i, 0) for i in range(MOST_ASKED)}
    return frozenset(cells)


def _excerpt(look: Lookups) -> tuple[int, ...]:
    """The rows of the printed list on the info leaf: the example's tokens, then the first ones."""
    rows = look.chain[f"{LISTED}.tokens"].values[:, 0].tolist()
    used = [k for k, token in enumerate(rows) if token in _used(look, EXAMPLE)]
    others = [k for k in range(len(rows)) if k not in used]
    return tuple(sorted([*used, *others[: max(0, MOST_EXCERPT - len(used))]]))


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
