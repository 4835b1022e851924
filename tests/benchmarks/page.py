"""The page under teachers: how long they wait, and whether the server grows.

    python -m tests.benchmarks.page [ORDERS]

Wall times of a real server on this computer, as a browser would ask it: a preview is the questions
and then the sheet. Eight teachers ask at the same moment, again and again, each another sentence.
"""

import os
import re
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import httpx2

from tests.support.page import served

TEACHERS, PREVIEWS, ORDERS = 8, 5, 500
USUAL = {"lang": "de", "lesson": "attention", "words": "de", "level": "1", "story": "on"}


def seconds(work: Callable[[], object]) -> float:
    """How long it takes on the clock on the wall."""
    start = time.monotonic()
    work()
    return time.monotonic() - start


def preview(address: str, sentence: str) -> None:
    """What the page asks for when somebody has typed: both answers must be there."""
    query = urlencode({**USUAL, "sentence": sentence})
    for path in ("", "sheet"):
        httpx2.get(f"{address}/{path}?{query}", timeout=60).raise_for_status()


def order(address: str, page: str = "make", **answers: str) -> str:
    """Order, wait, fetch; gives the last page back."""
    origin, upload = {"origin": address}, {"manifest": ("manifest.json", "{}")}
    sent = USUAL | answers if page == "make" else answers  # other pages ask for nothing else
    asked = httpx2.post(f"{address}/{page}?lang=de", data=sent, files=upload,
                        headers=origin, timeout=60)  # fmt: skip
    place = address + asked.headers["location"]
    while "http-equiv" in (text := httpx2.get(place, timeout=60).text):
        time.sleep(0.2)
    if found := re.search(r'href="(/job/[^"]+set.zip)"', text):
        httpx2.get(address + found[1], timeout=60).raise_for_status()
    return text


def refused(address: str) -> str:
    """An order that costs little: its manifest is none, which is seen at work."""
    return order(address, "again", pupil="7")


def teachers(address: str, count: int, rounds: int) -> list[float]:
    """The times of so many teachers' previews, all begun at once in each round."""
    found: list[float] = []
    with ThreadPoolExecutor(count) as pool:
        for turn in range(rounds):
            asked = [f"Die Katze sieht {turn} mal {who}" for who in range(count)]
            found += pool.map(lambda one: seconds(lambda: preview(address, one)), asked)
    return found


def resident(process: int) -> float:
    """The megabytes that a process holds in memory."""
    told = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", told)[0]) / 1e3


def spent(process: int) -> float:
    """The processor seconds of a server, of what it forked, and of what that has finished."""
    tree = [process]
    for one in tree:
        for thread in Path(f"/proc/{one}/task").iterdir():
            tree += map(int, (thread / "children").read_text(encoding="ascii").split())
    times = (Path(f"/proc/{one}/stat").read_text("utf-8").rpartition(")")[2] for one in tree)
    return sum(sum(map(int, one.split()[11:15])) for one in times) / os.sysconf("SC_CLK_TCK")


def main(orders: int = ORDERS) -> None:
    """Measure and print a line a row."""
    with TemporaryDirectory() as folder, served(Path(folder)) as running:
        address, process = running.address, running.process.pid
        preview(address, "Die Katze sitzt")
        for title, count in (("one teacher", 1), (f"{TEACHERS} teachers at once", TEACHERS)):
            before, found = spent(process), teachers(address, count, PREVIEWS)
            median, slowest = statistics.median(found), max(found)
            worked = (spent(process) - before) / len(found)
            print(f"page: preview, {title}: median {median:.2f} s, slowest {slowest:.2f} s, "
                  f"{worked:.2f} s of a processor each")  # fmt: skip
        for title, answers in {
            "a single set of 4a": {"who": "me"},
            "a class of 28, 4a": {"who": "number", "pupils": "28"},
        }.items():
            before = spent(process)
            took = seconds(lambda a=answers: order(address, **a))
            worked = spent(process) - before
            print(f"page: {title}: {took:.1f} s, {worked:.1f} s of a processor")
        sizes = [resident(process)]
        for _ in range(10):
            with ThreadPoolExecutor(TEACHERS) as pool:
                list(pool.map(lambda _: refused(address), range(orders // 10)))
            sizes.append(resident(process))
        print(f"page: memory over {orders} orders, MB:", *(f"{size:.0f}" for size in sizes))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
