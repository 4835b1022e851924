"""What every kind of step says of itself: one record, read wherever steps are treated alike."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

# fmt: off
Chapter: TypeAlias = Literal[
    "input", "matrices", "query", "key", "scores", "softmax", "value", "sum", "heads", "norm",
    "feedforward", "logits", "probabilities", "choice", "count", "gradients", "update", "again",
]
Tab: TypeAlias = Literal[
    "start", "tokens", "bpe", "input", "head", "attention", "feedforward", "layer", "output",
    "count", "learn",
]
# fmt: on
Source: TypeAlias = Literal["computed", "given", "either", "matrix", "vector"]
Rows: TypeAlias = Literal["tokens", "words", "temperatures", "one"]
Numbered: TypeAlias = Literal["", "layer", "token", "merge"]
Band: TypeAlias = Literal[
    "table", "labels", "line", "beside another", "scores", "logits", "tempered", "sampling"
]
Chart: TypeAlias = Literal["", "shares", "bars", "curves"]
Row: TypeAlias = Literal["own", "first", "drawn", "pairs", "merges"]


class Letter(NamedTuple):
    """The symbol of a step in formulas, in plain text and in LaTeX (math mode)."""

    plain: str
    latex: str


@dataclass(frozen=True)
class Asked:
    """Which row of a step the exercise workbook asks, and from which level on.

    `row`: the own token's, the first, that of the temperature drawn with; of byte-pair encoding
    the pairs of a round or the lengths. `second` is the level in the second layer of a block,
    `worked` that of the worked token's row. A head's output is `unless` told: not asked where the
    step of that name is given beside it.
    """

    level: int
    worked: int | None = None
    second: int | None = None
    row: Row = "own"
    unless: str = ""


@dataclass(frozen=True)
class TabStyle:
    """How a tab of the workbook shows a step."""

    band: Band = "table"
    group: str = ""  # what stands beside it in a table has the same
    order: int = 0  # on its tab, below 0 above its switches; of equal ones that of computation
    factor: Literal["", "left", "right"] = ""  # of the product that follows
    result: bool = False  # whether it is what a tab is about
    centred: bool = False
    chart: Chart = ""  # its picture; shares are shaded too


@dataclass(frozen=True, kw_only=True)
class StepKind:
    """What one kind of step says of itself in `kinds.toml`, under the name of `Place.kind`.

    Its texts have that name too: `step.<name>`, `formula.<name>`, `walk.say.<name>`, where needed
    with an ending (`step.norm2`, `formula.mask.strict`). Most are `computed` or `given`.
    """

    name: str
    like: str  # whose keys it shares, see `kinds.toml`
    letter: Letter | None = None  # None where nothing prints its formula
    chapter: Chapter | None = None  # of the walk; None where the walk does not show it
    tab: Tab  # of the workbook; "layer": that of the attention or of the network, by its number
    asked: Asked | None = None  # by the exercise workbook; None for nothing
    in_decimals: bool = False  # whether a preset's [decimals] may name it
    live: bool = False  # whether its arithmetic is shown in a line that follows the token in focus
    source: Source = "computed"  # if a "computed" one is given, a part of a workbook carries it in
    rows: Rows = "tokens"  # what its rows stand for
    square: bool = False  # whether its columns are the tokens too
    by_word: bool = False  # whether its columns are the words of the vocabulary
    numbered: Numbered = ""  # what the number at the end of its name counts
    second_letter: Letter | None = None  # in the second layer, where a prime is not enough
    unfinished: Letter | None = None  # of a norm whose gain and shift follow
    layer_norm: bool = False  # with pre-norm it stands before its layer
    shown: TabStyle = TabStyle()
    says: bool = False  # whether the walk has a sentence for each variant


def letter(plain: str, latex: str | None = None) -> Letter:
    """A letter that LaTeX writes as plain text does, unless told otherwise."""
    return Letter(plain, latex or plain)
