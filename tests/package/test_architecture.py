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
    assert all(reach(drawn, room) == reach(graph, room) for room in graph)


def test_every_room_has_its_row_and_every_file_is_there():
    text = PAGE.read_text("utf-8")
    rows = [(re.findall(r"`(\w+)`", rooms), files) for rooms, files in ROW.findall(text)]
    assert {room for rooms, _ in rows for room in rooms} == imports().keys()
    assert not GROUND & imports().keys()
    for rooms, files in rows:
        for name in re.findall(r"`([^`]+)`", files):
            assert any((PACKAGE / room / name).exists() for room in [*rooms, "."]), name
    named = [name for name in FILE.findall(text) if "/" in name]
    assert len(named) >= 15
    for name in named:
        places = (PACKAGE, PACKAGE.parent, *(PACKAGE / room for rooms, _ in rows for room in rooms))
        assert any((place / name).exists() for place in places), name
