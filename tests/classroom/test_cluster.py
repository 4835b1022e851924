"""The same batch on a Dask cluster: real processes, some of which die; addresses for results."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import fsspec
import pytest

import generator
from generator.errors import UserError
from tests.cli.command import ROOT, files_below
from tests.support.batches import PATIENCE, QUICK, begun, finished, noted, until

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
from generator.classroom import manifest
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
    monkeypatch.setattr("generator.classroom.pool.PATIENCE", 1)
    with (
        scheduler(tmp_path) as (_, address),
        pytest.raises(UserError, match=r"this scheduler has no workers; start some, each with"),
    ):
        generator.batch(3, tmp_path / "a", cluster=address, **SETTINGS)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:99999"])
def test_no_scheduler_is_one_message(tmp_path: Path, monkeypatch, address: str):
    monkeypatch.setattr("generator.classroom.pool.PATIENCE", 1)
    with pytest.raises(UserError, match="no Dask scheduler answers there") as caught:
        generator.batch(3, tmp_path / "a", cluster=address, **SETTINGS)
    assert address in str(caught.value)
    assert files_below(tmp_path) == {}


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


def test_results_go_to_an_address(tmp_path: Path, local):
    generator.batch(PUPILS, f"file://{tmp_path}/a", **SETTINGS)
    assert files_below(tmp_path / "a") == local
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


@pytest.mark.parametrize("address", ["nosuch://x/y", "s3://bucket/8b"])
def test_an_address_that_nobody_knows_is_one_message(tmp_path: Path, address: str):
    done = finished(2, *QUICK, "--out", address, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"paperformer: --out {address}: ")
    assert done.stderr.count("\n") == 1
