"""The worksheets in the order in which they are taught, found in the folders beside this file.

The folder `sheet4a` holds sheet 4a: its kind, its plan, its view. The folder of the same name below
`templates/sheets/` holds its page, its macros, its style and its phrases.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from generator.engine.scope import Scope
from generator.engine.trace import Trace
from generator.resources import templates
from generator.sheets.context import Context
from generator.sheets.kind import Kind
from generator.sheets.plan import Plan

PREFIX = "sheet"  # of the folders and of the keys of their phrases
FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Sheet:
    """One sheet: its name and kind; its plan and its view are imported when they are asked for."""

    name: str
    kind: Kind

    @property
    def plan(self) -> Callable[[Trace, int], Plan]:
        """How it is planned: what it shows and asks of a computation at a level."""
        plan: Callable[[Trace, int], Plan] = self._module("plan").plan
        return plan

    @property
    def view(self) -> type[Context]:
        """What its template may ask."""
        view: type[Context] = self._module("view").View
        return view

    def own_steps(self, part: Scope, trace: Trace) -> None:
        """Write what the sheet has of its own into a workbook's part of a computation."""
        if self.kind.own_steps:
            self._module("plan").own_steps(part, trace)

    def notes(self, trace: Trace) -> list[str]:
        """What whoever makes the sheet of this computation should know."""
        found: list[str] = self._module("plan").notes(trace) if self.kind.notes else []
        return found

    @property
    def page(self) -> str:
        """Its page's template."""
        return f"{self._folder}/page.html.j2"

    @property
    def css(self) -> tuple[str, ...]:
        """The style sheets that it needs beside those of every sheet."""
        own = f"{self._folder}/style.css"
        borrowed = (name for other in self.kind.borrows for name in SERIES[other].css)
        return (*borrowed, *((own,) if (templates() / own).is_file() else ()))

    @property
    def _folder(self) -> str:
        return f"sheets/{PREFIX}{self.name}"

    def _module(self, part: str) -> ModuleType:
        return import_module(f"{__package__}.{PREFIX}{self.name}.{part}")


def _shipped() -> dict[str, Sheet]:
    """The sheets of the folders beside this file, in the order that they state."""
    found = []
    for folder in FOLDER.glob(f"{PREFIX}*/__init__.py"):
        name = folder.parent.name
        found.append(Sheet(name.removeprefix(PREFIX), import_module(f"{__package__}.{name}").KIND))
    return {sheet.name: sheet for sheet in sorted(found, key=lambda sheet: sheet.kind.order)}


SERIES = _shipped()
SHEETS = tuple(SERIES)


def in_workbook(sheets: Iterable[str]) -> Iterator[str]:
    """Those of the sheets that the workbook has tabs of."""
    return (sheet for sheet in sheets if SERIES[sheet].kind.in_workbook)
