"""Sheet 1, the tokenizer: from a sentence to IDs and back.

Also here:

* The vocabulary that sheet 1 prints: the model's tokens and everyday ones, sorted for searching.
* Further sentences made from the words of one: a short one, two words swapped, signs and case.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from generator.engine.arrays import column
from generator.engine.ops.copying import Gather, Ids, OneHot
from generator.engine.scope import Scope
from generator.engine.trace import Trace
from generator.engine.vocabulary import by_alphabet
from generator.insight.output_layer import WORDS as VOCABULARY
from generator.locales.catalogue import load
from generator.sheets.plan import MOST_ASKED, Plan, demand, effort, practised, require_shown

EXAMPLE, THERE, BACK, MIXED = "example", "task1", "task2", "task3"
KNOWN = "known.words"  # all tokens in order of their IDs
LISTED = "listed"  # the printed ones, sorted
PHRASES = ("sheet1.everyday.tokens", "sheet1.everyday.sentence")
ABSENT = "–"  # what stands for the ID of a token that is not in the vocabulary
COMMA, STOP = ",", "."
SHORT = 3
MOST_VOCABULARY = 1000
MOST_OF_MODEL = 12  # of the model's tokens; of a longer vocabulary a part is printed
MOST_EXCERPT = 6  # of the vocabulary on the info leaf
OWN_WORDS = 6  # of the pupils' own vocabulary and of their own sentence, at the third level
BLOCKS = {1: 2, 2: 3, 3: 5}
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
    _require_fit(trace)
    look, mixes = Lookups(trace), level > 1
    look.encode(EXAMPLE, short(trace.tokens))
    n = look.encode(THERE, swapped(trace.tokens))
    back = look.encode(BACK, look.everyday[1])
    look.chain.apply(f"{BACK}.words", Gather(), f"{BACK}.ids", KNOWN, columns=("word",))
    asked = {(f"{THERE}.ids", i, 0) for i in range(max(0, n - MOST_ASKED), n)}
    asked |= {(f"{BACK}.words", i, 0) for i in range(back)}
    if mixes:
        look.enter(MIXED, repeated(trace.tokens))
        asked |= {(f"{MIXED}.entries", i, 0) for i in range(MOST_ASKED)}
    listed = look.listed((THERE, BACK, MIXED) if mixes else (THERE, BACK))
    look.encode(LISTED, listed)
    example = [k for k, token in enumerate(listed) if token in look.tokens(EXAMPLE)]
    others = [k for k in range(len(listed)) if k not in example]
    free = OWN_WORDS if level == 3 else 0
    return Plan1(
        shown=tuple(range(len(listed))),
        excerpt=tuple(sorted([*example, *others[: max(0, MOST_EXCERPT - len(example))]])),
        size=len(look.words),
        free=free,
        mixes=mixes,
        asked=frozenset(asked),
        minutes=effort(BLOCKS[level], copy=(len(asked) + free) * COPIES),
        beside=practised(copy=COPIES * n, compare=1 + mixes),
        extra=look.chain.new,
    )


def _require_fit(trace: Trace) -> None:
    tokenizer = trace.preset.tokenizer
    demand("ids" in trace and tokenizer in KINDS, "1.vocabulary", trace)
    require_shown(trace)
    known = len(trace[VOCABULARY].values)
    demand(known <= MOST_VOCABULARY, "1.long", trace, known=known, most=MOST_VOCABULARY)
    different = {trace.tokens[k] for k in words(trace.tokens)}
    demand(len(different) > 1, "1.different", trace, kinds=KINDS[tokenizer])


@dataclass(frozen=True)
class Lookups:
    """Steps of further sentences over the vocabulary of the sheet, each under its own prefix."""

    trace: Trace

    @cached_property
    def everyday(self) -> tuple[tuple[str, ...], ...]:
        """Tokens of everyday language, by ID, which the model may have too, and a sentence of some.

        Words or characters, in the Trace's language.
        """
        return tuple(tuple(self.phrase(key).split()) for key in PHRASES)

    def phrase(self, key: str) -> str:
        """The catalogue's list of tokens, in the Trace's language: words or characters."""
        ending = ".characters" if self.trace.preset.tokenizer == "character" else ""
        return load(self.trace.language).phrases[key + ending]

    @cached_property
    def own(self) -> list[str]:
        """The model's tokens in order of their IDs."""
        own: list[str] = self.trace[VOCABULARY].values[:, 0].tolist()
        return own

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All tokens in order of their IDs: the model's, then the everyday ones that it lacks."""
        return (*self.own, *(token for token in self.everyday[0] if token not in self.own))

    @cached_property
    def chain(self) -> Scope:
        """Where the steps are written, the vocabulary first."""
        chain = self.trace.scratch()
        chain.give(KNOWN, column(self.words), columns=("word",))
        return chain

    def tokens(self, prefix: str) -> list[str]:
        """The tokens of a sentence."""
        tokens: list[str] = self.chain[f"{prefix}.tokens"].values[:, 0].tolist()
        return tokens

    def encode(self, prefix: str, tokens: Sequence[str]) -> int:
        """Write tokens, onehot and ids, and say how many; one without an ID has a row of 0."""
        self.chain.give(f"{prefix}.tokens", column(tokens), columns=("token",))
        inputs, at = (f"{prefix}.tokens", KNOWN), f"{prefix}.onehot"
        self.chain.apply(at, OneHot(), *inputs, columns=self.words)
        self.chain.apply(f"{prefix}.ids", Ids(), at, rows=tokens, columns=("id",))
        return len(tokens)

    def enter(self, prefix: str, tokens: Sequence[str]) -> None:
        """Encode, and write what pupils enter for each: its ID, a dash outside the vocabulary."""
        self.encode(prefix, tokens)
        places = {word: str(place) for place, word in enumerate(self.words)}
        entries = [places.get(token, ABSENT) for token in tokens]
        self.chain.give(f"{prefix}.entries", column(entries), columns=("id",))

    def listed(self, prefixes: Sequence[str]) -> tuple[str, ...]:
        """The printed tokens, sorted: those of some sentences, the model's first, everyday ones.

        At most so many are the model's own that no sentence needs.
        """
        needed = {token for one in prefixes for token in self.tokens(one) if token in self.words}
        others = [token for token in self.own if token not in needed]
        more = others[: max(0, MOST_OF_MODEL - sum(token in needed for token in self.own))]
        return tuple(sorted({*needed, *more, *self.everyday[0]}, key=by_alphabet))


def words(tokens: Sequence[str]) -> tuple[int, ...]:
    """The places of the tokens that hold a letter or a digit."""
    return tuple(k for k, token in enumerate(tokens) if any(map(str.isalnum, token)))


def short(tokens: Sequence[str]) -> tuple[str, ...]:
    """The last three words."""
    return tuple(tokens[k] for k in words(tokens)[-SHORT:])


def swap(tokens: Sequence[str]) -> tuple[int, int]:
    """The places of the second word and of the last word that differs from it."""
    places = words(tokens)
    second = places[1]
    return second, next(k for k in reversed(places) if tokens[k] != tokens[second])


def swapped(tokens: Sequence[str]) -> tuple[str, ...]:
    """The sentence with its second and its last word swapped."""
    a, b = swap(tokens)
    order = {a: b, b: a}
    return tuple(tokens[order.get(k, k)] for k in range(len(tokens)))


def repeated(tokens: Sequence[str]) -> tuple[str, ...]:
    """Eight tokens: three words, a comma, the first with its other initial, two words, full stop.

    The third word comes twice: "Die Katze sitzt, die Matte sitzt."
    """
    own_words = [tokens[k] for k in words(tokens)]
    first, second, third = own_words[0], own_words[1], own_words[min(2, len(own_words) - 1)]
    noun = own_words[-1] if len(own_words) > 3 else second
    return (first, second, third, COMMA, other_case(first), noun, third, STOP)


def other_case(word: str) -> str:
    """The word with a small initial where it has a capital one, and the other way round."""
    changed = word[0].lower() if word[0].isupper() else word[0].upper()
    return changed + word[1:] if len(changed) == 1 else word


def written(tokens: Sequence[str], kind: str = "word") -> str:
    """The tokens as one writes the sentence: no space before comma and full stop.

    `kind` is that of the tokenizer: characters follow each other without a gap.
    """
    if kind == "character":
        return "".join(tokens)
    return " ".join(tokens).replace(f" {COMMA}", COMMA).replace(f" {STOP}", STOP)
