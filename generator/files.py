"""Checks files that users give before they are read: no devices or pipes, and not too large.

Also here:

* Texts and TOML files of users: read, parsed as tables; what is wrong is said.
* What a file is, by what is in it, never by its name: kinds that nobody here reads, encodings.
"""

import codecs
import stat
import tomllib
from collections.abc import Container
from pathlib import Path
from typing import Any

from generator.errors import UserError, refused, require
from generator.resources import table

LARGEST_TEXT = 64_000_000  # bytes: presets, own texts, specs
LARGEST_LIST = 256_000_000  # class lists, manifests


def require_file(path: Path, what: str, largest: int | None = None) -> None:
    """Raise a `UserError` for a device or a pipe, which may never end, and for a file too large.

    What is missing or a folder passes: who reads has better words for it.
    """
    try:
        about = path.stat()
    except (OSError, ValueError):  # the latter for a NUL in the path
        return
    if stat.S_ISDIR(about.st_mode):
        return
    require(stat.S_ISREG(about.st_mode), "file.pipe", what=what, path=path)
    if largest is not None and about.st_size > largest:
        megabytes = {"found": about.st_size / 1e6, "most": largest / 1e6}
        raise refused("file.large", what=what, path=path, **megabytes)


DEEPEST = 50  # tables within tables; a preset has four


def text_of(path: Path, what: str) -> str:
    """A file's text; `UserError` where there is none or it is not UTF-8."""
    require_file(path, what, LARGEST_TEXT)
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"{what} {path}: there is no such file; expected a TOML file") from None
    except UnicodeDecodeError as error:
        raise refused("file.text", file=f"{what} {path}", byte=error.start + 1) from None
    except OSError as error:
        raise refused("file.unread", what=what, path=path, error=error) from None


def tables_of(text: str, source: str) -> dict[str, Any]:
    """The tables of a TOML text; `UserError` with the line where it is not TOML."""
    try:
        tables = tomllib.loads(text)
        _require_flat(tables)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, or too many digits
        why = error if isinstance(error, ValueError) else "tables nested too deeply"
        raise UserError(f"{source}: this is not TOML: {why}") from None
    return tables


def _require_flat(tables: dict[str, Any]) -> None:
    """Raise RecursionError where nobody could look into all tables: a.a.a.… needs no brackets."""
    level: list[Any] = [tables]
    for _ in range(DEEPEST):
        inside = (one.values() if isinstance(one, dict) else one for one in level)
        level = [one for some in inside for one in some if isinstance(one, dict | list)]
    if level:
        raise RecursionError


KINDS = table("files.toml")
BEGINS = {begin.encode("latin-1"): key for begin, key in KINDS["begins"].items()}
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    **dict.fromkeys((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), "utf-16"),
}


def begun(start: bytes) -> str:
    """What a file is that nobody here reads, by how it begins; "" for all others."""
    return next((key for begin, key in BEGINS.items() if start.startswith(begin)), "")


def packed(names: Container[str]) -> str:
    """What an archive is that nobody here reads, by the files in it; "" for all others."""
    return next((key for name, key in KINDS["inside"].items() if name in names), "")


def marked(start: bytes) -> str:
    """The encoding of a text by the mark that it begins with; "" without one."""
    return next((name for mark, name in MARKS.items() if start.startswith(mark)), "")
