"""What a schema cannot see: shapes, words and sentences that must fit together."""

from collections.abc import Iterator
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from generator.engine.decimals import BUILT_IN
from generator.engine.tokenizers import cleaned, tokenize
from generator.presets.forms import FormError, resolve
from generator.presets.problems import Problem, shown
from generator.presets.schema import File
from generator.presets.shapes import shapes, sizes

LANGUAGES = ("de", "en")
MOST_PAPER_DECIMALS = 4
STEP_TAILS = frozenset(
    "default angle divisor position similarity input embedding query key value scores scale scaled max shifted "
    "exp sum weights contribution output concat attention residual mean variance deviation "
    "normalised norm hidden activation feedforward logits tempered probabilities renormalised "
    "cumulative".split()
)


def problems_in(file: File, folder: Path | None) -> list[Problem]:
    """Every cross problem of a file whose keys and types are right."""
    return [
        *_languages(file),
        *_words(file),
        *_sentences(file),
        *_focus(file),
        *_model(file),
        *_start(file),
        *_sampling(file),
        *_decimals(file),
        *_weights(file, folder),
    ]


def tokens_of(file: File, language: str) -> tuple[str, ...]:
    """The tokens of the file's sentence in a language."""
    words = file.vocabulary.words
    if language != file.language:
        words = {file.translation.get(language, {}).get(w, w): v for w, v in words.items()}
    return tokenize(file.sentence[language], file.tokenizer.kind, words).tokens


def focus_words(value: str | list[str]) -> tuple[str, ...]:
    """`worked` or `exercise` as a tuple, whether one word was written or a list."""
    return (value,) if isinstance(value, str) else tuple(value)


def _languages(file: File) -> Iterator[Problem]:
    for key, table in (
        ("sentence", file.sentence),
        ("title", file.title),
        ("translation", file.translation),
    ):
        for language in table:
            if language not in LANGUAGES:
                yield Problem(f"{key}.{language}", shown(language), "one of de, en")
    if file.language not in file.sentence:
        yield Problem(
            "sentence",
            f"only {', '.join(file.sentence)}",
            f"one in {file.language!r}, the preset's language",
        )


def _words(file: File) -> Iterator[Problem]:
    d = file.model.d_model
    for word, embedding in file.vocabulary.words.items():
        key = f"vocabulary.words.{word}"
        if cleaned(word) != (word, ()) or not word:
            yield Problem(
                key,
                shown(word),
                "a word in NFC without white space at its ends or control characters",
            )
        if len(embedding) != d:
            yield Problem(key, f"{len(embedding)} numbers", f"d_model = {d} numbers")
        if file.rounding == "paper":
            yield from _short(key, np.array(embedding))


def _sentences(file: File) -> Iterator[Problem]:
    for language, sentence in file.sentence.items():
        if not cleaned(sentence)[0]:
            yield Problem(f"sentence.{language}", shown(sentence), "at least one word")
        elif language != file.language and language in LANGUAGES:
            yield from _translation(file, language)


def _translation(file: File, language: str) -> Iterator[Problem]:
    table = file.translation.get(language, {})
    for word in file.vocabulary.words:
        if word not in table:
            yield Problem(
                f"translation.{language}.{word}",
                "nothing",
                f"the word in {language!r}, as there is a sentence in it",
            )
    for word in table:
        if word not in file.vocabulary.words and file.start.kind == "sentence":
            hint = _hint(word, list(file.vocabulary.words))
            yield Problem(
                f"translation.{language}.{word}",
                "a word that the vocabulary does not have",
                f"one of its words{hint}",
            )
    twice = [w for w in set(table.values()) if list(table.values()).count(w) > 1]
    for word in sorted(twice):
        yield Problem(
            f"translation.{language}", f"{word!r} for two words", "a different word for each"
        )


def _focus(file: File) -> Iterator[Problem]:
    if not _has_sentence(file):
        return
    tokens = tokens_of(file, file.language)
    for key, value in (("worked", file.worked), ("exercise", file.exercise)):
        for word in focus_words(value):
            if word not in tokens:
                hint = _hint(word, list(tokens))
                yield Problem(
                    key, shown(word), f"a token of the sentence: {', '.join(tokens)}{hint}"
                )


def _model(file: File) -> Iterator[Problem]:
    model, (d, d_head, _) = file.model, sizes(file)
    if model.d_head is None and d % model.heads:
        yield Problem("model.heads", f"{model.heads}", f"a divisor of d_model = {d}, or a d_head")
    if "feedforward" in model.parts and model.d_ff is None:
        yield Problem("model.d_ff", "nothing", "a number, as feedforward is a part")
    if not model.parts:
        yield Problem("model.parts", "nothing", "at least one part")
    if "output" in model.parts and file.output.kind == "tied" and file.start.kind == "matrix":
        yield Problem(
            "output.kind", "'tied'", "'own' or 'none', as a given matrix comes without a vocabulary"
        )
    if (
        "attention" not in model.parts
        and file.start.kind != "vector"
        and "feedforward" not in model.parts
        and "output" not in model.parts
    ):
        yield Problem(
            "model.parts", shown(model.parts), "attention, feedforward or output among them"
        )


def _start(file: File) -> Iterator[Problem]:
    kind, value, d = file.start.kind, file.start.value, file.model.d_model
    if kind == "sentence":
        if value is not None:
            yield Problem("start.value", "numbers", 'nothing, as start.kind is "sentence"')
        return
    if not _has_sentence(file):
        return
    rows = 1 if kind == "vector" else len(tokens_of(file, file.language))
    try:
        matrix = resolve(value if value is not None else [], (rows, d), "start", 0, None)
    except FormError as error:
        yield Problem("start.value", *_split(error))
        return
    if file.rounding == "paper":
        yield from _short("start.value", matrix)


def _sampling(file: File) -> Iterator[Problem]:
    needed = {"top-k": ("k", "random"), "top-p": ("p", "random"), "sample": ("random",)}
    for key in needed.get(file.sampling.strategy, ()):
        if getattr(file.sampling, key) is None:
            yield Problem(
                f"sampling.{key}", "nothing", f"a number, as strategy is {file.sampling.strategy!r}"
            )


def _decimals(file: File) -> Iterator[Problem]:
    for key in file.decimals:
        last = key.rsplit(".", 1)[-1].rstrip("0123456789")
        if last not in STEP_TAILS and key not in BUILT_IN:
            hint = _hint(last, sorted(STEP_TAILS))
            yield Problem(
                f"decimals.{key}", "a name that no step ends with", f"the last name of a step{hint}"
            )


def _weights(file: File, folder: Path | None) -> Iterator[Problem]:
    known, needed = shapes(file, len(file.vocabulary.words))
    for name in sorted(needed - file.weights.keys()):
        yield Problem(f"weights.{name}", "nothing", f"a {_size(known[name])} matrix")
    for name, form in file.weights.items():
        if name not in known:
            yield Problem(
                f"weights.{name}",
                "a weight that this model does not have",
                f"one of its weights{_hint(name, list(known))}",
            )
            continue
        try:
            matrix = resolve(
                form, shape_of(file, name, form, known), name, file.vocabulary.seed, folder
            )
        except FormError as error:
            yield Problem(f"weights.{name}", *_split(error))
            continue
        if file.rounding == "paper":
            yield from _short(f"weights.{name}", matrix)


def shape_of(
    file: File, name: str, form: Any, known: dict[str, tuple[int, int]]
) -> tuple[int, int]:
    """The shape that a weight must have; learned positions have as many rows as are given."""
    height, width = known[name]
    if height == 0:
        height = len(form) if isinstance(form, list) else file.model.d_model
    return height, width


def _has_sentence(file: File) -> bool:
    return bool(cleaned(file.sentence.get(file.language, ""))[0])


def _short(key: str, numbers: np.ndarray) -> Iterator[Problem]:
    for value in np.ravel(numbers).tolist():
        exponent = Decimal(repr(value)).normalize().as_tuple().exponent
        if isinstance(exponent, int) and -exponent > MOST_PAPER_DECIMALS:
            yield Problem(
                key,
                repr(value),
                f'at most {MOST_PAPER_DECIMALS} decimals for paper arithmetic, or rounding = "exact"',
            )
            return


def _size(shape: tuple[int, int]) -> str:
    return f"{shape[0] or 'n'}×{shape[1]}"


def _split(error: FormError) -> tuple[str, str]:
    found, _, expected = str(error).removeprefix("found ").partition(", expected ")
    return found, expected or "a matrix that can be read"


def _hint(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
