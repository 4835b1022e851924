"""From a preset's name or file to a checked, resolved Preset."""

import hashlib
import json
import tomllib
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from generator.engine.compare import Compare
from generator.engine.preset import Preset
from generator.errors import UserError, did_you_mean
from generator.presets.check import focus_words, problems_in, shape_of
from generator.presets.forms import resolve
from generator.presets.problems import PresetError
from generator.presets.schema import File, read
from generator.presets.shapes import shapes, sizes

FOLDER = Path(__file__).resolve().parent


def shipped() -> tuple[str, ...]:
    """The names of the presets that come with the program."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_preset(name: str | Path) -> Preset:
    """The preset of a shipped name or of a TOML file, complete and checked.

    What ends in .toml or holds a path separator is a file. Raises `UserError`: unknown name, no
    such file, not TOML (with its line), and `PresetError` with every problem of its content.
    """
    path = _path(str(name))
    return parse(_text(path), path.name, path.parent)


def parse(text: str, source: str, folder: Path | None = None) -> Preset:
    """A preset from TOML text; `source` names it in messages, `folder` holds its other files."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{source}: this is not TOML: {error}") from None
    file, problems = read(raw)
    if file is not None:
        problems = problems_in(file, folder)
    if file is None or problems:
        raise PresetError(source, problems)
    return _resolved(file, source, folder, _digest(raw))


def first_comment(name: str) -> str:
    """The first line of a shipped preset's file: what it is for."""
    return _text(FOLDER / f"{name}.toml").splitlines()[0].removeprefix("#").strip()


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
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"preset {path}: there is no such file; expected a TOML file") from None
    except IsADirectoryError:
        raise UserError(f"preset {path}: this is a folder; expected a TOML file in it") from None
    except UnicodeDecodeError as error:
        raise UserError(
            f"preset {path}: not UTF-8 text (byte {error.start + 1}); save the file as UTF-8"
        ) from None
    except OSError as error:
        raise UserError(f"preset {path}: cannot be read: {error.strerror}") from None


def _digest(raw: dict[str, Any]) -> str:
    text = json.dumps(raw, ensure_ascii=False, sort_keys=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _resolved(file: File, source: str, folder: Path | None, digest: str) -> Preset:
    d_model, d_head, d_ff = sizes(file)
    model, sampling, vocabulary = file.model, file.sampling, file.vocabulary
    has_attention = "attention" in model.parts
    return Preset(
        name=file.name,
        title=MappingProxyType(dict(file.title)),
        language=file.language,
        sentences=MappingProxyType(dict(file.sentence)),
        rounding=file.rounding,
        meaningful=file.meaningful,
        worked=focus_words(file.worked),
        exercise=focus_words(file.exercise),
        tokenizer=file.tokenizer.kind,
        merges=(),
        d_model=d_model,
        heads=model.heads,
        d_head=d_head,
        d_ff=d_ff if "feedforward" in model.parts else 0,
        blocks=model.blocks,
        parts=frozenset(model.parts),
        positions=file.positions.kind,
        input_decimals=file.positions.input_decimals,
        mask=file.mask.kind if has_attention else "none",
        norm=file.norm.kind,
        epsilon=file.norm.epsilon,
        final_norm=file.norm.final,
        softmax_base=None if file.softmax.base == "e" else float(file.softmax.base),
        shifted=file.softmax.shifted,
        activation=file.activation.kind,
        output=file.output.kind if "output" in model.parts else "none",
        output_positions=file.output.positions,
        start=file.start.kind,
        start_value=_start(file),
        temperatures=tuple(sampling.temperatures),
        strategy=sampling.strategy,
        k=sampling.k,
        p=sampling.p,
        random=sampling.random,
        decimals=MappingProxyType({"default": 2} | file.decimals),
        unknown=vocabulary.unknown,
        seed=vocabulary.seed,
        words=MappingProxyType({w: tuple(map(float, e)) for w, e in vocabulary.words.items()}),
        translation=MappingProxyType(dict(file.translation)),
        weights=MappingProxyType(_weights(file, folder)),
        sha256=digest,
        source=source,
        compare=_compare(file),
    )


def _weights(file: File, folder: Path | None) -> dict[str, np.ndarray]:
    known, _ = shapes(file, len(file.vocabulary.words))
    return {
        name: resolve(form, shape_of(file, name, form, known), name, file.vocabulary.seed, folder)
        for name, form in file.weights.items()
    }


def _start(file: File) -> np.ndarray | None:
    if file.start.value is None:
        return None
    value = np.atleast_2d(np.array(file.start.value, dtype=np.float64))
    value.setflags(write=False)
    return value


def _compare(file: File) -> Compare | None:
    given = file.compare
    if given is None:
        return None
    return Compare(given.title, given.step, given.row - 1, tuple(given.values), given.note)
