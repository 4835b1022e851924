"""Standard output that is closed or full: one message, exit code 1, no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT, files_below

CLOSED = "standard output is closed; open it, or send it to a file: > FILE"
FULL = (
    "cannot write to standard output: No space left on device; free the place, or send it to "
    "another file: > FILE"
)


def shell(command: str, redirected: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command as a shell starts it with its streams redirected."""
    return subprocess.run(
        ["/bin/sh", "-c", f"exec {sys.executable} -m generator {command} {redirected}"],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(("redirected", "message"), [(">&-", CLOSED), ("> /dev/full", FULL)])
def test_an_output_that_takes_nothing_is_one_message(
    tmp_path: Path, command: str, redirected: str, message: str
):
    done = shell(command, redirected, tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"paperformer: {message}\n"
    assert not list(tmp_path.rglob("*.part"))
    if redirected == ">&-":
        assert not files_below(tmp_path)


@pytest.mark.parametrize("redirected", [">&- 2>&-", "> /dev/full 2>&1", "<&- >&- 2>&-"])
def test_with_nowhere_to_say_it_the_exit_code_says_it(tmp_path: Path, redirected: str):
    done = shell("presets list", redirected, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_messages_stay_out_of_the_data_where_there_is_no_standard_error(tmp_path: Path):
    wrong = shell("trace --format jsn", "2>&-", tmp_path)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    right = shell("--version", "2>&- <&-", tmp_path)
    assert right.returncode == 0
    assert right.stdout.startswith("paperformer ")
