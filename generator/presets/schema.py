"""The keys of a preset file, their types and what they are without being written.

Also here:

* Short forms of weights: "select d1 d2", "identity", "0.5 identity", "zero", "draw …", a file.
* A preset's problems: all are collected, their number and the first twenty are told at once.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import numpy as np
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
from generator.engine.draws import draw
from generator.engine.vocabulary import MAX_TOKENS, unwanted_in
from generator.errors import Sendable, UserError, did_you_mean, first_of, first_private
from generator.files import require_file
from generator.locales.folders import USUAL, languages

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


class MergesKeys(Table):
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
    merges: list[str] | MergesKeys | None = None


class ModelKeys(Table):
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


class MaskKeys(Table):
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


class ActivationKeys(Table):
    """The activation of the feed-forward network."""

    kind: choices.Activation = "relu"


class Output(Table):
    """How the last vector becomes logits."""

    kind: choices.Output = "tied"
    positions: choices.OutputPositions = "last"


class StartKeys(Table):
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


class VocabularyKeys(Table):
    """The words with their embeddings, here or in files, and what happens with others."""

    unknown: choices.Unknown = "draw"
    own: choices.OwnWords = "keep"
    reserved: list[str] = []
    seed: StrictInt = 1
    words: Words = {}
    table: Stored | None = None


class Behaviour(Table):
    """What the model does, as a rule that can be checked; see `generator.engine.preset`."""

    rule: choices.Rule
    head: str = "block1.head1"
    who: list[str] = []
    at: list[str] = []
    sentence: str = ""
    least: Share = 0.5
    tokens: Positive | None = None


class ComparedKeys(Table):
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


Form: TypeAlias = str | list[Any] | dict[str, str]


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
    model: ModelKeys
    positions: Positions = Positions()
    mask: MaskKeys = MaskKeys()
    norm: Norm = Norm()
    softmax: Softmax = Softmax()
    activation: ActivationKeys = ActivationKeys()
    output: Output = Output()
    start: StartKeys = StartKeys()
    sampling: Sampling = Sampling()
    decimals: dict[str, Places] = {}
    vocabulary: VocabularyKeys = VocabularyKeys()
    translation: dict[str, dict[str, str]] = {}
    weights: dict[str, Form] = {}
    vary: dict[str, Vary] = {}
    compare: ComparedKeys | None = None
    shows: dict[str, str] = {}
    behaviour: list[Behaviour] = []


FORMS = (
    'a table of numbers, "select d1 d2", "identity", "0.5 identity", "zero", '
    '"draw -0.9 0.9 0.1" or {file = "x.safetensors", key = "…"}'
)
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_IDENTITY = re.compile(rf"(?:({_NUMBER})\s+)?identity")
_DRAW = re.compile(rf"draw\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})")
_SELECT = re.compile(r"select((?:\s+d[0-9]{1,6})+)")


class FormError(Sendable, ValueError):
    """A weight that could not be read: what was found and what was expected."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(f"found {found}, expected {expected}")
        self.found = found
        self.expected = expected


def resolve(
    form: Form, shape: tuple[int, int], name: str, seed: int, folder: Path | None
) -> np.ndarray:
    """The matrix [shape] of a weight's short form, read-only. Raises FormError otherwise.

    A height of 0 takes as many rows as are given; short forms then have one for each of the 512
    tokens that a sentence may have. Drawn numbers depend on seed and name alone; `folder` is where
    the preset's files lie.
    """
    if isinstance(form, str):
        matrix = _from_text(form.strip(), (shape[0] or MAX_TOKENS, shape[1]), name, seed)
    elif isinstance(form, Mapping):
        matrix = _from_file(form, folder)
    else:
        matrix = _from_numbers(form)
    if matrix.ndim != 2 or matrix.shape != (shape[0] or len(matrix), shape[1]):
        size = "×".join(map(str, matrix.shape))
        raise FormError(f"{size} numbers", f"{shape[0] or 'n'}×{shape[1]}")
    if not np.isfinite(matrix).all():
        raise FormError("NaN or infinity", "finite numbers")
    matrix = matrix + 0.0  # no −0
    matrix.setflags(write=False)
    return matrix


def _from_text(text: str, shape: tuple[int, int], name: str, seed: int) -> np.ndarray:
    if text == "zero":
        return np.zeros(shape)
    if match := _IDENTITY.fullmatch(text):
        if shape[0] != shape[1]:
            raise FormError(
                f'"{text}"', f"another form, as {shape[0]}×{shape[1]} is not square: {FORMS}"
            )
        return np.diag(np.full(shape[0], float(match[1] or 1)))
    if match := _SELECT.fullmatch(text):
        return _selected([int(d[1:]) for d in match[1].split()], shape)
    if match := _DRAW.fullmatch(text):
        low, high, step = (float(x) for x in match.groups())
        return _drawn((low, high, step), shape, name, seed)
    raise FormError(f'"{text}"', FORMS)


def _selected(dimensions: list[int], shape: tuple[int, int]) -> np.ndarray:
    if len(dimensions) != shape[1] or not all(1 <= d <= shape[0] for d in dimensions):
        raise FormError(
            f"a selection of {', '.join(f'd{d}' for d in dimensions)}",
            f"{shape[1]} of d1 to d{shape[0]}",
        )
    return np.eye(shape[0])[:, [d - 1 for d in dimensions]]


def _drawn(
    numbers: tuple[float, float, float], shape: tuple[int, int], name: str, seed: int
) -> np.ndarray:
    low, high, step = numbers
    if not 0 < step < math.inf or not -math.inf < low <= high < math.inf:
        raise FormError("an empty range", "FROM ≤ TO and STEP above 0")
    count = math.floor((high - low) / step + 1e-9) + 1
    cells = range(shape[0] * shape[1])
    drawn = [round(low + step * draw("weight", seed, name, c, count), 10) for c in cells]
    return np.array(drawn).reshape(shape)


def _from_numbers(form: list[Any]) -> np.ndarray:
    if not _only_numbers(form):
        raise FormError("cells that are no numbers", FORMS)
    try:
        return np.atleast_2d(np.array(form, dtype=np.float64))
    except (ValueError, OverflowError):
        raise FormError("rows that are no table of numbers", FORMS) from None


def _only_numbers(cell: object) -> bool:
    if isinstance(cell, list):
        return all(map(_only_numbers, cell))
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _from_file(form: Mapping[str, str], folder: Path | None) -> np.ndarray:
    if set(form) != {"file", "key"}:
        raise FormError(f"a table with {', '.join(form) or 'nothing in it'}", "file and key")
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise FormError(
            "a safetensors file",
            "the package that reads it: pip install 'paperformer[safetensors]'",
        ) from None
    path = (folder or Path()) / form["file"]
    require_file(path, "weights")
    try:
        with safe_open(path, framework="numpy") as tensors:
            return np.atleast_2d(np.asarray(tensors.get_tensor(form["key"]), dtype=np.float64))
    except (OSError, SafetensorError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else "unreadable"
        raise FormError(
            f"{form['file']} that gives no {form['key']!r} ({reason})",
            "a safetensors file that holds it",
        ) from None


CLEANED = ("sentence", "vocabulary", "translation", "tokenizer")  # texts with checks of their own


class PresetProblem(NamedTuple):
    """One thing that is wrong: the key, what was found, what was expected, a hint."""

    key: str
    found: str
    expected: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.key}: found {self.found}, expected {self.expected}{self.hint}"


class PresetError(UserError):
    """Everything that is wrong with one preset file."""

    def __init__(self, file: str, problems: Iterable[PresetProblem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        n = len(self.problems)
        lines = "\n".join(f"  {line}" for line in first_of(self.problems))
        super().__init__(f"{file}: {n:,} problem{'s' if n > 1 else ''}\n{lines}")


def shown(value: object) -> str:
    """A found value as a preset file would say it, short enough for one line."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def unshown_in(value: object, key: str = "") -> Iterator[PresetProblem]:
    """Each text of a file's tables, or name in them, with a character that no page can show."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from unshown_in(str(name), key or "a key")
            yield from unshown_in(one, f"{key}.{name}".removeprefix("."))
    elif isinstance(value, list):
        for one in value:
            yield from unshown_in(one, key)
    elif isinstance(value, str) and (sign := first_private(value)):
        yield PresetProblem(
            key, f"the private-use character U+{ord(sign):04X}", "characters that fonts show"
        )
    elif isinstance(value, str) and key.partition(".")[0] not in CLEANED and unwanted_in(value):
        found = f"the control character {', '.join(unwanted_in(value))}"
        yield PresetProblem(key, found, "characters that fonts show")
