"""Where a batch's files go: a folder of this computer, or any address that fsspec knows."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from generator import output
from generator.errors import UserError, refused
from generator.files import require_file

# A place for files by relative path ("teacher/manifest.json"); each is there whole or not.
Store: TypeAlias = "Folder | Remote"


def store(place: str) -> Store:
    """The store of a folder's path or of an address such as "s3://bucket/8b"."""
    if "://" not in place:
        return Folder(Path(place))
    remote = Remote(place)
    # A file of this computer is never half there with our own writer only.
    return Folder(Path(remote.root)) if "file" in remote.system.protocol else remote


def sha256(content: bytes) -> str:
    """The content's SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


class Folder:
    """A folder of this computer."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __str__(self) -> str:
        return str(self.root)

    def write(self, files: Mapping[str, bytes]) -> None:
        """Put these files there, all or none; `UserError` for what the system refuses."""
        output.write({self.root / path: content for path, content in files.items()})

    def read(self, path: str) -> bytes | None:
        """A file's content, None where there is none."""
        require_file(self.root / path, "batch")
        try:
            return (self.root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise UserError(f"cannot read {self.root / path}: {error.strerror}") from error

    def names(self, folder: str) -> list[str]:
        """The names in a folder, sorted; none where there is no such folder."""
        place = self.root / folder
        try:
            return sorted(path.name for path in place.iterdir()) if place.is_dir() else []
        except OSError as error:
            raise UserError(f"cannot read {place}: {error.strerror}") from error

    def sweep(self, folder: str) -> None:
        """Take away what a killed run left half written in a folder and the folders in it."""
        output.sweep(self.root / folder)

    def remove(self, path: str) -> None:
        """Take away a file, or a folder of files."""
        output.remove(self.root / path)

    def tidy(self, folders: Sequence[str]) -> None:
        """Take away those of these folders, and the place itself, that hold nothing."""
        for place in (*(self.root / folder for folder in folders), self.root):
            output.remove_empty(place)


class Remote:
    """An address that fsspec knows."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.system, self.root = _opened(self.url)

    def __str__(self) -> str:
        return self.url

    def write(self, files: Mapping[str, bytes]) -> None:
        """Put these files there; a reader sees each whole or not at all."""
        with self._refusals(), self.system.transaction:
            for path, content in files.items():
                place = f"{self.root}/{path}"
                self.system.makedirs(place.rpartition("/")[0], exist_ok=True)
                self.system.pipe_file(place, content)

    def read(self, path: str) -> bytes | None:
        """A file's content, None where there is none."""
        with self._refusals():
            try:
                content: bytes = self.system.cat_file(f"{self.root}/{path}")
            except (FileNotFoundError, NotADirectoryError):
                return None
            return content

    def names(self, folder: str) -> list[str]:
        """The names in a folder, sorted."""
        place = f"{self.root}/{folder}"
        with self._refusals():
            if not self.system.isdir(place):
                return []
            paths = self.system.ls(place, detail=False, refresh=True)
        return sorted(path.rstrip("/").rpartition("/")[2] for path in paths)

    def sweep(self, folder: str) -> None:
        """Nothing to do: what a killed run had not finished writing was never there."""

    def remove(self, path: str) -> None:
        """Take away a file, or a folder with all that is in it."""
        with self._refusals():
            if self.system.exists(f"{self.root}/{path}"):
                self.system.rm(f"{self.root}/{path}", recursive=True)

    def tidy(self, folders: Sequence[str]) -> None:
        """Nothing to do: a folder is where files are."""

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # each system has errors of its own kind
            raise refused("store.refused", url=self.url, why=_reason(error)) from error


def _reason(error: Exception) -> str:
    """What an error says, on one line; its kind where it says nothing."""
    return " ".join(str(error).split()) or type(error).__name__


def _opened(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise refused("store.extra", url=url) from error
    try:
        system, root = url_to_fs(url)
    except (ValueError, ImportError) as error:  # no such protocol; its library is not installed
        raise UserError(f"--out {url}: {error}") from error
    except Exception as error:  # some systems connect at once, each with errors of its own kind
        raise refused("store.closed", url=url, why=_reason(error)) from error
    return system, str(root).rstrip("/")
