"""The keys of a preset file and their types; an unknown key is an error with a hint."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, StrictBool, StrictInt, ValidationError

from generator.presets.problems import Problem, shown

Words = dict[str, list[FiniteFloat]]
Short = str | list[Any] | dict[str, str]
Share = Annotated[FiniteFloat, Field(gt=0, le=1)]
Places = Annotated[StrictInt, Field(ge=0, le=8)]
Positive = Annotated[StrictInt, Field(ge=1, le=65536)]
Part = Literal["attention", "residual", "feedforward", "output"]


class Table(BaseModel):
    """A TOML table: no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Tokenizer(Table):
    """How a sentence becomes tokens; `bpe` has its place here and no implementation yet."""

    kind: Literal["word", "character"] = "word"


class Model(Table):
    """Sizes and parts of the model."""

    d_model: Positive
    heads: Positive = 1
    d_head: Positive | None = None
    d_ff: Positive | None = None
    blocks: Positive = 1
    parts: list[Part] = ["attention", "residual", "feedforward", "output"]


class Positions(Table):
    """How positions enter; `input_decimals` rounds the input in both arithmetics."""

    kind: Literal["sinusoidal", "learned", "none"] = "none"
    input_decimals: Places | None = None


class Mask(Table):
    """Who may see whom."""

    kind: Literal["causal", "none", "strict"] = "causal"


class Norm(Table):
    """Where layer norms stand; gain and shift come with their weights."""

    kind: Literal["post", "pre", "none"] = "none"
    epsilon: Annotated[FiniteFloat, Field(ge=0, lt=1)] = 0.0
    final: StrictBool = False


class Softmax(Table):
    """The base of the softmax, and whether rows are shifted by their maximum."""

    base: Literal["e", 2, 3] = "e"
    shifted: Literal["never", "always", "auto"] = "auto"


class Activation(Table):
    """The activation of the feed-forward network."""

    kind: Literal["relu", "gelu", "gelu_tanh"] = "relu"


class Output(Table):
    """How the last vector becomes logits."""

    kind: Literal["tied", "own", "none"] = "tied"
    positions: Literal["last", "all"] = "last"


class Start(Table):
    """Where the computation starts: the sentence, a given matrix or a given last vector."""

    kind: Literal["sentence", "matrix", "vector"] = "sentence"
    value: list[Any] | None = None


class Sampling(Table):
    """Temperatures and how the next token is chosen."""

    temperatures: Annotated[list[Annotated[FiniteFloat, Field(gt=0)]], Field(min_length=1)] = [1.0]
    strategy: Literal["greedy", "sample", "top-k", "top-p"] = "greedy"
    k: Positive | None = None
    p: Share | None = None
    random: Annotated[FiniteFloat, Field(ge=0, lt=1)] | None = None


class Vocabulary(Table):
    """The words with their embeddings, and what happens with others."""

    unknown: Literal["draw", "error"] = "draw"
    seed: StrictInt = 1
    words: Words = {}


class Compared(Table):
    """Numbers that a source printed, to be compared with the row of a step."""

    title: dict[str, str]
    step: str
    row: Positive
    values: list[FiniteFloat]
    note: dict[str, str] = {}


class Vary(Table):
    """The range that individual numbers are drawn from."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    start: FiniteFloat = Field(alias="from")
    to: FiniteFloat
    step: FiniteFloat
    zeros: Share | None = None


class File(Table):
    """A whole preset file."""

    format: Literal[1]
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: dict[str, str] = {}
    language: Literal["de", "en"] = "de"
    sentence: Annotated[dict[str, str], Field(min_length=1)]
    rounding: Literal["paper", "exact"] = "paper"
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
    weights: dict[str, Short] = {}
    vary: dict[str, Vary] = {}
    compare: Compared | None = None


def read(raw: dict[str, Any]) -> "tuple[File | None, list[Problem]]":
    """The typed file, or None and every problem of types, ranges and unknown keys."""
    try:
        return File.model_validate(raw), []
    except ValidationError as error:
        return None, [*_problems(error)]


def _problems(error: ValidationError) -> Iterator[Problem]:
    seen = set()
    for detail in error.errors(include_url=False):
        path = [str(p) for p in detail["loc"]]
        problem = _problem(path, detail)
        if problem.key not in seen:
            seen.add(problem.key)
            yield problem


def _problem(path: list[str], detail: Any) -> Problem:
    key = ".".join(path)
    match detail["type"]:
        case "extra_forbidden":
            known = _known(path[:-1])
            return Problem(key, "an unknown key", "one of " + ", ".join(known), _hint(path[-1], known))
        case "missing":
            return Problem(key, "nothing", "a value: this key is compulsory")
        case "literal_error":
            expected = detail["ctx"]["expected"]
            known = [word.strip("'") for word in expected.replace(" or ", ", ").split(", ")]
            hint = _hint(str(detail["input"]), known)
            return Problem(key, shown(detail["input"]), f"one of {', '.join(known)}", hint)
        case _:
            return Problem(key, shown(detail["input"]), _expectation(detail["msg"]))


def _expectation(message: str) -> str:
    return message.removeprefix("Input should be ").removeprefix("Input ").rstrip(".")


def _hint(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _known(path: list[str]) -> list[str]:
    fields: Any = File
    for part in path:
        field = getattr(fields, "model_fields", {}).get(part)
        fields = getattr(field, "annotation", None)
        if not (isinstance(fields, type) and issubclass(fields, BaseModel)):
            fields = Compared if part == "compare" else Vary
    return [f.alias or name for name, f in fields.model_fields.items()]
