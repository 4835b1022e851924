"""Files are written whole or not at all, and what the system refuses is said."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import UserError
from generator.output import write, write_new
from tests.cli.command import ROOT, files_below

SMALL_DISK = """\
import resource, sys
from pathlib import Path
from generator.errors import UserError
from generator.output import write
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
folder = Path(sys.argv[1])
try:
    write({folder / "a" / "small": b"new", folder / "new" / "large": bytes(5000)})
except UserError as error:
    print(error)
"""


def test_writes_all_and_makes_folders(tmp_path: Path):
    files = {tmp_path / "a" / "b" / "one": b"1", tmp_path / "two": b"2"}
    assert write(files) == list(files)
    assert files_below(tmp_path) == {"a/b/one": b"1", "two": b"2"}


def test_files_are_as_readable_as_any_other(tmp_path: Path):
    (path,) = write({tmp_path / "one": b"1"})
    (tmp_path / "other").touch()
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_file_that_is_there_is_replaced(tmp_path: Path):
    (tmp_path / "one").write_bytes(b"old")
    write({tmp_path / "one": b"new"})
    assert files_below(tmp_path) == {"one": b"new"}


def test_a_new_file_replaces_nothing(tmp_path: Path):
    assert write_new(tmp_path / "one", b"1") == tmp_path / "one"
    with pytest.raises(UserError, match="exists already"):
        write_new(tmp_path / "one", b"2")
    assert files_below(tmp_path) == {"one": b"1"}


@pytest.mark.parametrize("refused", ["file/below", "file/deep/below", "folder", "x" * 300])
def test_a_refusal_leaves_everything_as_it_was(tmp_path: Path, refused: str):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match="cannot write"):
        write({tmp_path / "file": b"new", tmp_path / "made" / "x": b"1", tmp_path / refused: b"2"})
    assert files_below(tmp_path) == {"file": b"old"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_a_full_disk_leaves_everything_as_it_was(tmp_path: Path):
    assert resource.RLIMIT_FSIZE  # files of a process are limited as a full disk limits them
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "small").write_bytes(b"old")
    done = subprocess.run(
        [sys.executable, "-c", SMALL_DISK, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    large = tmp_path / "new" / "large"
    assert done.stdout.startswith(f"cannot write {large}: File too large"), done
    assert files_below(tmp_path) == {"a/small": b"old"}
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
