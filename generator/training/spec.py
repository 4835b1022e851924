"""A spec: a preset's tables without its learned numbers, a corpus, and how to train.

Also here:

* Which shares the next tokens should have, which they have, and how far these are apart.
"""

import hashlib
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import Field, StrictInt, ValidationError

from generator.engine.choices import Tokenizer
from generator.engine.decimals import decimals_for
from generator.engine.fitness import MOST_DECIMALS
from generator.engine.ops.attention import MinusRow, Power, RowMax, RowShare, RowSum
from generator.errors import UserError
from generator.files import tables_of, text_of
from generator.presets.schema import Number, PresetError, PresetProblem, Table, shown
from generator.training.corpus import Prompt, corpus_of

START = "[training]"
MOST_STEPS = 1_000_000
LARGEST_RATE = 10.0  # about what a step of Adam changes a number by
Steps = Annotated[StrictInt, Field(ge=1, le=MOST_STEPS)]
Places = Annotated[StrictInt, Field(ge=0, le=MOST_DECIMALS)]
Weight = Annotated[Number, Field(ge=0)]


class TrainingKeys(Table):
    """How the numbers are found; `smoothing`, `sparse`, `small` and `largest_score` tame them."""

    seed: StrictInt
    steps: Steps
    rounding_steps: Steps
    learning_rate: Annotated[Number, Field(gt=0, le=LARGEST_RATE)] = 0.01
    start: Annotated[Number, Field(gt=0)] = 0.7
    margin: Annotated[Number, Field(ge=0, lt=100)] = 2.0
    outside: Annotated[Number, Field(ge=0, le=100)] = 100.0
    smoothing: Annotated[Number, Field(ge=0, lt=1)] = 0.0
    sparse: Weight = 0.0
    small: Weight = 0.0
    largest_score: Annotated[Number, Field(gt=0)] | None = None
    positions: Annotated[StrictInt, Field(ge=1, le=512)] | None = None
    optional: list[str] = Field(default_factory=list)
    decimals: dict[str, Places] = Field(default_factory=dict)
    fixed: dict[str, str | list[list[Number]]] = Field(default_factory=dict)

    def decimals_of(self, name: str) -> int:
        """With how many decimals the numbers of that name are learned; one, if nothing says so."""
        return decimals_for({"default": 1} | self.decimals, name)


class LearnedTexts(Table):
    """What the model is to continue: each line once, each text as often as it is counted."""

    lines: list[str] = Field(default_factory=list)
    texts: dict[str, Annotated[StrictInt, Field(ge=1)]] = Field(default_factory=dict)


class SpecTables(Table):
    """The two tables that a spec has beside a preset's."""

    training: TrainingKeys
    corpus: LearnedTexts


class Spec(NamedTuple):
    """A spec as read: the preset's part as it was written, and what is to be learned.

    `prompts` maps the tokens of each prompt to the token that must lead, `counts` to how often
    each token follows it; `words` are all tokens in order of appearance.
    """

    source: str
    sha256: str
    head: str
    training: TrainingKeys
    prompts: dict[Prompt, str]
    counts: dict[Prompt, dict[str, int]]
    words: tuple[str, ...]


def read_spec(path: Path) -> Spec:
    """The spec in a TOML file, its own two tables checked; the preset's are checked with numbers.

    Raises `UserError` for a file that cannot be read or is no TOML, and `PresetError` with every
    problem: a missing table, a wrong value, a line without a bar, a prompt continued in two ways.
    """
    text = text_of(path, "spec")
    raw = tables_of(text, f"spec {path.name}")
    try:
        own = {key: raw[key] for key in SpecTables.model_fields if key in raw}
        tables = SpecTables.model_validate(own)
    except ValidationError as error:
        raise PresetError(path.name, _problems(error)) from None
    head = _head(text, raw, path.name)
    tokenizer = raw.get("tokenizer", {})
    kind = tokenizer.get("kind", "word") if isinstance(tokenizer, dict) else "word"
    tokens: Tokenizer = "character" if kind == "character" else "word"
    corpus = corpus_of(tables.corpus.lines, tables.corpus.texts, tokens)
    if corpus.problems:
        raise PresetError(path.name, corpus.problems)
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    head_of = (path.name, digest, head, tables.training)
    return Spec(*head_of, corpus.leaders, corpus.counts, corpus.words)


def _problems(error: ValidationError) -> list[PresetProblem]:
    by_key: dict[str, PresetProblem] = {}
    for detail in error.errors(include_url=False):
        key = ".".join(str(part + 1 if isinstance(part, int) else part) for part in detail["loc"])
        missing = detail["type"] == "missing"
        value = "nothing" if missing else shown(detail["input"])
        expected = "a value: this key is compulsory" if missing else _expected(detail["msg"])
        if detail["type"] == "extra_forbidden":
            value, expected = "an unknown key", f"one of {', '.join(_known(detail['loc'][0]))}"
        by_key.setdefault(key, PresetProblem(key, value, expected))
    return list(by_key.values())


def _expected(message: str) -> str:
    return message.removeprefix("Input should be ")


def _known(table: str | int) -> list[str]:
    return list((LearnedTexts if table == "corpus" else TrainingKeys).model_fields)


def _head(text: str, raw: dict[str, Any], source: str) -> str:
    """The preset's part: everything above [training], with its comments."""
    head, _, _ = text.partition(f"\n{START}")
    own = {key: value for key, value in raw.items() if key not in SpecTables.model_fields}
    if own != tables_of(head, f"spec {source}"):
        raise UserError(
            f"spec {source}: {START} and [corpus] must be its last tables, below everything that "
            "goes into the preset"
        )
    return head.rstrip("\n")


POINTS = 100.0


def wanted_shares(spec: Spec) -> np.ndarray:
    """The share of each token after each prompt [b, v], as often as the texts have it."""
    places = {word: number for number, word in enumerate(spec.words)}
    shares = np.zeros((len(spec.counts), len(places)))
    for row, after in zip(shares, spec.counts.values(), strict=True):
        for word, count in after.items():
            row[places[word]] = count / sum(after.values())
    return shares


def smoothed(wanted: np.ndarray, smoothing: float) -> np.ndarray:
    """The shares [b, v] of which so much goes to all tokens alike (Szegedy et al. 2016)."""
    mixed: np.ndarray = (1.0 - smoothing) * wanted + smoothing / wanted.shape[1]
    return mixed


def shares_of(logits: np.ndarray) -> np.ndarray:
    """Softmax of each row [b, v], by the operations of the model."""
    power = Power(None, masked=False).value(_below_zero(logits))
    return RowShare().value(power, RowSum().value(power))


def cross_entropy(logits: np.ndarray, wanted: np.ndarray) -> float:
    """The mean of −Σ wanted · ln P over all rows [b, v]."""
    below = _below_zero(logits)
    power = Power(None, masked=False).value(below)
    logs = below - np.log(RowSum().value(power))
    return float(-(wanted * logs).sum() / len(wanted))


def margin(logits: np.ndarray, wanted: np.ndarray) -> float:
    """By how many percentage points the most frequent token leads in the worst row of [b, v]."""
    shares, leaders = shares_of(logits), wanted.argmax(axis=1)[:, None]
    right = np.take_along_axis(shares, leaders, axis=1)
    np.put_along_axis(shares, leaders, -1.0, axis=1)
    return POINTS * float((right - shares.max(axis=1, keepdims=True)).min())


def outside(logits: np.ndarray, wanted: np.ndarray) -> float:
    """How many percentage points the tokens get that never follow, in the worst row of [b, v]."""
    return POINTS * float((shares_of(logits) * (wanted == 0.0)).sum(axis=1).max())


def _below_zero(logits: np.ndarray) -> np.ndarray:
    """The logits [b, v] minus the largest of their row, which changes no share."""
    return MinusRow(masked=False).value(logits, RowMax().value(logits))
