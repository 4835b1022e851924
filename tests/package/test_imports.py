"""Imports point one way, from the outer packages to the engine, and `--help` stays light."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
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
    {"classroom", "training"},
    {"grading"},
    {"exams"},
    {"make"},
    {"site"},
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


def package_of(file: Path) -> str:
    first = file.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def package_named(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


@cache
def imported_packages(file: Path) -> tuple[str, ...]:
    return tuple(_imported_packages(file))


def _imported_packages(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import hides the package"
            is_top = node.module == "generator"
            names = [f"generator.{a.name}" if is_top and a.name in RANK else str(node.module)
                     for a in node.names]  # fmt: skip
        else:
            continue
        yield from (package_named(name) for name in names if name.split(".")[0] == "generator")


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
        others = set(imported_packages(file)) - {package_of(file)}
        graph.setdefault(package_of(file), set()).update(others)
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError with the circle
    assert order.index("engine") < order.index("render") < order.index("cli")
    assert sum(len(others) for others in graph.values()) >= 20


def test_files_of_the_workbook_form_no_circle():
    """Late imports and those for types count too: the passes read the draft, it knows no pass."""
    home = PACKAGE / "render" / "workbook"
    graph: dict[str, set[str]] = {}
    for file in sorted(home.rglob("*.py")):
        name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        found = [node for node in nodes if isinstance(node, ast.ImportFrom)]
        graph[name] = {str(node.module) for node in found}
        graph[name] |= {f"{node.module}.{alias.name}" for node in found for alias in node.names}
    inside = {name: others & graph.keys() for name, others in graph.items()}
    order = list(TopologicalSorter(inside).static_order())  # raises CycleError with the circle
    draft, build = (f"generator.render.workbook.{name}" for name in ("draft", "build"))
    assert order.index(draft) < order.index(build)


def test_only_the_workbook_knows_openpyxl_and_only_the_pdf_weasyprint():
    homes = {
        "openpyxl": ("render/workbook", "classroom/pupils/columns"),
        "weasyprint": ("render/worksheet",),
    }
    found = dict.fromkeys(homes, 0)
    for file in FILES:
        source = file.read_text(encoding="utf-8")
        for library in re.findall(r"^\s*(?:from|import) (openpyxl|weasyprint)\b", source, re.M):
            inside = file.relative_to(PACKAGE).as_posix()
            assert inside.startswith(homes[library]), f"{inside} imports {library}"
            found[library] += 1
    assert all(found.values()), found


def test_every_imported_library_is_a_stated_dependency():
    stated = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    extras = stated["optional-dependencies"]
    lines = [*stated["dependencies"], *extras["safetensors"], *extras["cluster"],
             *extras["web"], *extras["gallery"]]  # fmt: skip
    known = {re.split("[<>=]", line)[0] for line in lines}
    used = {
        name
        for file in FILES
        for name in re.findall(r"^\s*(?:from|import) (\w+)[\w.]*(?: import .*| as \w+)?$",
                               file.read_text(encoding="utf-8"), re.M)
    } - sys.stdlib_module_names - {"generator"}  # fmt: skip
    assert {name.lower() for name in used} <= known
    assert len(used) >= 6


def test_the_engine_knows_no_output():
    foreign = {"openpyxl", "weasyprint", "jinja2", "ziamath", "rich", "fontTools"}
    engine = [file for file in FILES if package_of(file) == "engine"]
    assert len(engine) >= 15
    for file in engine:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & foreign, file


@pytest.mark.parametrize("words", [["--help"], ["make", "--help"], ["doctor", "--help"]])
def test_help_imports_no_renderer(words: list[str]):
    asked = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "generator", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=PACKAGE.parent,
    )
    imported = {line.rsplit("|", 1)[-1].strip() for line in asked.stderr.splitlines()}
    assert "generator.cli" in imported, "importtime printed nothing to look at"
    assert not imported & {"weasyprint", "openpyxl", "ziamath"}


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
        file.relative_to(PACKAGE).as_posix()
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
