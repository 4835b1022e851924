"""What a model is, as resolved data: every number and every choice that a computation needs.

Also here:

* Words whose embeddings are the rows of one table: a vocabulary too large for single tuples.
* The range from which the numbers of single pupils are drawn.
* Numbers that a preset wants its result compared with, such as those printed on a slide.
* What a preset promises of its model, in a form that can be checked on any sentence.
* A model with other numbers, and a fingerprint of those that it has.
* How a preset's numbers were learned: the loss on the way, and the numbers at some steps.
"""

import hashlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from generator.engine import choices

EMBEDDING = "vocabulary.embedding"  # the step of its words' numbers


class Embeddings(Mapping[str, tuple[float, ...]]):
    """Words in order of their ids, each with its row of `table` [words, d_model], read-only."""

    def __init__(self, words: Sequence[str], table: np.ndarray) -> None:
        table.setflags(write=False)
        self.table = table
        self._ids = {word: k for k, word in enumerate(words)}

    def __getitem__(self, word: str) -> tuple[float, ...]:
        return tuple(self.table[self._ids[word]].tolist())

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def table_of(words: Mapping[str, tuple[float, ...]], d_model: int) -> np.ndarray:
    """The embeddings of all words [words, d_model] as float64."""
    if isinstance(words, Embeddings):
        return words.table
    return np.array(list(words.values()), dtype=np.float64).reshape(len(words), d_model)


@dataclass(frozen=True, eq=False)
class State:
    """The numbers before a step: embeddings [words, d_model] and weights, by step name."""

    step: int
    numbers: Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class History:
    """A training: `losses` are the mean −ln P of the words that followed, with their steps from 1.

    `free` of the `steps` went without rounding; the preset has the numbers of step `kept`, of which
    `numbers` is the SHA-256. `made` says what found the gradients, `begun` the preset that it went
    on from, "" where its numbers were drawn.
    """

    made: str
    begun: str
    steps: int
    free: int
    kept: int
    numbers: str
    losses: tuple[tuple[int, float], ...]
    states: tuple[State, ...]


@dataclass(frozen=True)
class Promise:
    """One promise: by `rule`, who looks at whom in a head, or which word is predicted.

    previous: each token looks at the one before it. same: at its earlier copies. after-same: at
    what followed its earlier copies. kinds: tokens of the kinds `who` look at those of the kinds
    `at`; a kind is a named dimension. words: the tokens `who` look at the tokens `at`. In all of
    them these get the share `least` or more. predicts: after `sentence`, "" for the preset's own,
    comes `at`. continues: what followed the last token before comes again, if that was always
    the same other token. repeats: a token of the sentence comes again. writes: from `sentence` on,
    and from each beginning of the texts `at`, greedy decoding writes one of these, and sampling
    does with a probability of `least` or more.

    `tokens` limits the promise to sentences of at most so many tokens, 0 to none. Words are in
    the preset's own language.
    """

    rule: choices.Rule
    head: str
    who: tuple[str, ...]
    at: tuple[str, ...]
    sentence: str
    least: float
    tokens: int


@dataclass(frozen=True)
class Compare:
    """One row of a step as somebody else printed it.

    `title` and `note` by language, `row` counted from 0. The note says what to make of a
    difference.
    """

    title: Mapping[str, str]
    step: str
    row: int
    values: tuple[float, ...]
    note: Mapping[str, str]


@dataclass(frozen=True)
class Range:
    """The numbers from `start` to `to` in steps of `step`.

    `zeros` is the share of cells that are 0; None keeps the zeros of the preset where they are.
    """

    start: float
    to: float
    step: float
    zeros: float | None = None

    def numbers(self) -> tuple[float, ...]:
        """All numbers of the range but 0, each as its shortest decimal."""
        steps = round((self.to - self.start) / self.step, 6)
        numbers = (round(self.start + k * self.step, 6) + 0.0 for k in range(int(steps) + 1))
        return tuple(number for number in numbers if number)


@dataclass(frozen=True, eq=False)
class Preset:
    """A model and the sentence it is shown with; built by `generator.presets`, read by the engine.

    Row vectors, X·W. `weights` holds float64 matrices by step name ("block1.head1.weight.query"
    [d_model, d_head], "block1.weight.output" [heads·d_head, d_model], "block1.weight.hidden"
    [d_model, d_ff], "block1.weight.feedforward" [d_ff, d_model], "position" [n_max, d_model],
    "output.matrix" [vocabulary, d_model]; biases, gains and shifts [1, n]); what it does not hold
    does not exist. `start_value` is [tokens, d_model] for a given matrix, [1, d_model] for a given
    last vector. All arrays are made read-only here, because one preset serves many computations.

    `softmax_base` None means e; `rounding` is the default mode; empty `worked` and `exercise`
    leave the choice to the mask. `words` are in order of their ids; `words`, `worked`, `exercise`
    are in `language`, `translation` maps from it. `own` says whether they stay in the vocabulary
    beside a sentence's new ones, `reserved` which dimensions (from 0) of a new word are 0. `merges`
    are those of a byte-pair encoding, as a reader sees them; `corpus` the words × counts that it
    was learned from, if there are. `d_ff` is 0 where there is no feed-forward part.
    `stop` is the token that ends a generated text, in `language`; None where none does.
    `dimensions` are the names of d1, d2, …; `shows` says by language what there is to see,
    `behaviour` what is promised of the model.
    `history` says how its numbers were learned, where that is kept beside its file.
    `vary` says, by given step, from which numbers those of single pupils are drawn.
    """

    name: str
    title: Mapping[str, str]
    language: str
    sentences: Mapping[str, str]
    rounding: choices.Rounding
    meaningful: bool
    worked: tuple[str, ...]
    exercise: tuple[str, ...]
    tokenizer: choices.Tokenizer
    merges: tuple[tuple[str, str], ...]
    d_model: int
    heads: int
    d_head: int
    d_ff: int
    blocks: int
    parts: frozenset[choices.Part]
    positions: choices.Positions
    input_decimals: int | None
    mask: choices.Mask
    norm: choices.Norm
    norm_form: choices.NormForm
    epsilon: float
    final_norm: bool
    softmax_base: float | None
    shifted: choices.Shift
    activation: choices.Activation
    output: choices.Output
    output_positions: choices.OutputPositions
    start: choices.Start
    start_value: np.ndarray | None
    temperatures: tuple[float, ...]
    strategy: choices.Strategy
    k: int | None
    p: float | None
    random: float | None
    decimals: Mapping[str, int]
    unknown: choices.Unknown
    seed: int
    words: Mapping[str, tuple[float, ...]]
    translation: Mapping[str, Mapping[str, str]]
    weights: Mapping[str, np.ndarray]
    sha256: str
    source: str
    compare: Compare | None = None
    corpus: Mapping[str, int] | None = None
    vary: Mapping[str, Range] = field(default_factory=dict)
    dimensions: tuple[str, ...] = ()
    shows: Mapping[str, str] = field(default_factory=dict)
    behaviour: tuple[Promise, ...] = ()
    own: choices.OwnWords = "keep"
    reserved: tuple[int, ...] = ()
    stop: str | None = None
    history: History | None = None

    @cached_property
    def computed(self) -> dict[Hashable, object]:
        """Computations whose steps another one repeats, see `structure`; not sent or copied."""
        return {}

    def __post_init__(self) -> None:
        for array in self.weights.values():
            array.setflags(write=False)
        if self.start_value is not None:
            self.start_value.setflags(write=False)

    def __getstate__(self) -> dict[str, object]:
        """What is sent to another process; Python cannot send a read-only mapping as it is."""
        return {one.name: _sendable(getattr(self, one.name)) for one in fields(self)}

    def __setstate__(self, state: Mapping[str, object]) -> None:
        """Take over what was sent, read-only again."""
        for name, value in state.items():
            object.__setattr__(self, name, _protected(value))
        self.__post_init__()

    def heading(self, language: str) -> str:
        """What stands above this model in a language: its title there, else its name."""
        return self.title.get(language, self.name)


def _sendable(value: object) -> object:
    if not isinstance(value, Mapping) or isinstance(value, Embeddings):
        return value
    return {name: _sendable(one) for name, one in value.items()}


def _protected(value: object) -> object:
    if not isinstance(value, Mapping) or isinstance(value, Embeddings):
        return value
    return MappingProxyType({name: _protected(one) for name, one in value.items()})


def with_numbers(preset: Preset, numbers: Mapping[str, np.ndarray]) -> Preset:
    """The preset with other embeddings [words, d_model] and weights, by step name."""
    words, table = preset.words, numbers.get(EMBEDDING)
    if table is not None:
        rows = zip(words, table.tolist(), strict=True)
        words = MappingProxyType({word: tuple(row) for word, row in rows})
    new = {name: x.copy() for name, x in numbers.items() if name != EMBEDDING}
    return replace(preset, words=words, weights=MappingProxyType({**preset.weights, **new}))


def digest(preset: Preset) -> str:
    """SHA-256 of all numbers of a model, whatever its words are called."""
    sha = hashlib.sha256()
    for row in preset.words.values():
        sha.update(np.array(row, dtype=np.float64).tobytes())
    for name in sorted(preset.weights):
        sha.update(name.encode("utf-8") + preset.weights[name].tobytes())
    return sha.hexdigest()
