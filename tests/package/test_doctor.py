"""The doctor finds what is there, says what is missing and how to mend it, on every system."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from generator import doctor
from generator.doctor import TABLES, System, library_version, program_version
from generator.versions import of_checkout, of_installation, requirements, unfit

ROOT = Path(__file__).resolve().parents[2]
NOWHERE = System("", root=False, sudo=False)
MANAGERS = ("apt", "dnf", "pacman", "brew", "winget")
PANGO = TABLES["job"]["Pango"]["libraries"]
PANGO_FINDING = next(one for one in doctor.findings() if one.name == "Pango")


def missing(tests: bool = True) -> list[doctor.Finding]:
    """Everything this project can miss, as on a computer that has none of it."""
    found = [one for one in doctor.findings(tests) if one.packages]
    return [doctor.Finding(one.name, False, "", one.loss, one.purpose, one.packages)
            for one in found]  # fmt: skip


def lines(found: list[doctor.Finding], system: System) -> list[str]:
    return [str(command) for command in doctor.commands(found, system)]


def run_bare(*options: str, path: str, flags: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
    """`doctor.run` in a fresh interpreter that finds programs only below `path`."""
    fix, tests = "fix" in options, "tests" in options
    code = f"from generator import doctor; raise SystemExit(doctor.run({fix}, {tests}))"
    return subprocess.run(
        [sys.executable, *flags, "-c", code], capture_output=True, text=True,
        env={"PATH": path, "PYTHONPATH": str(ROOT)}, cwd=ROOT,
    )  # fmt: skip


def test_this_computer_has_all_that_the_tests_need():
    left = [one for one in doctor.findings(tests=True) if not one.installed]
    assert not left, doctor.report(left) + "\nrun: paperformer doctor --fix --tests"


def test_all_there_is_exit_code_0(capsys: pytest.CaptureFixture[str]):
    assert doctor.run(fix_it=True, tests=True) == 0
    said = capsys.readouterr().out
    assert "Pango 1." in said
    assert "LibreOffice Calc" in said
    assert "running:" not in said


def test_the_job_needs_no_office():
    assert {one.purpose for one in doctor.findings()} == {"job"}
    assert {one.purpose for one in doctor.findings(tests=True)} == {"job", "tests"}


def test_requirements_of_checkout_and_installation_agree():
    def plain(pairs: tuple[tuple[str, str], ...]) -> set[tuple[str, str, frozenset[str]]]:
        """Names and bounds; an installation orders the bounds in its own way."""
        split = [(purpose, *re.split(r"(?=[<>=])", text, maxsplit=1)) for purpose, text in pairs]
        return {(purpose, name, frozenset(bounds.split(","))) for purpose, name, bounds in split}

    assert {purpose for purpose, _ in requirements()} >= {"job", "test", "web", "cluster"}
    assert plain(of_checkout()) == plain(of_installation())


def test_works_without_any_installed_package():
    told = run_bare(path=os.environ["PATH"], flags=("-S",))
    assert told.returncode == 1
    assert "missing numpy" in told.stdout, told.stderr
    assert "pip install 'numpy>=2.0,<3'" in told.stdout
    assert "Pango 1." in told.stdout


def test_missing_programs_are_found_missing(tmp_path: Path):
    told = run_bare("tests", path=str(tmp_path))
    assert told.returncode == 1, told.stderr
    assert "missing LibreOffice Calc" in told.stdout
    assert "missing poppler" in told.stdout
    assert "libreoffice-calc-nogui (apt)" in told.stdout


def test_fix_without_a_package_manager_says_so(tmp_path: Path):
    told = run_bare("fix", "tests", path=str(tmp_path))
    assert told.returncode == 1
    assert "no known package manager here" in told.stdout
    assert "running:" not in told.stdout


def test_fix_runs_the_command_and_reports_its_failure(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    """A requirement that does not exist, asked of an empty index: as without a network."""
    wanted = {"pip": ("--no-index", f"--find-links={tmp_path}", "paperformer-has-no-such-thing")}
    found = doctor.Finding("thing", False, "", "nothing", "job", wanted)
    assert doctor.fix([found], NOWHERE) == 1
    said = capfd.readouterr().out
    assert "running: " in said
    assert "is there a network" in said


def test_fix_runs_a_command_that_works():
    found = doctor.Finding("pip", False, "", "nothing", "job", {"pip": ("--dry-run", "pip")})
    assert doctor.fix([found], NOWHERE) == 0


def test_no_root_and_no_sudo_prints_the_command(capsys: pytest.CaptureFixture[str]):
    assert doctor.fix(missing(), System("apt", root=False, sudo=False)) == 1
    said = capsys.readouterr().out
    assert "have an administrator run" in said
    assert "apt-get install -y --no-install-recommends libpango-1.0-0" in said
    assert "running:" not in said


def test_root_takes_no_sudo_and_a_user_does():
    root = lines([PANGO_FINDING], System("apt", root=True, sudo=True))
    user = lines([PANGO_FINDING], System("apt", root=False, sudo=True))
    assert root == [
        "apt-get update",
        "env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "
        "libpango-1.0-0 libpangoft2-1.0-0",
    ]
    assert user == [f"sudo {line}" for line in root]


@pytest.mark.parametrize("manager", MANAGERS)
def test_every_system_has_a_command_for_all_of_it(manager: str):
    system = System(manager, root=True, sudo=False)
    for one in missing():
        assert lines([one], system), f"{one.name} on {manager}"
    said = doctor.report(missing(), system)
    assert said.count("without it:") == len(missing())
    assert "by hand" not in said


def test_one_command_installs_everything_once():
    words = lines(missing(), System("pacman", root=True, sudo=False))[0].split()
    assert words.count("libreoffice-fresh") == 1
    assert {"pango", "harfbuzz", "poppler"} <= set(words)


def test_apt_names_are_packages_of_this_system():
    names = [name for one in missing() for name in one.packages.get("apt", ())]
    assert len(names) >= 6
    known = subprocess.run(["dpkg-query", "-W", *names], capture_output=True, text=True)
    assert known.returncode == 0, known.stderr


def test_a_library_that_is_not_there():
    assert library_version([*PANGO, ("libpaperformer-none.so.0",)], "pango_version_string") is None
    assert library_version([("libc.so.6",)], "no_such_function") == ""
    assert library_version([], "pango_version_string") is None


def test_weasyprint_opens_the_libraries_that_the_doctor_looks_for():
    source = (Path(__import__("weasyprint").__file__).parent / "text" / "ffi.py").read_text()
    names = [name for library in PANGO for name in library]
    assert len(names) == 15
    assert [name for name in names if f"'{name}'" not in source] == []


def test_a_program_that_is_not_there():
    assert program_version("paperformer-none", "--version") is None
    assert program_version("pdftoppm", "-v")


def test_version_bounds(version: str, requirement: str, wrong: str):
    assert unfit(version, requirement) == wrong
