"""A batch that is stopped, killed or runs out of space: nothing half, nothing lost, same bytes."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

import generator
from generator.classroom.desk.manifest import Journal
from generator.classroom.files.pool import Pool, in_order
from generator.classroom.pupils.seats import SeatRecord
from generator.errors import UserError
from tests.cli.command import ROOT, files_below
from tests.support import pools
from tests.support.batches import (
    PATIENCE,
    QUICK,
    begun,
    children,
    finished,
    is_idle,
    noted,
    require_complete,
    sets,
    until,
)

PUPILS = 40


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> dict[str, bytes]:
    """All files of a batch that nobody disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = finished(PUPILS, *QUICK, "--out", "a", cwd=folder)
    assert done.returncode == 0, done.stderr
    return files_below(folder / "a")


def resumed(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = finished(PUPILS, *QUICK, "--out", "a", "--resume", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done


@contextmanager
def running(folder: Path, *words: str, notes: int = 1) -> Iterator[subprocess.Popen[str]]:
    """The batch, as soon as it has noted something."""
    with begun(PUPILS, *QUICK, "--out", "a", *words, cwd=folder) as process:
        until(process, lambda: len(noted(folder / "a")) >= notes)
        yield process


def killed(folder: Path, *words: str, notes: int = 1) -> Path:
    """The folder of a batch that was killed when it had noted something."""
    with running(folder, *words, notes=notes) as process:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
    return folder / "a"


@pytest.mark.ci
def test_killed_with_its_workers_and_resumed_it_gives_the_same_bytes(tmp_path: Path, undisturbed):
    place = killed(tmp_path, "--jobs", "2")
    there = len(sets(place))
    assert 0 < there < PUPILS
    # As if the kill had met it while it wrote, which it rarely does.
    (sets(place)[0] / ".workbook-exercise.xlsx.4711.part").write_bytes(b"half")
    (place / "teacher/progress/.000009.json.4711.part").write_bytes(b"half")
    assert "of them there already" in resumed(tmp_path, "--jobs", "2").stdout
    assert files_below(place) == undisturbed


@pytest.mark.ci
def test_killed_at_every_stage_it_goes_on(tmp_path: Path, undisturbed):
    for wanted in range(1, 5):  # each run gets a little further
        place = killed(tmp_path, "--resume", "--jobs", "1", notes=wanted)
    with begun(PUPILS, *QUICK, "--out", "a", "--resume", cwd=tmp_path) as process:
        until(process, lambda: len(sets(place)) == PUPILS)
        process.kill()  # among the teacher's papers
        process.wait(PATIENCE)
    resumed(tmp_path)
    assert files_below(place) == undisturbed


@pytest.mark.ci
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_complete_files_and_says_how_to_go_on(tmp_path: Path, undisturbed, jobs: str):
    place = tmp_path / "a"
    with running(tmp_path, "--jobs", jobs) as process:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers as well
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    records = sum(len(json.loads(path.read_bytes())["pupils"]) for path in noted(place))
    assert err == (
        f"paperformer: stopped; {records} of {PUPILS} sets are complete: go on with the same "
        "command and --resume\n"
    )
    assert 0 < records < PUPILS
    require_complete(place)
    resumed(tmp_path, "--jobs", jobs)
    assert files_below(place) == undisturbed


def test_ctrl_c_just_after_a_note_counts_what_was_noted(tmp_path: Path, monkeypatch):
    note = Journal.add

    def interrupted(self: Journal, records: list[SeatRecord]) -> None:
        note(self, records)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Journal, "add", interrupted)
    with pytest.raises(UserError, match=f"^stopped; 8 of {PUPILS} sets are complete: "):
        generator.batch(PUPILS, tmp_path / "a", sheets=("4a",), only=("xlsx",), seed="9a", jobs=1)
    assert len(sets(tmp_path / "a")) == 8


@pytest.mark.ci
def test_ctrl_c_while_the_workers_start_is_one_line(tmp_path: Path):
    place = tmp_path / "a"
    with begun(PUPILS, *QUICK, "--out", "a", "--jobs", "2", cwd=tmp_path) as process:
        until(process, (place / "teacher/started.json").exists)
        until(process, lambda: len(children(process)) >= 2)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err.startswith("paperformer: stopped; ")
    assert err.count("\n") == 1


@pytest.mark.ci
def test_a_killed_worker_process_is_one_message(tmp_path: Path, undisturbed):
    place = tmp_path / "a"
    with running(tmp_path, "--jobs", "2") as process:
        for child in children(process):
            os.kill(child, signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert err == (
        "paperformer: a worker process was ended from outside, often for want of memory; go on "
        "with --resume and fewer --jobs\n"
    )
    assert "go on with the same command and --resume" in out
    require_complete(place)
    resumed(tmp_path)
    assert files_below(place) == undisturbed


@pytest.mark.ci
def test_workers_killed_while_they_hand_over_are_one_message(tmp_path: Path):
    """The reader is held until the pipe is full, so that what is sent through it is cut in two."""
    words = (sys.executable, "-m", "tests.support.pools", str(tmp_path))
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        until(process, lambda: len(list(tmp_path.glob("*.worker"))) == pools.WORKERS)
        process.send_signal(signal.SIGSTOP)
        (tmp_path / "go").touch()
        workers = [int(path.stem) for path in tmp_path.glob("*.worker")]
        until(process, lambda: all(map(is_idle, workers)))
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        process.send_signal(signal.SIGCONT)
        try:
            out, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert out.startswith("a worker process was ended from outside, often for want of memory")


def test_results_that_cannot_be_kept_are_one_message(tmp_path: Path):
    place = tmp_path / "gone"
    with ThreadPoolExecutor(1) as one, pytest.raises(UserError) as error:
        list(in_order(Pool(one, 1, folder=place), len, ["Die"]))
    assert str(error.value) == (
        f"{place}: what a worker process made cannot be kept there: No such file or directory; "
        "free some space, or name another folder in the variable TMPDIR, then go on with --resume"
    )


@pytest.mark.ci
def test_pdfs_hang_neither_on_the_run_nor_on_the_process(tmp_path: Path):
    words = (18, "--sheets", "4a", "--only", "pdf", "--vary", "numbers", "--seed", "9a", "--out")
    whole = finished(*words, "whole", cwd=tmp_path)
    assert whole.returncode == 0, whole.stderr
    with begun(*words, "a", cwd=tmp_path) as process:
        until(process, lambda: bool(noted(tmp_path / "a")))
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    require_complete(tmp_path / "a")
    assert 0 < len(list(tmp_path.glob("a/hand-out/*/*.pdf"))) < 18
    done = finished(*words, "a", "--resume", "--jobs", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert files_below(tmp_path / "a") == files_below(tmp_path / "whole")


@pytest.mark.ci
def test_damaged_notes_are_told_and_their_sets_made_again(tmp_path: Path, undisturbed):
    place = killed(tmp_path, notes=2)
    first = noted(place)[0]
    first.write_bytes(first.read_bytes()[:100])
    assert resumed(tmp_path).stderr == (
        "paperformer: a/teacher/progress/000001.json is damaged; the sets that it noted are made "
        "again\n"
    )
    assert files_below(place) == undisturbed


@pytest.mark.ci
def test_a_damaged_beginning_is_one_message(tmp_path: Path):
    place = killed(tmp_path)
    (place / "teacher/started.json").write_bytes(b'{"format": "pap')
    done = finished(PUPILS, *QUICK, "--out", "a", "--resume", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("paperformer: a/teacher/started.json: this is no manifest: ")
    assert done.stderr.count("\n") == 1


LIMITED = """\
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond the limit then fails, as a full disk
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
from generator.cli import main
sys.exit(main(sys.argv[1:]))
"""


def limited(limit: int, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command where no file can be larger than so many bytes."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED.format(limit=limit), *words],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
    )


@pytest.mark.ci
def test_who_needs_more_space_than_there_is_is_told_at_the_end(tmp_path: Path):
    short, long = "Die Katze sitzt", "Die Katze sitzt auf der Matte und die Katze sitzt auf"
    lines = [f"{k};{long if k in (3, 9) else short}" for k in range(1, 13)]
    (tmp_path / "8b.csv").write_text("\n".join(["id;sentence", *lines]) + "\n", encoding="utf-8")
    words = ("batch", "8b.csv", *QUICK, "--out")
    whole = limited(resource.RLIM_INFINITY, *words, "whole", cwd=tmp_path)
    assert whole.returncode == 0, whole.stderr
    sizes = sorted(path.stat().st_size for path in tmp_path.glob("whole/hand-out/*/*.xlsx"))
    limit = (sizes[9] + sizes[10]) // 2  # between the ten short ones and the two long ones
    assert sizes[9] < limit < sizes[10]
    done = limited(limit, *words, "full", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    for line in (4, 10):
        assert f"paperformer: line {line} (" in done.stderr
    assert done.stderr.count("File too large; free the place or take another folder") >= 2
    assert "Traceback" not in done.stderr
    assert "10 sets" in done.stdout
    require_complete(tmp_path / "full")
    assert len(sets(tmp_path / "full")) == 10
    there, expected = files_below(tmp_path / "full/hand-out"), files_below(tmp_path / "whole")
    assert all(expected[f"hand-out/{path}"] == content for path, content in there.items())
    again = limited(resource.RLIM_INFINITY, *words, "full", "--resume", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert files_below(tmp_path / "full") == files_below(tmp_path / "whole")


@pytest.mark.ci
def test_a_disk_full_for_all_but_the_smallest_files_ends_with_messages(tmp_path: Path):
    done = limited(2000, "batch", "9", *QUICK, "--out", "a", cwd=tmp_path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.count("File too large") == 9
    assert [path for path in files_below(tmp_path) if "hand-out" in path] == []
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.ci
def test_fonts_that_find_no_room_are_one_message(tmp_path: Path):
    small = ("batch", "2", "--sheets", "1", "--only", "pdf", "--out", "a")
    done = limited(40_000, *small, cwd=tmp_path)  # a font is larger
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.count("no room for the fonts in") == 1
    assert not sorted(tmp_path.glob("a/hand-out/*"))
    done = limited(resource.RLIM_INFINITY, *small, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
