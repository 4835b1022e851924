"""Draws the packages of the program from their imports: `python -m docs.architecture_picture`.

The picture is a Mermaid graph inside docs/ARCHITECTURE.md, which code hosts and editors draw.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "generator"
PAGE = Path(__file__).with_name("ARCHITECTURE.md")
FENCE = ("```mermaid\n", "```\n")
# Everybody may use them: no arrows.
GROUND = {"errors", "files", "output", "resources", "slug", "typed", "version", "versions"}

Graph = dict[str, set[str]]


def package_of(file: Path) -> str:
    """The package of a file: its first folder below `generator`, or the file itself."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def imports() -> Graph:
    """Every package with the packages that its files import."""
    files = sorted(PACKAGE.rglob("*.py"))
    packages = {package_of(file) for file in files} - {"__init__", "__main__"} - GROUND
    graph: Graph = {package: set() for package in sorted(packages)}
    for file in files:
        if (package := package_of(file)) in packages:
            graph[package] |= ({*_named(file)} & packages) - {package}
    return graph


def _named(file: Path) -> Iterator[str]:
    """The packages that a file's import lines name."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module), names=names):
                modules = [f"{module}.{alias.name}" for alias in names]
            case _:
                continue
        for module in modules:
            package, _, rest = module.partition(".")
            if package == PACKAGE.name and rest:
                yield rest.partition(".")[0]


def reach(graph: Graph, package: str) -> set[str]:
    """All packages that a package depends on, directly or through others."""
    found: set[str] = set()
    left = [package]
    while left:
        new = graph[left.pop()] - found
        found |= new
        left += new
    return found


def without_shortcuts(graph: Graph) -> Graph:
    """The same graph without the arrows that a longer way says as well."""
    return {
        package: {one for one in direct if not any(one in reach(graph, two) for two in direct)}
        for package, direct in graph.items()
    }


def picture() -> str:
    """The graph as Mermaid; an arrow points to what a package depends on."""
    arrows = without_shortcuts(imports())
    lines = [
        f"    {package} --> {other}" for package in arrows for other in sorted(arrows[package])
    ]
    return "\n".join(["graph TD", *lines]) + "\n"


def page() -> str:
    """The page with the picture of today's imports in it."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(FENCE[0])
    after = rest.partition(FENCE[1])[2]
    return before + FENCE[0] + picture() + FENCE[1] + after


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
