"""Memory of a batch by the size of the class: what each process needs for 30 and 3,000 pupils.

Measured with workbooks, which are quick; PDFs add what their engine needs, which is the same for
any number of pupils.

`python -m tests.benchmarks.classes` prints both, for one process and for two; with numbers behind
it, those sizes. A worker's peak is the largest of the processes that the batch started.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SIZES = (30, 3000)
JOBS = (1, 2)
GROWTH = 1.25  # of the peak of a process, from the smallest class to the largest

BATCH = """
import resource, sys
from generator.api import batch
place, pupils, jobs = sys.argv[1:]
options = dict(sheets=("4a",), vary="numbers", only=("xlsx",), seed="memory")
made = batch(int(pupils), place, jobs=int(jobs), **options)
assert made.finished and not made.problems, made.problems
for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
    print(resource.getrusage(who).ru_maxrss)
"""
KILOBYTES = 1e6 if sys.platform == "darwin" else 1e3
# A child begins with its parent's peak, so a small Python stands between the two.
LAUNCHER = (
    "import subprocess, sys; sys.exit(subprocess.run([sys.executable, *sys.argv[1:]]).returncode)"
)


@dataclass(frozen=True)
class Peak:
    """Peak memory in MB of the process that leads, and of the largest of its workers, if any."""

    pupils: int
    jobs: int
    leader: float
    worker: float


def peak(pupils: int, jobs: int) -> Peak:
    """The peaks of one batch, in processes of its own; its files are thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        words = [BATCH, str(Path(folder) / "a"), str(pupils), str(jobs)]
        command = [sys.executable, "-c", LAUNCHER, "-c", *words]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    leader, worker = (int(number) / KILOBYTES for number in done.stdout.split()[-2:])
    return Peak(pupils, jobs, leader, worker if jobs > 1 else 0.0)


def rows(sizes: tuple[int, ...] = SIZES) -> Iterator[Peak]:
    """The peaks for all sizes of a class, with one process and with two."""
    return (peak(pupils, jobs) for jobs in JOBS for pupils in sizes)


def line(one: Peak) -> str:
    """A row of the table."""
    workers = f"{one.worker:10.0f}" if one.jobs > 1 else f"{'-':>10}"
    return f"{one.pupils:>8}{one.jobs:>6}{one.leader:>12.0f}{workers}"


def main() -> None:
    """Print a row for each size as soon as it is known."""
    print(f"{'pupils':>8}{'jobs':>6}{'leader MB':>12}{'worker MB':>10}", flush=True)
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    for one in rows(sizes):
        print(line(one), flush=True)


if __name__ == "__main__":
    main()
