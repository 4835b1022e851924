"""The keys of a preset file, their types and what they are without being written."""

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AllowInfNan,
    BaseModel,
    ConfigDict,
    Field,
    Strict,
    StrictBool,
    StrictInt,
)

from generator.engine import choices
from generator.errors import did_you_mean
from generator.locales.folders import USUAL, languages
from generator.presets.forms import Form

NAME = "[a-z0-9][a-z0-9-]{0,39}"
Number = Annotated[float, Strict(), AllowInfNan(False)]
Words = dict[str, list[Number]]
Share = Annotated[Number, Field(gt=0, le=1)]
Places = Annotated[StrictInt, Field(ge=0, le=8)]
Positive = Annotated[StrictInt, Field(ge=1, le=4096)]
Some = Annotated[StrictInt, Field(ge=1, le=128)]


def _known(language: str) -> str:
    known = languages()
    if language not in known:
        raise ValueError(f"one of {', '.join(known)}{did_you_mean(language, known)}")
    return language


Language = Annotated[str, AfterValidator(_known)]


class Table(BaseModel):
    """A TOML table: no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Training(Table):
    """Merges to be learned: so many, from a text or from words with their counts."""

    train: (
        Annotated[str, Field(min_length=1)]
        | Annotated[dict[str, Annotated[StrictInt, Field(ge=1)]], Field(min_length=1)]
    )
    count: Positive


class Tokenizer(Table):
    """How a sentence becomes tokens; `level`, `split` and `merges` belong to the kind `bpe`."""

    kind: Literal["word", "character", "bpe"] = "word"
    level: Literal["character", "byte"] | None = None
    split: Literal["spaces", "gpt2"] | None = None
    merges: list[str] | Training | None = None


class Model(Table):
    """Sizes and parts of the model."""

    d_model: Positive
    heads: Some = 1
    d_head: Positive | None = None
    d_ff: Positive | None = None
    blocks: Some = 1
    dimensions: list[str] = []
    parts: list[choices.Part] = ["attention", "residual", "feedforward", "output"]


class Positions(Table):
    """How positions enter; `input_decimals` rounds the input in both arithmetics."""

    kind: choices.Positions = "none"
    input_decimals: Places | None = None


class Mask(Table):
    """Who may see whom."""

    kind: choices.Mask = "causal"


class Norm(Table):
    """Where norms stand and of which form; gain and shift come with their weights."""

    kind: choices.Norm = "none"
    form: choices.NormForm = "layer"
    epsilon: Annotated[Number, Field(ge=0, lt=1)] = 0.0
    final: StrictBool = False


class Softmax(Table):
    """The base of the softmax, and whether rows are shifted by their maximum."""

    base: Literal["e", 2, 3] = "e"
    shifted: choices.Shift = "auto"


class Activation(Table):
    """The activation of the feed-forward network."""

    kind: choices.Activation = "relu"


class Output(Table):
    """How the last vector becomes logits."""

    kind: choices.Output = "tied"
    positions: choices.OutputPositions = "last"


class Start(Table):
    """Where the computation starts: the sentence, a given matrix or a given last vector."""

    kind: choices.Start = "sentence"
    value: list[Any] | None = None


class Sampling(Table):
    """Temperatures, how the next token is chosen, and the one that ends a text."""

    temperatures: Annotated[list[Annotated[Number, Field(gt=0)]], Field(min_length=1)] = [1.0]
    strategy: choices.Strategy = "greedy"
    k: Positive | None = None
    p: Share | None = None
    random: Annotated[Number, Field(ge=0, lt=1)] | None = None
    stop: str | None = None


class Stored(Table):
    """A vocabulary in files: words one a line, their embeddings as a tensor of safetensors."""

    words: str
    file: str
    key: str


class Vocabulary(Table):
    """The words with their embeddings, here or in files, and what happens with others."""

    unknown: choices.Unknown = "draw"
    own: choices.OwnWords = "keep"
    reserved: list[str] = []
    seed: StrictInt = 1
    words: Words = {}
    table: Stored | None = None


class Behaviour(Table):
    """What the model does, as a rule that can be checked; see `generator.engine.promise`."""

    rule: choices.Rule
    head: str = "block1.head1"
    who: list[str] = []
    at: list[str] = []
    sentence: str = ""
    least: Share = 0.5
    tokens: Positive | None = None


class Compared(Table):
    """Numbers that a source printed, to be compared with the row of a step."""

    title: dict[str, str]
    step: str
    row: Positive
    values: list[Number]
    note: dict[str, str] = {}


class Vary(Table):
    """The range that individual numbers are drawn from."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    start: Number = Field(alias="from")
    to: Number
    step: Annotated[Number, Field(gt=0)]
    zeros: Share | None = None


class File(Table):
    """A whole preset file."""

    format: Literal[1]
    name: Annotated[str, Field(pattern=f"^{NAME}$")]
    title: dict[str, str] = {}
    language: Language = USUAL
    sentence: Annotated[dict[str, str], Field(min_length=1)]
    rounding: choices.Rounding = "paper"
    meaningful: StrictBool = False
    worked: str | list[str] = []
    exercise: str | list[str] = []
    tokenizer: Tokenizer = Tokenizer()
    model: Model
    positions: Positions = Positions()
    mask: Mask = Mask()
    norm: Norm = Norm()
    softmax: Softmax = Softmax()
    activation: Activation = Activation()
    output: Output = Output()
    start: Start = Start()
    sampling: Sampling = Sampling()
    decimals: dict[str, Places] = {}
    vocabulary: Vocabulary = Vocabulary()
    translation: dict[str, dict[str, str]] = {}
    weights: dict[str, Form] = {}
    vary: dict[str, Vary] = {}
    compare: Compared | None = None
    shows: dict[str, str] = {}
    behaviour: list[Behaviour] = []
