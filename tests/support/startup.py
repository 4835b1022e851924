"""What a run does before its first test: it compiles each test once, and frees Python of its past.

Pytest rewrites the assertions of each file that it imports, which takes longer than all else that
collecting does. Workers collect the same files in the same order at the same time, so that each
would rewrite every one of them.
"""

import contextlib
import gc
import importlib
import os
import sys
from pathlib import Path

import pytest

OBJECTS = 200_000  # more than Python's 700 are new before it looks for garbage among them


def keep_what_is_compiled() -> None:
    """Files are compiled once for all workers, and for all commands that tests start.

    Where PYTHONDONTWRITEBYTECODE is set, each of these processes would compile them again.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def share_imports(session: pytest.Session) -> None:
    """A worker imports its share of the tests first; the rest it then finds compiled.

    What cannot be imported is told when it is collected.
    """
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    folders = [Path(word) for word in session.config.args if Path(word).is_dir()]
    files = [path for folder in folders for path in sorted(folder.rglob("test_*.py"))]
    for path in files[int(number) :: workers] if workers > 1 else ():
        parts = path.resolve().relative_to(session.config.rootpath).with_suffix("").parts
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(parts))


def forget_the_past() -> None:
    """What was made up to now lives until the end: to look for garbage in it costs time alone."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS)
