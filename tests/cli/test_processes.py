"""Several processes make the same files as one, and end with one message."""

import importlib
import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import generator
from generator import processes
from generator.errors import UserError
from generator.sheets.fonts import MissingGlyph
from generator.sheets.options import SheetOptions
from tests.cli.command import files_below
from tests.support.sheets import pdf, traces

PACKAGE = Path(generator.__file__).parent
SHEETS = ("4a", "6")


@pytest.fixture
def alone(monkeypatch) -> None:
    """As if no thread of the test runner were there."""
    monkeypatch.setattr("generator.processes._may_fork", lambda: sys.platform == "linux")


def exceptions() -> Iterator[type[Exception]]:
    """Each class of an exception that the package defines."""
    for file in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
        if re.search(r"^class \w+\(\w*(Error|Exception|Sendable)\b", file.read_text("utf-8"), re.M):
            for found in vars(importlib.import_module(name)).values():
                if isinstance(found, type) and issubclass(found, Exception):
                    yield found


ARGUMENTS = {
    "BrowserMissing": (),
    "PresetError": ("mine.toml", ["no words", "no sentence"]),
    "RowProblem": (2, "its sum is 0"),
    "FormError": ("a word", "a number"),
    "RefusedAnswers": ({},),
    "NoRoom": (OSError(28, "No space left on device"),),
    "NotOurs": ("make",),
    "NothingMarked": (Path("in"), []),
    "MissingGlyph": (["√"], "the sentence"),
    "Untested": ("numpy>=2", "1.0"),
    "Full": ("web.error.busy", 503, 40, 90.0),
    "WrongPhrase": ("sheet7.rule", "de", "no {owner}"),
}


@pytest.mark.parametrize("kind", dict.fromkeys(exceptions()), ids=lambda kind: kind.__name__)
def test_every_exception_reaches_another_process_whole(kind: type[Exception]):
    error = kind(*ARGUMENTS.get(kind.__name__, ("what",)))
    there = pickle.loads(pickle.dumps(error))
    assert type(there) is kind
    assert str(there) == str(error)
    assert vars(there) == vars(error)


@pytest.mark.parametrize(
    ("only", "files"), [(["pdf"], 8), pytest.param(None, 10, marks=pytest.mark.ci)]
)
def test_many_processes_make_the_same_files_as_one(only, files, alone, tmp_path):
    trace = generator.compute(preset="katze")
    for jobs in (1, 2):
        generator.write(trace, tmp_path / str(jobs), only, sheets=SHEETS, jobs=jobs)
    one, two = (files_below(tmp_path / str(jobs)) for jobs in (1, 2))
    assert len(one) == files
    assert list(one) == list(two)
    for sheet in SHEETS:
        for variant, folder in (("blank", "hand-out"), ("solution", "teacher")):
            (made,) = (tmp_path / "2" / folder).glob(f"{sheet}-*-{variant}.pdf")
            assert made.read_bytes() == pdf(
                *traces("katze", "de"), SheetOptions(among=SHEETS), variant, sheet
            )


def test_results_keep_the_order_of_their_tasks(alone):
    found = processes.results([lambda k=k: (k, os.getpid()) for k in range(9)], 3)
    assert [k for k, _ in found] == list(range(9))
    assert os.getpid() not in {process for _, process in found}
    assert processes.results([os.getpid], 3) == [os.getpid()]


loaded: list[str] = []


def _loaded() -> list[str]:
    return loaded


def test_processes_begin_with_what_is_loaded_where_forking_is_safe(alone):
    loaded[:] = ["fonts"]
    with processes.started(1) as made:
        assert made.submit(_loaded).result() == loaded * (sys.platform == "linux")


def test_a_mistake_of_the_user_keeps_its_kind(alone):
    def failing() -> None:
        raise MissingGlyph("☃", "the sentence")

    with pytest.raises(MissingGlyph, match="SNOWMAN"):
        processes.results([failing, failing], 2)


def test_a_process_that_is_killed_is_one_message(alone):
    def killed() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(UserError, match="--jobs 1"):
        processes.results([killed, killed], 2)


def test_a_script_needs_no_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import generator\n"
        "trace = generator.compute()\n"
        "paths = generator.write(trace, 'out', ['html'], sheets=['4a', '6'], jobs=2)\n"
        "print(len(paths))\n"
    )
    told = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)})  # fmt: skip
    assert told.stdout == "6\n", told.stderr
