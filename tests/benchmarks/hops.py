"""How far an argument is carried through the house, and how deep the command calls for one PDF.

**Returns.** A walk over the source, no run: it starts at a function with one of its parameters and
follows that value call by call, depth first, in the order in which Python evaluates. A call takes
part where one of its arguments, or the object of the method, has the value in it: the name, an
attribute of it, an expression with it. It is entered where the source says which function of
`generator/` it is: by its name and the imports, for a method by the annotation of the parameter.
Each function is entered once. Their files are written down in that order; a *return* is an entry
into a file that was there before and is not the one that the walk is in.

What is computed from the value and given a name is another value. Of the house of 639 files the
walk said for `make_files:args` 23, for the options of a sheet to print 11; these are a part of
`PrintedSheet` now, which is followed in their place.

**Calls.** What stands on the stack of a real run, from `cli.main` to the function that lets
WeasyPrint write bytes: functions of `generator/`, without lambdas and comprehensions. Of a batch
the first PDF counts, a pupil's. At first it was 12 for one PDF and 22 for a batch's; counted
with comprehensions and WeasyPrint's own, 14 and 25.

`python -m tests.benchmarks.hops` prints all of them.
"""

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import generator
from generator.cli import main

PACKAGE = Path(generator.__file__).parent
WALKS = {
    "make_files:args": "generator.cli.commands",
    "PrintedSheet.file:self": "generator.render.worksheet.worksheet",
}
ONE_PDF = "make --preset katze --only pdf --sheets 4a --variant blank --jobs 1 --out"
A_BATCH = "batch 1 --only pdf --sheets 4a --jobs 1 --seed 7 --out"
Function = ast.FunctionDef | ast.AsyncFunctionDef
NO_CALLS = {"<lambda>", "<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"}


@dataclass
class Room:
    """A file of the house: its functions and classes by name, and what its imports call."""

    name: str
    tree: ast.Module
    defined: dict[str, ast.stmt] = field(init=False)
    imported: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        self.defined = {one.name: one for one in self.tree.body if isinstance(one, kinds)}
        for one in [one for one in self.tree.body if isinstance(one, ast.ClassDef)]:
            for method in (part for part in one.body if isinstance(part, Function)):
                self.defined[f"{one.name}.{method.name}"] = method
                for first in method.args.args[:1]:
                    if first.arg == "self":
                        first.annotation = ast.Name(one.name)
        self.imported = {
            alias.asname or alias.name: f"{one.module}.{alias.name}"
            for one in ast.walk(self.tree)
            if isinstance(one, ast.ImportFrom) and one.module
            for alias in one.names
        }


@cache
def rooms() -> dict[str, Room]:
    """All files of `generator/` by their dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = Room(name, ast.parse(path.read_text("utf-8")))
    return found


def defined(room: Room, name: str) -> tuple[Room, ast.stmt] | None:
    """Where a name of a file is defined, through the packages that hand it on."""
    if name in room.defined:
        return room, room.defined[name]
    module, _, last = room.imported.get(name, "").rpartition(".")
    return defined(rooms()[module], last) if module in rooms() else None


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a node, as Python comes to it: arguments before their call, a value before it."""
    parts = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Assign):
        parts = [node.value, *node.targets]
    for one in parts:
        yield from in_order(one)
    yield node


@dataclass
class Walk:
    """One walk: the files that it enters, in their order, and what it has walked already."""

    files: list[str] = field(default_factory=list)
    known: set[int] = field(default_factory=set)

    def follow(self, room: Room, function: Function, carried: frozenset[str]) -> None:
        """Go through a function whose parameters of these names hold the value."""
        if id(function) in self.known:
            return
        self.known.add(id(function))
        self.files.append(room.name)
        held = set(carried)
        local = {one.name: one for one in ast.walk(function) if isinstance(one, Function)}
        every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        kinds = {one.arg: _kind(one.annotation) for one in every}

        def holds(node: ast.AST) -> bool:
            return any(isinstance(n, ast.Name) and n.id in held for n in ast.walk(node))

        for node in (n for one in function.body for n in in_order(one)):
            match node:  # another name of the value
                case ast.Assign(value=ast.Name(id=name), targets=[ast.Name(id=other)]):
                    held |= {other} if name in held else set()
            if isinstance(node, ast.Call):
                self._call(room, node, local, kinds, holds)

    def _call(
        self,
        room: Room,
        call: ast.Call,
        local: Mapping[str, ast.stmt],
        kinds: Mapping[str, str],
        holds: Callable[[ast.AST], bool],
    ) -> None:
        by_place = [holds(one) for one in call.args]
        by_name = {one.arg for one in call.keywords if one.arg and holds(one.value)}
        of_object = isinstance(call.func, ast.Attribute) and holds(call.func.value)
        if not (any(by_place) or by_name or of_object):
            return
        called = _resolved(room, call.func, local, kinds)
        if called is None:
            return
        there, function = called
        if isinstance(function, ast.ClassDef):
            self.files.append(there.name)
            return
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        bound = [name for name in names if name not in ("self", "cls")]
        carried = {name for name, has in zip(bound, by_place, strict=False) if has} | by_name
        self.follow(there, function, frozenset(carried | ({"self"} if of_object else set())))

    @property
    def returns(self) -> int:
        """How often the walk comes back into a file that it had left."""
        seen, count, here = set(), 0, ""
        for file in self.files:
            count += file in seen and file != here
            seen.add(file)
            here = file
        return count


def _kind(annotation: ast.expr | None) -> str:
    return annotation.id if isinstance(annotation, ast.Name) else ""


def _resolved(
    room: Room, func: ast.expr, local: Mapping[str, ast.stmt], kinds: Mapping[str, str]
) -> tuple[Room, ast.stmt] | None:
    """The function that a call enters; None where the source does not say."""
    if isinstance(func, ast.Name):
        if func.id in local:
            return room, local[func.id]
        return defined(room, func.id)
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        owner = func.value.id
        module = room.imported.get(owner, "")
        if module in rooms():
            return defined(rooms()[module], func.attr)
        of = defined(room, kinds.get(owner) or owner)
        if of and isinstance(of[1], ast.ClassDef):
            methods = {one.name: one for one in of[1].body if isinstance(one, Function)}
            if func.attr in methods:
                return of[0], methods[func.attr]
    return None


def walked(start: str) -> Walk:
    """The walk that begins at "function:parameter"."""
    name, _, parameter = start.partition(":")
    walk, room = Walk(), rooms()[WALKS[start]]
    function = room.defined[name]
    assert isinstance(function, Function)
    walk.follow(room, function, frozenset({parameter}))
    return walk


def calls(command: str) -> list[str]:
    """The functions of `generator/` that lead from the command to its first PDF, as "file name"."""
    stacks: list[list[str]] = []

    def look(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name == "write_pdf" and "weasyprint" in code.co_filename:
            stacks.append(list(_stack(frame))[::-1])

    with TemporaryDirectory() as folder:
        sys.setprofile(look)
        try:
            assert main([*command.split(), folder]) == 0
        finally:
            sys.setprofile(None)
    return stacks[0]


def _stack(frame: FrameType) -> Iterator[str]:
    """The functions of ours that a frame was called by, the last one first."""
    above: FrameType | None = frame.f_back
    while above is not None:
        code, path = above.f_code, Path(above.f_code.co_filename)
        if path.is_relative_to(PACKAGE) and code.co_name not in NO_CALLS:
            yield f"{path.relative_to(PACKAGE).as_posix()} {code.co_name}"
        above = above.f_back


if __name__ == "__main__":
    for start in WALKS:
        print(f"{start}: {walked(start).returns} returns")
    for command in (ONE_PDF, A_BATCH):
        print(f"{command.partition(' ')[0]}: {len(calls(command))} calls")
