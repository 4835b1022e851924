"""What a model is, as resolved data: every number and every choice that a computation needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from generator.engine.choices import (
    Activation,
    Mask,
    Norm,
    NormForm,
    Output,
    OutputPositions,
    OwnWords,
    Part,
    Positions,
    Rounding,
    Shift,
    Start,
    Strategy,
    Tokenizer,
    Unknown,
)
from generator.engine.compare import Compare
from generator.engine.embeddings import Embeddings
from generator.engine.history import History
from generator.engine.promise import Promise
from generator.engine.vary import Range


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
    rounding: Rounding
    meaningful: bool
    worked: tuple[str, ...]
    exercise: tuple[str, ...]
    tokenizer: Tokenizer
    merges: tuple[tuple[str, str], ...]
    d_model: int
    heads: int
    d_head: int
    d_ff: int
    blocks: int
    parts: frozenset[Part]
    positions: Positions
    input_decimals: int | None
    mask: Mask
    norm: Norm
    norm_form: NormForm
    epsilon: float
    final_norm: bool
    softmax_base: float | None
    shifted: Shift
    activation: Activation
    output: Output
    output_positions: OutputPositions
    start: Start
    start_value: np.ndarray | None
    temperatures: tuple[float, ...]
    strategy: Strategy
    k: int | None
    p: float | None
    random: float | None
    decimals: Mapping[str, int]
    unknown: Unknown
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
    own: OwnWords = "keep"
    reserved: tuple[int, ...] = ()
    stop: str | None = None
    history: History | None = None

    def __post_init__(self) -> None:
        for array in self.weights.values():
            array.setflags(write=False)
        if self.start_value is not None:
            self.start_value.setflags(write=False)

    def __getstate__(self) -> dict[str, object]:
        """What is sent to another process; Python cannot send a read-only mapping as it is."""
        return {name: _sendable(value) for name, value in vars(self).items()}

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
