"""Imports point one way, from the outer packages to the engine, and `--help` stays light."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "generator"
# A file imports from its package and from those of its own or an earlier line, never in a circle.
PACKAGES = (
    {"errors", "files", "output", "resources", "typed", "version", "versions"},
    {"engine", "doctor"},
    {"steps"},
    {"locales"},
    {"presets"},
    {"notation", "insight", "checks", "generation"},
    {"sheets"},
    {"plans"},
    {"render"},
    {"processes", "slug"},
    {"classroom", "training", "room"},
    {"grading"},
    {"exams"},
    {"make"},
    {"site", "planning"},
    {"api"},
    {"__init__"},
    {"web"},
    {"cli"},
    {"__main__"},
)
RANK = {package: rank for rank, packages in enumerate(PACKAGES) for package in packages}
FILES = sorted(PACKAGE.rglob("*.py"))
LEAST_FILES = 60
MOST_LINES = 500


def inside(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def package_of(file: Path) -> str:
    return inside(file).partition("/")[0].removesuffix(".py")


@cache
def imported(file: Path) -> tuple[str, ...]:
    """What a file imports anywhere, late and for types as well: modules, and names in them."""
    found: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import hides the package"
            found += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(found)


def imported_packages(file: Path) -> set[str]:
    parts = [name.split(".") for name in imported(file) if name.split(".")[0] == "generator"]
    named = {part[1] for part in parts if len(part) > 1 and part[1] in RANK}
    return named | ({"__init__"} if any(len(x) > 1 and x[1] not in RANK for x in parts) else set())


def libraries(file: Path) -> set[str]:
    return {name.partition(".")[0] for name in imported(file)}


def test_every_file_is_looked_at():
    assert len(FILES) >= LEAST_FILES, f"only {len(FILES)} files below {PACKAGE}"
    assert {package_of(file) for file in FILES} <= RANK.keys(), (
        "a package without a place in PACKAGES"
    )


def test_no_file_is_longer_than_a_reader_takes_in_at_once():
    long = [str(f) for f in FILES if len(f.read_text("utf-8").splitlines()) > MOST_LINES]
    assert not long, f"cut by idea: {long}"


def test_imports_point_one_way():
    upward = [
        f"{file.relative_to(PACKAGE)} must not know {other}"
        for file in FILES
        for other in imported_packages(file)
        if RANK[other] > RANK[package_of(file)]
    ]
    assert not upward, "\n".join(upward)


def test_packages_form_no_circle():
    graph: dict[str, set[str]] = {}
    for file in FILES:
        others = imported_packages(file) - {package_of(file)}
        graph.setdefault(package_of(file), set()).update(others)
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError with the circle
    assert order.index("engine") < order.index("render") < order.index("cli")
    assert sum(len(others) for others in graph.values()) >= 20


def test_files_of_the_workbook_form_no_circle():
    """Late imports and those for types count too: the passes read the draft, it knows no pass."""
    graph = {
        ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts): set(imported(file))
        for file in FILES
        if inside(file).startswith("render/workbook/")
    }
    known = {name: others & graph.keys() for name, others in graph.items()}
    order = list(TopologicalSorter(known).static_order())  # raises CycleError with the circle
    draft, build = (f"generator.render.workbook.{name}" for name in ("draft", "build"))
    assert order.index(draft) < order.index(build)


def test_only_the_workbook_knows_openpyxl_and_only_the_pdf_weasyprint():
    homes = {
        "openpyxl": ("render/workbook", "classroom/pupils/columns"),
        "weasyprint": ("render/worksheet",),
    }
    found = {library: [inside(f) for f in FILES if library in libraries(f)] for library in homes}
    for library, files in found.items():
        assert files
        assert [file for file in files if not file.startswith(homes[library])] == []


def test_every_imported_library_is_a_stated_dependency():
    stated = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    extras = stated["optional-dependencies"]
    lines = [*stated["dependencies"], *extras["safetensors"], *extras["cluster"],
             *extras["web"], *extras["gallery"]]  # fmt: skip
    known = {re.split("[<>=]", line)[0] for line in lines}
    used = set().union(*map(libraries, FILES)) - sys.stdlib_module_names - {"generator"}
    assert {name.lower() for name in used} <= known
    assert len(used) >= 6


def test_the_engine_knows_no_output():
    foreign = {"openpyxl", "weasyprint", "jinja2", "ziamath", "rich", "fontTools"}
    engine = [file for file in FILES if package_of(file) == "engine"]
    assert len(engine) >= 15
    assert [file for file in engine if libraries(file) & foreign] == []


@pytest.mark.parametrize("words", [["--help"], ["make", "--help"], ["doctor", "--help"]])
def test_help_imports_no_renderer(words: list[str]):
    asked = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "generator", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=PACKAGE.parent,
    )
    loaded = {line.rsplit("|", 1)[-1].strip() for line in asked.stderr.splitlines()}
    assert "generator.cli" in loaded, "importtime printed nothing to look at"
    assert not loaded & {"weasyprint", "openpyxl", "ziamath"}


WRITERS = {
    *("write_bytes", "touch", "rename", "symlink_to", "hardlink_to", "truncate", "tofile"),
    *("copyfile", "copy2", "copytree", "move", "NamedTemporaryFile", "TemporaryFile", "mkstemp"),
    *("savez", "save_file", "urlretrieve", "extractall"),
}
OTHERWISE = {
    "render/workbook/file/package.py",  # what it opens to write is a member of an archive
    "web/workers.py",  # an empty file that is locked as long as a folder is used
}


def test_only_output_writes_files():
    """What is asked of it, from whole sets to links and pipes, holds only where all go that way."""
    trees = {file: ast.walk(ast.parse(file.read_text("utf-8"))) for file in FILES}
    found = {
        inside(file)
        for file, nodes in trees.items()
        if any(isinstance(node, ast.Call) and writes(node) for node in nodes)
    }
    assert found - OTHERWISE == {"output.py"}
    assert found >= OTHERWISE


def writes(call: ast.Call) -> bool:
    """Whether a call may write a file: by its name, or by the mode that it opens one in."""
    is_method = isinstance(call.func, ast.Attribute)
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name == "open":
        texts = [one.value for one in (*call.args, *(k.value for k in call.keywords))
                 if isinstance(one, ast.Constant)]  # fmt: skip
        return any(re.fullmatch("[rbt]*[wax+][bt+]*", str(text)) for text in texts)
    is_path = name == "replace" and len(call.args) == 1 and not call.keywords  # a text's has two
    return name in WRITERS or (is_method and (name == "write_text" or is_path))
