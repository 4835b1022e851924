"""The proofs that touch each library, run with the lowest or the newest versions that are allowed.

    python -m tests.versions lowest                          fails where a bound is too low
    python -m tests.versions newest                          tells, and fails never
    python -m tests.versions newest --with weasyprint==71    tries what the bounds do not allow yet

A stranger's release must not stop our work, so the last lines of the second one say which package
broke what, and its exit code is 0. Which one it was is found out, not guessed: alone put back to
its lower bound, with which the first command has proved everything, the proof holds again.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from uv import find_uv_bin

from generator.versions import named, requirements

ROOT = Path(__file__).resolve().parents[1]
RESOLUTION = {"lowest": "lowest-direct", "newest": "highest"}
EXTRAS = ("test", "web", "cluster", "gallery", "safetensors")
SELECTED = "not reference and not sweep and not whole and not wasm"
# What touches a library first of all; a make, a batch, an exam and a grading use them together.
PROOFS = (
    "cli/test_make.py::test_make_writes_workbook_and_worksheets",  # rich tells how far it is
    "cli/test_progress.py",
    "classroom/test_solutions.py",  # a batch: stamped, the copier's file, workbooks
    "classroom/test_cluster.py::test_results_go_to_an_address",  # distributed, fsspec
    "exams/test_exam.py::test_what_comes_back_is_marked_with_the_points_of_the_paper",
    "grading/test_forms.py::test_what_was_typed_is_read_whoever_saved_the_file",  # pikepdf
    "web/test_server.py::test_a_set_is_ordered_made_and_fetched",  # starlette, multipart
    "web/test_serve_command.py",  # uvicorn, h11
    "render/workbook/test_package.py",  # openpyxl's writer, lxml, pandas
    "render/workbook/test_read_back.py",
    "render/test_maths.py",  # ziamath
    "render/test_pdf.py",  # weasyprint, markupsafe, jinja2
    "render/test_form_fields.py::test_the_font_has_every_sign_that_is_typed",  # fonttools
    "render/test_form_fields.py::test_a_reader_meets_the_fields_in_their_boxes_in_the_order_of_the_page",
    "render/test_options.py::test_a_qr_code_adds_no_page_and_stays_on_it",  # segno
    "engine/test_bpe.py",  # regex, hypothesis
    "engine/test_rounding.py",  # numpy
    "presets/test_load.py",  # pydantic's messages
    "presets/test_import.py",  # safetensors
    "site/test_gallery.py::test_files_are_those_of_the_command_and_pictures_those_of_blanks",
)


def main() -> int:
    """Install, run the proofs; the exit code is that of the lane."""
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    ask.add_argument("lane", choices=RESOLUTION)
    ask.add_argument("--with", dest="others", action="append", default=[], metavar="PACKAGE==N")
    asked = ask.parse_args()
    with tempfile.TemporaryDirectory(prefix="paperformer-") as folder:
        lane = Lane(Path(folder), asked.lane)
        failed = lane.install(asked.others) or lane.broken([f"tests/{one}" for one in PROOFS])
        if asked.lane == "lowest" or not failed:
            print(f"{asked.lane}: {len(failed)} proofs broke", *failed, sep="\n  ")
            return int(bool(failed))
        print("newest: this broke", *lane.blamed(failed), sep="\n  ")
        return 0


class Lane:
    """An environment of its own with the project's extras in versions of one kind."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    def install(self, others: Iterable[str]) -> list[str]:
        """Fill the environment; gives what does not fit together, nothing where all does."""
        project = f"{ROOT}[{','.join(EXTRAS)}]"
        for words in (
            ["venv", "--quiet", "--clear", "--python", sys.executable, str(self.folder)],
            self._into("--resolution", RESOLUTION[self.name], "-e", project, "pip"),
            self._into("--no-deps", *others) if others else [],
        ):
            done = words and subprocess.run([find_uv_bin(), *words], capture_output=True, text=True)
            if done and done.returncode:
                return [f"it cannot be installed: {done.stderr.strip()}"]
        return []

    def _into(self, *words: str) -> list[str]:
        return ["pip", "install", "--quiet", "--python", str(self.python), *words]

    def broken(self, proofs: Sequence[str]) -> list[str]:
        """Those of the proofs that fail, each with the last word of its error."""
        words = ["-n", "2", "-m", SELECTED, "-q", "--no-header", "--tb=short", "-rfE"]
        words += ["--continue-on-collection-errors", *proofs]
        run = subprocess.run(
            [self.python, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True
        )
        lines = re.findall(r"^(?:FAILED|ERROR) (.+)$", run.stdout, re.M)
        if lines or run.returncode:
            print(run.stdout, run.stderr, sep="\n")
        return lines or ([f"pytest ended with {run.returncode}"] if run.returncode else [])

    def blamed(self, failed: Sequence[str]) -> list[str]:
        """For each package that broke something its version, the one that works, and what broke."""
        left, found = {line.split(" - ")[0]: line for line in failed}, list[str]()
        for package, lowest in bounds():
            proofs = [name for name in left if name.startswith("tests/")]
            if not proofs:
                break
            newest = self._version(package)
            if newest == lowest or not self._put(package, lowest):
                continue
            still = {line.split(" - ")[0] for line in self.broken(proofs)}
            self._put(package, newest)
            mended = [left.pop(name) for name in proofs if name not in still]
            found += [f"{package} {newest} (not {lowest}): {line}" for line in mended]
        return [*found, *(f"no package alone: {line}" for line in left.values())]

    def _put(self, package: str, version: str) -> bool:
        words = self._into("--no-deps", f"{package}=={version}")
        return not subprocess.run([find_uv_bin(), *words], capture_output=True).returncode

    def _version(self, package: str) -> str:
        asked = f"from importlib import metadata; print(metadata.version({package!r}))"
        told = subprocess.run([self.python, "-c", asked], capture_output=True, text=True)
        return told.stdout.strip()


def bounds() -> list[tuple[str, str]]:
    """Each package with its lower bound, those of the job first."""
    texts = [text for purpose, text in requirements() if purpose in ("job", *EXTRAS)]
    found = ((named(text), re.search(r">=([\w.]+)", text)) for text in texts)
    return [*dict.fromkeys((name, bound[1]) for name, bound in found if bound and name)]


if __name__ == "__main__":
    raise SystemExit(main())
