"""Finds and reads preset files: shipped by name, a user's own by path; each file is read once."""

import hashlib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType

from generator.errors import UserError, did_you_mean

SUFFIX = ".toml"


@dataclass(frozen=True)
class Source:
    """A preset file as read: its name for messages, its tables, its text, and where it lies."""

    file: str
    text: str
    tables: Mapping[str, object]
    folder: Traversable


def shipped() -> tuple[str, ...]:
    """The names of the presets that come with the program, in alphabetical order."""
    names = (entry.name for entry in files("generator.presets").iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


def read_source(name_or_path: str | os.PathLike[str]) -> Source:
    """The file of a shipped preset, or a file of the user's own.

    A path object, a text that ends in ".toml" or one with a separator in it is a file; any other
    text is a shipped name. Raises `UserError` for an unknown name and for a file that cannot be
    read: missing, a folder, not UTF-8, not TOML (with the line).
    """
    name = os.fspath(name_or_path)
    own = not isinstance(name_or_path, str) or name.endswith(SUFFIX) or "/" in name or "\\" in name
    if own:
        return _source(Path(name), Path(name).parent)
    if name not in shipped():
        raise UserError(
            f"there is no preset {name!r}{did_you_mean(name, shipped())}; known presets: "
            f"{', '.join(shipped())}; a file of your own is given by its path and ends in .toml"
        )
    folder = files("generator.presets")
    return _source(folder / f"{name}{SUFFIX}", folder)


def read_bytes(file: Traversable) -> bytes:
    """What a file holds. Raises `UserError` when it is missing, a folder or unreadable."""
    if file.is_dir():
        raise UserError(f"{file} is a folder, expected a file")
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise UserError(f"there is no file {str(file)!r}") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no system allows
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot read {str(file)!r}: {reason}") from None


def content_hash(source: Source, more: Mapping[str, bytes] = MappingProxyType({})) -> str:
    """SHA-256 of a preset's content: its text and the weight files it names (name -> bytes)."""
    digest = hashlib.sha256(source.text.encode())
    for name in sorted(more):
        digest.update(name.encode() + b"\0" + hashlib.sha256(more[name]).digest())
    return digest.hexdigest()


def _source(file: Traversable, folder: Traversable) -> Source:
    text = _text(file.name, read_bytes(file))
    try:
        return Source(file.name, text, MappingProxyType(tomllib.loads(text)), folder)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{file.name} is not TOML: {error}") from None
    except RecursionError:
        raise UserError(f"{file.name} is not a preset: its lists are nested too deeply") from None


def _text(name: str, data: bytes) -> str:
    """UTF-8 with or without a byte order mark, line ends as \\n: the same hash on every system."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"{name} is not UTF-8 (line {line}, byte 0x{data[error.start]:02x}): "
            "save it as UTF-8 in your editor"
        ) from None
