"""Times and memory: ratios only ever within one run, interleaved, the least, after a warm-up.

Times are those of the processor, ours and our children's: other programs on a busy machine make
them a little longer and do not count themselves. The least of several is disturbed least.
"""

import gc
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache

Job = Callable[[], object]
Pair = tuple[Job, Job]  # ours, the reference


def least(jobs: Sequence[Job], rounds: int, warm_up: bool = True) -> list[float]:
    """The least processor milliseconds of each job; in every round each runs once, in turn."""
    for job in jobs if warm_up else ():
        job()
    times: list[list[float]] = [[] for _ in jobs]
    gc.collect()
    for _ in range(rounds):
        for job, found in zip(jobs, times, strict=True):
            start = processor_seconds()
            job()
            found.append(1000 * (processor_seconds() - start))
    return [min(found) for found in times]


def processor_seconds() -> float:
    """What this process and its finished children have used so far, user and system."""
    spent = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in spent)


@cache
def peak_megabytes(code: str) -> float:
    """The peak resident memory of a fresh Python that runs this code.

    A child starts with its parent's peak, so a small Python stands between the two.
    """
    command = [sys.executable, "-c", LAUNCHER, code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) / UNITS_IN_MEGABYTE


LAUNCHER = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-c", sys.argv[1]], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
UNITS_IN_MEGABYTE = 1e6 if sys.platform == "darwin" else 1e3  # ru_maxrss: bytes there, kB elsewhere


def wall(*arguments: str) -> None:
    """Run Python once in a process of its own."""
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
