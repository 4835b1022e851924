"""What a preset keeps in files beside it: the words with their embeddings, the list of merges."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from generator.engine.embeddings import Embeddings
from generator.engine.tokenizers import cleaned
from generator.files import LARGEST_LIST, require_file
from generator.presets.forms import FormError, resolve
from generator.presets.problems import Problem, private_in, shown
from generator.presets.schema import File, Stored

TABLE = "vocabulary.table"
LINES = "a UTF-8 text file with one on each line"


def with_merges(raw: dict[str, Any], folder: Path | None) -> tuple[dict[str, Any], list[Problem]]:
    """The tables with `merges = { file = "…" }` replaced by the lines of that file."""
    tokenizer = raw.get("tokenizer")
    merges = tokenizer.get("merges") if isinstance(tokenizer, dict) else None
    if not (isinstance(merges, dict) and merges.keys() == {"file"}):
        return raw, []
    try:
        lines = _lines(str(merges["file"]), folder)
    except FormError as error:
        return raw, [Problem("tokenizer.merges.file", error.found, error.expected)]
    return {**raw, "tokenizer": {**raw["tokenizer"], "merges": lines}}, []


def with_words(file: File, folder: Path | None) -> tuple[File, list[Problem]]:
    """The file with the words of `[vocabulary] table`, where it has one, or its problems."""
    stored, vocabulary = file.vocabulary.table, file.vocabulary
    if stored is None:
        return file, []
    if vocabulary.words:
        expected = "[vocabulary.words] or this, not both"
        return file, [Problem(TABLE, f"a table beside {len(vocabulary.words)} words", expected)]
    try:
        words = _lines(stored.words, folder)
    except FormError as error:
        return file, [Problem(f"{TABLE}.words", error.found, error.expected)]
    problems = list(_words_in(stored, words))
    try:
        form = {"file": stored.file, "key": stored.key}
        table = resolve(form, (len(words), file.model.d_model), TABLE, 0, folder)
    except FormError as error:
        problems.append(
            Problem(f"{TABLE}.file", error.found, f"{error.expected}, one row per word")
        )
    if problems:
        return file, problems
    own = vocabulary.model_copy(update={"words": Embeddings(words, table)})
    return file.model_copy(update={"vocabulary": own}), []


def _words_in(stored: Stored, words: list[str]) -> Iterator[Problem]:
    key = f"{TABLE}.words"
    for number, word in enumerate(words, 1):
        if not word or word != word.strip() or cleaned(word)[1]:
            found = f"{shown(word)} on line {number}"
            yield Problem(key, found, "a word without space around it or control characters")
            return
    yield from islice(private_in(words, key), 1)
    for word, count in Counter(words).most_common(1):
        if count > 1:
            yield Problem(key, f"{shown(word)} on {count} lines", "each word once")
    if not words:
        yield Problem(key, f"{stored.words} without a word", LINES)


def _lines(name: str, folder: Path | None) -> list[str]:
    require_file((folder or Path()) / name, "words", LARGEST_LIST)
    try:
        text = ((folder or Path()) / name).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise FormError(f"no file {name}", LINES) from None
    except UnicodeDecodeError as error:
        raise FormError(f"{name}, no UTF-8 text (byte {error.start + 1})", LINES) from None
    except OSError as error:
        raise FormError(f"{name}, which cannot be read ({error.strerror})", LINES) from None
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
