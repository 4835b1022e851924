"""The same batch on a Dask cluster: real processes, some of which die; addresses for results."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import fsspec
import pytest
from distributed import Client

import generator
from generator.errors import UserError
from tests.cli.command import ROOT, files_below
from tests.support.batches import PATIENCE, QUICK, begun, finished, noted, until

pytestmark = pytest.mark.ci

PUPILS = 64
SETTINGS = {"sheets": ("4a",), "only": ("xlsx",), "vary": "numbers", "seed": "class 8b in autumn"}
# What the commands `dask scheduler` and `dask worker` do, at a free port, the address told in a
# file. A worker in another folder than ours still imports the program.
SCHEDULER = ("-m", "distributed.cli.dask_scheduler")
WORKER = ("-m", "distributed.cli.dask_worker")
QUIET = ("--no-dashboard",)
ALONE = ("--no-nanny", "--nthreads", "1", *QUIET)


@contextmanager
def process(*words: str, cwd: Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A part of the cluster."""
    with (cwd / "log.txt").open("ab") as log:
        started = subprocess.Popen(
            [sys.executable, *words],
            cwd=cwd,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A scheduler without workers, and its address."""
    file = folder / "scheduler.json"
    where = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    with process(*SCHEDULER, *where, *QUIET, cwd=folder) as running:
        until(running, lambda: file.exists() and file.read_bytes().endswith(b"}"))
        yield running, json.loads(file.read_bytes())["address"]


@pytest.fixture(scope="module")
def local(tmp_path_factory) -> dict[str, bytes]:
    """All files of the batch made by one process of this computer."""
    place = tmp_path_factory.mktemp("local") / "a"
    generator.batch(PUPILS, place, **SETTINGS)
    return files_below(place)


def test_a_worker_dies_and_the_batch_is_the_same_to_the_byte(tmp_path: Path, local):
    place = tmp_path / "a"
    with (
        scheduler(tmp_path) as (_, address),
        process(*WORKER, address, *ALONE, cwd=tmp_path) as first,
        process(*WORKER, address, *ALONE, cwd=tmp_path),
        begun(PUPILS, *QUICK, "--out", "a", "--cluster", address, cwd=tmp_path) as batch,
    ):
        until(batch, lambda: bool(noted(place)))
        first.send_signal(signal.SIGKILL)
        out, err = batch.communicate(timeout=PATIENCE)
    assert (batch.returncode, err) == (0, "")
    assert out.startswith(f"a: {PUPILS} sets; effort: ")
    assert files_below(place) == local


OTHER = """\
from generator.classroom.desk import manifest
manifest.LIBRARIES = ()
manifest.__version__ = "0.0.1"
"""


def test_a_worker_with_another_version_is_refused(tmp_path: Path):
    (tmp_path / "other.py").write_text(OTHER, encoding="utf-8")
    with (
        scheduler(tmp_path) as (_, address),
        process(*WORKER, address, *ALONE, "--preload", "other.py", cwd=tmp_path),
    ):
        done = finished(3, *QUICK, "--out", "a", "--cluster", address, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "paperformer: a worker of the cluster has paperformer 0.0.1 (here "
    )
    assert "install the same versions on all of them" in done.stderr
    assert done.stderr.count("\n") == 1
    assert files_below(tmp_path / "a") == {}


def test_a_scheduler_without_workers_is_one_message(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("generator.classroom.files.pool.PATIENCE", 5)
    with (
        scheduler(tmp_path) as (_, address),
        pytest.raises(UserError, match=r"this scheduler has no workers; start some, each with"),
    ):
        generator.batch(3, tmp_path / "a", cluster=address, **SETTINGS)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:99999"])
def test_no_scheduler_is_one_message(tmp_path: Path, monkeypatch, address: str):
    monkeypatch.setattr("generator.classroom.files.pool.PATIENCE", 1)
    with pytest.raises(UserError, match="no Dask scheduler answers there") as caught:
        generator.batch(3, tmp_path / "a", cluster=address, **SETTINGS)
    assert address in str(caught.value)
    assert files_below(tmp_path) == {}
    require_closed_clients()


@pytest.mark.parametrize(
    ("says", "patience", "reason"),
    [
        (b"", 1, "nothing within 1 s"),
        (b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", 60, "something else does"),
        (bytes(64), 60, "something else does"),
    ],
)
def test_a_server_of_another_kind_is_one_message(
    tmp_path: Path, monkeypatch, says: bytes, patience: int, reason: str
):
    """It accepts, says what it always says or nothing, and would wait for ever."""
    monkeypatch.setattr("generator.classroom.files.pool.PATIENCE", patience)
    found = rf"no Dask scheduler answers there \({reason}\)"
    with other_server(says) as address, pytest.raises(UserError, match=found):
        generator.batch(3, tmp_path / "a", cluster=address, **SETTINGS)
    assert files_below(tmp_path) == {}
    require_closed_clients()


def test_the_address_of_a_worker_is_one_message(tmp_path: Path):
    with (
        scheduler(tmp_path) as (_, address),
        process(*WORKER, address, *ALONE, cwd=tmp_path) as worker,
    ):
        log = tmp_path / "log.txt"
        until(worker, lambda: b"Start worker at: " in log.read_bytes())
        told = log.read_text(encoding="utf-8").split("Start worker at: ", 1)[1].split()[0]
        done = finished(3, *QUICK, "--out", "a", "--cluster", told, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"paperformer: --cluster {told}: no Dask scheduler answers there")
    assert done.stderr.count("\n") == 1
    assert files_below(tmp_path / "a") == {}


def test_a_notebook_has_an_event_loop_of_its_own(tmp_path: Path):
    async def cell() -> None:
        generator.batch(3, tmp_path / "a", cluster="nonsense://x", **SETTINGS)

    with pytest.raises(UserError, match="unknown address scheme 'nonsense'"):
        asyncio.run(cell())


@contextmanager
def other_server(says: bytes) -> Iterator[str]:
    """A server that says one thing to whoever comes and keeps the line open; its address."""
    with ExitStack() as lines, socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):  # it is closed
                while True:
                    line, _ = server.accept()
                    lines.enter_context(line).sendall(says)

        thread = threading.Thread(target=serve)
        thread.start()
        yield "{}:{}".format(*server.getsockname())
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def require_closed_clients() -> None:
    """No half-open client is left, which could lock up the next one when it is cleared away."""
    assert {client.status for client in Client._instances} <= {"closed"}


def test_ctrl_c_and_a_lost_scheduler_are_one_message_and_resume_goes_on(tmp_path: Path, local):
    place = tmp_path / "a"
    words = (PUPILS, *QUICK, "--out", "a", "--resume")
    with (
        scheduler(tmp_path) as (running, address),
        process(*WORKER, address, *ALONE, cwd=tmp_path),
    ):
        with begun(*words, "--cluster", address, cwd=tmp_path) as batch:
            until(batch, lambda: bool(noted(place)))
            batch.send_signal(signal.SIGINT)
            _, err = batch.communicate(timeout=PATIENCE)
        assert (batch.returncode, err.count("\n")) == (130, 1), err
        assert err.startswith("paperformer: stopped; ")
        before = len(noted(place))
        with begun(*words, "--cluster", address, cwd=tmp_path) as batch:
            until(batch, lambda: len(noted(place)) > before)
            running.kill()
            _, err = batch.communicate(timeout=PATIENCE)
        assert (batch.returncode, err.count("\n")) == (1, 1), err
        assert err.startswith("paperformer: the cluster's workers or its scheduler were lost")
    done = finished(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert files_below(place) == local


def test_results_go_to_an_address(local):
    memory = fsspec.filesystem("memory")
    some = generator.batch(8, "memory://course/a", **SETTINGS)
    assert (some.made, some.problems) == (8, [])
    more = generator.batch(PUPILS, "memory://course/b", **SETTINGS)
    assert more.made == PUPILS
    found = {p.removeprefix("/course/b/"): memory.cat_file(p) for p in memory.find("/course/b")}
    assert found == local
    with pytest.raises(UserError, match="memory://course/b holds a batch already"):
        generator.batch(PUPILS, "memory://course/b", **SETTINGS)
    again = generator.batch(PUPILS, "memory://course/b", resume=True, **SETTINGS)
    assert (again.made, again.kept) == (0, PUPILS)
    memory.rm("/course", recursive=True)


def test_an_address_that_nobody_knows_is_one_message(tmp_path: Path):
    done = finished(2, *QUICK, "--out", "s3://bucket/8b", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("paperformer: --out s3://bucket/8b: ")
    assert done.stderr.count("\n") == 1
