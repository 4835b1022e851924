"""What a model is, as resolved data: every number and every choice that a computation needs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from generator.engine.compare import Compare


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
    are in `language`, `translation` maps from it. `d_ff` is 0 where there is no feed-forward part.
    """

    name: str
    title: Mapping[str, str]
    language: str
    sentences: Mapping[str, str]
    rounding: str
    meaningful: bool
    worked: tuple[str, ...]
    exercise: tuple[str, ...]
    tokenizer: str
    merges: tuple[tuple[str, str], ...]
    d_model: int
    heads: int
    d_head: int
    d_ff: int
    blocks: int
    parts: frozenset[str]
    positions: str
    input_decimals: int | None
    mask: str
    norm: str
    epsilon: float
    final_norm: bool
    softmax_base: float | None
    shifted: str
    activation: str
    output: str
    output_positions: str
    start: str
    start_value: np.ndarray | None
    temperatures: tuple[float, ...]
    strategy: str
    k: int | None
    p: float | None
    random: float | None
    decimals: Mapping[str, int]
    unknown: str
    seed: int
    words: Mapping[str, tuple[float, ...]]
    translation: Mapping[str, Mapping[str, str]]
    weights: Mapping[str, np.ndarray]
    sha256: str
    source: str
    compare: Compare | None = None

    def __post_init__(self) -> None:
        for array in self.weights.values():
            array.setflags(write=False)
        if self.start_value is not None:
            self.start_value.setflags(write=False)
