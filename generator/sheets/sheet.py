"""One sheet: its kind, and what its folder holds, imported when it is asked for.

Also here:

* What a refusal advises: never the preset that is taken already.
"""

import re
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import ClassVar

from generator.engine.preset import Preset
from generator.engine.scope import Scope
from generator.engine.trace import Trace
from generator.errors import UserError, reworded
from generator.resources import template
from generator.sheets.context import Context
from generator.sheets.kind import Kind
from generator.sheets.plan import MARKS, Plan, require_level, require_short

TAKE = re.compile(r"take ('[\w-]+'(?:(?:, | or )'[\w-]+')*)(?! as it is shipped)")
UNCHANGED = "as it is shipped, with its own sentence and rounding"
NAME = re.compile(r"'([\w-]+)'")
PREFIX = "sheet"  # of the folders and of the keys of their phrases


@dataclass(frozen=True)
class Sheet:
    """A sheet of the series; `name` is what it is called, "4a" for the folder `sheet4a`."""

    _view: ClassVar[str] = ""  # what its view is called, if not by its name

    name: str
    kind: Kind

    def plan(self, trace: Trace, level: int) -> Plan:
        """What it shows and asks of a computation at a level.

        A refusal never advises the preset that was taken.
        """
        require_level(level)
        module = self.module("plan")
        try:
            planned: object = module.plan(trace, level)
            self.require_writable(planned, trace)
        except UserError as error:
            raise UserError(advised(error.message, trace.preset)) from error
        if not isinstance(planned, Plan):
            problem = f"plan(trace, level) gave {planned!r}, expected a Plan"
            raise UserError(f"{module.__file__}: {problem}")
        mark = "" if self.kind.alike else MARKS[level]
        return replace(planned, sheet=planned.sheet or self.name, level=level, mark=mark)

    def require_writable(self, planned: object, trace: Trace) -> None:
        """Raise a `UserError` where a number is asked that no box has room for."""
        if isinstance(planned, Plan):
            require_short(planned, trace, self.name)

    @property
    def view(self) -> type[Context]:
        """What its template may ask: "View4a" of sheet 4a."""
        name = self._view or f"View{self.name[:1].upper()}{self.name[1:]}"
        view: type[Context] = getattr(self.module("view"), name)
        return view

    @property
    def title(self) -> str:
        """The key of the phrase that is its title."""
        return f"{PREFIX}{self.name}.title"

    def file(self, variant: str, kind: str, mark: str = "") -> str:
        """The name of a file of it: "4a-self-attention-blank.pdf"; complete, single: one file.

        `mark` tells it from those of other sentences or levels.
        """
        name = self.kind.slug if self.kind.complete else f"{self.name}-{self.kind.slug}"
        of = "" if self.kind.complete or self.kind.single else f"-{variant}"
        return f"{name}{of}{mark}.{kind}"

    def own_steps(self, part: Scope, trace: Trace) -> None:
        """Write what the sheet has of its own into a workbook's part of a computation."""
        if self.kind.own_steps:
            self.module("plan").own_steps(part, trace)

    def notes(self, trace: Trace) -> list[str]:
        """What whoever makes the sheet of this computation should know."""
        notes: list[str] = self.module("plan").notes(trace) if self.kind.notes else []
        return notes

    @property
    def page(self) -> str:
        """Its page's template."""
        return f"sheets/{PREFIX}{self.name}/page.html.j2"

    @property
    def css(self) -> tuple[str, ...]:
        """The style sheets that it needs beside those of every sheet."""
        names = (f"sheets/{PREFIX}{name}/style.css" for name in (*self.kind.borrows, self.name))
        return tuple(name for name in names if template(name).is_file())

    def guarded(self) -> AbstractContextManager[None]:
        """In it the sheet's template is filled; what goes wrong in an author's own is a message."""
        return nullcontext()

    def require_asked(self, html: str, plan: Plan, trace: Trace) -> None:
        """Stop where an author's own page forgets asked cells; tests look at shipped ones."""

    def module(self, part: str) -> ModuleType:
        """A file of its folder as a module."""
        return import_module(f"{__package__}.{PREFIX}{self.name}.{part}")


def advised(message: str, preset: Preset) -> str:
    """A message whose advice leaves the preset in force out: "take 'katze' or 'brille'".

    Where no other is named, what helps is that one unchanged, and so it is said.
    """

    def others(advice: re.Match[str]) -> str:
        names = NAME.findall(advice[1])
        if preset.name not in names:
            return advice[0]
        left = " or ".join(repr(name) for name in names if name != preset.name)
        return f"take {left or f'{preset.name!r} {UNCHANGED}'}"

    return reworded(message, TAKE.sub(others, message))
