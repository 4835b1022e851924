"""What a schema cannot see: shapes, words and sentences that must fit together.

Also here:

* Checks of a preset's numbers: weights, the given start, how many decimals they have.
* Checks of what a preset says about itself: its dimensions, what it shows, what it promises.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np

from generator.engine.bpe_text import LEVELS
from generator.engine.fitness import MOST_DECIMALS
from generator.engine.norms import FORMS
from generator.engine.preset import Embeddings, Range
from generator.engine.vocabulary import cleaned, listed, noun
from generator.errors import UserError, did_you_mean
from generator.locales.folders import languages
from generator.presets.forms import FormError, Forms
from generator.presets.schema import (
    EXPECTED,
    Behaviour,
    File,
    Form,
    PresetProblem,
    Shape,
    problem,
    shown,
)
from generator.steps import KINDS

STEP_TAILS = sorted(
    {"default"} | {name.rpartition(".")[2] for name, kind in KINDS.items() if kind.in_decimals}
)
MOST_NUMBERS = 10_000  # in a range of [vary]
_BEFORE = re.compile(r"(?:block\d+|head\d+|output|all|final|sampling|position)(?:\.|$)")
HEAD = re.compile(r"block([1-9]\d*)\.head([1-9]\d*)")
PREDICTING = ("predicts", "continues", "repeats", "writes")
NAMING = {"kinds": "a dimension", "words": "a token of the sentence"}


def focus_words(value: str | list[str]) -> tuple[str, ...]:
    """`worked` or `exercise` as a tuple, whether one word was written or a list."""
    return (value,) if isinstance(value, str) else tuple(value)


@dataclass(frozen=True)
class Check:
    """A file whose keys and types are right; `problems` are what does not fit together in it."""

    file: File
    forms: Forms
    problems: list[PresetProblem] = field(default_factory=list)

    def every(self) -> list[PresetProblem]:
        """Every cross problem of the file."""
        self._languages()
        self.problems.extend(self.file.tokenizer.faults())
        self._words()
        self._own_words()
        self._sentences()
        for language in self.file.sentence:
            if language != self.file.language and language in languages():
                self._translation(f"translation.{language}", self._table(language))
        self._focus()
        self._model()
        self._sampling()
        self._statements()
        self._decimals()
        self._ranges()
        self._weights()
        return self.problems

    @cached_property
    def tokens(self) -> dict[str, tuple[str, ...]]:
        """The tokens of the sentence in each language; none where it cannot be computed."""
        tokens, own = {}, self.file.vocabulary.words
        for language, sentence in self.file.sentence.items():
            table = {} if language == self.file.language else self._table(language)
            try:
                words = {table.get(word, word) for word in own}
                tokens[language] = self.file.tokenizer.tokens(sentence, words)
            except UserError:
                tokens[language] = ()
        return tokens

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The tokens of the sentence in the preset's own language."""
        return self.tokens.get(self.file.language, ())

    def _wrong(self, reason: str, **names: object) -> None:
        self.problems.append(problem(reason, file=self.file, **names))

    def _require(self, holds: object, reason: str, **names: object) -> None:
        """Note the problem of that name unless something holds."""
        if not holds:
            self._wrong(reason, **names)

    def _long(self, key: str, numbers: Sequence[float] | np.ndarray) -> None:
        """Note the first number, if any, with more decimals than paper can print in full."""
        paper = self.file.rounding == "paper"
        for value in np.ravel(np.asarray(numbers, dtype=np.float64)).tolist() if paper else ():
            exponent = Decimal(repr(value)).normalize().as_tuple().exponent
            if isinstance(exponent, int) and -exponent > MOST_DECIMALS:
                return self._wrong("preset.long", key=key, value=value, most=MOST_DECIMALS)
        return None

    def _table(self, language: str) -> dict[str, str]:
        return self.file.translation.get(language, {})

    def _languages(self) -> None:
        file, known = self.file, languages()
        for key in ("sentence", "title", "translation"):
            for language in getattr(file, key):
                at, found = f"{key}.{language}", shown(language)
                is_known, listed_ones = language in known, ", ".join(known)
                self._require(is_known, "preset.spoken", key=at, found=found, known=listed_ones)
        has = ", ".join(file.sentence)
        self._require(file.language in file.sentence, "preset.own_sentence", has=has)
        titles = file.compare.title if file.compare else file.sentence
        for language in file.sentence.keys() - titles.keys():
            self._wrong("preset.compared", language=language)

    def _words(self) -> None:
        words: Mapping[str, Any] = self.file.vocabulary.words
        if isinstance(words, Embeddings):  # checked when it was read
            return self._long("vocabulary.table", words.table)
        for word, embedding in words.items():
            key, count = f"vocabulary.words.{word}", len(embedding)
            self._require_token(key, word)
            fits = count == self.file.model.d_model
            self._require(fits, "preset.embedding", key=key, count=count)
            self._long(key, embedding)
        return None

    def _require_token(self, key: str, word: str) -> None:
        """Note a word that no sentence can have as a token."""
        tokenizer = self.file.tokenizer
        good = bool(word) and cleaned(word) == (word, ())
        if good and tokenizer.kind == "bpe":
            bpe = tokenizer.bpe  # None: the merges themselves are refused
            good = bpe is None or word in bpe.vocabulary or LEVELS[bpe.level].is_letter(word)
        elif good:
            good = tokenizer.tokens(word, {word}) == (word,)
        rule = EXPECTED["tokens"][tokenizer.kind]
        self._require(good, "preset.no_token", key=key, found=shown(word), rule=rule)

    def _own_words(self) -> None:
        """What is wrong with `own` and `reserved`."""
        vocabulary, model = self.file.vocabulary, self.file.model
        keeps = vocabulary.own != "yield" or not self.file.closed
        self._require(keeps, "preset.keep", found=shown(vocabulary.own))
        for name in vocabulary.reserved:
            if name not in model.axes:
                hint, known = did_you_mean(name, model.axes), listed(tuple(model.axes))
                self._wrong("preset.reserved", found=shown(name), known=known, hint=hint)
        self._require(len(set(vocabulary.reserved)) < model.d_model, "preset.all_reserved")

    def _sentences(self) -> None:
        file, words = self.file, self.file.vocabulary.words
        for language, sentence in file.sentence.items():
            if not self.tokens[language]:
                try:
                    file.tokenizer.tokens(sentence, ())
                except UserError as error:
                    found = shown(sentence)
                    self._wrong("preset.sentence", language=language, found=found, error=error)
        for word in dict.fromkeys(self.own) if file.closed else ():
            if word not in words:
                named, hint = noun(file.tokenizer.kind, word), did_you_mean(word, words)
                known = "words" if named == "word" else f"of {listed(tuple(words))}"
                self._wrong("preset.closed", named=named, word=word, known=known, hint=hint)
        for language, tokens in self.tokens.items() if file.start.kind == "matrix" else ():
            count, rows = len(tokens), len(self.own)
            fits = count in (0, rows)
            self._require(fits, "preset.rows", language=language, count=count, rows=rows)

    def _translation(self, key: str, table: dict[str, str]) -> None:
        words, language = self.file.vocabulary.words, key.rpartition(".")[2]
        for word in words:
            has_word = word in table
            self._require(has_word, "preset.translate", key=key, word=word, language=language)
        for word, other in table.items():
            if word not in words and self.file.start.kind == "sentence":
                self._wrong("preset.no_word", key=key, word=word, hint=did_you_mean(word, words))
            self._require_token(f"{key}.{word}", other)
        others = list(table.values())
        for word in sorted({w for w in others if others.count(w) > 1}):
            self._wrong("preset.ambiguous", key=key, word=word)

    def _focus(self) -> None:
        file, own = self.file, self.own
        both = {"worked": focus_words(file.worked), "exercise": focus_words(file.exercise)}
        for key, words in both.items():
            for word in words:
                if own and word not in own:
                    has, hint = ", ".join(own), did_you_mean(word, own)
                    self._wrong("preset.focus", key=key, found=shown(word), has=has, hint=hint)
            self._require(words or not any(both.values()), "preset.both_focus", key=key)
        for language, tokens in self.tokens.items():
            table = self._table(language)
            named = [w for words in both.values() for w in words if w in own and w not in table]
            if named and language != file.language and tokens and len(tokens) != len(own):
                self._wrong("preset.focus_word", language=language, word=named[0])

    def _model(self) -> None:
        file, model, start = self.file, self.file.model, self.file.start
        parts, has_value, found = set(model.parts), start.value is not None, shown(model.parts)
        self._require(model.d_head or not model.d_model % model.heads, "preset.heads")
        self._require("feedforward" not in parts or model.d_ff, "preset.d_ff")
        is_vector, inside = start.kind == "vector", {"attention", "feedforward", "output"}
        self._require(is_vector or parts & inside, "preset.parts", found=found)
        self._require(not is_vector or file.chooses, "preset.vector", found=found)
        drawn = start.kind == "sentence" and file.output.kind == "tied"
        self._require(not file.chooses or drawn or file.vocabulary.words, "preset.words")
        self._require(start.kind != "sentence" or not has_value, "preset.no_start")
        self._require(start.kind == "sentence" or has_value, "preset.start")

    def _sampling(self) -> None:
        sampling, words = self.file.sampling, self.file.vocabulary.words
        needed = {"top-k": ("k", "random"), "top-p": ("p", "random"), "sample": ("random",)}
        for key in needed.get(sampling.strategy, ()):
            self._require(getattr(sampling, key) is not None, "preset.strategy", key=key)
        stop = sampling.stop
        if stop is not None and not self.file.chooses:
            self._wrong("preset.no_stop", found=shown(stop))
        elif stop is not None and stop not in words:
            hint, known = did_you_mean(stop, words), listed(tuple(words))
            self._wrong("preset.stop", found=shown(stop), known=known, hint=hint)
        heats = sampling.temperatures
        if twice := [heat for k, heat in enumerate(heats) if heat in heats[:k]]:
            self._wrong("preset.temperatures", heat=twice[0])
        self._long("sampling.temperatures", heats)
        for key, given in (("p", sampling.p), ("random", sampling.random)):
            self._long(f"sampling.{key}", [] if given is None else [given])

    def _statements(self) -> None:
        """What is wrong with `dimensions`, `shows` and `behaviour`."""
        file, names = self.file, self.file.model.dimensions
        fits = len(names) in (0, file.model.d_model)
        self._require(fits, "preset.dimensions", count=len(names))
        for name in sorted({name for name in names if names.count(name) > 1}):
            self._wrong("preset.dimension", name=name)
        for language in file.shows.keys() - file.sentence.keys():
            self._wrong("preset.shows", language=language, found=shown(file.shows[language]))
        for k, one in enumerate(file.behaviour):
            if one.rule in PREDICTING:
                self._predicting(f"behaviour[{k + 1}]", one)
            else:
                self._head(f"behaviour[{k + 1}].head", one.head)
            if one.rule in NAMING:
                self._names(f"behaviour[{k + 1}]", one)

    def _predicting(self, key: str, one: Behaviour) -> None:
        stop, rule, found = self.file.sampling.stop, shown(one.rule), shown(one.at)
        writes, single = one.rule == "writes", one.rule != "predicts" or len(one.at) == 1
        self._require(self.file.chooses, "preset.predicting", key=key, rule=rule)
        self._require(single, "preset.predicts", key=key, found=found)
        if writes and stop is None:
            self._wrong("preset.writes_stop", key=key, rule=rule)
        elif writes:
            self._require(one.at, "preset.writes", key=key)
        for text in one.at if writes else ():
            ends, found = stop is None or text.endswith(stop), shown(text)
            self._require(ends, "preset.written", key=key, found=found, stop=stop)

    def _head(self, key: str, head: str) -> None:
        model, match = self.file.model, HEAD.fullmatch(head)
        inside = match and int(match[1]) <= model.blocks and int(match[2]) <= model.heads
        attends = "attention" in model.parts and self.file.start.kind != "vector"
        self._require(inside and attends, "preset.head", key=key, found=shown(head))

    def _names(self, key: str, one: Behaviour) -> None:
        known = self.file.model.dimensions if one.rule == "kinds" else self.own
        for part, names in (("who", one.who), ("at", one.at)):
            at, what = f"{key}.{part}", NAMING[one.rule]
            self._require(names, "preset.naming", key=at, what=what)
            for name in names:
                if name not in known:
                    named = {"found": shown(name), "has": ", ".join(known)}
                    hint = did_you_mean(name, known)
                    self._wrong("preset.named", key=at, what=what, hint=hint, **named)

    def _decimals(self) -> None:
        """Note the keys of [decimals] that no step's name ends with."""
        for key in self.file.decimals:
            before, _, last = key.rpartition(".")
            if _BEFORE.sub("", before) or last.rstrip("0123456789") not in STEP_TAILS:
                self._wrong("preset.decimals", key=key, hint=did_you_mean(last, STEP_TAILS))

    def _ranges(self) -> None:
        """What is wrong with [vary]: unknown steps, ranges without a number or with too many."""
        start = {"matrix": ["input"], "vector": ["last"]}.get(self.file.start.kind, [])
        given = ["vocabulary.embedding", *self.file.weights, *start]
        for name, vary in self.file.vary.items():
            key, span = f"vary.{name}", Range(vary.start, vary.to, vary.step)
            if name not in given:
                hint, known = did_you_mean(name, given), ", ".join(given)
                self._wrong("preset.vary", key=key, given=known, hint=hint)
            if vary.to < vary.start:
                self._wrong("preset.vary_to", key=key, vary=vary)
            elif (vary.to - vary.start) / vary.step > MOST_NUMBERS:
                self._wrong("preset.vary_step", key=key, vary=vary, most=MOST_NUMBERS)
            else:
                self._require(span.numbers(), "preset.vary_numbers", key=key, vary=vary)
            self._long(key, [vary.start, vary.to, vary.step])

    def _weights(self) -> None:
        """What is wrong with start.value and with all weights."""
        file, start = self.file, self.file.start
        if start.value is not None and start.kind != "sentence":
            rows = 1 if start.kind == "vector" else len(self.own)
            if rows:
                self._numbers("start.value", start.value, (rows, file.model.d_model))
        known, needed = file.shapes(len(file.vocabulary.words))
        for name in sorted(needed - file.weights.keys()):
            height, width = known[name]
            self._wrong("preset.no_weight", name=name, height=height or "n", width=width)
        positions = None
        for name, form in file.weights.items():
            if name in known:
                matrix = self._numbers(f"weights.{name}", form, known[name])
                positions = matrix if name == "position" else positions
            else:
                self._unknown(name, known)
        least, count = len(self.own), None if positions is None else len(positions)
        fits = count is None or count >= least
        self._require(fits, "preset.positions", count=count, least=least)

    def _unknown(self, name: str, known: Mapping[str, Shape]) -> None:
        last = name.rpartition(".")[2].rstrip("0123456789")
        if last == "beta" and "beta" not in FORMS[self.file.norm.form].learned:
            return self._wrong("preset.shift", name=name)
        return self._wrong("preset.weight", name=name, hint=did_you_mean(name, known))

    def _numbers(self, key: str, form: Form, shape: Shape) -> np.ndarray | None:
        """The matrix of a form, whose numbers are looked at; None where there is none."""
        try:
            matrix = self.forms.matrix(form, shape, key.removeprefix("weights."))
        except FormError as error:
            self.problems.append(PresetProblem(key, error.found, error.expected))
            return None
        self._long(key, matrix)
        return matrix
