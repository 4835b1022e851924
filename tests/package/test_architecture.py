"""The page on architecture shows the imports of today and names files that exist."""

import re

from docs.architecture_picture import GROUND, PACKAGE, PAGE, imports, page, reach, without_shortcuts

FILE = re.compile(r"`((?:\w+/)*\w+\.(?:py|toml|html\.j2))`")
ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \|[^|]*\|([^|]*)\|$", re.MULTILINE)


def test_the_picture_is_that_of_todays_imports():
    assert PAGE.read_text("utf-8") == page(), "run: python -m docs.architecture_picture"


def test_leaving_out_shortcuts_loses_no_dependency():
    graph = imports()
    drawn = without_shortcuts(graph)
    assert sum(map(len, drawn.values())) < sum(map(len, graph.values()))
    assert all(reach(drawn, package) == reach(graph, package) for package in graph)


def test_every_package_has_its_row_and_every_file_is_there():
    text = PAGE.read_text("utf-8")
    rows = [(re.findall(r"`(\w+)`", packages), files) for packages, files in ROW.findall(text)]
    assert {package for packages, _ in rows for package in packages} == imports().keys()
    assert not GROUND & imports().keys()
    for packages, files in rows:
        for name in re.findall(r"`([^`]+)`", files):
            assert any((PACKAGE / package / name).exists() for package in [*packages, "."]), name
    named = [name for name in FILE.findall(text) if "/" in name]
    assert len(named) >= 15
    for name in named:
        places = (
            PACKAGE,
            PACKAGE.parent,
            *(PACKAGE / package for packages, _ in rows for package in packages),
        )
        assert any((place / name).exists() for place in places), name
