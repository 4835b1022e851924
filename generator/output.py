"""The only writer of files: a set of files is written whole, or not at all."""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from generator.errors import UserError

LEFT = re.compile(r"\..+\.[0-9]+\.part")  # a temporary file of `write`


def write(files: Mapping[Path, bytes | Iterable[bytes]]) -> list[Path]:
    """Write these files, making the folders they need; gives their paths back in order.

    A content may come in pieces, for what no memory should hold.
    All contents are first written under temporary names in the same folders, then renamed: a full
    disk or a stopped program leaves neither half a file nor a temporary one. Raises `UserError`,
    with path and reason, for what the system refuses; folders made for nothing are removed.
    """
    new_folders: list[Path] = []
    for path in files:
        if path.name in ("", ".."):  # no file can be called so
            _require_no_folder(path)
    temporary = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    done = False
    try:
        for path in files:
            new_folders += _folders(path.parent)
            _require_no_folder(path)
        for path, content in files.items():
            with _refusals(path):
                _write(temporary[path], content)
        for path in files:
            with _refusals(path):
                temporary[path].replace(path)
        done = True
    finally:
        _clean(list(temporary.values()), [] if done else new_folders)
    return list(files)


def write_new(path: Path, content: bytes) -> Path:
    """Write one file that must not exist yet; `UserError` where it does."""
    return write_all_new({path: content})[0]


def write_all_new(files: Mapping[Path, bytes]) -> list[Path]:
    """Write files none of which may exist yet; `UserError` for the first that does."""
    require_new(files)
    return write(files)


def require_place(folder: Path) -> None:
    """Raise a `UserError` where files could not be written in a folder, before any work is done."""
    new_folders: list[Path] = []
    probe = folder / f".{os.getpid()}.probe.{os.getpid()}.part"
    try:
        new_folders += _folders(folder)
        with _refusals(folder):
            probe.write_bytes(b"")
    finally:
        _clean([probe], new_folders)


def remove_empty(folder: Path) -> None:
    """Take away a folder that holds nothing; one that does stays."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def require_new(paths: Iterable[Path]) -> None:
    """Raise a `UserError` for the first file that exists already, before any work is done."""
    for path in paths:
        _require_no_folder(path)
        if _exists(path):
            raise UserError(
                f"{path}: this file exists already; take another name, or remove it first"
            )


def remove(path: Path) -> None:
    """Take away a file that we made; `UserError` for what is refused."""
    with _refusals(path):
        path.unlink(missing_ok=True)


def remove_folder(folder: Path) -> None:
    """Take away a folder of files that we made, and the files; `UserError` for what is refused."""
    if not _exists(folder):
        return
    with _refusals(folder):
        for path in folder.iterdir():
            remove(path)
        folder.rmdir()


def sweep(folder: Path) -> None:
    """Take away temporary files that a killed program left in a folder and the folders in it."""
    with _refusals(folder):
        left = [path for path in folder.rglob(".*.part") if LEFT.fullmatch(path.name)]
    for path in left:
        remove(path)


def _write(path: Path, content: bytes | Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines([content] if isinstance(content, bytes) else content)


def _folders(folder: Path) -> list[Path]:
    """Make a folder and its parents; gives back those that were missing, outermost first."""
    missing = [one for one in (folder, *folder.parents) if not _exists(one)][::-1]
    with _refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return missing


def _exists(path: Path) -> bool:
    with _refusals(path):
        return path.exists()


def _require_no_folder(path: Path) -> None:
    with _refusals(path):
        in_place = path.is_dir()
    if in_place:
        raise UserError(
            f"cannot write {path}: a folder of that name is in its place; move it away, or name a "
            "file"
        )


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Within it, what the system refuses becomes one message about this path."""
    try:
        yield
    except (FileExistsError, NotADirectoryError) as error:
        raise UserError(
            f"cannot write {path}: a file is where a folder is needed; "
            "take another folder (--out), or move that file away"
        ) from error
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror}; free the place or take another folder (--out)"
        ) from error


def _clean(temporary: list[Path], folders: list[Path]) -> None:
    for path in temporary:
        with contextlib.suppress(OSError):  # a folder that cannot be entered holds no leftovers
            path.unlink(missing_ok=True)
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()
