"""What tests read again and again is made once: computations by worker, PDFs once in a whole run.

A PDF is kept under the hash of everything that it was made from, in a folder that all workers of
the run share; other numbers, options or tokens are another hash. Tests that look for the same
bytes twice render by themselves.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable, Mapping, Set
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile, mkdtemp

import numpy as np
import pytest

import generator
from generator.engine.trace import Trace

PLAIN = (str, bytes, int, float, type(None))


FOLDER: list[Path] = []  # the one of this run, once it has begun


@pytest.fixture(scope="session", autouse=True)
def renderings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One folder for all workers of a run; pytest clears it away with its other ones."""
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "renderings"
    place.mkdir(exist_ok=True)
    FOLDER[:] = [place]


@cache
def computed(sentence: str | None, preset: str, language: str, rounding: str | None) -> Trace:
    """A computation, which nobody can change."""
    return generator.compute(sentence, preset=preset, language=language, rounding=rounding)


def once(make: Callable[[], bytes], *parts: object) -> bytes:
    """What `make` gives, made by the first in a run who asks for the same parts.

    Outside a run, as in the guides' examples, there is no folder to keep it in.
    """
    if not FOLDER:
        return make()
    (folder,) = FOLDER
    path = folder / hashlib.sha256(repr([said(part) for part in parts]).encode()).hexdigest()
    if not path.exists():
        content = make()
        with NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)
    return path.read_bytes()


def once_below(make: Callable[[Path], None], *parts: object) -> Path:
    """The folder that `make` fills, made by the first in a run who asks for the same parts."""
    (folder,) = FOLDER
    path = folder / hashlib.sha256(repr([said(part) for part in parts]).encode()).hexdigest()
    if not path.exists():
        new = Path(mkdtemp(dir=folder))
        make(new)
        with contextlib.suppress(OSError):  # another worker was first
            new.rename(path)
    return path


def said(thing: object) -> object:
    """All that a thing holds, in an order that does not depend on the process."""
    if isinstance(thing, PLAIN):
        return thing
    if isinstance(thing, np.ndarray | np.generic):
        return (thing.shape, thing.dtype.str, thing.tolist())
    if isinstance(thing, Mapping):
        return [(said(key), said(value)) for key, value in thing.items()]
    if isinstance(thing, Set):
        return sorted(repr(said(one)) for one in thing)
    if isinstance(thing, list | tuple):
        return [said(one) for one in thing]
    if is_dataclass(thing) and not isinstance(thing, type):
        values = {field.name: getattr(thing, field.name) for field in fields(thing)}
        return (type(thing).__name__, said(values))
    if callable(thing):
        return getattr(thing, "__qualname__", type(thing).__name__)
    return (type(thing).__name__, said(vars(thing)))
