"""From a preset's name or file to a checked, resolved Preset.

Also here:

* What a preset keeps in files beside it: the words with their embeddings, the list of merges.
* From TOML tables to a typed file, or to every problem of its keys, types and ranges.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import islice, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_args

import numpy as np
from pydantic import BaseModel, ValidationError

from generator.engine.preset import Compare, Embeddings, Preset, Promise, Range
from generator.engine.vocabulary import cleaned
from generator.errors import did_you_mean, refused, require
from generator.files import LARGEST_LIST, require_file, tables_of, text_of
from generator.presets.check import Check, focus_words
from generator.presets.forms import FormError, Forms
from generator.presets.further import with_languages
from generator.presets.history import history_of, history_text
from generator.presets.schema import (
    EXPECTED,
    File,
    PresetError,
    PresetProblem,
    Stored,
    Table,
    problem,
    shown,
    unshown_in,
)

FOLDER = Path(__file__).resolve().parent
LINES = "a UTF-8 text file with one on each line"


def shipped() -> tuple[str, ...]:
    """The names of the presets that come with the program."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def shipped_tables() -> dict[str, dict[str, Any]]:
    """What the files of the shipped presets say, by their names."""
    return {name: tables_of(_text(_path(name)), name) for name in shipped()}


def load_preset(name: str | Path) -> Preset:
    """The preset of a shipped name or of a TOML file, complete and checked.

    What ends in .toml or holds a path separator is a file. How it was learned counts as a part of
    what it says. Raises `UserError`: unknown name, no such file, not TOML (with its line), and
    `PresetError` with every problem of its content.
    """
    path = _path(str(name))
    own = str(name) if str(name) in shipped() else ""
    preset, history = parse(_text(path), path.name, path.parent, own), history_of(path)
    if history is None:
        return preset
    both = preset.sha256 + history_text(history)
    return replace(preset, history=history, sha256=hashlib.sha256(both.encode()).hexdigest())


def parse(text: str, source: str, folder: Path | None = None, own: str = "") -> Preset:
    """A preset from TOML text; `source` names it in messages, `folder` holds its other files.

    `own` is the name of a shipped one, which folders of languages may have words of too.
    """
    beside = Beside(folder or Path())
    raw, problems = beside.with_merges(tables_of(text, source))
    problems += unshown_in(raw)
    file = None
    if not problems:
        tables, added = with_languages(own, raw)
        source = f"{source} in {', '.join(added)}" if added else source
        file, problems = read(tables)
    if file is not None:
        file, problems = beside.with_words(file)
    if file is not None and not problems:
        forms = Forms(file.vocabulary.seed, folder)
        problems = Check(file, forms).every()
        if not problems:
            return _resolved(file, forms, raw, source)
    raise PresetError(source, problems)


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
    if name not in (known := shipped()):
        hint, listed = did_you_mean(name, known), ", ".join(known)
        raise refused("presets.name", name=name, hint=hint, shipped=listed)
    return FOLDER / f"{name}.toml"


def _text(path: Path) -> str:
    require(not path.is_dir(), "presets.folder", path=path)
    return text_of(path, "preset")


# Where a Preset's field is not called as the key of a file, or as the table of its `kind`.
RENAMED = {
    "sentence.kind": "sentences",
    "norm.form": "norm_form",
    "norm.final": "final_norm",
    "output.positions": "output_positions",
}
FIELDS = {one.name for one in fields(Preset)}


def _resolved(file: File, forms: Forms, raw: dict[str, Any], source: str) -> Preset:
    words: Mapping[str, Any] = file.vocabulary.words
    if not isinstance(words, Embeddings):
        words = {word: tuple(x + 0.0 for x in row) for word, row in words.items()}  # no −0
    known, _ = file.shapes(len(words))
    weights = {name: forms.matrix(form, known[name], name) for name, form in file.weights.items()}
    d_model, d_head, d_ff = file.model.sizes
    base, parts, start = file.softmax.base, frozenset(file.model.parts), file.start.value
    given = file.compare
    reserved = (file.model.axes.index(name) % d_model for name in file.vocabulary.reserved)
    other = {
        "worked": focus_words(file.worked),
        "exercise": focus_words(file.exercise),
        "tokenizer": file.tokenizer.engine_kind,
        "merges": file.tokenizer.pairs,
        "corpus": file.tokenizer.corpus,
        "d_head": d_head,
        "d_ff": d_ff if "feedforward" in parts else 0,
        "parts": parts,
        "mask": file.mask.kind if "attention" in parts else "none",
        "softmax_base": None if base == "e" else float(base),
        "output": file.output.kind if "output" in parts else "none",
        "start_value": None if start is None else forms.matrix(start, (0, d_model), "start"),
        "decimals": {"default": 2} | file.decimals,
        "reserved": tuple(reserved),
        "words": words,
        "weights": weights,
        "vary": {name: Range(**dict(vary)) for name, vary in file.vary.items()},
        "compare": given and Compare(**(_plain(given) | {"row": given.row - 1})),
        "behaviour": tuple(Promise(**_plain(one)) for one in file.behaviour),
        "sha256": _digest(raw, weights, words),
        "source": source,
    }
    said: dict[str, Any] = {}
    for name, value in file:
        is_group = isinstance(value, Table) and value is not given
        for key, one in value if is_group else [("kind", value)]:
            said[RENAMED.get(f"{name}.{key}", name if key == "kind" else key)] = _frozen(one)
    own = {name: value for name, value in said.items() if name in FIELDS}
    return Preset(**own | {name: _frozen(value) for name, value in other.items()})


def _plain(table: Table) -> dict[str, Any]:
    return {name: _frozen(value) for name, value in table}


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    return MappingProxyType(value) if isinstance(value, dict) else value


def _digest(raw: dict[str, Any], weights: dict[str, np.ndarray], words: Mapping[str, Any]) -> str:
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


TABLE = "vocabulary.table"


@dataclass(frozen=True)
class Beside:
    """What a preset keeps in files beside it, in its folder."""

    folder: Path

    def with_merges(self, raw: dict[str, Any]) -> tuple[dict[str, Any], list[PresetProblem]]:
        """The tables with `merges = { file = "…" }` replaced by the lines of that file."""
        tokenizer = raw.get("tokenizer")
        merges = tokenizer.get("merges") if isinstance(tokenizer, dict) else None
        if not (isinstance(merges, dict) and merges.keys() == {"file"}):
            return raw, []
        try:
            lines = self._lines(str(merges["file"]))
        except FormError as error:
            return raw, [PresetProblem("tokenizer.merges.file", error.found, error.expected)]
        return {**raw, "tokenizer": {**raw["tokenizer"], "merges": lines}}, []

    def with_words(self, file: File) -> tuple[File, list[PresetProblem]]:
        """The file with the words of `[vocabulary] table`, where it has one, or its problems."""
        stored, vocabulary = file.vocabulary.table, file.vocabulary
        if stored is None:
            return file, []
        if vocabulary.words:
            return file, [problem("preset.two_tables", count=len(vocabulary.words))]
        try:
            words = self._lines(stored.words)
        except FormError as error:
            return file, [PresetProblem(f"{TABLE}.words", error.found, error.expected)]
        problems = list(_words_in(stored, words))
        form, shape = {"file": stored.file, "key": stored.key}, (len(words), file.model.d_model)
        try:
            table = Forms(0, self.folder).matrix(form, shape, TABLE)
        except FormError as error:
            problems.append(problem("preset.table", error=error))
        if problems:
            return file, problems
        own = vocabulary.model_copy(update={"words": Embeddings(words, table)})
        return file.model_copy(update={"vocabulary": own}), []

    def _lines(self, name: str) -> list[str]:
        require_file(self.folder / name, "words", LARGEST_LIST)
        try:
            text = (self.folder / name).read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            raise FormError(f"no file {name}", LINES) from None
        except UnicodeDecodeError as error:
            raise FormError(f"{name}, no UTF-8 text (byte {error.start + 1})", LINES) from None
        except OSError as error:
            raise FormError(f"{name}, which cannot be read ({error.strerror})", LINES) from None
        return text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []


def _words_in(stored: Stored, words: list[str]) -> Iterator[PresetProblem]:
    for number, word in enumerate(words, 1):
        if not word or word != word.strip() or cleaned(word)[1]:
            yield problem("preset.stored_word", found=shown(word), number=number)
            return
    yield from islice(unshown_in(words, f"{TABLE}.words"), 1)
    for word, count in Counter(words).most_common(1):
        if count > 1:
            yield problem("preset.stored_twice", found=shown(word), count=count)
    if not words:
        yield problem("preset.stored_nothing", stored=stored, expected=LINES)


CHOICES: Mapping[str, str] = EXPECTED["keys"]
Typed = TypeVar("Typed", bound=BaseModel)


def read(raw: dict[str, Any]) -> tuple[File | None, list[PresetProblem]]:
    """The typed file, or None and every problem of types, ranges and unknown keys."""
    return typed(File, raw)


def typed(table: type[Typed], raw: dict[str, Any]) -> tuple[Typed | None, list[PresetProblem]]:
    """The tables as what they should be, or None and every problem of them."""
    try:
        return table.model_validate(raw), []
    except ValidationError as error:
        details: dict[tuple[str | int, ...], Any] = {}
        for detail in error.errors(include_url=False):
            # Each branch of a choice of types complains about the same value: the first one counts.
            details.setdefault(_path_to_value(detail, raw), detail)
        return None, [_problem(table, path, detail) for path, detail in details.items()]


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


def _problem(table: type[BaseModel], path: tuple[str | int, ...], detail: Any) -> PresetProblem:
    text = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path)
    key, value, kind = text.removeprefix("."), detail["input"], detail["type"]
    choice = next((CHOICES[one] for one in (key, str(path[0])) if one in CHOICES), None)
    if kind == "extra_forbidden":
        known = _known(table, path[:-1])
        hint = did_you_mean(str(path[-1]), known)
        return problem("preset.key", key=key, known=", ".join(known), hint=hint)
    if kind == "literal_error":
        expected = detail["ctx"]["expected"].replace(" or ", ", ").split(", ")
        known = [word.strip("'") for word in expected]
        hint = did_you_mean(value, known) if isinstance(value, str) else ""
        return PresetProblem(key, shown(value), f"one of {', '.join(known)}{hint}")
    found = "nothing" if kind == "missing" else shown(value)
    message = str(detail["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    usual = EXPECTED["kinds"].get(kind, message)
    return PresetProblem(key, found, usual if kind == "missing" else choice or usual)


def _known(table: type[BaseModel], path: tuple[str | int, ...]) -> list[str]:
    """The keys of the table at that path."""
    for part in path:
        named = table.model_fields.get(str(part))
        table = (_table_in(named.annotation) if named else None) or table
    return [field.alias or name for name, field in table.model_fields.items()]


def _table_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_table_in, get_args(annotation))), None)
