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
from generator.presets.schema import Behaviour, File, Form, PresetProblem, Shape, shown
from generator.steps import KINDS

STEP_TAILS = sorted(
    {"default"} | {name.rpartition(".")[2] for name, kind in KINDS.items() if kind.in_decimals}
)
MOST_NUMBERS = 10_000  # in a range of [vary]
_BEFORE = re.compile(r"(?:block\d+|head\d+|output|all|final|sampling|position)(?:\.|$)")
HEAD = re.compile(r"block([1-9]\d*)\.head([1-9]\d*)")
PREDICTING = ("predicts", "continues", "repeats", "writes")
NAMING = {"kinds": "a dimension", "words": "a token of the sentence"}
TOKEN_RULES = {
    "word": "a word in NFC without white space or control characters",
    "character": "one character, as tokenizer.kind is 'character'",
    "bpe": "a letter or what one of tokenizer.merges makes",
}


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

    def _wrong(self, key: str, found: str, expected: str) -> None:
        self.problems.append(PresetProblem(key, found, expected))

    def _long(self, key: str, numbers: Sequence[float] | np.ndarray) -> None:
        """Note the first number, if any, with more decimals than paper can print in full."""
        paper = self.file.rounding == "paper"
        for value in np.ravel(np.asarray(numbers, dtype=np.float64)).tolist() if paper else ():
            exponent = Decimal(repr(value)).normalize().as_tuple().exponent
            if isinstance(exponent, int) and -exponent > MOST_DECIMALS:
                most = f"at most {MOST_DECIMALS} decimals for paper arithmetic"
                return self._wrong(key, repr(value), f'{most}, or rounding = "exact"')
        return None

    def _table(self, language: str) -> dict[str, str]:
        return self.file.translation.get(language, {})

    def _languages(self) -> None:
        file, known = self.file, languages()
        for key in ("sentence", "title", "translation"):
            for language in getattr(file, key):
                if language not in known:
                    one_of = f"one of {', '.join(known)}"
                    self._wrong(f"{key}.{language}", shown(language), one_of)
        if file.language not in file.sentence:
            expected = f"one in {file.language!r}, the preset's language"
            self._wrong("sentence", f"only {', '.join(file.sentence)}", expected)
        titles = file.compare.title if file.compare else file.sentence
        for language in file.sentence.keys() - titles.keys():
            self._wrong(f"compare.title.{language}", "nothing", "a title in this language")

    def _words(self) -> None:
        d = self.file.model.d_model
        words: Mapping[str, Any] = self.file.vocabulary.words
        if isinstance(words, Embeddings):  # checked when it was read
            return self._long("vocabulary.table", words.table)
        for word, embedding in words.items():
            key = f"vocabulary.words.{word}"
            self._require_token(key, word)
            if len(embedding) != d:
                self._wrong(key, f"{len(embedding)} numbers", f"d_model = {d} numbers")
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
        if not good:
            self._wrong(key, shown(word), TOKEN_RULES[tokenizer.kind])

    def _own_words(self) -> None:
        """What is wrong with `own` and `reserved`."""
        vocabulary, model = self.file.vocabulary, self.file.model
        if self.file.closed and vocabulary.own == "yield":
            expected = f"'keep', as no new words are taken: {self.file.closed}"
            self._wrong("vocabulary.own", shown(vocabulary.own), expected)
        for name in vocabulary.reserved:
            if name not in model.axes:
                expected = f"a dimension: {listed(tuple(model.axes))}"
                hint = did_you_mean(name, model.axes)
                self._wrong("vocabulary.reserved", shown(name), expected + hint)
        if len(set(vocabulary.reserved)) >= model.d_model:
            expected = "one dimension left at least, for the numbers of new words"
            self._wrong("vocabulary.reserved", f"all {model.d_model} of them", expected)

    def _sentences(self) -> None:
        file, words = self.file, self.file.vocabulary.words
        for language, sentence in file.sentence.items():
            if not self.tokens[language]:
                try:
                    file.tokenizer.tokens(sentence, ())
                except UserError as error:
                    self._wrong(f"sentence.{language}", shown(sentence), f"a sentence: {error}")
        for word in dict.fromkeys(self.own) if file.closed else ():
            if word not in words:
                named = noun(file.tokenizer.kind, word)
                known = "words" if named == "word" else f"of {listed(tuple(words))}"
                expected = f"only {known} of the vocabulary, as {file.closed}"
                hint = did_you_mean(word, words)
                self._wrong(f"sentence.{file.language}", f"the {named} {word!r}", expected + hint)
        for language, tokens in self.tokens.items() if file.start.kind == "matrix" else ():
            if tokens and len(tokens) != len(self.own):
                rows = f"one for each row of start.value, as in {file.language!r}"
                expected = f"{len(self.own)}, {rows}"
                self._wrong(f"sentence.{language}", f"{len(tokens)} tokens", expected)

    def _translation(self, key: str, table: dict[str, str]) -> None:
        words, language = self.file.vocabulary.words, key.rpartition(".")[2]
        for word in words:
            if word not in table:
                expected = f"the word in {language!r}, as there is a sentence in it"
                self._wrong(f"{key}.{word}", "nothing", expected)
        for word, other in table.items():
            if word not in words and self.file.start.kind == "sentence":
                expected = f"one of its words{did_you_mean(word, words)}"
                self._wrong(f"{key}.{word}", "a word that the vocabulary does not have", expected)
            self._require_token(f"{key}.{word}", other)
        others = list(table.values())
        for word in sorted({w for w in others if others.count(w) > 1}):
            self._wrong(key, f"{word!r} for two words", "a different word for each")

    def _focus(self) -> None:
        file, own = self.file, self.own
        both = {"worked": focus_words(file.worked), "exercise": focus_words(file.exercise)}
        for key, words in both.items():
            for word in words:
                if own and word not in own:
                    expected = f"a token of the sentence: {', '.join(own)}{did_you_mean(word, own)}"
                    self._wrong(key, shown(word), expected)
            if not words and any(both.values()):
                self._wrong(key, "nothing", "a token, as worked and exercise go together")
        for language, tokens in self.tokens.items():
            table = self._table(language)
            named = [w for words in both.values() for w in words if w in own and w not in table]
            if named and language != file.language and tokens and len(tokens) != len(own):
                expected = f"it, as worked or exercise names it and {language!r} has other tokens"
                self._wrong(f"translation.{language}.{named[0]}", "nothing", expected)

    def _model(self) -> None:
        file, model, start = self.file, self.file.model, self.file.start
        parts, value = set(model.parts), self.file.start.value
        if model.d_head is None and model.d_model % model.heads:
            expected = f"a divisor of d_model = {model.d_model}, or a d_head"
            self._wrong("model.heads", f"{model.heads}", expected)
        if "feedforward" in parts and model.d_ff is None:
            self._wrong("model.d_ff", "nothing", "a number, as feedforward is a part")
        if start.kind != "vector" and not parts & {"attention", "feedforward", "output"}:
            expected = "attention, feedforward or output among them"
            self._wrong("model.parts", shown(model.parts), expected)
        if start.kind == "vector" and not file.chooses:
            expected = "output among them, of the kind tied or own, as start.kind is 'vector'"
            self._wrong("model.parts", shown(model.parts), expected)
        drawn = start.kind == "sentence" and file.output.kind == "tied"
        if file.chooses and not drawn and not file.vocabulary.words:
            expected = "words, as the output chooses one of them"
            self._wrong("vocabulary.words", "nothing", expected)
        if start.kind == "sentence" and value is not None:
            self._wrong("start.value", "numbers", "nothing, as start.kind is 'sentence'")
        if start.kind != "sentence" and value is None:
            self._wrong("start.value", "nothing", f"numbers, as start.kind is {start.kind!r}")

    def _sampling(self) -> None:
        sampling, words = self.file.sampling, self.file.vocabulary.words
        needed = {"top-k": ("k", "random"), "top-p": ("p", "random"), "sample": ("random",)}
        for key in needed.get(sampling.strategy, ()):
            if getattr(sampling, key) is None:
                expected = f"a number, as strategy is {sampling.strategy!r}"
                self._wrong(f"sampling.{key}", "nothing", expected)
        if sampling.stop is not None:
            expected = "nothing, as there is no output that chooses"
            if self.file.chooses:
                hint = did_you_mean(sampling.stop, words)
                expected = f"one of vocabulary.words: {listed(tuple(words))}{hint}"
            if not self.file.chooses or sampling.stop not in words:
                self._wrong("sampling.stop", shown(sampling.stop), expected)
        heats = sampling.temperatures
        if twice := [heat for k, heat in enumerate(heats) if heat in heats[:k]]:
            self._wrong("sampling.temperatures", f"{twice[0]!r} twice", "different numbers")
        self._long("sampling.temperatures", heats)
        for key, given in (("p", sampling.p), ("random", sampling.random)):
            self._long(f"sampling.{key}", [] if given is None else [given])

    def _statements(self) -> None:
        """What is wrong with `dimensions`, `shows` and `behaviour`."""
        file, names = self.file, self.file.model.dimensions
        if names and len(names) != file.model.d_model:
            expected = f"d_model = {file.model.d_model} names, or none"
            self._wrong("model.dimensions", f"{len(names)} names", expected)
        for name in sorted({name for name in names if names.count(name) > 1}):
            self._wrong("model.dimensions", f"{name!r} twice", "a different name for each")
        for language in file.shows.keys() - file.sentence.keys():
            expected = "a language that the preset has a sentence in"
            self._wrong(f"shows.{language}", shown(file.shows[language]), expected)
        for k, one in enumerate(file.behaviour):
            if one.rule in PREDICTING:
                self._predicting(f"behaviour[{k + 1}]", one)
            else:
                self._head(f"behaviour[{k + 1}].head", one.head)
            if one.rule in NAMING:
                self._names(f"behaviour[{k + 1}]", one)

    def _predicting(self, key: str, one: Behaviour) -> None:
        stop, rule, at = self.file.sampling.stop, f"{key}.rule", f"{key}.at"
        if not self.file.chooses:
            self._wrong(rule, shown(one.rule), "a rule of attention: there is no output")
        if one.rule == "predicts" and len(one.at) != 1:
            self._wrong(at, shown(one.at), "the word that is predicted, in a list")
        if one.rule == "writes" and stop is None:
            self._wrong(rule, shown(one.rule), "sampling.stop, which ends each text")
        elif one.rule == "writes" and not one.at:
            self._wrong(at, "nothing", "the texts that are written, in a list")
        for text in one.at if one.rule == "writes" else ():
            if stop is not None and not text.endswith(stop):
                self._wrong(at, shown(text), f"a text that ends with {stop!r}")

    def _head(self, key: str, head: str) -> None:
        model, match = self.file.model, HEAD.fullmatch(head)
        inside = match and int(match[1]) <= model.blocks and int(match[2]) <= model.heads
        if not inside or "attention" not in model.parts or self.file.start.kind == "vector":
            last = f"block{model.blocks}.head{model.heads}"
            self._wrong(key, shown(head), f"block1.head1 to {last}, of a model with attention")

    def _names(self, key: str, one: Behaviour) -> None:
        known = self.file.model.dimensions if one.rule == "kinds" else self.own
        for part, names in (("who", one.who), ("at", one.at)):
            if not names:
                self._wrong(f"{key}.{part}", "nothing", f"{NAMING[one.rule]} at least")
            for name in names:
                if name not in known:
                    expected = f"{NAMING[one.rule]}: {', '.join(known)}{did_you_mean(name, known)}"
                    self._wrong(f"{key}.{part}", shown(name), expected)

    def _decimals(self) -> None:
        """Note the keys of [decimals] that no step's name ends with."""
        for key in self.file.decimals:
            before, _, last = key.rpartition(".")
            if _BEFORE.sub("", before) or last.rstrip("0123456789") not in STEP_TAILS:
                hint = did_you_mean(last, STEP_TAILS)
                expected = f'the last name of a rounded step, such as "exp" or "output.exp"{hint}'
                self._wrong(f"decimals.{key}", "a name that no rounded step ends with", expected)

    def _ranges(self) -> None:
        """What is wrong with [vary]: unknown steps, ranges without a number or with too many."""
        start = {"matrix": ["input"], "vector": ["last"]}.get(self.file.start.kind, [])
        given = ["vocabulary.embedding", *self.file.weights, *start]
        for name, vary in self.file.vary.items():
            key, span = f"vary.{name}", Range(vary.start, vary.to, vary.step)
            if name not in given:
                expected = f"one of {', '.join(given)}{did_you_mean(name, given)}"
                self._wrong(key, "a step that the preset does not give", expected)
            if vary.to < vary.start:
                self._wrong(f"{key}.to", repr(vary.to), f"at least from = {vary.start!r}")
            elif (vary.to - vary.start) / vary.step > MOST_NUMBERS:
                self._wrong(f"{key}.step", repr(vary.step), f"at most {MOST_NUMBERS} steps")
            elif not span.numbers():
                self._wrong(f"{key}.to", repr(vary.to), "another number than 0 in the range")
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
            self._wrong(f"weights.{name}", "nothing", f"a {height or 'n'}×{width} matrix")
        positions = None
        for name, form in file.weights.items():
            if name in known:
                matrix = self._numbers(f"weights.{name}", form, known[name])
                positions = matrix if name == "position" else positions
            else:
                self._unknown(name, known)
        if positions is not None and len(positions) < len(self.own):
            expected = f"at least {len(self.own)}, as the sentence has so many tokens"
            self._wrong("weights.position", f"{len(positions)} positions", expected)

    def _unknown(self, name: str, known: Mapping[str, Shape]) -> None:
        form, last = self.file.norm.form, name.rpartition(".")[2].rstrip("0123456789")
        if last == "beta" and "beta" not in FORMS[form].learned:
            shift = f'no shift: norm.form "{form}" has a gain alone, "layer" has both'
            return self._wrong(f"weights.{name}", "a shift", shift)
        expected = f"one of its weights{did_you_mean(name, known)}"
        found = "a weight that this model does not have"
        return self._wrong(f"weights.{name}", found, expected)

    def _numbers(self, key: str, form: Form, shape: Shape) -> np.ndarray | None:
        """The matrix of a form, whose numbers are looked at; None where there is none."""
        try:
            matrix = self.forms.matrix(form, shape, key.removeprefix("weights."))
        except FormError as error:
            self._wrong(key, error.found, error.expected)
            return None
        self._long(key, matrix)
        return matrix
