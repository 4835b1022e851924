"""From a preset's name or file to a checked, resolved Preset."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from generator.engine.compare import Compare
from generator.engine.embeddings import Embeddings
from generator.engine.history import History
from generator.engine.preset import Preset
from generator.engine.promise import Promise
from generator.engine.vary import Range
from generator.errors import UserError, did_you_mean
from generator.presets.check import focus_words, problems_in
from generator.presets.forms import resolve
from generator.presets.further import with_languages
from generator.presets.history import history_of, history_text
from generator.presets.own_words import reserved_in
from generator.presets.problems import PresetError, private_in
from generator.presets.read import read
from generator.presets.schema import Behaviour, File, Vary
from generator.presets.shapes import shapes, sizes
from generator.presets.stored import with_merges, with_words
from generator.presets.subwords import corpus_of, kind_of, merges_of
from generator.presets.toml_file import tables_of, text_of

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
    problems += private_in(raw)
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
