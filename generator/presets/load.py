"""From a preset's name or file to a checked, resolved Preset.

Also here:

* What a preset keeps in files beside it: the words with their embeddings, the list of merges.
* From TOML tables to a typed file, or to every problem of its keys, types and ranges.
* TOML files of users: read as text, parsed as tables; what is wrong is said.
"""

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError

from generator.engine.embeddings import Embeddings
from generator.engine.preset import Compare, History, Preset, Promise, Range
from generator.engine.vocabulary import cleaned
from generator.errors import UserError, did_you_mean
from generator.files import LARGEST_LIST, LARGEST_TEXT, require_file
from generator.presets.check import focus_words, problems_in
from generator.presets.further import with_languages
from generator.presets.history import history_of, history_text
from generator.presets.language import reserved_in
from generator.presets.schema import (
    FORMS,
    Behaviour,
    ComparedKeys,
    File,
    FormError,
    MergesKeys,
    PresetError,
    PresetProblem,
    Stored,
    Vary,
    resolve,
    shown,
    unshown_in,
)
from generator.presets.shapes import shapes, sizes
from generator.presets.subwords import FORMS as MERGES
from generator.presets.subwords import corpus_of, kind_of, merges_of

T = TypeVar("T")

FOLDER = Path(__file__).resolve().parent


def shipped() -> tuple[str, ...]:
    """The names of the presets that come with the program."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def shipped_tables() -> dict[str, dict[str, Any]]:
    """What the files of the shipped presets say, by their names."""
    return {name: tables_of(_text(_path(name)), name) for name in shipped()}


def load_preset(name: str | Path) -> Preset:
    """The preset of a shipped name or of a TOML file, complete and checked.

    What ends in .toml or holds a path separator is a file. Raises `UserError`: unknown name, no
    such file, not TOML (with its line), and `PresetError` with every problem of its content.
    """
    path = _path(str(name))
    own = str(name) if str(name) in shipped() else ""
    preset = parse(_text(path), path.name, path.parent, own)
    return with_history(preset, history_of(path))


def with_history(preset: Preset, history: History | None) -> Preset:
    """The preset with how it was learned, which counts as a part of what it says."""
    if history is None:
        return preset
    both = preset.sha256 + history_text(history)
    return replace(preset, history=history, sha256=hashlib.sha256(both.encode()).hexdigest())


def parse(text: str, source: str, folder: Path | None = None, own: str = "") -> Preset:
    """A preset from TOML text; `source` names it in messages, `folder` holds its other files.

    `own` is the name of a shipped one, which folders of languages may have words of too.
    """
    raw, problems = with_merges(tables_of(text, source), folder)
    problems += unshown_in(raw)
    file = None
    if not problems:
        tables, added = with_languages(own, raw)
        source = f"{source} in {', '.join(added)}" if added else source
        file, problems = read(tables)
    if file is not None:
        file, problems = with_words(file, folder)
    if file is not None and not problems:
        problems = problems_in(file, folder)
    if file is None or problems:
        raise PresetError(source, problems)
    return _resolved(file, source, raw, folder)


def first_comment(name: str) -> str:
    """The first line of a shipped preset's file: what it is for."""
    return comments(name)[0]


def comments(name: str) -> tuple[str, ...]:
    """The lines above all keys of a shipped preset's file: what it is for, then remarks."""
    lines = takewhile(lambda line: line.startswith("#"), _text(_path(name)).splitlines())
    return tuple(line.removeprefix("#").strip() for line in lines)


def _path(name: str) -> Path:
    if name.endswith(".toml") or "/" in name or "\\" in name:
        return Path(name)
    if name not in shipped():
        known = shipped()
        raise UserError(
            f"there is no preset {name!r}{did_you_mean(name, known)}; shipped: {', '.join(known)}; "
            "your own file: its path, such as ./mine.toml"
        )
    return FOLDER / f"{name}.toml"


def _text(path: Path) -> str:
    if path.is_dir():
        raise UserError(f"preset {path}: this is a folder; expected a TOML file in it")
    return text_of(path, "preset")


def _digest(
    raw: dict[str, Any],
    weights: dict[str, np.ndarray],
    words: Mapping[str, tuple[float, ...]],
) -> str:
    """SHA-256 of what the preset says, whatever its layout and comments.

    Numbers that it takes from other files count too. What it promises of the model does not: no
    number and no page depends on it.
    """
    counting = {key: value for key, value in raw.items() if key != "behaviour"}
    text = json.dumps(counting, ensure_ascii=False, sort_keys=False, separators=(",", ":"))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    for name, form in raw.get("weights", {}).items():
        if isinstance(form, dict):
            digest.update(weights[name].tobytes())
    if isinstance(words, Embeddings):
        digest.update("\n".join(words).encode("utf-8"))
        digest.update(words.table.tobytes())
    return digest.hexdigest()


def _resolved(file: File, source: str, raw: dict[str, Any], folder: Path | None) -> Preset:
    weights, words, corpus = _weights(file, folder), _words(file), corpus_of(file.tokenizer)
    d_model, d_head, d_ff = sizes(file)
    base, parts, sampling = file.softmax.base, frozenset(file.model.parts), file.sampling
    return Preset(
        name=file.name,
        title=_frozen(file.title),
        language=file.language,
        sentences=_frozen(file.sentence),
        rounding=file.rounding,
        meaningful=file.meaningful,
        worked=focus_words(file.worked),
        exercise=focus_words(file.exercise),
        tokenizer=kind_of(file.tokenizer),
        merges=merges_of(file.tokenizer),
        d_model=d_model,
        heads=file.model.heads,
        d_head=d_head,
        d_ff=d_ff if "feedforward" in parts else 0,
        blocks=file.model.blocks,
        parts=parts,
        positions=file.positions.kind,
        input_decimals=file.positions.input_decimals,
        mask=file.mask.kind if "attention" in parts else "none",
        norm=file.norm.kind,
        norm_form=file.norm.form,
        epsilon=file.norm.epsilon,
        final_norm=file.norm.final,
        softmax_base=None if base == "e" else float(base),
        shifted=file.softmax.shifted,
        activation=file.activation.kind,
        output=file.output.kind if "output" in parts else "none",
        output_positions=file.output.positions,
        start=file.start.kind,
        start_value=_start(file),
        temperatures=_plain(sampling.temperatures),
        strategy=sampling.strategy,
        k=sampling.k,
        p=sampling.p,
        random=sampling.random,
        stop=sampling.stop,
        decimals=_frozen({"default": 2} | file.decimals),
        unknown=file.vocabulary.unknown,
        own=file.vocabulary.own,
        reserved=reserved_in(file),
        seed=file.vocabulary.seed,
        words=words,
        translation=_frozen(file.translation),
        weights=_frozen(weights),
        sha256=_digest(raw, weights, words),
        source=source,
        compare=_compare(file),
        corpus=None if corpus is None else _frozen(corpus),
        vary=_frozen({name: _range(vary) for name, vary in file.vary.items()}),
        dimensions=tuple(file.model.dimensions),
        shows=_frozen(file.shows),
        behaviour=tuple(_promise(one) for one in file.behaviour),
    )


def _frozen(table: Mapping[str, T]) -> Mapping[str, T]:
    return MappingProxyType(dict(table))


def _range(vary: Vary) -> Range:
    return Range(vary.start, vary.to, vary.step, vary.zeros)


def _plain(numbers: list[float]) -> tuple[float, ...]:
    return tuple(float(number) + 0.0 for number in numbers)  # no −0


def _words(file: File) -> Mapping[str, tuple[float, ...]]:
    words: Mapping[str, Any] = file.vocabulary.words
    if isinstance(words, Embeddings):
        return words
    return MappingProxyType({word: _plain(row) for word, row in words.items()})


def _weights(file: File, folder: Path | None) -> dict[str, np.ndarray]:
    known, _ = shapes(file, len(file.vocabulary.words))
    return {
        name: resolve(form, known[name], name, file.vocabulary.seed, folder)
        for name, form in file.weights.items()
    }


def _start(file: File) -> np.ndarray | None:
    if file.start.value is None:
        return None
    return resolve(file.start.value, (0, file.model.d_model), "start", 0, None)


def _compare(file: File) -> Compare | None:
    given = file.compare
    if given is None:
        return None
    return Compare(given.title, given.step, given.row - 1, tuple(given.values), given.note)


def _promise(one: Behaviour) -> Promise:
    who, at, tokens = tuple(one.who), tuple(one.at), one.tokens or 0
    return Promise(one.rule, one.head, who, at, one.sentence, one.least, tokens)


TABLE = "vocabulary.table"
LINES = "a UTF-8 text file with one on each line"


def with_merges(
    raw: dict[str, Any], folder: Path | None
) -> tuple[dict[str, Any], list[PresetProblem]]:
    """The tables with `merges = { file = "…" }` replaced by the lines of that file."""
    tokenizer = raw.get("tokenizer")
    merges = tokenizer.get("merges") if isinstance(tokenizer, dict) else None
    if not (isinstance(merges, dict) and merges.keys() == {"file"}):
        return raw, []
    try:
        lines = _lines(str(merges["file"]), folder)
    except FormError as error:
        return raw, [PresetProblem("tokenizer.merges.file", error.found, error.expected)]
    return {**raw, "tokenizer": {**raw["tokenizer"], "merges": lines}}, []


def with_words(file: File, folder: Path | None) -> tuple[File, list[PresetProblem]]:
    """The file with the words of `[vocabulary] table`, where it has one, or its problems."""
    stored, vocabulary = file.vocabulary.table, file.vocabulary
    if stored is None:
        return file, []
    if vocabulary.words:
        expected = "[vocabulary.words] or this, not both"
        return file, [
            PresetProblem(TABLE, f"a table beside {len(vocabulary.words)} words", expected)
        ]
    try:
        words = _lines(stored.words, folder)
    except FormError as error:
        return file, [PresetProblem(f"{TABLE}.words", error.found, error.expected)]
    problems = list(_words_in(stored, words))
    try:
        form = {"file": stored.file, "key": stored.key}
        table = resolve(form, (len(words), file.model.d_model), TABLE, 0, folder)
    except FormError as error:
        problems.append(
            PresetProblem(f"{TABLE}.file", error.found, f"{error.expected}, one row per word")
        )
    if problems:
        return file, problems
    own = vocabulary.model_copy(update={"words": Embeddings(words, table)})
    return file.model_copy(update={"vocabulary": own}), []


def _words_in(stored: Stored, words: list[str]) -> Iterator[PresetProblem]:
    key = f"{TABLE}.words"
    for number, word in enumerate(words, 1):
        if not word or word != word.strip() or cleaned(word)[1]:
            found = f"{shown(word)} on line {number}"
            yield PresetProblem(key, found, "a word without space around it or control characters")
            return
    yield from islice(unshown_in(words, key), 1)
    for word, count in Counter(words).most_common(1):
        if count > 1:
            yield PresetProblem(key, f"{shown(word)} on {count} lines", "each word once")
    if not words:
        yield PresetProblem(key, f"{stored.words} without a word", LINES)


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


EXPECTED = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list in square brackets",
    "dict_type": "a table of keys and values",
    "model_type": "a table of keys and values",
    "finite_number": "a finite number",
}
# Tables that may be something else, or nothing.
TABLES = {"behaviour": Behaviour, "compare": ComparedKeys, "merges": MergesKeys, "table": Stored}
TEXTS = ("worked", "exercise")  # one word or a list of words


def read(raw: dict[str, Any]) -> tuple[File | None, list[PresetProblem]]:
    """The typed file, or None and every problem of types, ranges and unknown keys."""
    try:
        return File.model_validate(raw), []
    except ValidationError as error:
        return None, [*_problems(error, raw)]


def _problems(error: ValidationError, raw: dict[str, Any]) -> Iterator[PresetProblem]:
    seen = set()
    for detail in error.errors(include_url=False):
        path = _path_to_value(detail, raw)
        if path not in seen:  # each branch of a choice of types complains about the same value
            seen.add(path)
            yield _problem(path, detail)


def _path_to_value(detail: Any, raw: dict[str, Any]) -> tuple[str | int, ...]:
    """The file's own path to the value: pydantic's without the names of a choice's branches."""
    path: list[str | int] = []
    node: Any = raw
    for part in detail["loc"]:
        inside = isinstance(node, dict) and part in node
        if inside or (isinstance(node, list) and isinstance(part, int)):
            path.append(part)
            node = node[part]
    if detail["type"] == "missing":
        path.append(detail["loc"][-1])
    return tuple(path)


def _key(path: tuple[str | int, ...]) -> str:
    text = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def _problem(path: tuple[str | int, ...], detail: Any) -> PresetProblem:
    key, value = _key(path), detail["input"]
    match detail["type"]:
        case "extra_forbidden":
            name, known = str(path[-1]), _known(path[:-1])
            expected = f"one of {', '.join(known)}"
            return PresetProblem(key, "an unknown key", expected, did_you_mean(name, known))
        case "missing":
            return PresetProblem(key, "nothing", "a value: this key is compulsory")
        case "literal_error":
            expected = detail["ctx"]["expected"]
            known = [word.strip("'") for word in expected.replace(" or ", ", ").split(", ")]
            hint = did_you_mean(value, known) if isinstance(value, str) else ""
            return PresetProblem(key, shown(value), f"one of {', '.join(known)}", hint)
        case _:
            return PresetProblem(key, shown(value), _expectation(path, detail))


def _expectation(path: tuple[str | int, ...], detail: Any) -> str:
    if path[0] == "weights":
        return FORMS
    if path == ("tokenizer", "merges"):
        return MERGES
    if path[0] in TEXTS:
        return "a word or a list of words"
    if detail["type"] == "string_pattern_mismatch":
        return "small letters, digits and hyphens, at most 40, such as 'my-preset'"
    if detail["type"] == "too_short":
        return "at least one entry"
    if detail["type"] in EXPECTED:
        return EXPECTED[detail["type"]]
    return str(detail["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")


def _known(path: tuple[str | int, ...]) -> list[str]:
    fields: Any = File
    for part in path:
        field = fields.model_fields.get(part)
        fields = field.annotation if field else fields
        if not (isinstance(fields, type) and issubclass(fields, BaseModel)):
            fields = TABLES.get(str(part), Vary)
    return [field.alias or name for name, field in fields.model_fields.items()]


DEEPEST = 50  # tables within tables; a preset has four


def text_of(path: Path, what: str) -> str:
    """A file's text; `UserError` where there is none or it is not UTF-8."""
    require_file(path, what, LARGEST_TEXT)
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"{what} {path}: there is no such file; expected a TOML file") from None
    except UnicodeDecodeError as error:
        raise UserError(
            f"{what} {path}: not UTF-8 text (byte {error.start + 1}); save the file as UTF-8"
        ) from None
    except OSError as error:
        raise UserError(f"{what} {path}: cannot be read: {error.strerror}") from None


def tables_of(text: str, source: str) -> dict[str, Any]:
    """The tables of a TOML text; `UserError` with the line where it is not TOML."""
    try:
        tables = tomllib.loads(text)
        _require_flat(tables)
    except ValueError as error:  # TOMLDecodeError, or a number with too many digits
        raise UserError(f"{source}: this is not TOML: {error}") from None
    except RecursionError:
        raise UserError(f"{source}: this is not TOML: tables nested too deeply") from None
    return tables


def _require_flat(tables: dict[str, Any]) -> None:
    """Raise RecursionError where nobody could look into all tables: a.a.a.… needs no brackets."""
    level: list[Any] = [tables]
    for _ in range(DEEPEST):
        inside = (one.values() if isinstance(one, dict) else one for one in level)
        level = [one for some in inside for one in some if isinstance(one, dict | list)]
    if level:
        raise RecursionError
