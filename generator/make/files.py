"""From a Trace to files: each rendered under its name, on all processors, and written at once."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from generator import output
from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.make.choice import chosen_outputs, chosen_sheets, chosen_tabs
from generator.make.request import FOLDERS, Request
from generator.presets.computed import stopped
from generator.processes import Progress, nobody, processors, results
from generator.render.owner import ALL, Owner
from generator.render.worksheet.booklet import booklet, fitting
from generator.render.worksheet.pdf import browser_notes, in_browser, no_garbage_collection
from generator.render.worksheet.worksheet import asks, has_helps, render, render_help
from generator.sheets import left_out
from generator.sheets.options import SheetOptions
from generator.sheets.own_texts import long_texts
from generator.sheets.series import FILLABLE, SERIES
from generator.sheets.titles import numbers_of
from generator.slug import code


class MakeResult(NamedTuple):
    """What was written, what was left out and why, and what failed."""

    paths: list[Path]
    notes: list[str]
    problems: list[str]


class FileJob(NamedTuple):
    """One file: its path below the result folder and what renders it."""

    path: Path
    render: Callable[[], bytes]


class TaskFiles(NamedTuple):
    """Files by their path below the result folder, why others could not be made, and remarks."""

    files: dict[Path, bytes]
    problems: list[str]
    notes: tuple[str, ...] = ()


Task = Callable[[], TaskFiles]


class Rendered(NamedTuple):
    """Files by their path below the result folder, what was left out and why, and what failed."""

    files: dict[Path, bytes]
    notes: list[str]
    problems: list[str]


def make(trace: Trace, request: Request, folder: Path, told: Progress = nobody) -> MakeResult:
    """Render what is asked for and write it below the folder, all files at once.

    An output that fails for a reason that the user can mend is named in `problems`; the others
    are written all the same. `told` hears how many of how many parts (a sheet, the workbooks, a
    booklet) are rendered. Raises `UserError` for an unknown sheet, where nothing at all could be
    made, and where the folder cannot be written.
    """
    output.require_place(folder)
    files, notes, problems = rendered(trace, request, told)
    return MakeResult(output.write({folder / path: files[path] for path in files}), notes, problems)


def rendered(trace: Trace, request: Request, told: Progress = nobody) -> Rendered:
    """The files that `make` writes; `UserError` and `told` as there."""
    sheets, notes = chosen_sheets(trace, request)
    outputs, problems = chosen_outputs(request, sheets)
    notes += browser_notes(request.worksheet) if "pdf" in outputs else []
    tasks = _tasks(trace, request, outputs, sheets)
    binds = "pdf" in outputs and len(sheets) > 1 and not in_browser(request.worksheet)
    of = len(tasks) + (len(request.variants) if binds else 0)
    parts = _in_processes(tasks, request, lambda done, _: told(done, of))
    files = {path: content for part in parts for path, content in part.files.items()}
    if binds:
        booklets = _booklets(sheets, trace, request, files)
        bound = _in_processes(booklets, request, lambda done, _: told(len(tasks) + done, of))
        parts += bound
        files |= {path: content for part in bound for path, content in part.files.items()}
    problems = list(dict.fromkeys([*problems, *(one for part in parts for one in part.problems)]))
    notes += [note for part in parts for note in part.notes]
    notes += _own_texts(request) if sheets else []
    notes += _notes(trace, sheets)
    if not files:
        raise UserError("\n".join(problems or notes))
    return Rendered(files, notes, problems)


def _in_processes(tasks: list[Task], request: Request, told: Progress) -> list[TaskFiles]:
    """What the tasks make, in their order; the last ones, which take longest, are begun first."""
    return results(tasks[::-1], request.jobs or processors(), told)[::-1]


def _tried(jobs: Iterable[FileJob]) -> TaskFiles:
    """The files that these jobs render."""
    made = TaskFiles({}, [])
    for job in jobs:
        try:
            made.files[job.path] = job.render()
        except UserError as error:
            made.problems.append(str(error))
    return made


def _tasks(
    trace: Trace, request: Request, outputs: tuple[str, ...], sheets: tuple[str, ...]
) -> list[Task]:
    """All files but the booklets: the workbooks are a task, and each sheet in each kind."""
    tabs, tasks = chosen_tabs(request), []
    if "xlsx" in outputs and tabs != ():
        tasks.append(lambda: _workbooks(trace, request, tabs))
    elif request.rounds > 1:
        raise UserError(
            f"--rounds {request.rounds} is about the workbooks, and none is asked for: leave it "
            "out, or let --only have xlsx"
        )
    kinds = [kind for kind in outputs if kind != "xlsx"]
    exact = exact_of(trace) if kinds else trace
    options = request.options(trace)

    def task(sheet: str, kind: str) -> Task:
        def papers() -> TaskFiles:
            both = numbers_of(sheet, sheets, trace, exact)
            with no_garbage_collection():  # what one file of a sheet leaves serves the next one
                return _tried(_papers(sheet, kind, *both, options, request.variants))

        return papers

    return tasks + [task(sheet, kind) for kind in kinds for sheet in sheets]


def _workbooks(trace: Trace, request: Request, tabs: tuple[str, ...] | None) -> TaskFiles:
    from generator.render.workbook.sheet_tabs import played

    once = cache(lambda: played(trace, tabs, request.rounds))
    part = _tried(_books(trace, request, tabs, once))
    return part._replace(notes=tuple(stopped(once(), request.rounds))) if part.files else part


def _books(
    trace: Trace,
    request: Request,
    tabs: tuple[str, ...] | None,
    played_once: Callable[[], Trace],
) -> Iterator[FileJob]:
    # Late, for openpyxl: worksheets alone do without its third of a second.
    from generator.render.workbook import exercise, solution

    asked = request.worksheet
    texts, blank = load(trace.language), partial(exercise.render, judging=asked.judging)
    owner = partial(_owner, trace, tabs, asked.level)  # once `played_once` knows the tabs
    for variant in request.variants:
        if variant == "solution":
            path = Path(FOLDERS[variant], "workbook-solution.xlsx")
            yield FileJob(path, lambda: solution.render(played_once(), texts))
        else:
            path = Path(FOLDERS[variant], "workbook-exercise.xlsx")
            yield FileJob(path, lambda: blank(played_once(), texts, asked.level, owner=owner()))


def _owner(trace: Trace, sheets: tuple[str, ...] | None, level: int) -> Owner:
    """Nobody's in particular: which computation an exercise is, and of which sheets."""
    named = tuple(SERIES[sheet].name for sheet in sheets or ())
    return Owner("", code(trace.preset, trace.sentence, trace.edits), named or (ALL,), level)


def _papers(
    sheet: str,
    kind: str,
    trace: Trace,
    exact: Trace,
    options: SheetOptions,
    variants: tuple[str, ...],
) -> Iterator[FileJob]:
    """A sheet, solved, its help cards; what blank and solution have in common is laid out once."""
    leaves: dict[tuple[object, ...], Any] = {}
    variants = SERIES[sheet].kind.variants(variants)
    for variant in variants:
        made = partial(render, kind=kind, variant=variant, leaves=leaves)
        yield FileJob(_path(sheet, variant, kind), partial(made, sheet, trace, exact, options))
    leaves.clear()
    if options.fillable and kind == "pdf" and "blank" in variants and asks(sheet, trace, options):
        made = partial(render, owner=_owner(trace, (sheet,), options.level))
        yield FileJob(_path(sheet, FILLABLE), partial(made, sheet, trace, exact, options))
    if "blank" in variants and has_helps(sheet, trace, options):
        made = partial(render_help, kind=kind)
        yield FileJob(_path(sheet, "help", kind), partial(made, sheet, trace, exact, options))


def _path(sheet: str, variant: str, kind: str = "pdf") -> Path:
    """Where a sheet's file is written; help cards and single files are handed out."""
    solved = SERIES[sheet].kind.variants((variant,)) == ("solution",)
    folder = FOLDERS["solution" if solved else "blank"]
    return Path(folder, SERIES[sheet].file(variant, kind))


def _booklets(
    sheets: tuple[str, ...], trace: Trace, request: Request, files: Mapping[Path, bytes]
) -> list[Task]:
    """The sheets in one file, where there are several and all could be made."""
    if len(sheets) < 2:
        return []
    options, exact = request.options(trace), exact_of(trace)
    names = fitting(sheets, trace, options)

    def task(variant: str) -> Task:
        def bound() -> bytes:
            return booklet(names, trace, exact, options, variant=variant,
                           ready=lambda sheet: files[_path(sheet, variant)])  # fmt: skip

        return lambda: _tried([FileJob(Path(FOLDERS[variant], f"worksheets-{variant}.pdf"), bound)])

    return [
        task(variant)
        for variant in request.variants
        if len(names) > 1 and all(_path(sheet, variant) in files for sheet in names)
    ]


def _own_texts(request: Request) -> list[str]:
    return long_texts(request.worksheet.texts)


def _notes(trace: Trace, sheets: tuple[str, ...]) -> list[str]:
    own = [note for sheet in sheets for note in SERIES[sheet].notes(trace)]
    return [*own, *left_out.notes(trace, sheets)]


def exact_of(trace: Trace) -> Trace:
    """The same computation without rounding, which a solution compares with."""
    if trace.rounding == "exact":
        return trace
    return compute(
        trace.preset,
        trace.sentence,
        rounding="exact",
        edits=trace.edits,
        worked=trace.worked,
        exercise=trace.exercise,
        training=trace.training,
    )
