"""Temporary folders with names in them that do not outlive a server which was killed.

A killed server deletes nothing. Each folder holds a file that is locked while somebody uses it, and
whose lock the system gives back however they end; any server deletes the folders of ours that
nobody uses. The number of a process would not do: containers that share a folder count their own.
"""

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

PREFIX = "paperformer-"
LOCK = ".used"


@contextlib.contextmanager
def used_folder() -> Iterator[Path]:
    """A private folder that goes at the end, and where there was none, with the next server."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with _marked(folder):
            yield folder


def clear() -> None:
    """Delete the folders of ours that nobody uses any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # it is somebody else's, or another server deletes it
            if _unused(folder):
                shutil.rmtree(folder)


def _unused(folder: Path) -> bool:
    about, lock = folder.lstat(), folder / LOCK  # never through a link
    if sys.platform == "win32":
        lock.unlink()  # an OSError for what somebody has open
        return True
    with lock.open("r+b") as held:
        return about.st_uid == os.getuid() and _locked(held)


def _marked(folder: Path) -> IO[bytes]:
    """The file that says, while it is open, that the folder is used.

    It has its name only once it is locked, or else another server could think it unused. On a disk
    without locks it never gets it, and the folder stays.
    """
    if sys.platform == "win32":
        return (folder / LOCK).open("xb")
    file = (folder / f"{LOCK}.new").open("xb")
    if _locked(file):
        Path(file.name).rename(folder / LOCK)
    return file


def _locked(file: IO[bytes]) -> bool:
    """Whether this call has locked the file: nobody else had, and its disk knows locks."""
    if sys.platform != "win32":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return False
