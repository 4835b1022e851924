"""A spec: a preset's tables without its learned numbers, a corpus, and how to train."""

import hashlib
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field, StrictInt, ValidationError

from generator.engine.choices import Tokenizer
from generator.engine.copyable import MOST_DECIMALS
from generator.engine.decimals import decimals_for
from generator.errors import UserError
from generator.presets.problems import PresetError, Problem, shown
from generator.presets.schema import Number, Table
from generator.presets.toml_file import tables_of, text_of
from generator.training.corpus import Prompt, corpus_of

START = "[training]"
MOST_STEPS = 1_000_000
LARGEST_RATE = 10.0  # about what a step of Adam changes a number by
Steps = Annotated[StrictInt, Field(ge=1, le=MOST_STEPS)]
Places = Annotated[StrictInt, Field(ge=0, le=MOST_DECIMALS)]
Weight = Annotated[Number, Field(ge=0)]


class Training(Table):
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


class Texts(Table):
    """What the model is to continue: each line once, each text as often as it is counted."""

    lines: list[str] = Field(default_factory=list)
    texts: dict[str, Annotated[StrictInt, Field(ge=1)]] = Field(default_factory=dict)


class Tables(Table):
    """The two tables that a spec has beside a preset's."""

    training: Training
    corpus: Texts


class Spec(NamedTuple):
    """A spec as read: the preset's part as it was written, and what is to be learned.

    `prompts` maps the tokens of each prompt to the token that must lead, `counts` to how often
    each token follows it; `words` are all tokens in order of appearance.
    """

    source: str
    sha256: str
    head: str
    training: Training
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
        own = {key: raw[key] for key in Tables.model_fields if key in raw}
        tables = Tables.model_validate(own)
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


def _problems(error: ValidationError) -> list[Problem]:
    by_key: dict[str, Problem] = {}
    for detail in error.errors(include_url=False):
        key = ".".join(str(part + 1 if isinstance(part, int) else part) for part in detail["loc"])
        missing = detail["type"] == "missing"
        value = "nothing" if missing else shown(detail["input"])
        expected = "a value: this key is compulsory" if missing else _expected(detail["msg"])
        if detail["type"] == "extra_forbidden":
            value, expected = "an unknown key", f"one of {', '.join(_known(detail['loc'][0]))}"
        by_key.setdefault(key, Problem(key, value, expected))
    return list(by_key.values())


def _expected(message: str) -> str:
    return message.removeprefix("Input should be ")


def _known(table: str | int) -> list[str]:
    return list((Texts if table == "corpus" else Training).model_fields)


def _head(text: str, raw: dict[str, Any], source: str) -> str:
    """The preset's part: everything above [training], with its comments."""
    head, _, _ = text.partition(f"\n{START}")
    own = {key: value for key, value in raw.items() if key not in Tables.model_fields}
    if own != tables_of(head, f"spec {source}"):
        raise UserError(
            f"spec {source}: {START} and [corpus] must be its last tables, below everything that "
            "goes into the preset"
        )
    return head.rstrip("\n")
