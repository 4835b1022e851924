"""The only writer of files: a set of files is written whole, or not at all.

Also here:

* Files as one ZIP: the same bytes for the same files.
"""

import contextlib
import errno
import io
import os
import re
import stat
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from generator.errors import refused, require

MOST_LINKS = 40  # from one to the next, as the system itself follows
LEFT = re.compile(r"\..+\.[0-9]+\.part")  # a temporary file of `write`


def write(files: Mapping[Path, bytes | Iterable[bytes]]) -> list[Path]:
    """Write these files, making the folders they need; gives their paths back in order.

    A content may come in pieces, for what no memory should hold.
    All contents are first written under temporary names in the same folders, then renamed: a full
    disk or a stopped program leaves neither half a file nor a temporary one. A link stays one, the
    file that it leads to is replaced. What is no file (a pipe, a device, an open file of ours such
    as /dev/stdout) is written into and never replaced; its path is not among those given back.
    Raises `UserError`, with path and reason, for what the system refuses; folders made for nothing
    are removed.
    """
    new_folders: list[Path] = []
    streams = {path: stream for path in files if (stream := _stream(path)) is not None}
    targets = {path: _target(path) for path in files if path not in streams}
    temporary = {path: one.with_name(f".{one.name}.{os.getpid()}.part")
                 for path, one in targets.items()}  # fmt: skip
    done = False
    try:
        for path, target in targets.items():
            new_folders += _folders(target.parent)
            _require_no_folder(path)
        for path, content in files.items():
            with _refusals(path):
                _write(temporary[path] if path in temporary else streams[path], content)
        for path, target in targets.items():
            with _refusals(path):
                temporary[path].replace(target)
        done = True
    finally:
        _clean(list(temporary.values()), [] if done else new_folders)
    return list(targets)


def write_scratch(path: Path, content: bytes) -> None:
    """Write a file that nobody but us reads, in a temporary folder; folder and rest are there.

    Raises `OSError` for what the system refuses: only who needs the file can say what now.
    """
    path.write_bytes(content)


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
        require(not _exists(path), "output.exists", path=path)


def remove(path: Path) -> None:
    """Take away a file that we made, or a folder of such; `UserError` for what is refused."""
    with _refusals(path):
        if path.is_dir() and not path.is_symlink():
            for one in path.iterdir():
                remove(one)
            path.rmdir()
        else:
            path.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Take away temporary files that a killed program left in a folder and the folders in it."""
    with _refusals(folder):
        left = [path for path in folder.rglob(".*.part") if LEFT.fullmatch(path.name)]
    for path in left:
        remove(path)


def _target(path: Path) -> Path:
    """The file that a path means: where a link leads, or the path itself."""
    if path.name in ("", ".."):  # no file can be called so
        _require_no_folder(path)
    with _refusals(path):
        return Path(os.path.realpath(path)) if path.is_symlink() else path


def _stream(path: Path) -> Path | int | None:
    """What is written into where a path is no file: the number of an open file, or the path."""
    with _refusals(path):
        if (number := _open_file(path)) is not None:
            return number
        try:
            kind = path.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
    return None if stat.S_ISREG(kind) or stat.S_ISDIR(kind) else path


def _open_file(path: Path) -> int | None:
    """The number of the open file of ours that a path such as /dev/stdout leads to.

    It may be a regular file, as after `> FILE`: who replaced that one would take it from the shell.
    """
    for _ in range(MOST_LINKS):
        path = Path(os.path.realpath(path.parent), path.name)
        if str(path.parent) in ("/dev/fd", f"/proc/{os.getpid()}/fd") and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def _write(place: Path | int, content: bytes | Iterable[bytes]) -> None:
    with os.fdopen(os.dup(place), "wb") if isinstance(place, int) else place.open("wb") as file:
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
    require(not in_place, "output.folder", path=path)


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Within it, what the system refuses becomes one message about this path."""
    try:
        yield
    except BrokenPipeError:  # a reader that has enough is no failure
        raise
    except (FileExistsError, NotADirectoryError) as error:
        raise refused("output.file", path=path) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise refused("output.full", path=path, error=error) from error
        raise refused("output.failed", path=path, error=error) from error


def _clean(temporary: list[Path], folders: list[Path]) -> None:
    for path in temporary:
        with contextlib.suppress(OSError):  # a folder that cannot be entered holds no leftovers
            path.unlink(missing_ok=True)
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


NO_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold


def zipped(files: Mapping[str, bytes | Path], mode: int = 0o600) -> bytes:
    """Files by their names, or what they hold, as one zip in this order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.read_bytes()
            packed.writestr(still(name, mode), data)
    return out.getvalue()


def still(name: str, mode: int = 0o600) -> zipfile.ZipInfo:
    """The head of a zip member with that name: compressed, with a fixed date and owner."""
    member = zipfile.ZipInfo(name, NO_DATE)
    member.create_system, member.external_attr = 3, mode << 16
    member.compress_type = zipfile.ZIP_DEFLATED
    return member
