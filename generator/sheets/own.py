"""An author's own sheet from a folder, checked as a preset is: what is wrong, where, what would do.

Its plan and its view are Python code and run as the author's own.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from generator.engine.expr import If, Num, Ref, Round
from generator.engine.step import GIVEN, Cell
from generator.engine.trace import Trace
from generator.errors import UserError, message, refused
from generator.locales.folders import languages
from generator.resources import add_sheet
from generator.sheets.context import Context
from generator.sheets.kind import Kind
from generator.sheets.plan import Plan
from generator.sheets.sheet import PREFIX, Sheet
from generator.sheets.slots import FIRST, no_such_cell, slots

NAME = re.compile(rf"{PREFIX}(?P<name>[0-9a-z]+)")
CODE = ("__init__.py", "plan.py", "view.py", "page.html.j2")
COPIES = (Ref, Num, If)  # which number to take, where nothing is computed
TITLES = "class.check.step."  # a teacher's papers call steps so that only one sheet has


@dataclass(frozen=True)
class OwnSheet(Sheet):
    """A sheet whose one folder holds what two hold of a shipped one."""

    folder: Path

    _view = "View"  # a folder of one's own need not say its name again

    @classmethod
    def read(cls, folder: Path, shipped: tuple[str, ...]) -> "OwnSheet":
        """The sheet of a folder; its templates and phrases are taken in among the shipped ones'.

        Raises `UserError` with all that is wrong with its files.
        """
        folder = folder.resolve()
        _stop(_problems(folder, shipped))
        with _package(folder) as package:
            if not isinstance(kind := vars(package).get("KIND"), Kind):
                what = "there is no KIND" if kind is None else f"found KIND = {kind!r}"
                expected = 'expected KIND = Kind(order=55, slug="…")'
                raise UserError(f"{folder / '__init__.py'}: {what}, {expected}")
            sheet = cls(folder.name.removeprefix(PREFIX), kind, folder)
            _stop(_wrong_parts(sheet))
        add_sheet(folder)
        return sheet

    def plan(self, trace: Trace, level: int) -> Plan:
        """How it is planned; a `UserError` where that fails or asks what there is none of."""
        if trace.language not in (known := _languages(self.folder)):
            names = {"folder": self.folder, "known": ", ".join(known)}
            raise refused("own.language", language=trace.language, **names)
        with as_message(self.folder):
            planned = super().plan(trace, level)
            problems = [
                f"{self.folder / 'plan.py'}: {x}" for x in _misplanned(self, planned, trace)
            ]
        _stop(problems)
        return planned

    def require_writable(self, planned: object, trace: Trace) -> None:
        """Nothing: the cells that an author asks may be none."""

    def require_asked(self, html: str, plan: Plan, trace: Trace) -> None:
        """Stop where the page has no place for cells that the plan asks.

        What only copies another number may be asked without one: a line of arithmetic shows it.
        """
        shown = {one[1:] for one in slots(html) if one.kind != FIRST}
        lacking = [cell for cell in plan.asked - shown if not _copied(trace, cell)]
        page = self.folder / "page.html.j2"
        _stop(f"{page}: prints nowhere {some}, which plan.py asks" for some in _by_step(lacking))

    def guarded(self) -> AbstractContextManager[None]:
        """In it, what the author's code or template raises is a message with its place."""
        return as_message(self.folder, also=UserError)


@contextmanager
def as_message(folder: Path, also: type[UserError] | None = None) -> Iterator[None]:
    """What code or a template of the folder raises, as a `UserError` that names file and line.

    A `UserError` stays as it is, as a plan says with it what it cannot take, unless it is `also`
    one that the author should mend: a template that asks for a step that there is none of.
    """
    try:
        yield
    except Exception as error:  # the author's code may raise anything
        if isinstance(error, UserError) and also is None:
            raise
        kind = "" if isinstance(error, UserError) else f"{type(error).__name__}: "
        raise UserError(f"{_place(folder, error)}: {kind}{error}") from error


def _place(folder: Path, error: Exception) -> str:
    """The last line of the folder's files that the error passed."""
    frames = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    frames.append((str(getattr(error, "filename", "")), getattr(error, "lineno", None)))
    inside = [place for place in frames if Path(place[0]).is_relative_to(folder)]
    return "{}, line {}".format(*inside[-1]) if inside else str(folder)


def _stop(problems: Iterable[str]) -> None:
    if text := "\n".join(problems):
        raise UserError(text)


def _problems(folder: Path, shipped: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with a folder before any of its code runs."""
    if not folder.is_dir():
        yield f"--sheets: there is no folder {folder}, and no sheet of that name"
        return
    named = NAME.fullmatch(folder.name)
    if not named or named["name"] in shipped:
        yield message("own.name", folder=folder, taken=", ".join(shipped))
    missing = [name for name in CODE if not (folder / name).is_file()]
    missing += [] if _languages(folder) else [f"{language}.toml" for language in languages()]
    yield from (f"{folder}: there is no file {name}" for name in missing)
    if not missing:
        yield from _wrong_phrases(folder)


def _languages(folder: Path) -> list[str]:
    """The languages that a folder has phrases in, of which one is enough."""
    return [language for language in languages() if (folder / f"{language}.toml").is_file()]


def _wrong_phrases(folder: Path) -> Iterator[str]:
    """Keys that another sheet could have, and those that one language lacks."""
    keys_of: dict[Path, set[str]] = {}
    for path in (folder / f"{language}.toml" for language in _languages(folder)):
        try:
            phrases = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            yield f"{path}: is no TOML in UTF-8: {error}"
            return
        keys_of[path] = {key for key in phrases if key.startswith((f"{folder.name}.", TITLES))}
        for key, phrase in phrases.items():
            if key not in keys_of[path] or not isinstance(phrase, str):
                yield message("own.phrase", path=path, key=key, folder=folder)
    every = {f"{folder.name}.name", f"{folder.name}.title"}.union(*keys_of.values())
    for path, keys in keys_of.items():
        yield from (f"{path}: the phrase {key!r} is missing" for key in sorted(every - keys))


@contextmanager
def _package(folder: Path) -> Iterator[ModuleType]:
    """The folder as a package beside the shipped sheets, so that it may later become one of them.

    Where it turns out to be no sheet, no module of it stays behind.
    """
    name = f"{__package__}.{folder.name}"
    if name in sys.modules:
        raise UserError(f"{folder}: another sheet of this name has been read; take another name")
    places = [str(folder)]
    spec = spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=places)
    if spec is None or spec.loader is None:
        raise UserError(f"{folder}: __init__.py cannot be imported")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        with as_message(folder):
            spec.loader.exec_module(module)
            yield module
    except UserError:
        for one in [one for one in sys.modules if f"{one}.".startswith(f"{name}.")]:
            del sys.modules[one]
        raise


def _wrong_parts(sheet: OwnSheet) -> Iterator[str]:
    """What the folder's files should hold and do not."""
    if not callable(vars(sheet.module("plan")).get("plan")):
        yield f"{sheet.folder / 'plan.py'}: there is no function plan(trace, level)"
    view = vars(sheet.module("view")).get(sheet._view)
    if not (isinstance(view, type) and issubclass(view, Context)):
        what = "there is no class View, expected one that extends Context"
        yield f"{sheet.folder / 'view.py'}: {what}"


def _misplanned(sheet: Sheet, plan: Plan, trace: Trace) -> Iterator[str]:
    """What a plan says that cannot be, once for each step."""
    if plan.sheet != sheet.name:
        yield message("own.plan", plan=plan, sheet=sheet)
    if sheet.kind.filled and not plan.asked:
        yield "asks no cell; expected some, or Kind(filled=False) in __init__.py"
    if odd := [cell for cell in plan.asked if not (isinstance(cell, tuple) and len(cell) == 3)]:
        yield f"asks {odd[0]!r}, expected cells (step, row, column)"
        return
    steps = trace.with_steps(plan.extra)
    wrong = [cell for cell in plan.asked if no_such_cell(steps, *cell)]
    for some, cell in _by_step(wrong).items():
        yield f"asks {some}, but {no_such_cell(steps, *cell)}"


def _by_step(cells: Iterable[Cell]) -> dict[str, Cell]:
    """For each step its cells in words, and the first of them."""
    cell_of: dict[str, Cell] = {}
    for _, group in groupby(sorted(cells), key=itemgetter(0)):
        first, *more = group
        cell_of[f"{first}{f' and {len(more)} more of this step' if more else ''}"] = first
    return cell_of


def _copied(trace: Trace, cell: Cell) -> bool:
    """Whether nothing is computed for a cell but which number to take."""
    if trace[cell[0]].op is GIVEN:
        return False
    expression = trace.cell(*cell)
    return isinstance(expression.inner if isinstance(expression, Round) else expression, COPIES)
