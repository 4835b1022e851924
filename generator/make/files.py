"""From a Trace to files: each rendered under its name, on all processors, and written at once.

Also here:

* Which sheets, tabs and outputs a request comes to, and what is said of those left out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

from generator import output
from generator.engine.model import compute, recomputed
from generator.engine.trace import Trace
from generator.errors import UserError, require
from generator.locales.catalogue import load
from generator.make.request import FOLDERS, NOTEBOOK, Request
from generator.presets.computed import stopped
from generator.processes import Progress, nobody, processors, results
from generator.render.notebook import Notebook
from generator.render.owner import ALL, Owner
from generator.render.worksheet.booklet import booklet, fitting, plan_of_route
from generator.render.worksheet.pdf import browser_notes, in_browser, no_garbage_collection
from generator.render.worksheet.pdf_engine import PangoMissing, load_engine
from generator.render.worksheet.worksheet import PrintedSheet, unfit
from generator.sheets import mosaic
from generator.sheets.left_out import left_out
from generator.sheets.left_out import notes as notes_on
from generator.sheets.options import SheetOptions, among
from generator.sheets.own_texts import long_texts
from generator.sheets.routes import route_of
from generator.sheets.series import (
    COMPLETE,
    FILLABLE,
    SERIES,
    SHEETS,
    TOGETHER,
    in_workbook,
    require_sheet,
)
from generator.sheets.sheet import advised
from generator.sheets.titles import numbers_of
from generator.slug import code

UNPRINTED = frozenset({"xlsx", NOTEBOOK})


@dataclass
class MakeResult:
    """Files by their path below the result folder, what was left out and why, and what failed.

    `paths` are those that were written.
    """

    files: dict[Path, bytes] = field(default_factory=dict)
    paths: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, parts: Iterable["MakeResult"]) -> None:
        """Take over what parts came to; a problem of several is one."""
        for part in parts:
            self.files |= part.files
            self.notes += part.notes
            self.problems = list(dict.fromkeys([*self.problems, *part.problems]))

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Within it, why a file cannot be made is one more problem, and the others follow."""
        try:
            yield
        except UserError as error:
            self.problems.append(error.message)


Task = Callable[[], MakeResult]


def make(
    trace: Trace, request: Request, folder: Path | None = None, told: Progress = nobody
) -> MakeResult:
    """Render what is asked for and write it below the folder, all files at once; without, no file.

    An output that fails for a reason that the user can mend is named in `problems`; the others
    are written all the same. `told` hears how many of how many parts (a sheet, the workbooks, a
    booklet) are rendered. Raises `UserError` for an unknown sheet, where nothing at all could be
    made, and where the folder cannot be written.
    """
    if folder is not None:
        output.require_place(folder)
    made = MakeResult()
    sheets, made.notes = chosen_sheets(trace, request)
    outputs, made.problems = chosen_outputs(request, sheets)
    made.notes += browser_notes(request.worksheet) if "pdf" in outputs else []
    mosaic.require_some(request.worksheet.mosaic, sheets)
    job = Job(trace, request, sheets, outputs)
    tasks, processes = job.tasks(), request.jobs or processors()
    of = len(tasks) + (len(request.variants) if job.binds else 0)

    # The last ones, which take longest, first.
    made.add(results(tasks[::-1], processes, lambda done, _: told(done, of))[::-1])
    if job.binds:
        booklets = job.booklets(made.files)[::-1]
        made.add(results(booklets, processes, lambda done, _: told(len(tasks) + done, of))[::-1])
    made.notes += job.notes()
    if not made.files:
        raise UserError(*(made.problems or made.notes))
    if folder is not None:
        made.paths = output.write({folder / path: data for path, data in made.files.items()})
    return made


@dataclass(frozen=True)
class Job:
    """A computation and what is made of it: these sheets, as these outputs."""

    trace: Trace
    request: Request
    sheets: tuple[str, ...]
    outputs: tuple[str, ...]

    @cached_property
    def exact(self) -> Trace:
        """The same computation without rounding; computed for worksheets only."""
        return exact_of(self.trace)

    @cached_property
    def options(self) -> SheetOptions:
        """The choices for its worksheets."""
        options = self.request.options(self.trace)
        return replace(options, among=among(self.request.sheets or ()))

    @property
    def tabs(self) -> tuple[str, ...] | None:
        """The sheets whose tabs its workbooks have; None for all, none at all for no workbook."""
        if self.request.sheets is None or self.request.only == ("xlsx",):
            return self.request.sheets
        return tuple(in_workbook(self.request.sheets))

    @property
    def binds(self) -> bool:
        """Whether there is a file with all of its sheets."""
        printed = "pdf" in self.outputs and len(self.sheets) > 1
        return printed and not in_browser(self.request.worksheet)

    def owner(self, sheets: tuple[str, ...] | None) -> Owner:
        """Nobody's in particular: which computation an exercise is, and of which sheets."""
        named = tuple(SERIES[sheet].name for sheet in sheets or ())
        which = code(self.trace)
        return Owner("", which, named or (ALL,), self.options.level)

    def tasks(self) -> list[Task]:
        """All files but the booklets: the workbooks are a task, and each sheet in each kind."""
        tasks: list[Task] = []
        if "xlsx" in self.outputs and self.tabs != ():
            tasks.append(self.workbooks)
        else:
            require(self.request.rounds <= 1, "make.rounds", rounds=self.request.rounds)
        if NOTEBOOK in self.outputs:
            tasks.append(self.notebooks)
        kinds = [kind for kind in self.outputs if kind not in UNPRINTED]
        if kinds:
            _ = self.exact  # once, before there are processes
        planned = self.options.route and "solution" in self.request.variants
        tasks += [partial(self.plan, kind) for kind in kinds if planned]
        papers = (partial(self.papers, one, kind) for kind in kinds for one in self.sheets)
        return [*tasks, *papers]

    def plan(self, kind: str) -> MakeResult:
        """The plan of the route's lessons."""
        made, own = MakeResult(), PrintedSheet(self.sheets[0], self.trace, self.exact, self.options)
        with made.noting():
            made.files[Path(FOLDERS["solution"], f"plan.{kind}")] = plan_of_route(own, kind)
        return made

    def workbooks(self) -> MakeResult:
        """Exercise and solution, as far as they are asked for."""
        # Late, for openpyxl: worksheets alone do without its third of a second.
        from generator.render.workbook import exercise, solution
        from generator.render.workbook.sheet_tabs import played

        made, texts, level = MakeResult(), load(self.trace.language), self.options.level
        rounds = self.request.rounds
        once = cache(lambda: played(self.trace, self.tabs, rounds))
        for variant in self.request.variants:
            with made.noting():
                trace = once()
                if variant == "solution":
                    name, content = "solution", solution.render(trace, texts)
                else:
                    name, owner = "exercise", self.owner(self.tabs)
                    content = exercise.render(trace, texts, level, self.options, owner)
                made.files[Path(FOLDERS[variant], f"workbook-{name}.xlsx")] = content
        made.notes.extend(stopped(once(), rounds) if made.files else ())
        return made

    def notebooks(self) -> MakeResult:
        """A notebook to write in and the written one, as far as they are asked for."""
        made, texts = MakeResult(), load(self.trace.language)
        for variant in self.request.variants:
            with made.noting():
                book = Notebook(self.exact, texts, variant == "solution").render()
                made.files[Path(FOLDERS[variant], f"notebook-{variant}.{NOTEBOOK}")] = book
        return made

    def papers(self, sheet: str, kind: str) -> MakeResult:
        """A sheet, solved, its help cards; what its variants have in common is laid out once."""
        made, leaves = MakeResult(), dict[tuple[object, ...], Any]()
        trace, exact = numbers_of(sheet, self.sheets, self.trace, self.exact)
        own = PrintedSheet(sheet, trace, exact, self.options)
        variants = SERIES[sheet].kind.variants(self.request.variants)
        with no_garbage_collection():  # what one file of a sheet leaves serves the next one
            for variant in variants:
                with made.noting():
                    content = own.file(kind, variant, leaves=leaves)
                    made.files[_path(sheet, variant, kind)] = content
            leaves.clear()
            for variant in variants if own.has_mosaic else ():
                with made.noting():
                    name = SERIES[sheet].file(mosaic.FILES[variant], kind)
                    made.files[Path(FOLDERS[variant], name)] = own.mosaic(kind, variant)
            if "blank" not in variants:
                return made
            if own.options.fillable and kind == "pdf" and own.asks:
                with made.noting():
                    content = own.file(owner=self.owner((sheet,)))
                    made.files[_path(sheet, FILLABLE)] = content
            if own.has_helps:
                with made.noting():
                    made.files[_path(sheet, "help", kind)] = own.help_cards(kind)
        return made

    def booklets(self, files: Mapping[Path, bytes]) -> list[Task]:
        """The sheets in one file, where there are several and all could be made."""
        names = fitting(self.sheets, self.trace, self.options)

        def task(variant: str) -> MakeResult:
            made = MakeResult()
            with made.noting():
                made.files[Path(FOLDERS[variant], f"worksheets-{variant}.pdf")] = booklet(
                    names, self.trace, self.exact, self.options, variant=variant,
                    ready=lambda sheet: files[_path(sheet, variant)])  # fmt: skip
            return made

        return [
            partial(task, variant)
            for variant in self.request.variants
            if len(names) > 1 and all(_path(sheet, variant) in files for sheet in names)
        ]

    def notes(self) -> list[str]:
        """What to know of the worksheets: long texts of one's own, what sheets say, leave out."""
        texts = long_texts(self.options.texts) if self.sheets else []
        own = [note for sheet in self.sheets for note in SERIES[sheet].notes(self.trace)]
        return [*texts, *own, *notes_on(self.trace, self.sheets)]


def _path(sheet: str, variant: str, kind: str = "pdf") -> Path:
    """Where a sheet's file is written; help cards and single files are handed out, slides shown."""
    its = SERIES[sheet].kind
    teachers = its.screen or its.variants((variant,)) == ("solution",)
    folder = FOLDERS["solution" if teachers else "blank"]
    return Path(folder, SERIES[sheet].file(variant, kind))


def exact_of(trace: Trace) -> Trace:
    """The same computation without rounding, which a solution compares with."""
    if trace.rounding == "exact":
        return trace
    return recomputed(trace, rounding="exact", training=trace.training)


def chosen_sheets(trace: Trace, request: Request) -> tuple[tuple[str, ...], list[str]]:
    """The worksheets to make, and why others were left out."""
    _require_read(trace, request)
    if route := request.worksheet.route:
        route_of(route).plans(trace)
    if request.only and UNPRINTED.issuperset(request.only):
        whole = "xlsx" in request.only or request.sheets is None
        require(whole, "notebook.sheets")
        return (), []
    if request.sheets is not None:
        for name in request.sheets:
            require_sheet(name)
        return request.sheets, []
    wanted = (*SHEETS, COMPLETE) if "solution" in request.variants else SHEETS
    reasons = {name: unfit(name, trace) for name in wanted}
    own = cache(lambda: compute(trace.preset))
    note = left_out(reasons, trace.preset.name, lambda name: bool(unfit(name, own())))
    notes = [advised(note, trace.preset)] if note else []
    return tuple(name for name, why in reasons.items() if not why), notes


def _require_read(trace: Trace, request: Request) -> None:
    """Raise a `UserError` for sentences of a class that nothing here would read."""
    wanted = request.sheets is None or TOGETHER in request.sheets
    read = wanted and request.only != ("xlsx",)
    require(read or not trace.sentences, "make.sentences", sheet=TOGETHER)


def chosen_outputs(request: Request, sheets: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """The outputs to make; with a message where HTML has to take the place of PDF."""
    if request.only is not None or not sheets:
        return request.only or ("xlsx",), []
    return usual_outputs(request.worksheet)


def usual_outputs(options: SheetOptions) -> tuple[tuple[str, ...], list[str]]:
    """Workbooks and PDFs; with a message, HTML in the place of PDF where nothing can make one."""
    if in_browser(options):
        return ("xlsx", "pdf"), []
    try:
        load_engine()
    except PangoMissing as error:
        return ("xlsx", "html"), [f"{error}\nFor now the worksheets are written as HTML."]
    return ("xlsx", "pdf"), []
