"""The keys of a preset file, their types and what they are without being written.

Also here:

* Which weights a model has, and their shapes.
* The merges of a byte-pair encoding: listed in the file, or learned from its corpus.
* A preset's problems: all are collected, their number and the first twenty are told at once.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import product
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

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
from generator.engine.bpe import Pair
from generator.engine.bpe_text import Bpe, faults, from_list, learn
from generator.engine.norms import FORMS as NORMS
from generator.engine.vocabulary import tokenize, unwanted_in
from generator.errors import UserError, did_you_mean, first_of, first_private, unfilled
from generator.locales.folders import USUAL, languages
from generator.resources import table

NAME = "[a-z0-9][a-z0-9-]{0,39}"
Number = Annotated[float, Strict(), AllowInfNan(False)]
Words = dict[str, list[Number]]
Share = Annotated[Number, Field(gt=0, le=1)]
Places = Annotated[StrictInt, Field(ge=0, le=8)]
Positive = Annotated[StrictInt, Field(ge=1, le=4096)]
Some = Annotated[StrictInt, Field(ge=1, le=128)]
Shape = tuple[int, int]
EXPECTED = table("expected.toml")
BYTES: Final = "bpe-bytes"
GPT2: Final = "bpe-gpt2"


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

    @property
    def engine_kind(self) -> choices.Tokenizer:
        """The engine's name of the kind of tokens."""
        if self.kind != "bpe" or self.level != "byte":
            return self.kind
        return GPT2 if self.split == "gpt2" else BYTES

    @cached_property
    def bpe(self) -> Bpe | None:
        """The encoding, learned once; None for other kinds, and while `faults` finds something."""
        return None if self.kind != "bpe" or any(self.faults()) else self._learned()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The merges in order, where there is an encoding."""
        return self.bpe.merges if self.bpe else ()

    @property
    def corpus(self) -> dict[str, int] | None:
        """The words × counts that merges are learned from, where the preset has such a table."""
        merges = self.merges
        given = merges.train if isinstance(merges, MergesKeys) else None
        return given if isinstance(given, dict) else None

    def tokens(self, text: str, words: Collection[str]) -> tuple[str, ...]:
        """The tokens of a text; `UserError` where it has none, or too many."""
        return tokenize(text, self.engine_kind, words, self.pairs).tokens

    def faults(self) -> Iterator["PresetProblem"]:
        """What is wrong with the merges, all of it."""
        merges = self.merges
        if self.kind != "bpe":
            for name, one in (("merges", merges), ("level", self.level), ("split", self.split)):
                if one is not None:
                    found = "merges" if name == "merges" else shown(one)
                    yield problem("preset.tokenizer", name=name, found=found, kind=self.kind)
            return
        if self.split == "gpt2" and (self.level != "byte" or isinstance(merges, MergesKeys)):
            yield problem("preset.split")
        if merges is None:
            yield problem("preset.merges", expected=EXPECTED["keys"]["tokenizer.merges"])
        elif isinstance(merges, list):
            for number, wrong, expected in faults(merges, self.level or "character"):
                yield PresetProblem(f"tokenizer.merges[{number + 1}]", wrong, expected)
        else:
            for word in self.corpus or ():
                if word.split() != [word]:
                    yield problem("preset.trained", word=word, found=shown(word))
            try:
                self._learned()
            except UserError as error:
                yield problem("preset.merges_count", count=merges.count, error=error)

    def _learned(self) -> Bpe:
        level, merges = self.level or "character", self.merges
        if isinstance(merges, MergesKeys):
            return learn(merges.train, merges.count, level)
        return from_list(merges or (), level)


class ModelKeys(Table):
    """Sizes and parts of the model."""

    d_model: Positive
    heads: Some = 1
    d_head: Positive | None = None
    d_ff: Positive | None = None
    blocks: Some = 1
    dimensions: list[str] = []
    parts: list[choices.Part] = ["attention", "residual", "feedforward", "output"]

    @property
    def sizes(self) -> tuple[int, int, int]:
        """d_model, d_head and d_ff, with what is left out filled in."""
        d_head = self.d_head or max(1, self.d_model // self.heads)
        return self.d_model, d_head, self.d_ff or 4 * self.d_model

    @property
    def axes(self) -> list[str]:
        """d1, d2, … and then, where the preset names them, the same dimensions by name."""
        return [f"d{k + 1}" for k in range(self.d_model)] + self.dimensions


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
    tokens: Positive = 0  # none


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

    @property
    def chooses(self) -> bool:
        """Whether there is an output, which chooses a token."""
        return "output" in self.model.parts and self.output.kind != "none"

    @property
    def closed(self) -> str:
        """Why no new words are taken; "" where they are."""
        has_output = "output" in self.model.parts
        reasons = {
            "vocabulary.unknown is 'error'": self.vocabulary.unknown == "error",
            "output.kind is 'own'": has_output and self.output.kind == "own",
            "output.bias has a number for each of these only": has_output
            and "output.bias" in self.weights,
        }
        found = next((reason for reason, so in reasons.items() if so), "")
        return found if self.start.kind == "sentence" else ""

    def shapes(self, words: int) -> tuple[dict[str, Shape], set[str]]:
        """The shapes of all weights that the model may have, by step name, and the compulsory ones.

        A learned `position` has as many rows as the file gives it: its height is 0 here.
        """
        rows = list(self._weights(words))
        return {name: shape for name, shape, _ in rows}, {name for name, _, must in rows if must}

    def _weights(self, words: int) -> Iterator[tuple[str, Shape, bool]]:
        d, inside = self.model.d_model, self.start.kind != "vector"
        if self.positions.kind == "learned" and self.start.kind == "sentence":
            yield "position", (0, d), True
        for block in range(1, self.model.blocks + 1) if inside else ():
            yield from self._block(f"block{block}")
        if inside and self.norm.final:
            yield from self._gain_and_shift("final", "")
        if "output" in self.model.parts:
            if self.output.kind == "own":
                yield "output.matrix", (words, d), True
            if self.output.kind != "none":
                yield "output.bias", (1, words), False

    def _block(self, at: str) -> Iterator[tuple[str, Shape, bool]]:
        model, norm, (d, d_head, d_ff) = self.model, self.norm, self.model.sizes
        if "attention" in model.parts:
            for head, name in product(range(1, model.heads + 1), ("query", "key", "value")):
                yield f"{at}.head{head}.weight.{name}", (d, d_head), True
                yield f"{at}.head{head}.bias.{name}", (1, d_head), False
            joined, bias = model.heads * d_head, f"{at}.bias.output"
            more = model.blocks > 1 or len(set(model.parts)) > 1  # something that takes d numbers
            goes_on = more or norm.final or norm.kind != "none"
            needed = bias in self.weights or (joined != d and goes_on)
            yield f"{at}.weight.output", (joined, d), needed
            yield bias, (1, d), False
            yield from self._gain_and_shift(at, "1") if norm.kind != "none" else ()
        if "feedforward" in model.parts:
            yield f"{at}.weight.hidden", (d, d_ff), True
            yield f"{at}.bias.hidden", (1, d_ff), False
            yield f"{at}.weight.feedforward", (d_ff, d), True
            yield f"{at}.bias.feedforward", (1, d), False
            yield from self._gain_and_shift(at, "2") if norm.kind != "none" else ()

    def _gain_and_shift(self, at: str, number: str) -> Iterator[tuple[str, Shape, bool]]:
        for name in NORMS[self.norm.form].learned:
            yield f"{at}.{name}{number}", (1, self.model.d_model), False


CLEANED = ("sentence", "vocabulary", "translation", "tokenizer")  # texts with checks of their own


class PresetProblem(NamedTuple):
    """One thing that is wrong: the key, what was found, what was expected."""

    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.key}: found {self.found}, expected {self.expected}"


def problem(reason: str, **names: object) -> PresetProblem:
    """The problem of that name in `refusals.toml`, whose text has key, found and expected."""
    key, said = unfilled(reason).split(": found ", 1)
    found, expected = said.split(", expected ", 1)
    return PresetProblem(*(part.format(**names) for part in (key, found, expected)))


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
        yield problem("preset.private", key=key, code=ord(sign))
    elif isinstance(value, str) and key.partition(".")[0] not in CLEANED and unwanted_in(value):
        yield problem("preset.control", key=key, signs=", ".join(unwanted_in(value)))
