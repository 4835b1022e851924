"""Freezes the bytes of every file that the command writes, and compares them after a change.

    python -m tests.frozen --freeze xlsx-       # before a change: today's bytes are the list
    python -m tests.frozen xlsx-                # after each step; 1 where a byte has shifted
    python -m tests.frozen html-katze batch     # some slices; a name's beginning does: html-

The list lies in `outputs/frozen/`, uncommitted: it holds until a page is changed on purpose. What
shifted is kept for a look there, too, so that two states can be laid side by side.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.frozen.handed_in import hand_in
from tests.frozen.slices import CLASS_FILES, Case, slices

KEPT = Path("outputs", "frozen")
LIST = KEPT / "files.json"
OF_THE_PROGRAM = "contents.json"  # of a gallery: holds a hash of the program itself
SAYING = "output.txt"  # what a command said, beside the files that it wrote


def main() -> int:
    """Check or freeze the slices that are named; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.frozen", description=__doc__)
    parser.add_argument("slices", nargs="*", help="beginnings of names (default: all)")
    parser.add_argument("--freeze", action="store_true", help="take today's bytes as the list")
    asked = parser.parse_args()
    every = slices()
    names = [name for name in every if name.startswith(tuple(asked.slices) or "")]
    if not names:
        parser.error(f"no slice begins like that; there are: {', '.join(every)}")
    frozen = json.loads(LIST.read_text(encoding="utf-8")) if LIST.exists() else {}
    if missing := [] if asked.freeze else [name for name in names if name not in frozen]:
        parser.error(f"before a change: --freeze {' '.join(missing)}")
    shifted = 0
    for name in names:
        begun = time.monotonic()
        now = hashes(name, every[name])
        different = compared(frozen.get(name, {}), now)
        shifted += len(different)
        print(f"{name}: {len(now)} files, {len(different)} differ, "
              f"{time.monotonic() - begun:.0f} s", flush=True)  # fmt: skip
        for line in different[:20]:
            print(f"  {line}")
        if asked.freeze:
            frozen[name] = now
            LIST.write_text(json.dumps(frozen, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    return 1 if shifted and not asked.freeze else 0


def hashes(name: str, cases: list[Case]) -> dict[str, str]:
    """SHA-256 of each file that the commands of a slice write, and of what they say."""
    place = KEPT / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for case in cases:
        _run(case, place)
    return {
        path.relative_to(place).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(place.rglob("*"))
        if path.is_file() and path.name != OF_THE_PROGRAM
    }


def compared(frozen: dict[str, str], now: dict[str, str]) -> list[str]:
    """A line for each file that is new, gone or other than it was."""
    gone = [f"gone: {name}" for name in frozen.keys() - now.keys()]
    new = [f"new: {name}" for name in now.keys() - frozen.keys()]
    other = [f"other: {name}" for name in frozen.keys() & now.keys() if frozen[name] != now[name]]
    return sorted([*gone, *new, *other])


def _run(case: Case, place: Path) -> None:
    """Run the command in a folder of its slice; what it says is one more file there."""
    folder = place if case.words[0] in ("grade", "batch", "exam") else place / case.name
    folder.mkdir(exist_ok=True)
    for file in CLASS_FILES.keys() & {*case.words}:
        (folder / file).write_text(CLASS_FILES[file], encoding="utf-8")
    if case.words[0] == "grade":
        hand_in(folder / "class", folder / "handed-in")
    done = subprocess.run(
        [sys.executable, "-m", "generator", *case.words],
        cwd=folder, env=_here(), capture_output=True, check=False,
    )  # fmt: skip
    said = done.stdout + (b"\nexit code %d\n" % done.returncode) + done.stderr
    (place / f"{case.name}.{SAYING}").write_bytes(said)


def _here() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "COLUMNS": "100"}


if __name__ == "__main__":
    sys.exit(main())
