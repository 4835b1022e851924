"""Names do not outlive a server that was killed, and nobody loses what he still uses."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from generator.web import workers
from tests.support.page import ORDER, Served, served, until
from tests.web.test_limits import asked

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc; locks as POSIX has")
LIST = "id;name\n" + "".join(f"{k};Mia Muster\n" for k in range(200))
BODY = "\r\n".join(
    [
        *(f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}'
          for name, value in (ORDER | {"who": "list"}).items()),
        f'--x\r\nContent-Disposition: form-data; name="list"; filename="8b.csv"\r\n\r\n{LIST}',
        "--x--\r\n",
    ]
)  # fmt: skip


def with_names(server: Served) -> set[Path]:
    return {path for path in server.folder.rglob("list.csv") if "Muster" in path.read_text("utf-8")}


def ordered(server: Served) -> None:
    kind = "multipart/form-data; boundary=x"
    assert asked(server, "POST", "/make", BODY, content_type=kind)[0].status == 303


@pytest.mark.ci
@needs_linux
def test_names_do_not_outlive_a_killed_server(tmp_path: Path):
    with served(tmp_path, "--jobs", "1") as killed, served(tmp_path, "--jobs", "1") as other:
        ordered(killed)
        (left,) = with_names(killed)
        ordered(other)
        (kept,) = with_names(other) - {left}
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait(30)
        assert left.exists()
        with served(tmp_path, "--jobs", "1") as after:
            assert with_names(after) == {kept}
            assert not left.parents[1].exists()
            assert asked(other, "GET", f"/job/{kept.parent.name}")[0].status == 200


SLEEPS = """
import os, sys, time
from pathlib import Path
from generator.web import workers

def sleeping():
    Path(sys.argv[1]).write_text(str(os.getpid()), encoding="ascii")
    time.sleep(60)

if __name__ == "__main__":
    workers.run(sleeping, seconds=60)
"""


@pytest.mark.ci
@needs_linux
def test_a_task_ends_with_a_killed_server(tmp_path: Path):
    program, told = tmp_path / "asks.py", tmp_path / "pid"
    program.write_text(SLEEPS, encoding="utf-8")
    with subprocess.Popen([sys.executable, program, told]) as server:
        until(lambda: told.exists() and told.read_text())
        server.kill()
    state = Path("/proc", told.read_text(), "stat")
    until(lambda: not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z", 10)


@needs_linux
def test_only_our_folders_that_nobody_uses_are_deleted(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine = Path(tmp_path, f"{workers.PREFIX}mine")
    for folder in (mine, Path(tmp_path, f"{workers.PREFIX}unmarked"), Path(tmp_path, "others")):
        folder.mkdir()
        (folder / "names").write_text("Mia Muster", encoding="utf-8")
        if "unmarked" not in folder.name:
            (folder / workers.LOCK).touch()
    (tmp_path / f"{workers.PREFIX}link").symlink_to(tmp_path / "others")
    with workers.used_folder() as used:
        workers.clear()
        left = {path.name.removeprefix(workers.PREFIX) for path in tmp_path.iterdir()}
        assert left == {"unmarked", "others", "link", used.name.removeprefix(workers.PREFIX)}
        assert (tmp_path / "others" / "names").exists()
    assert not used.exists()
    monkeypatch.setattr(os, "getuid", lambda: -1)  # somebody else's
    mine.mkdir()
    (mine / workers.LOCK).touch()
    workers.clear()
    assert mine.exists()
