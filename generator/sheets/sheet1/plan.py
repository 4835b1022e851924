"""Sheet 1, the tokenizer: from a sentence to IDs and back."""

from dataclasses import dataclass

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.lookups import Lookups
from generator.insight.sentences import repeated, short, swapped, words
from generator.sheets.effort import minutes, seconds
from generator.sheets.plan import MOST_ASKED, Plan, require_level, require_shown

SHEET = "1"
EXAMPLE, BACK, MIXED = "example", "task2", "task3"
MOST_WORDS = 24  # of the vocabulary on the work leaf; of a longer one it prints a part
MOST_VOCABULARY = 1000
MOST_EXCERPT = 6  # of the vocabulary on the info leaf
OWN_WORDS = 6  # of the pupils' own vocabulary and of their own sentence, at the third level
BLOCKS = {1: 4, 2: 6, 3: 10}
KINDS = {"word": "words", "character": "characters"}
COPIES = 2  # finding an entry and writing it down takes as long as copying two numbers


@dataclass(frozen=True, kw_only=True)
class Plan1(Plan):
    """`shown` are the IDs of the vocabulary on the work leaf, `excerpt` those on the info leaf.

    `free` counts the boxes without a set answer, `mixes` says whether the sentence
    with signs and capitals is asked. Sentence, example and tasks are the steps `tokens`,
    `example.…`, `task2.…`, `task3.…`.
    """

    shown: tuple[int, ...]
    excerpt: tuple[int, ...]
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
    asked = _asked(len(trace.tokens), level)
    free = OWN_WORDS if level == 3 else 0
    return Plan1(
        sheet=SHEET,
        level=level,
        shown=_shown(look, (BACK, MIXED), MOST_WORDS),
        excerpt=_shown(look, (EXAMPLE,), MOST_EXCERPT),
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
    look = Lookups(trace)
    look.encode("vocabulary", look.words)
    look.encode(EXAMPLE, short(trace.tokens))
    look.decode(EXAMPLE)
    look.encode(BACK, swapped(trace.tokens))
    look.decode(BACK)
    if level > 1:
        look.encode(MIXED, repeated(trace.tokens))
        look.enter(MIXED)
    return look


def _asked(n: int, level: int) -> frozenset[Cell]:
    own = range(max(0, n - MOST_ASKED), n)
    cells = {("ids", i, 0) for i in own} | {(f"{BACK}.words", i, 0) for i in own}
    if level > 1:
        cells |= {(f"{MIXED}.entries", i, 0) for i in range(MOST_ASKED)}
    return frozenset(cells)


def _shown(look: Lookups, prefixes: tuple[str, ...], most: int) -> tuple[int, ...]:
    """The words of the vocabulary that are printed: those in use, then the first ones."""
    used = [look.chain[f"{p}.onehot"].values for p in prefixes if f"{p}.onehot" in look.chain]
    needed = [j for j in range(len(look.words)) if any(onehot[:, j].any() for onehot in used)]
    others = [j for j in range(len(look.words)) if j not in needed]
    return tuple(sorted([*needed, *others[: max(0, most - len(needed))]]))
