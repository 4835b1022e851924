"""What a schema cannot see: shapes, words and sentences that must fit together.

Also here:

* Checks of a preset's numbers: weights, the given start, how many decimals they have.
* Checks of what a preset says about itself: its dimensions, what it shows, what it promises.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from generator.engine.embeddings import Embeddings
from generator.engine.fitness import MOST_DECIMALS
from generator.engine.norms import FORMS
from generator.engine.preset import Range
from generator.engine.vocabulary import Tokens, cleaned, listed, noun, tokenize
from generator.errors import UserError, did_you_mean
from generator.locales.folders import languages
from generator.presets.language import own_words_in
from generator.presets.schema import Behaviour, File, Form, FormError, PresetProblem, resolve, shown
from generator.presets.shapes import Shape, shapes
from generator.presets.subwords import is_token, kind_of, merges_in, merges_of
from generator.steps import KINDS


def problems_in(file: File, folder: Path | None) -> list[PresetProblem]:
    """Every cross problem of a file whose keys and types are right."""
    tokens = {language: tokens_of(file, language) for language in file.sentence}
    own = tokens.get(file.language, ())
    return [
        *_languages(file),
        *merges_in(file.tokenizer),
        *_words(file),
        *own_words_in(file, _closed(file)),
        *_sentences(file, tokens),
        *_translations(file),
        *_focus(file, tokens),
        *_model(file),
        *_start(file),
        *_sampling(file),
        *statements_in(file, own),
        *decimals_in(file),
        *ranges_in(file),
        *weights_in(file, own, folder),
    ]


def tokens_of(file: File, language: str) -> tuple[str, ...]:
    """The tokens of the file's sentence in a language; none where it cannot be computed."""
    words = set(file.vocabulary.words)
    if language != file.language:
        words = {file.translation.get(language, {}).get(word, word) for word in words}
    try:
        return _split(file, file.sentence[language], words).tokens
    except UserError:
        return ()


def focus_words(value: str | list[str]) -> tuple[str, ...]:
    """`worked` or `exercise` as a tuple, whether one word was written or a list."""
    return (value,) if isinstance(value, str) else tuple(value)


def _split(file: File, text: str, words: Collection[str]) -> Tokens:
    return tokenize(text, kind_of(file.tokenizer), words, merges_of(file.tokenizer))


def _languages(file: File) -> Iterator[PresetProblem]:
    tables = {
        "sentence": list(file.sentence),
        "title": list(file.title),
        "translation": list(file.translation),
    }
    known = languages()
    for key, table in tables.items():
        for language in table:
            if language not in known:
                yield PresetProblem(
                    f"{key}.{language}", shown(language), f"one of {', '.join(known)}"
                )
    if file.language not in file.sentence:
        yield PresetProblem(
            "sentence",
            f"only {', '.join(file.sentence)}",
            f"one in {file.language!r}, the preset's language",
        )
    if file.compare is not None:
        for language in file.sentence.keys() - file.compare.title.keys():
            yield PresetProblem(f"compare.title.{language}", "nothing", "a title in this language")


def _words(file: File) -> Iterator[PresetProblem]:
    d = file.model.d_model
    words: Mapping[str, Any] = file.vocabulary.words
    if isinstance(words, Embeddings):  # checked when it was read
        if file.rounding == "paper":
            yield from long_numbers("vocabulary.table", words.table)
        return
    for word, embedding in words.items():
        key = f"vocabulary.words.{word}"
        if not _is_token(file, word):
            yield PresetProblem(key, shown(word), _token_rule(file))
        if len(embedding) != d:
            yield PresetProblem(key, f"{len(embedding)} numbers", f"d_model = {d} numbers")
        if file.rounding == "paper":
            yield from long_numbers(key, embedding)


def _is_token(file: File, word: str) -> bool:
    if not word or cleaned(word) != (word, ()):
        return False
    if file.tokenizer.kind == "bpe":
        return is_token(file.tokenizer, word)
    return _split(file, word, {word}).tokens == (word,)


def _token_rule(file: File) -> str:
    if file.tokenizer.kind == "character":
        return "one character, as tokenizer.kind is 'character'"
    if file.tokenizer.kind == "bpe":
        return "a letter or what one of tokenizer.merges makes"
    return "a word in NFC without white space or control characters"


def _sentences(file: File, tokens: dict[str, tuple[str, ...]]) -> Iterator[PresetProblem]:
    for language, sentence in file.sentence.items():
        if not tokens[language]:
            try:
                _split(file, sentence, ())
            except UserError as error:
                yield PresetProblem(f"sentence.{language}", shown(sentence), f"a sentence: {error}")
    own = tokens.get(file.language, ())
    if reason := _closed(file):
        for word in dict.fromkeys(own):
            if word not in file.vocabulary.words:
                named = noun(file.tokenizer.kind, word)
                known = "words" if named == "word" else f"of {listed(tuple(file.vocabulary.words))}"
                hint = did_you_mean(word, file.vocabulary.words)
                expected = f"only {known} of the vocabulary, as {reason}{hint}"
                yield PresetProblem(f"sentence.{file.language}", f"the {named} {word!r}", expected)
    if file.start.kind == "matrix":
        for language, translated in tokens.items():
            if translated and len(translated) != len(own):
                yield PresetProblem(
                    f"sentence.{language}",
                    f"{len(translated)} tokens",
                    f"{len(own)}, one for each row of start.value, as in {file.language!r}",
                )


def _closed(file: File) -> str:
    if file.start.kind != "sentence":
        return ""
    if file.vocabulary.unknown == "error":
        return "vocabulary.unknown is 'error'"
    if "output" in file.model.parts and file.output.kind == "own":
        return "output.kind is 'own'"
    if "output" in file.model.parts and "output.bias" in file.weights:
        return "output.bias has a number for each of these only"
    return ""


def _translations(file: File) -> Iterator[PresetProblem]:
    for language in file.sentence:
        if language != file.language and language in languages():
            yield from _translation(file, language, file.translation.get(language, {}))


def _translation(file: File, language: str, table: dict[str, str]) -> Iterator[PresetProblem]:
    key = f"translation.{language}"
    for word in file.vocabulary.words:
        if word not in table:
            expected = f"the word in {language!r}, as there is a sentence in it"
            yield PresetProblem(f"{key}.{word}", "nothing", expected)
    for word, other in table.items():
        if word not in file.vocabulary.words and file.start.kind == "sentence":
            hint = did_you_mean(word, file.vocabulary.words)
            expected = f"one of its words{hint}"
            yield PresetProblem(
                f"{key}.{word}", "a word that the vocabulary does not have", expected
            )
        if not _is_token(file, other):
            yield PresetProblem(f"{key}.{word}", shown(other), _token_rule(file))
    others = list(table.values())
    for word in sorted({w for w in others if others.count(w) > 1}):
        yield PresetProblem(key, f"{word!r} for two words", "a different word for each")


def _focus(file: File, tokens: dict[str, tuple[str, ...]]) -> Iterator[PresetProblem]:
    own = tokens.get(file.language, ())
    both = {"worked": focus_words(file.worked), "exercise": focus_words(file.exercise)}
    for key, words in both.items():
        for word in words:
            if own and word not in own:
                expected = f"a token of the sentence: {', '.join(own)}{did_you_mean(word, own)}"
                yield PresetProblem(key, shown(word), expected)
        if not words and any(both.values()):
            yield PresetProblem(key, "nothing", "a token, as worked and exercise go together")
    for language, translated in tokens.items():
        table = file.translation.get(language, {})
        named = [w for words in both.values() for w in words if w in own and w not in table]
        if named and language != file.language and translated and len(translated) != len(own):
            expected = f"it, as worked or exercise names it and {language!r} has other tokens"
            yield PresetProblem(f"translation.{language}.{named[0]}", "nothing", expected)


def _model(file: File) -> Iterator[PresetProblem]:
    model, kind = file.model, file.start.kind
    parts = set(model.parts)
    if model.d_head is None and model.d_model % model.heads:
        expected = f"a divisor of d_model = {model.d_model}, or a d_head"
        yield PresetProblem("model.heads", f"{model.heads}", expected)
    if "feedforward" in parts and model.d_ff is None:
        yield PresetProblem("model.d_ff", "nothing", "a number, as feedforward is a part")
    if kind != "vector" and not parts & {"attention", "feedforward", "output"}:
        expected = "attention, feedforward or output among them"
        yield PresetProblem("model.parts", shown(model.parts), expected)
    if kind == "vector" and ("output" not in parts or file.output.kind == "none"):
        expected = "output among them, of the kind tied or own, as start.kind is 'vector'"
        yield PresetProblem("model.parts", shown(model.parts), expected)
    drawn = kind == "sentence" and file.output.kind == "tied"
    chooses = "output" in parts and file.output.kind != "none"
    if chooses and not drawn and not file.vocabulary.words:
        yield PresetProblem(
            "vocabulary.words", "nothing", "words, as the output chooses one of them"
        )


def _start(file: File) -> Iterator[PresetProblem]:
    kind, value = file.start.kind, file.start.value
    if kind == "sentence" and value is not None:
        yield PresetProblem("start.value", "numbers", "nothing, as start.kind is 'sentence'")
    if kind != "sentence" and value is None:
        yield PresetProblem("start.value", "nothing", f"numbers, as start.kind is {kind!r}")


def _sampling(file: File) -> Iterator[PresetProblem]:
    sampling = file.sampling
    needed = {"top-k": ("k", "random"), "top-p": ("p", "random"), "sample": ("random",)}
    for key in needed.get(sampling.strategy, ()):
        if getattr(sampling, key) is None:
            expected = f"a number, as strategy is {sampling.strategy!r}"
            yield PresetProblem(f"sampling.{key}", "nothing", expected)
    yield from _stop(file)
    if twice := [t for k, t in enumerate(sampling.temperatures) if t in sampling.temperatures[:k]]:
        yield PresetProblem("sampling.temperatures", f"{twice[0]!r} twice", "different numbers")
    if file.rounding == "paper":
        yield from long_numbers("sampling.temperatures", sampling.temperatures)
        for key in ("p", "random"):
            given = getattr(sampling, key)
            yield from long_numbers(f"sampling.{key}", [] if given is None else [given])


def _stop(file: File) -> Iterator[PresetProblem]:
    stop = file.sampling.stop
    if stop is None:
        return
    if "output" not in file.model.parts or file.output.kind == "none":
        yield PresetProblem(
            "sampling.stop", shown(stop), "nothing, as there is no output that chooses"
        )
    elif stop not in file.vocabulary.words:
        hint = did_you_mean(stop, file.vocabulary.words)
        known = listed(tuple(file.vocabulary.words))
        yield PresetProblem("sampling.stop", shown(stop), f"one of vocabulary.words: {known}{hint}")


STEP_TAILS = sorted(
    {"default"} | {name.rpartition(".")[2] for name, kind in KINDS.items() if kind.in_decimals}
)
MOST_NUMBERS = 10_000  # in a range of [vary]
_BEFORE = re.compile(r"(?:block\d+|head\d+|output|all|final|sampling|position)(?:\.|$)")


def weights_in(file: File, tokens: Sequence[str], folder: Path | None) -> Iterator[PresetProblem]:
    """The problems of start.value and of all weights; `tokens` are those of the own sentence."""
    if file.start.value is not None and file.start.kind != "sentence":
        rows = 1 if file.start.kind == "vector" else len(tokens)
        if rows:
            yield from _number_problems(
                file, "start.value", file.start.value, (rows, file.model.d_model), folder
            )
    known, needed = shapes(file, len(file.vocabulary.words))
    for name in sorted(needed - file.weights.keys()):
        yield PresetProblem(f"weights.{name}", "nothing", f"a {_size(known[name])} matrix")
    for name, form in file.weights.items():
        if name in known:
            yield from _number_problems(file, f"weights.{name}", form, known[name], folder)
        else:
            yield _unknown(file, name, known)
    yield from _positions(file, tokens, known, folder)


def _unknown(file: File, name: str, known: Mapping[str, Shape]) -> PresetProblem:
    shifts = name.rpartition(".")[2].rstrip("0123456789") == "beta"
    if shifts and "beta" not in FORMS[file.norm.form].learned:
        shift = f'no shift: norm.form "{file.norm.form}" has a gain alone, "layer" has both'
        return PresetProblem(f"weights.{name}", "a shift", shift)
    expected = f"one of its weights{did_you_mean(name, known)}"
    return PresetProblem(f"weights.{name}", "a weight that this model does not have", expected)


def decimals_in(file: File) -> Iterator[PresetProblem]:
    """The keys of [decimals] that no step's name ends with."""
    for key in file.decimals:
        before, _, last = key.rpartition(".")
        if _BEFORE.sub("", before) or last.rstrip("0123456789") not in STEP_TAILS:
            hint = did_you_mean(last, STEP_TAILS)
            expected = f'the last name of a rounded step, such as "exp" or "output.exp"{hint}'
            yield PresetProblem(
                f"decimals.{key}", "a name that no rounded step ends with", expected
            )


def long_numbers(key: str, numbers: Sequence[float] | np.ndarray) -> Iterator[PresetProblem]:
    """The first number, if any, with more decimals than paper arithmetic can print in full."""
    for value in np.ravel(np.asarray(numbers, dtype=np.float64)).tolist():
        exponent = Decimal(repr(value)).normalize().as_tuple().exponent
        if isinstance(exponent, int) and -exponent > MOST_DECIMALS:
            most = f"at most {MOST_DECIMALS} decimals for paper arithmetic"
            yield PresetProblem(key, repr(value), f'{most}, or rounding = "exact"')
            return


def ranges_in(file: File) -> Iterator[PresetProblem]:
    """The problems of [vary]: unknown steps, ranges without a number or with too many."""
    given = ["vocabulary.embedding", *file.weights]
    if file.start.kind != "sentence":
        given.append({"matrix": "input", "vector": "last"}[file.start.kind])
    for name, vary in file.vary.items():
        key = f"vary.{name}"
        if name not in given:
            expected = f"one of {', '.join(given)}{did_you_mean(name, given)}"
            yield PresetProblem(key, "a step that the preset does not give", expected)
        if vary.to < vary.start:
            yield PresetProblem(f"{key}.to", repr(vary.to), f"at least from = {vary.start!r}")
        elif (vary.to - vary.start) / vary.step > MOST_NUMBERS:
            yield PresetProblem(f"{key}.step", repr(vary.step), f"at most {MOST_NUMBERS} steps")
        elif not Range(vary.start, vary.to, vary.step).numbers():
            yield PresetProblem(f"{key}.to", repr(vary.to), "another number than 0 in the range")
        if file.rounding == "paper":
            yield from long_numbers(key, [vary.start, vary.to, vary.step])


def _number_problems(
    file: File, key: str, form: Form, shape: Shape, folder: Path | None
) -> Iterator[PresetProblem]:
    name = key.removeprefix("weights.")
    try:
        matrix = resolve(form, shape, name, file.vocabulary.seed, folder)
    except FormError as error:
        yield PresetProblem(key, error.found, error.expected)
        return
    if file.rounding == "paper":
        yield from long_numbers(key, matrix)


def _positions(
    file: File, tokens: Sequence[str], known: dict[str, Shape], folder: Path | None
) -> Iterator[PresetProblem]:
    form = file.weights.get("position")
    if form is None or "position" not in known:
        return
    try:
        rows = len(resolve(form, known["position"], "position", file.vocabulary.seed, folder))
    except FormError:
        return  # told already
    if rows < len(tokens):
        expected = f"at least {len(tokens)}, as the sentence has so many tokens"
        yield PresetProblem("weights.position", f"{rows} positions", expected)


def _size(shape: Shape) -> str:
    return f"{shape[0] or 'n'}×{shape[1]}"


HEAD = re.compile(r"block([1-9]\d*)\.head([1-9]\d*)")
PREDICTING = ("predicts", "continues", "repeats", "writes")
NAMING = {"kinds": "a dimension", "words": "a token of the sentence"}


def statements_in(file: File, tokens: Sequence[str]) -> Iterator[PresetProblem]:
    """The problems of `dimensions`, `shows` and `behaviour`; `tokens` are the own sentence's."""
    names = file.model.dimensions
    if names and len(names) != file.model.d_model:
        expected = f"d_model = {file.model.d_model} names, or none"
        yield PresetProblem("model.dimensions", f"{len(names)} names", expected)
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield PresetProblem("model.dimensions", f"{name!r} twice", "a different name for each")
    for language in file.shows.keys() - file.sentence.keys():
        expected = "a language that the preset has a sentence in"
        yield PresetProblem(f"shows.{language}", shown(file.shows[language]), expected)
    for k, one in enumerate(file.behaviour):
        yield from _behaviour(file, f"behaviour[{k + 1}]", one, tokens)


def _behaviour(
    file: File, key: str, one: Behaviour, tokens: Sequence[str]
) -> Iterator[PresetProblem]:
    if one.rule in PREDICTING:
        if "output" not in file.model.parts or file.output.kind == "none":
            yield PresetProblem(
                f"{key}.rule", shown(one.rule), "a rule of attention: there is no output"
            )
        if one.rule == "predicts" and len(one.at) != 1:
            yield PresetProblem(f"{key}.at", shown(one.at), "the word that is predicted, in a list")
        if one.rule == "writes":
            yield from _texts(file, key, one)
    else:
        yield from _head(file, key, one.head)
    if one.rule in NAMING:
        yield from _names(file, key, one, tokens)


def _texts(file: File, key: str, one: Behaviour) -> Iterator[PresetProblem]:
    stop = file.sampling.stop
    if stop is None:
        yield PresetProblem(f"{key}.rule", shown(one.rule), "sampling.stop, which ends each text")
        return
    if not one.at:
        yield PresetProblem(f"{key}.at", "nothing", "the texts that are written, in a list")
    for text in one.at:
        if not text.endswith(stop):
            yield PresetProblem(f"{key}.at", shown(text), f"a text that ends with {stop!r}")


def _head(file: File, key: str, head: str) -> Iterator[PresetProblem]:
    blocks, heads = file.model.blocks, file.model.heads
    match = HEAD.fullmatch(head)
    inside = match and int(match[1]) <= blocks and int(match[2]) <= heads
    if not inside or "attention" not in file.model.parts or file.start.kind == "vector":
        expected = f"block1.head1 to block{blocks}.head{heads}, of a model with attention"
        yield PresetProblem(f"{key}.head", shown(head), expected)


def _names(file: File, key: str, one: Behaviour, tokens: Sequence[str]) -> Iterator[PresetProblem]:
    known = file.model.dimensions if one.rule == "kinds" else tokens
    for part, names in (("who", one.who), ("at", one.at)):
        if not names:
            yield PresetProblem(f"{key}.{part}", "nothing", f"{NAMING[one.rule]} at least")
        for name in names:
            if name not in known:
                expected = f"{NAMING[one.rule]}: {', '.join(known)}{did_you_mean(name, known)}"
                yield PresetProblem(f"{key}.{part}", shown(name), expected)
