"""Checks files that users give before they are read: no devices or pipes, and not too large."""

import stat
from pathlib import Path

from generator.errors import UserError

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
    if not stat.S_ISREG(about.st_mode):
        raise UserError(
            f"{what} {path}: this is a device or a pipe, which may never end; expected a regular "
            "file: save its content as one"
        )
    if largest is not None and about.st_size > largest:
        raise UserError(
            f"{what} {path}: found {about.st_size / 1e6:.0f} MB, expected at most "
            f"{largest / 1e6:.0f} MB; is it the right file? If so, divide it"
        )
