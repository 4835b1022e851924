"""Files are written whole or not at all, and what the system refuses is said."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from generator.cli import main
from generator.errors import UserError
from generator.output import write, write_new
from tests.cli.command import ROOT, files_below

SMALL_DISK = """\
import resource, sys
from pathlib import Path
from generator.cli import main
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
    (tmp_path / "other").touch()  # as readable as any other
    assert (tmp_path / "two").stat().st_mode == (tmp_path / "other").stat().st_mode
    write({tmp_path / "two": b"new"})
    assert (tmp_path / "two").read_bytes() == b"new"


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


def test_a_link_stays_one_and_the_file_that_it_leads_to_is_replaced(tmp_path: Path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("far/target")
    (tmp_path / "open").symlink_to("far/missing")
    links = [tmp_path / "link", tmp_path / "open"]
    assert write(dict.fromkeys(links, b"new")) == links
    assert all(path.is_symlink() for path in links)
    files = {"far/target": b"new", "far/missing": b"new", "link": b"new", "open": b"new"}
    assert files_below(tmp_path) == files


def test_links_in_a_circle_are_one_message(tmp_path: Path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(UserError, match=r"cannot write .*/a: Too many levels of symbolic links"):
        write({tmp_path / "a": b"new"})
    assert [path.name for path in tmp_path.iterdir() if not path.is_symlink()] == []


def test_a_pipe_is_written_into_and_stays_one(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        assert write({tmp_path / "pipe": b"into", tmp_path / "one": b"1"}) == [tmp_path / "one"]
        assert reader.communicate()[0] == b"into"
    assert (tmp_path / "pipe").is_fifo()


def test_a_full_device_is_one_message_and_stays_a_device(tmp_path: Path):
    """It is named by a link, so that a writer that replaces what it finds takes the link alone."""
    (tmp_path / "full").symlink_to("/dev/full")
    with pytest.raises(UserError, match=r"cannot write .*/full: its disk is full; free some"):
        write({tmp_path / "one": b"1", tmp_path / "full": b"new"})
    assert Path("/dev/full").is_char_device()
    assert [path.name for path in tmp_path.iterdir() if path.is_symlink()] == ["full"]
    assert len([*tmp_path.iterdir()]) == 1


TRACE = ["trace", "--preset", "katze", "--format", "csv", "--step", "ids", "--out"]


def test_standard_output_named_as_a_file_has_the_data_alone(tmp_path: Path):
    """Also where the shell appends it to a file, which must not be replaced.

    It is named by a link of our own: a writer that fails here replaces that, not the system's.
    """
    (tmp_path / "stdout").symlink_to("/dev/stdout")
    command = [sys.executable, "-m", "generator", *TRACE]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    (tmp_path / "log").write_text("old\n", encoding="utf-8")
    with (tmp_path / "log").open("a", encoding="utf-8") as log:
        before = os.fstat(log.fileno()).st_ino
        subprocess.run([*command, tmp_path / "stdout"], stdout=log, env=environment, check=True)
    lines = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["old", "step,row,column,row label,column label,value"]
    assert len(lines) == 8
    assert (tmp_path / "log").stat().st_ino == before


def test_a_device_that_is_full_ends_the_command_with_one_message(tmp_path: Path, capsys):
    (tmp_path / "full").symlink_to("/dev/full")
    assert main([*TRACE, str(tmp_path / "full")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "full: its disk is full; free some space there, or take a folder" in err
    assert err.count("\n") == 1
    assert (tmp_path / "full").is_char_device()
