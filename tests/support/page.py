"""The page's server as tests ask it: orders, their end, and what is said to be wrong."""

import atexit
import io
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from starlette.testclient import TestClient

from generator.web import server

READ_ME = ("LIES-MICH.txt", "READ-ME.txt")  # what a zip says of its files
ORDER = {"lesson": "attention", "level": "1", "story": "on"}


@pytest.fixture(scope="module")
def page() -> Iterator[TestClient]:
    with TestClient(server.app(1, names=["testserver"]), follow_redirects=True) as client:
        until(client.app.state.warm.done, 120)  # before it the page comes without what it asks for
        yield client


def finished(page: TestClient, url: str) -> str:
    """The order's page when it is done or has failed."""
    for _ in range(300):
        text = page.get(url).text
        if "http-equiv" not in text:
            return text
        time.sleep(0.2)
    raise AssertionError("no end")


def unzipped(packed: bytes | Path) -> dict[str, bytes]:
    """What a zip holds, by name, without its text on that."""
    with zipfile.ZipFile(packed if isinstance(packed, Path) else io.BytesIO(packed)) as archive:
        names = [name for name in archive.namelist() if name not in READ_ME]
        return {name: archive.read(name) for name in names}


def fetched(page: TestClient, text: str) -> dict[str, bytes]:
    """What the page of a finished order lets one fetch."""
    return unzipped(page.get(re.search(r'href="(/job/[^"]+set.zip)"', text)[1]).content)


def alerts(text: str) -> list[str]:
    """What is said at the fields."""
    found = re.findall(r'role="alert">([^<]+)', text)
    return [one.strip() for one in found if one.strip()]


class Served(NamedTuple):
    """A server as the command starts it: its process, its address, its temporary folders."""

    process: subprocess.Popen[bytes]
    port: int
    folder: Path
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@cache
def _short_folder(folder: Path) -> Path:
    """For temporary files of the servers of one test: its name is short, as a socket's must be."""
    made = Path(tempfile.mkdtemp(prefix=f"{folder.name[:9]}-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Served]:
    """A server that answers; ended as by Ctrl-C where the test has not done so."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "generator", "serve", "--port", str(port), *options]
    temporary, log = _short_folder(folder), folder / f"log-{port}"
    env = {**os.environ, "TMPDIR": str(temporary)}
    with (
        log.open("wb") as out,
        subprocess.Popen(command, stdout=out, stderr=out, env=env) as process,
    ):
        found = Served(process, port, temporary, log)
        try:
            until(lambda: answers(found.address))
            yield found
        finally:
            process.terminate()


def answers(address: str) -> bool:
    """Whether a server is there already."""
    try:
        urllib.request.urlopen(f"{address}/health", timeout=5).close()
    except OSError:
        return False
    return True


def until(true: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it does not come true"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server as the command starts it."""
    with served(tmp_path_factory.mktemp("served"), "--public-name", "school.test") as server:
        with urllib.request.urlopen(server.address, timeout=60) as first:
            assert b"data-waits" in first.read()  # does not wait for all libraries, as this does:
        urllib.request.urlopen(f"{server.address}/?shown=", timeout=120).close()
        yield server.address
        server.process.terminate()
        assert server.process.wait(timeout=30) == 0
        told = server.log.read_text()
        assert "Traceback" not in told, told
        # The process that others were forked from ends by itself.
        until(lambda: not list(server.folder.iterdir()), 10)
