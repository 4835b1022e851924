"""Another version of a library is one sentence, before anything is written; doctor tells of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from uv import find_uv_bin

from generator.versions import bounds_of, installed, named, require_tested, requirements, unfit
from tests.versions import EXTRAS, PROOFS, ROOT, bounds

# Versions that end in a traceback where nobody asks; the last one only an extra needs.
OTHERS = ("ziamath==0.12", "weasyprint==69.0", "pydyf==0.10.0", "pikepdf==9.0.0",
          "openpyxl==3.0.10", "uvicorn==0.30.0")  # fmt: skip


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each of these versions, as pip fills it."""
    folder = tmp_path_factory.mktemp("others")
    for other in OTHERS:
        target = ["--target", str(folder / named(other)), "--python", sys.executable]
        words = [find_uv_bin(), "pip", "install", "--quiet", "--no-deps", *target, other]
        subprocess.run(words, check=True)
    return folder


def command(*words: str, found_first: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, (found_first, ROOT)))
    return subprocess.run([sys.executable, "-m", "generator", *words], cwd=cwd, text=True,
                          capture_output=True, env=os.environ | {"PYTHONPATH": path})  # fmt: skip


@pytest.mark.ci
@pytest.mark.parametrize("other", OTHERS[:-1])
@pytest.mark.parametrize("words", ["make", "batch 2"])
def test_a_version_that_was_not_tested_is_one_sentence(
    other: str, words: str, others: Path, tmp_path: Path
):
    name, version = other.split("==")
    told = command(*words.split(), "--sheets", "4a", found_first=others / name, cwd=tmp_path)
    expected = f"{name}{bounds_of(name)[name]}"
    assert told.returncode == 1
    (line,) = told.stderr.splitlines()
    assert line.startswith(f"paperformer: {name} {version} is installed, expected {expected}")
    assert line.endswith(f"-m pip install '{expected}'")
    assert not list(tmp_path.rglob("*.*"))


@pytest.mark.ci
@pytest.mark.parametrize("other", OTHERS)
def test_doctor_tells_of_it(other: str, others: Path, tmp_path: Path):
    name, version = other.split("==")
    told = command("doctor", found_first=others / name, cwd=tmp_path)
    assert told.returncode == 1
    at = told.stdout.splitlines().index(f"  too old {name} {version}")
    why, mend = told.stdout.splitlines()[at + 1 : at + 3]
    assert f"only with {name}>=" in why
    assert f"pip install '{name}>=" in mend
    assert "1 of" in told.stdout.splitlines()[-1]
    assert told.stdout.endswith("of a version that was not tested\n")


def test_what_is_installed_here_is_within_what_is_tested():
    here = [(text, installed(named(text))) for _, text in requirements()]
    assert [(text, found) for text, found in here if found and unfit(found, text)] == []
    require_tested("weasyprint", "pydyf", "pikepdf", "ziamath", "openpyxl", "lxml")


def test_each_requirement_has_a_lower_bound_that_a_lane_can_install():
    asked = {named(text) for purpose, text in requirements() if purpose in ("job", *EXTRAS)}
    assert {name for name, _ in bounds()} == asked


def test_the_proofs_of_the_lanes_are_there():
    for proof in PROOFS:
        file, _, test = proof.partition("::")
        assert f"def {test}" in (ROOT / "tests" / file).read_text("utf-8"), proof
