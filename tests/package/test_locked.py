"""The locked sets fit `pyproject.toml`, and every command that installs a clone takes one."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
TOML = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = TOML["project"]["optional-dependencies"]
HOLDS = {"program": {"web", "gallery"}, "tests": {"web", "gallery", "test", "bench"},
         "proofs": set(EXTRAS)}  # fmt: skip
RENEW = "`.ci/renew` resolves anew"
LINE = re.compile(
    r"^([a-z0-9.-]+)==([^\s;]+)(?: ; ([^\\\n]+))?((?: \\\n    --hash=sha256:[0-9a-f]{64})*)\n", re.M
)


def locked(name: str) -> dict[str, list[tuple[str, ...]]]:
    """By package: version, condition and hashes, once for each kind of computer."""
    text = (ROOT / ".locked" / f"{name}.txt").read_text("utf-8")
    found: dict[str, list[tuple[str, ...]]] = {}
    for package, *rest in LINE.findall(text):
        found.setdefault(package, []).append(tuple(rest))
    assert found
    assert re.sub(r"^#.*\n", "", LINE.sub("", text), flags=re.M) == "", "no line of another kind"
    return found


@pytest.mark.parametrize("name", HOLDS)
def test_every_requirement_is_locked_within_its_range(name: str):
    lines = [*TOML["project"]["dependencies"], *TOML["build-system"]["requires"]]
    lines += [line for extra in HOLDS[name] for line in EXTRAS[extra]]
    asked = [Requirement(line) for line in lines]
    assert len(asked) >= 15
    have = locked(name) | (locked("torch") if name == "proofs" else {})
    for one in asked:
        versions = [version for version, *_ in have.get(canonicalize_name(one.name), [])]
        assert versions, f".locked/{name}.txt has no {one.name}: {RENEW}"
        for version in versions:
            assert one.specifier.contains(version), f"{one.name} {version}, not {one}: {RENEW}"


@pytest.mark.parametrize(("smaller", "larger"), [("program", "tests"), ("tests", "proofs")])
def test_there_is_one_set_of_versions(smaller: str, larger: str):
    few, many = locked(smaller), locked(larger)
    assert len(few) < len(many)
    assert {name: many.get(name) for name in few} == few


@pytest.mark.parametrize("name", HOLDS)
def test_every_file_is_known_by_its_hash(name: str):
    assert [one for one, kinds in locked(name).items() if not all(k[-1] for k in kinds)] == []


def test_no_package_for_a_graphics_card_is_in_it():
    assert [one for one in locked("proofs") if re.match("torch|triton|cuda|nvidia", one)] == []


INSTALLS = {
    ROOT / "README.md": {"program", "tests"},
    ROOT / ".ci" / "run": {"proofs", "torch"},
    ROOT / "docs" / "container" / "Containerfile": {"program"},
    ROOT / "docs" / "LIESMICH.md": {"program"},
    ROOT / "docs" / "how-to" / "print-without-pango.md": {"program"},
}
SET = re.compile(r"-r \S*\.locked[/\\](\w+)\.txt")
LIBRARY = re.compile(r"'?paperformer\b|\.$")
ITSELF = re.compile(r"--no-deps --no-build-isolation (-e \.|/src)$")


@pytest.mark.parametrize("file", INSTALLS, ids=lambda file: file.name)
def test_a_clone_is_installed_from_the_locked_sets(file: Path):
    taken = set(SET.findall(file.read_text("utf-8")))
    assert taken == INSTALLS[file]
    assert all((ROOT / ".locked" / f"{name}.txt").is_file() for name in taken)


def test_no_command_gets_round_them():
    """Who asks for `paperformer` as a library gets ranges; a clone asks for a set, or itself."""
    files = [*INSTALLS, *(ROOT / "docs").rglob("*.md"), *(ROOT / "generator").rglob("*.py")]
    commands = [
        (file.name, words.strip(" \\`'\")"))
        for file in files
        for words in re.findall(r"\bpip install ((?:[^&;\n`#]|#\w)+)", file.read_text("utf-8"))
    ]
    assert len(commands) >= 12
    assert [
        (name, words) for name, words in commands
        if not (SET.search(words) or ITSELF.search(words) or LIBRARY.match(words))
    ] == []  # fmt: skip


@pytest.mark.ci
def test_the_proofs_run_with_the_locked_versions():
    have = {canonicalize_name(one.name): one.version for one in metadata.distributions()}
    both = [name for name in locked("proofs") if name in have]
    assert len(both) >= 50
    other = {name: have[name] for name in both
             if have[name] not in [version for version, *_ in locked("proofs")[name]]}  # fmt: skip
    assert other == {}, "pip install -r .locked/proofs.txt"
