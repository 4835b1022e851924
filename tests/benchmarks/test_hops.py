"""How far arguments are carried, and how deep the command calls: what was reached is kept."""

import ast

import pytest

from tests.benchmarks.hops import A_BATCH, ONE_PDF, Room, Walk, calls, walked

RETURNS = {"make_files:args": 16, "PrintedSheet.file:self": 4}


@pytest.mark.parametrize(("command", "most"), [(ONE_PDF, 8), (A_BATCH, 10)], ids=["one", "batch"])
def test_calls_from_the_command_to_a_pdf(command: str, most: int) -> None:
    found = calls(command)
    assert found[0] == "cli/__init__.py main"
    assert found[-1] == "render/worksheet/pdf.py to_pdf"
    assert len(found) <= most, found


@pytest.mark.parametrize("start", RETURNS)
def test_returns_to_files_that_a_value_was_in_before(start: str) -> None:
    walk = walked(start)
    assert len(set(walk.files)) > 1
    assert walk.returns <= RETURNS[start], walk.files


def test_a_walk_counts_returns() -> None:
    """There, and back into the first function's own file; what it gives is another value."""
    source = "def first(x):\n    there(x.part)\n    y = second(x)\n    there(y)\n"
    room = Room("generator.cli.values", ast.parse(source + "def second(x):\n    return x\n"))
    room.imported["there"] = "generator.typed.plainly"
    first, walk = room.defined["first"], Walk()
    assert isinstance(first, ast.FunctionDef)
    walk.follow(room, first, frozenset({"x"}))
    assert walk.files == [room.name, "generator.typed", room.name]
    assert walk.returns == 1
