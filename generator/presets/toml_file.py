"""TOML files of users: read as text, parsed as tables; what is wrong is said."""

import tomllib
from pathlib import Path
from typing import Any

from generator.errors import UserError
from generator.files import LARGEST_TEXT, require_file


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
        return tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError, or a number with too many digits
        raise UserError(f"{source}: this is not TOML: {error}") from None
    except RecursionError:
        raise UserError(f"{source}: this is not TOML: tables nested too deeply") from None
