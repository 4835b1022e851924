"""Makes an exam: the checks, the batch of everybody's papers, the papers for marking.

Also here:

* The lesson that an exam is, and everything that cannot be said before it is made.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from generator import output
from generator.classroom.batch import BatchRun, Outcome, seed_for
from generator.classroom.files.pool import jobs_for
from generator.classroom.files.store import store
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.pupils.roster import Pupil, listed
from generator.classroom.pupils.seats import Rows, usual_seat
from generator.errors import UserError, first_of, require_known
from generator.exams.papers import ROW, ExamPapers, in_versions, versions_of
from generator.grading.marking.mark_class import names_of
from generator.grading.marking.scheme import TABLES, Scheme, read_scheme, require_printed
from generator.grading.marking.task import batch_in
from generator.locales.catalogue import load
from generator.presets.defaults import CLASS
from generator.presets.load import load_preset
from generator.processes import Progress
from generator.render.worksheet.pdf import in_browser
from generator.render.worksheet.pdf_engine import INSTALL_PANGO
from generator.sheets.series import SERIES, SHEETS, in_order, require_sheet, resolved

MINUTES, MOST_MINUTES = 45, 600


def run(
    pupils: str | Path | int,
    folder: Path,
    *,
    sheets: Iterable[str] = ("4a",),
    versions: Iterable[str] | None = None,
    vary: str | None = None,
    minutes: int = MINUTES,
    row: int = ROW,
    scheme: Path | None = None,
    grades: str | None = None,
    only: Iterable[str] | None = None,
    seed: str | None = None,
    jobs: int | None = None,
    resume: bool = False,
    told: Progress = lambda done, of: None,
    **options: Any,
) -> Outcome:
    """See `generator.exam`, the function of the Python interface."""
    outputs, sheets = tuple(only or ("pdf",)), tuple(sheets)
    require_outputs(outputs)
    require_sheets(sheets)
    count = how_many(None if versions is None else tuple(versions), vary)
    preset = options.pop("preset", CLASS)
    model = load_preset(preset) if isinstance(preset, str | Path) else preset
    rules = scheme_of(scheme, grades, options.get("language") or model.language)

    entries = partial(listed, pupils)
    require_pupils(entries, count)
    place = store(str(folder))
    lesson = lesson_of(sheets=tuple(in_order(sheets)), versions=count, minutes=minutes,
                               scheme=rules, seed=seed_for(place, seed, resume),
                               outputs=outputs, preset=model, row=row if count else 0,
                               **options)  # fmt: skip
    rows = in_versions(entries, count, row)
    jobs = jobs_for(sum(1 for _ in rows()), jobs)
    outcome = BatchRun(lesson, rows, place, jobs, resume=resume, told=told).run()
    if outcome.finished:
        batch = batch_in(folder)
        names = names_of(batch) if lesson.print_names else {}
        made = ExamPapers(batch, rules, row, names).files()
        output.write({folder / "teacher" / name: content for name, content in made.items()})
    return outcome


OUTPUTS = ("pdf", "xlsx")
WIDEST = 20  # seats of a row
# Of single pupils; in an exam these are the same for all.
FOR_ALL = ("sentence", "preset", "level")
# What an exam decides for its pages and workbooks.
FIXED: Mapping[str, object] = {
    "story": False,
    "points": True,
    "check": "off",
    "interim": False,
    "hints": False,
}


def scheme_of(path: Path | None, grades: str | None, language: str) -> Scheme:
    """The scheme of an exam: a file's, or the usual one in half points; `UserError` for both.

    Where nothing else is said, the language of the papers says which table is usual.
    """
    if path is not None:
        if grades is not None:
            raise UserError("--grades: the scheme's file says it; leave --grades or --scheme out")
        scheme = read_scheme(path)
        require_printed(scheme, path.name, exam=True)
        return scheme
    table = grades or load(language).t("exam.grades.usual")
    require_known("table of grades", table, TABLES)
    return Scheme.model_validate({"half": True, "grades": table})


def how_many(versions: Sequence[str] | None, vary: str | None) -> int:
    """How many versions there are, by default two, 0 for own numbers each; `UserError` for both."""
    if vary is not None and versions is not None:
        raise UserError("--versions and --vary: an exam has one of them; leave the other out")
    if vary not in (None, "numbers"):
        raise UserError(
            f"--vary: found {vary!r}; an exam has --vary numbers (everybody their own) or "
            "--versions A,B"
        )
    return 0 if vary else versions_of(versions or ("A", "B"))


def require_sheets(sheets: Iterable[str]) -> None:
    """Raise a `UserError` for sheets that there are none of, and for those without points."""
    possible = [name for name in SHEETS if gives_points(name)]
    for name in resolved(sheets):
        require_sheet(name)
        if not gives_points(name):
            why = (
                "a class fills it in together" if SERIES[name].kind.together else "it asks nothing"
            )
            raise UserError(
                f"--sheets: sheet {SERIES[name].name} has no points for an exam, as {why}; choose "
                f"from: {', '.join(possible)}"
            )


def gives_points(name: str) -> bool:
    """Whether a sheet can stand in an exam: each pupil has something to answer there alone."""
    kind = SERIES[name].kind
    return kind.filled and not kind.together and not kind.complete


def require_outputs(outputs: Sequence[str]) -> None:
    """Raise a `UserError` for what no exam is made as."""
    for name in outputs:
        if name not in OUTPUTS:
            raise UserError(
                f"--only: found {name!r}; an exam is made as pdf (paper, with --fillable also a "
                "form) or xlsx (exercise workbook)"
            )


def lesson_of(
    *, sheets: tuple[str, ...], versions: int, minutes: int, scheme: Scheme, **options: Any
) -> Lesson:
    """The lesson whose pages are an exam's; `UserError` where it does not fit into its time."""
    lesson = Lesson.asked(
        sheets=sheets,
        vary=f"groups={versions}" if versions else "numbers",
        exam=minutes,
        tolerance=scheme.tolerance,
        carried=scheme.credit.carried,
        **{**options, **FIXED},
    )
    _require_time(lesson, minutes)
    _require_pango(lesson)
    return lesson


def _require_pango(lesson: Lesson) -> None:
    if "pdf" in lesson.outputs and in_browser(lesson.worksheet):
        raise UserError(
            "an exam's PDF files need the system library Pango: their pages are numbered through, "
            f"which no browser does. Install it with\n{INSTALL_PANGO}\n"
            "or make the exam on paper without a cover, by the browser: paperformer batch --points"
        )


def _require_time(lesson: Lesson, minutes: int) -> None:
    plans = {
        SERIES[sheet].name: task.base_plans[sheet].minutes
        for sheet, task in usual_seat(lesson).tasks.items()
    }
    needed = sum(plans.values())
    if needed > minutes:
        each = ", ".join(f"{sheet} {one}" for sheet, one in plans.items())
        raise UserError(
            f"--minutes {minutes}: the sheets take {needed} minutes at level "
            f"{lesson.worksheet.level} ({each}); take --minutes {needed} or more, a lower --level, "
            "or fewer sheets"
        )


def require_pupils(rows: Rows, versions: int) -> None:
    """Raise a `UserError` for fewer pupils than versions, or for choices of single pupils."""
    pupils = [row for row in rows() if isinstance(row, Pupil)]
    if len(pupils) < versions:
        raise UserError(
            f"{len(pupils)} pupil{'s' * (len(pupils) != 1)} and {versions} versions: then a "
            "version is nobody's; take fewer --versions, or --vary numbers"
        )
    others = [
        f"line {one.line}: the list gives a {name} of its own"
        for one in pupils
        for name in FOR_ALL
        if getattr(one, name) is not None
    ]
    if others:
        way_out = "an exam is the same for all: leave these columns out of the list"
        raise UserError("\n".join([*first_of(others), way_out]))
