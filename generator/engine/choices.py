"""What a preset may choose, by name; imports nothing heavy, so that a command line may say it."""

from typing import Final, Literal, TypeAlias, get_args

Rounding: TypeAlias = Literal["paper", "exact"]
Tokenizer: TypeAlias = Literal["word", "character", "bpe", "bpe-bytes", "bpe-gpt2"]
Part: TypeAlias = Literal["attention", "residual", "feedforward", "output"]
Positions: TypeAlias = Literal["sinusoidal", "learned", "none"]
Mask: TypeAlias = Literal["causal", "none", "strict"]
Norm: TypeAlias = Literal["post", "pre", "none"]
NormForm: TypeAlias = Literal["layer", "rms"]
Shift: TypeAlias = Literal["never", "always", "auto"]
Activation: TypeAlias = Literal["relu", "gelu", "gelu_tanh"]
Output: TypeAlias = Literal["tied", "own", "none"]
OutputPositions: TypeAlias = Literal["last", "all"]
Targets: TypeAlias = Literal["last", "all"]
Start: TypeAlias = Literal["sentence", "matrix", "vector"]
Strategy: TypeAlias = Literal["greedy", "sample", "top-k", "top-p"]
Unknown: TypeAlias = Literal["draw", "error"]
OwnWords: TypeAlias = Literal["keep", "yield"]
Rule: TypeAlias = Literal[
    "previous", "same", "after-same", "kinds", "words", "predicts", "continues", "repeats", "writes"
]

ROUNDINGS: Final[tuple[Rounding, ...]] = get_args(Rounding)
TARGETS: Final[tuple[Targets, ...]] = get_args(Targets)
STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)
