"""A computation as a Jupyter notebook: given arrays, functions to write, a check after each step.

A check holds no answer: it computes some rows number by number, as on paper, from the pupil's own
values before them, so that what follows from an earlier slip counts as right.

Also here:

* Which steps are to be written: from queries to probabilities, the first round's.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from generator.engine.step import Step
from generator.engine.trace import Trace
from generator.errors import require
from generator.locales.catalogue import Catalogue
from generator.notation.notebook import Scalars, Vectorised
from generator.notation.symbols import Symbols
from generator.resources import table, template
from generator.sheets.titles import placed

WRITTEN = frozenset(table("render/notebook.toml")["written"])
CALLED: dict[str, str] = table("render/notebook.toml")["called"]
SAID = ("empty", "shape", "before", "wrong", "right")  # by a check
MOST_GIVEN = 20_000  # numbers
FEW = 3  # rows of which none is left unchecked
PYTHON = {"display_name": "Python 3", "language": "python", "name": "python3"}


@dataclass
class Notebook:
    """A notebook of an unrounded computation, `solved` or to be written."""

    trace: Trace
    texts: Catalogue
    solved: bool
    cells: list[dict[str, Any]] = field(default_factory=list)
    functions: dict[tuple[str, str], str] = field(default_factory=dict)

    def render(self) -> bytes:
        """The file. Raises `UserError` for a model that no notebook computes."""
        preset, given = self.trace.preset, sum(one.values.size for one in self.given)
        require(self.written, "notebook.nothing", preset=preset)
        require(preset.mask != "strict", "notebook.strict", preset=preset)
        require(given <= MOST_GIVEN, "notebook.large", preset=preset, given=given, most=MOST_GIVEN)
        t = self.texts.t
        self._say(f"# {t('notebook.title')}", t("notebook.intro", sentence=self.trace.sentence))
        words = {name: t(f"notebook.{name}") for name in SAID}
        check = template("notebook_check.txt").read_text(encoding="utf-8")
        self._code(f"{check}\n\nSAID = {words!r}".splitlines(), hidden=True)
        self._say(f"## {t('notebook.given')}", t("notebook.given.text"))
        self._code(f"{self._name(one.name)} = {_array(one)}" for one in self.given)
        for step in self.written:
            self._task(step)
        self._say(t("notebook.end"))
        about = {"kernelspec": PYTHON, "language_info": {"name": "python"}}
        book = {"cells": self.cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
        return f"{json.dumps(book, ensure_ascii=False, indent=1)}\n".encode()

    @cached_property
    def written(self) -> list[Step]:
        """The steps to compute, in order."""
        own = (one for one in self.trace if one.place.round == 1 and not one.place.learning)
        return [one for one in own if one.kind == "computed" and one.place.kind in WRITTEN]

    @cached_property
    def given(self) -> list[Step]:
        """What these are computed from and nobody computes here."""
        names = [name for step in self.written for name in step.inputs]
        mine = {step.name for step in self.written}
        steps = (self.trace[name] for name in dict.fromkeys(names))
        return [step for step in steps if step.name not in mine]

    def _task(self, step: Step) -> None:
        """A step: its formula, the function to write where it is a new one, its check."""
        formula = Symbols(self.trace, self.texts.language).step(step.name)
        self._say(f"### {placed(self.texts, step.name)}", f"`{formula}`")
        kind, mine = step.place.kind, self._name(step.name)
        same = kind, self._body(step, [f"x{k}" for k in range(len(step.inputs))])
        lines = []
        if same not in self.functions:
            others = sum(other == kind for other, _ in self.functions)
            self.functions[same] = f"{_called(kind)}_of{others + 1 if others else ''}"
            lines = self._function(step, self.functions[same])
        called = ", ".join(self._name(one) for one in step.inputs)
        self._code([*lines, f"{mine} = {self.functions[same]}({called})"])
        self._code(self._check(step, mine), hidden=True)

    def _function(self, step: Step, name: str) -> list[str]:
        """The lines of a function, its right-hand side to be written or solved."""
        kinds = [_called(self.trace[one].place.kind) for one in step.inputs]
        args = [f"{x}{k + 1}" if kinds.count(x) > 1 else x for k, x in enumerate(kinds)]
        shape, todo = (
            self.texts.t("notebook.gives", shape=step.shape),
            self.texts.t("notebook.todo"),
        )
        body = f"return {self._body(step, args)}" if self.solved else f"...  # {todo}"
        return [f"def {name}({', '.join(args)}):", f'    """{shape}"""', f"    {body}", "", ""]

    def _body(self, step: Step, args: list[str]) -> str:
        names = dict(zip(step.inputs, args, strict=True))
        return Vectorised(self.trace, names).step(step.name)

    def _check(self, step: Step, mine: str) -> Iterator[str]:
        names = {one.name: self._name(one.name) for one in (*self.given, *self.written)}
        cell, last = Scalars(self.trace, names), step.shape[0] - 1
        yield f'check("{mine}", {mine}, {step.shape}, lambda: {{'
        own = {min(self.trace.exercise or 0, last), last} if last >= FEW else range(last + 1)
        for i in sorted(own):
            row = (cell.write(self.trace.cell(step.name, i, j)) for j in range(step.shape[1]))
            yield f"    {i}: [{', '.join(row)}],"
        yield "})"

    def _name(self, step: str) -> str:
        """The variable of a step; of a model with one block without its number."""
        plain = step.removeprefix("block1.") if self.trace.preset.blocks == 1 else step
        return _called(plain)

    def _say(self, *parts: str) -> None:
        self._cell("markdown", "\n\n".join(parts).splitlines(), {})

    def _code(self, lines: Any, *, hidden: bool = False) -> None:
        hide = {"editable": False, "jupyter": {"source_hidden": True}} if hidden else {}
        self._cell("code", list(lines), hide)
        self.cells[-1] |= {"execution_count": None, "outputs": []}

    def _cell(self, kind: str, lines: list[str], about: dict[str, Any]) -> None:
        source = [f"{line}\n" for line in lines[:-1]] + lines[-1:]
        name = f"cell-{len(self.cells) + 1}"
        self.cells.append({"cell_type": kind, "id": name, "metadata": about, "source": source})


def _called(name: str) -> str:
    """A name in Python, none of its own words."""
    return CALLED.get(name) or name.replace(".", "_")


def _array(step: Step) -> str:
    """A given table in full."""
    values = np.asarray(step.values, dtype=float).tolist()
    rows = [[repr(float(f"{x:.15g}")) for x in row] for row in values]
    inner = ", ".join(f"[{', '.join(row)}]" for row in rows)
    return f"np.array([{inner}])".replace("-inf", "-np.inf")
