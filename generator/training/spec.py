"""A spec: a preset's tables without its learned numbers, a corpus, and how to train."""

import hashlib
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field, StrictInt, ValidationError

from generator.engine.choices import Tokenizer
from generator.engine.copyable import MOST_DECIMALS
from generator.engine.tokenizers import tokenize
from generator.errors import UserError
from generator.presets.problems import PresetError, Problem, shown
from generator.presets.schema import Number, Table
from generator.presets.toml_file import tables_of, text_of

BAR = "|"
START = "[training]"
LINE = 'a line such as "Die Katze | sitzt auf der Matte": what is given, a bar, what follows'
Steps = Annotated[StrictInt, Field(ge=1, le=1_000_000)]
Places = Annotated[StrictInt, Field(ge=0, le=MOST_DECIMALS)]
Weight = Annotated[Number, Field(ge=0)]


class Training(Table):
    """How the numbers are found; `smoothing`, `sparse`, `small` and `largest_score` tame them."""

    seed: StrictInt
    steps: Steps
    rounding_steps: Steps
    learning_rate: Annotated[Number, Field(gt=0)] = 0.01
    start: Annotated[Number, Field(gt=0)] = 0.7
    margin: Annotated[Number, Field(ge=0, lt=100)] = 2.0
    smoothing: Annotated[Number, Field(ge=0, lt=1)] = 0.0
    sparse: Weight = 0.0
    small: Weight = 0.0
    largest_score: Annotated[Number, Field(gt=0)] | None = None
    positions: Annotated[StrictInt, Field(ge=1, le=512)] | None = None
    optional: list[str] = Field(default_factory=list)
    decimals: dict[str, Places] = Field(default_factory=dict)
    fixed: dict[str, str | list[list[Number]]] = Field(default_factory=dict)


class Corpus(Table):
    """What the model is to continue."""

    lines: Annotated[list[str], Field(min_length=1)]


class Tables(Table):
    """The two tables that a spec has beside a preset's."""

    training: Training
    corpus: Corpus


class Spec(NamedTuple):
    """A spec as read: the preset's part as it was written, and what is to be learned.

    `prompts` maps the tokens of each prompt to the token that must follow; `words` are all tokens
    in order of appearance.
    """

    source: str
    sha256: str
    head: str
    training: Training
    prompts: dict[tuple[str, ...], str]
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
    prompts = _prompts(tables.corpus.lines, tokens, path)
    words = dict.fromkeys(t for prompt, after in prompts.items() for t in (*prompt, after))
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    return Spec(path.name, digest, head, tables.training, prompts, tuple(words))


def _problems(error: ValidationError) -> list[Problem]:
    found: dict[str, Problem] = {}
    for detail in error.errors(include_url=False):
        key = ".".join(str(part + 1 if isinstance(part, int) else part) for part in detail["loc"])
        missing = detail["type"] == "missing"
        value = "nothing" if missing else shown(detail["input"])
        expected = "a value: this key is compulsory" if missing else _expected(detail["msg"])
        if detail["type"] == "extra_forbidden":
            value, expected = "an unknown key", f"one of {', '.join(_known(detail['loc'][0]))}"
        found.setdefault(key, Problem(key, value, expected))
    return list(found.values())


def _expected(message: str) -> str:
    return message.removeprefix("Input should be ")


def _known(table: str | int) -> list[str]:
    return list((Corpus if table == "corpus" else Training).model_fields)


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


def _prompts(lines: list[str], kind: Tokenizer, path: Path) -> dict[tuple[str, ...], str]:
    prompts: dict[tuple[str, ...], str] = {}
    problems = []
    for number, line in enumerate(lines, 1):
        given, bar, after = line.partition(BAR)
        if not (bar and given.strip() and after.strip()):
            problems.append(Problem(f"corpus.lines.{number}", shown(line), LINE))
            continue
        start, rest = (tokenize(part, kind, ()).tokens for part in (given, after))
        for k, token in enumerate(rest):
            prompt = (*start, *rest[:k])
            if prompts.setdefault(prompt, token) != token:
                found = f"{token!r} after {' '.join(prompt)!r}"
                expected = f"{prompts[prompt]!r} as in a line above: a prompt has one next token"
                problems.append(Problem(f"corpus.lines.{number}", found, expected))
    if problems:
        raise PresetError(path.name, problems)
    return prompts
