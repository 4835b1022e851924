"""Makes an exam: the checks, the batch of everybody's papers, the papers for marking.

Also here:

* The lesson that an exam is, and everything that cannot be said before it is made.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from generator import output
from generator.classroom.batch import BatchRun, Outcome, seed_for, unused
from generator.classroom.files.store import store
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.pupils.roster import Entry, Pupil, listed
from generator.classroom.pupils.seats import Rows, usual_seat
from generator.engine.preset import Preset
from generator.errors import refused, require, require_known
from generator.exams.papers import ROW, ExamPapers, in_versions, versions_of
from generator.grading.marking.scheme import TABLES, Scheme, read_scheme
from generator.grading.marking.task import batch_in
from generator.locales.catalogue import load
from generator.presets.defaults import CLASS
from generator.presets.load import load_preset
from generator.processes import Progress, nobody
from generator.render.worksheet.pdf import in_browser
from generator.render.worksheet.pdf_engine import INSTALL_PANGO
from generator.sheets.routes import by_route
from generator.sheets.series import SERIES, SHEETS, in_order, require_sheet, resolved

OUTPUTS = ("pdf", "xlsx")
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


@dataclass(frozen=True, kw_only=True)
class Exam:
    """An exam as it is asked for, see `generator.exam`; `options` are those of its lesson."""

    pupils: str | Path | int
    folder: Path
    sheets: Iterable[str] = ("4a",)
    versions: Iterable[str] | None = None
    vary: str | None = None
    minutes: int = 45
    row: int = ROW
    scheme: Path | None = None
    grades: str | None = None
    preset: str | Path | Preset = CLASS
    only: Iterable[str] | None = None
    seed: str | None = None
    jobs: int | None = None
    resume: bool = False
    told: Progress = nobody
    options: Mapping[str, Any]

    @classmethod
    def of(cls, **options: Any) -> "Exam":
        """The exam of these options, its own and the lesson's."""
        options = by_route(options)
        own = {one.name: options.pop(one.name) for one in fields(cls) if one.name in options}
        return cls(**own, options=options)

    def run(self) -> Outcome:
        """Make everybody's papers and those for marking; `UserError` before anything is made."""
        lesson = self._lesson()
        rows = in_versions(self._entries, self._count, self.row)
        place = store(str(self.folder))
        outcome = BatchRun(lesson, rows, place, self.jobs, resume=self.resume, told=self.told).run()
        pupils = (one for one in listed(self.pupils) if isinstance(one, Pupil))
        outcome.notes += unused(pupils, FOR_ALL, "an exam")
        if outcome.finished:
            batch = batch_in(self.folder)
            names = batch.names if lesson.print_names else {}
            made = ExamPapers(batch, self._rules, self.row, names).files()
            output.write({self.folder / "teacher" / name: data for name, data in made.items()})
        return outcome

    def _entries(self) -> Iterator[Entry]:
        """The class list without what it says of single pupils, as an exam is the same for all."""
        for row in listed(self.pupils):
            alike = isinstance(row, Pupil) and row._replace(sentence=None, preset=None, level=None)
            yield alike or row

    @cached_property
    def _model(self) -> Preset:
        of = self.preset
        return load_preset(of) if isinstance(of, str | Path) else of

    @cached_property
    def _rules(self) -> Scheme:
        language = self.options.get("language") or self._model.language
        return scheme_of(self.scheme, self.grades, language)

    @cached_property
    def _count(self) -> int:
        """How many versions there are, by default two, 0 for own numbers each."""
        vary, versions = self.vary, None if self.versions is None else tuple(self.versions)
        require(vary is None or versions is None, "exam.versions_vary")
        require(vary in (None, "numbers"), "exam.vary", vary=vary)
        return 0 if vary else versions_of(versions or ("A", "B"))

    def _lesson(self) -> Lesson:
        """The lesson whose pages are an exam's; `UserError` where it does not fit into its time."""
        outputs, sheets = tuple(self.only or ("pdf",)), tuple(self.sheets)
        for name in outputs:
            require(name in OUTPUTS, "exam.only", name=name)
        require_sheets(sheets)
        count, rules = self._count, self._rules
        require_pupils(self._entries, count)
        lesson = Lesson.asked(
            sheets=tuple(in_order(sheets)),
            vary=f"groups={count}" if count else "numbers",
            exam=self.minutes,
            tolerance=rules.tolerance,
            carried=rules.credit.carried,
            seed=seed_for(store(str(self.folder)), self.seed, self.resume),
            outputs=outputs,
            preset=self._model,
            row=self.row if count else 0,
            **{**self.options, **FIXED},
        )
        self._require_time(lesson)
        numbered = "pdf" not in lesson.outputs or not in_browser(lesson.worksheet)
        require(numbered, "exam.pango", install=INSTALL_PANGO)
        return lesson

    def _require_time(self, lesson: Lesson) -> None:
        plans = {
            SERIES[sheet].name: task.base_plans[sheet].in_exam
            for sheet, task in usual_seat(lesson).tasks.items()
        }
        needed = sum(plans.values())
        if needed > self.minutes:
            each = ", ".join(f"{sheet} {one}" for sheet, one in plans.items())
            named = {"needed": needed, "each": each, "level": lesson.worksheet.level}
            raise refused("exam.minutes", minutes=self.minutes, **named)


def scheme_of(path: Path | None, grades: str | None, language: str) -> Scheme:
    """The scheme of an exam: a file's, or the usual one in half points; `UserError` for both.

    Where nothing else is said, the language of the papers says which table is usual.
    """
    if path is not None:
        require(grades is None, "exam.grades")
        return read_scheme(path, exam=True)
    table = grades or load(language).t("exam.grades.usual")
    require_known("table of grades", table, tuple(TABLES))
    return Scheme.model_validate({"half": True, "grades": table})


def require_sheets(sheets: Iterable[str]) -> None:
    """Raise a `UserError` for sheets that there are none of, and for those without points."""
    possible = [name for name in SHEETS if gives_points(name)]
    for name in resolved(sheets):
        require_sheet(name)
        if not gives_points(name):
            sheet, known = SERIES[name], ", ".join(possible)
            why = "a class fills it in together" if sheet.kind.together else "it asks nothing"
            raise refused("exam.points", sheet=sheet, why=why, known=known)


def gives_points(name: str) -> bool:
    """Whether a sheet can stand in an exam: each pupil has something to answer there alone."""
    kind = SERIES[name].kind
    return kind.filled and not kind.together and not kind.complete


def require_pupils(rows: Rows, versions: int) -> None:
    """Raise a `UserError` for fewer pupils than versions."""
    pupils = [row for row in rows() if isinstance(row, Pupil)]
    found = f"{len(pupils)} pupil{'s' * (len(pupils) != 1)}"
    require(len(pupils) >= versions, "exam.pupils", found=found, versions=versions)
