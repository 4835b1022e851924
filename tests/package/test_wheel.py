"""The wheel is whole: in an empty environment, away from the checkout, it makes everything."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "Die Katze sitzt auf der Matte"


def call(*words: str | Path, cwd: Path) -> str:
    """What a command prints; the environment names neither the checkout nor this venv."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    env = {key: value for key, value in os.environ.items() if key not in hidden}
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True,
                          env=env)  # fmt: skip
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution, so that this one is whole too."""
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


def installed(folder: Path, *calls: tuple[str | Path, ...]) -> Path:
    """The interpreter of an environment, empty but for what these calls of pip installed."""
    venv.create(folder, with_pip=True)
    interpreter = folder / "bin" / "python"
    for words in calls:
        call(interpreter, "-m", "pip", "install", "--quiet", *words, cwd=folder)
    return interpreter


@pytest.fixture(scope="session")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel with the locked libraries, as they are in the checkout's environment."""
    locked = ("-r", ROOT / ".locked" / "program.txt")
    return installed(tmp_path_factory.mktemp("locked"), locked, ("--no-deps", wheel))


def files_below(folder: Path) -> set[str]:
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if "__pycache__" not in name}


def test_wheel_holds_package_templates_fonts_and_licences(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    templates = {f"generator/_templates/{name}" for name in files_below(ROOT / "templates")}
    package = {f"generator/{name}" for name in files_below(ROOT / "generator")}
    assert len(templates) >= 8
    assert len(package) >= 60
    assert {name for name in names if ".dist-info/" not in name} == templates | package
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert sum(name.endswith(".ttf") for name in names) >= 4
    assert sum("/fonts/OFL" in name for name in names) >= 2


def test_templates_come_from_the_wheel(python: Path, tmp_path: Path):
    code = "import generator.resources as r; print(r.__file__, r.templates())"
    for found in call(python, "-c", code, cwd=tmp_path).split():
        assert Path(found).is_relative_to(python.parents[1]), found


def test_doctor_is_content(python: Path, tmp_path: Path):
    assert "all there" in call(python.parent / "paperformer", "doctor", cwd=tmp_path)


def test_version_is_the_one_of_the_package(python: Path, tmp_path: Path):
    from generator.version import __version__

    assert __version__ in call(python.parent / "paperformer", "--version", cwd=tmp_path)


def test_make_writes_the_same_bytes_as_the_checkout(python: Path, tmp_path: Path):
    wheel, checkout = tmp_path / "wheel", tmp_path / "checkout"
    asked = ("make", SENTENCE, "--sheets", "1,4a,slides")
    call(python.parent / "paperformer", *asked, "--out", wheel, cwd=tmp_path)
    call(sys.executable, "-m", "generator", *asked, "--out", checkout, cwd=ROOT)
    names = files_below(wheel)
    assert any(name.endswith("/teacher/workbook-solution.xlsx") for name in names), names
    assert any(name.endswith("-blank.pdf") for name in names), names
    assert names == files_below(checkout)
    for name in names:
        assert (wheel / name).read_bytes() == (checkout / name).read_bytes(), name


@pytest.mark.newest
def test_a_librarys_user_makes_and_batches_with_whatever_is_newest(wheel: Path, tmp_path: Path):
    program = installed(tmp_path / "empty", (wheel,)).parent / "paperformer"
    call(program, "make", SENTENCE, "--sheets", "4a", "--out", "one", cwd=tmp_path)
    call(program, "batch", "2", "--vary", "numbers", "--out", "class", cwd=tmp_path)
    one, class_ = files_below(tmp_path / "one"), files_below(tmp_path / "class")
    assert any(name.endswith("/teacher/workbook-solution.xlsx") for name in one), one
    assert any(name.endswith("/4a-self-attention-blank.pdf") for name in one), one
    assert sum(name.endswith("/workbook-exercise.xlsx") for name in class_) == 2, class_
    assert {"hand-out/class-4a-blank.pdf", "teacher/solutions.pdf"} <= class_
