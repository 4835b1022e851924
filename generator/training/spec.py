"""A spec: a preset's tables without its learned numbers, a corpus, and how to train.

Also here:

* A corpus: the lines and counted texts that a spec gives, and what follows each prompt.
* Which shares the next tokens should have, which they have, and how far these are apart.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field, StrictInt

from generator.engine.choices import Tokenizer
from generator.engine.decimals import decimals_for
from generator.engine.fitness import MOST_DECIMALS
from generator.engine.ops.attention import MinusRow, Power, RowMax, RowShare, RowSum
from generator.engine.vocabulary import tokenize
from generator.errors import require
from generator.files import tables_of, text_of
from generator.presets.load import typed
from generator.presets.schema import Number, PresetError, PresetProblem, Table, problem, shown

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

    @property
    def all_steps(self) -> int:
        """Free and rounding steps."""
        return self.steps + self.rounding_steps

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


Prompt = tuple[str, ...]
BAR = "|"


@dataclass
class Corpus:
    """How often each token follows each prompt, and what is wrong with the lines and texts."""

    kind: Tokenizer
    counts: dict[Prompt, dict[str, int]] = field(default_factory=dict)
    problems: list[PresetProblem] = field(default_factory=list)

    def read(self, given: LearnedTexts) -> None:
        """Count what follows each prompt of the lines, each of which counts once, or of the texts.

        Problems: a line without a bar, lines that continue a prompt in two ways, texts that leave
        it open which next token is the most frequent.
        """
        if bool(given.lines) == bool(given.texts):
            found = "lines and texts" if given.lines else "neither lines nor texts"
            self.problems.append(problem("preset.corpus", found=found))
            return
        what = "lines" if given.lines else "texts"
        table = dict.fromkeys(given.lines, 1) | given.texts
        for number, (line, count) in enumerate(table.items(), 1):
            self.problems += self._read(f"corpus.{what}[{number}]", line, count)
        for prompt, after in self.counts.items():
            first = [token for token, count in after.items() if count == max(after.values())]
            if len(first) > 1:
                both, after_what = " and ".join(map(repr, first)), " ".join(prompt)
                self.problems.append(problem("preset.equally", both=both, prompt=after_what))

    def _read(self, key: str, line: str, count: int) -> Iterator[PresetProblem]:
        given, bar, after = line.partition(BAR)
        if not (bar and given.strip() and after.strip()):
            yield problem("preset.line", key=key, found=shown(line))
            return
        start, rest = (tokenize(part, self.kind, ()).tokens for part in (given, after))
        for k, token in enumerate(rest):
            prompt = (*start, *rest[:k])
            known = self.counts.setdefault(prompt, {})
            if known and token not in known and "lines" in key:
                said = {"token": token, "prompt": " ".join(prompt), "first": next(iter(known))}
                yield problem("preset.two_ways", key=key, **said)
            else:
                known[token] = known.get(token, 0) + count


class Spec(NamedTuple):
    """A spec as read: the preset's part as it was written, and what is to be learned.

    `counts` says how often each token follows each prompt; `words` are all tokens in order of
    appearance.
    """

    source: str
    sha256: str
    head: str
    training: TrainingKeys
    counts: dict[Prompt, dict[str, int]]
    words: tuple[str, ...]

    @property
    def prompts(self) -> dict[Prompt, str]:
        """The tokens of each prompt, and the token that must lead: the most frequent next one."""
        return {prompt: max(after, key=after.__getitem__) for prompt, after in self.counts.items()}

    def wanted(self) -> np.ndarray:
        """The share of each token after each prompt [b, v], as often as the texts have it."""
        places = {word: number for number, word in enumerate(self.words)}
        shares = np.zeros((len(self.counts), len(places)))
        for row, after in zip(shares, self.counts.values(), strict=True):
            for word, count in after.items():
                row[places[word]] = count / sum(after.values())
        return shares

    def shortened(self, steps: int | None) -> "Spec":
        """The spec with so many steps in all, free and rounded ones in the same proportion."""
        if steps is None:
            return self
        require(1 <= steps <= MOST_STEPS, "training.steps", steps=steps, most=MOST_STEPS)
        free = steps * self.training.steps // self.training.all_steps
        update = {"steps": free, "rounding_steps": steps - free}
        return self._replace(training=self.training.model_copy(update=update))


def read_spec(path: Path) -> Spec:
    """The spec in a TOML file, its own two tables checked; the preset's are checked with numbers.

    Raises `UserError` for a file that cannot be read or is no TOML, and `PresetError` with every
    problem: a missing table, a wrong value, a line without a bar, a prompt continued in two ways.
    """
    text, source = text_of(path, "spec"), f"spec {path.name}"
    raw = tables_of(text, source)
    own = {key: raw.pop(key) for key in SpecTables.model_fields if key in raw}
    tables, problems = typed(SpecTables, own)
    if tables is None:
        raise PresetError(path.name, problems)
    head, _, _ = text.partition(f"\n{START}")
    require(raw == tables_of(head, source), "training.last_tables", source=source, start=START)
    tokenizer = raw.get("tokenizer", {})
    kind = tokenizer.get("kind") if isinstance(tokenizer, dict) else None
    corpus = Corpus("character" if kind == "character" else "word")
    corpus.read(tables.corpus)
    if corpus.problems:
        raise PresetError(path.name, corpus.problems)
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    words = dict.fromkeys(t for prompt, after in corpus.counts.items() for t in (*prompt, *after))
    head = head.rstrip("\n")
    return Spec(path.name, digest, head, tables.training, corpus.counts, tuple(words))


POINTS = 100.0


class Prediction:
    """What a model gives after each prompt, beside the shares that are wanted: all [b, v]."""

    def __init__(self, logits: np.ndarray, wanted: np.ndarray) -> None:
        self.wanted = wanted
        self._below = MinusRow(masked=False).value(logits, RowMax().value(logits))
        self._power = Power(None, masked=False).value(self._below)
        self._total = RowSum().value(self._power)

    @cached_property
    def shares(self) -> np.ndarray:
        """Softmax of each row, by the operations of the model."""
        return RowShare().value(self._power, self._total)

    @property
    def cross_entropy(self) -> float:
        """The mean of −Σ wanted · ln P over all rows."""
        logs = self._below - np.log(self._total)
        return float(-(self.wanted * logs).sum() / len(self.wanted))

    @property
    def margin(self) -> float:
        """By how many percentage points the most frequent token leads in the worst row."""
        leaders, others = self.wanted.argmax(axis=1)[:, None], self.shares.copy()
        right = np.take_along_axis(others, leaders, axis=1)
        np.put_along_axis(others, leaders, -1.0, axis=1)
        return POINTS * float((right - others.max(axis=1, keepdims=True)).min())

    @property
    def outside(self) -> float:
        """How many percentage points the tokens get that never follow, in the worst row."""
        return POINTS * float((self.shares * (self.wanted == 0.0)).sum(axis=1).max())
