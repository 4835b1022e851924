"""What a teacher gets for the whole class: class PDFs, solutions, key, check page, manifest.

Also here:

* The check page for a teacher who walks round: one line per pupil, control values, usual slips.
* The files of one part of a class, PDF or HTML: work leaves to copy, the teacher's solutions.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, repeat
from typing import NamedTuple

from generator.classroom.desk.key_rows import REPEATED, answer_key, asked
from generator.classroom.desk.manifest import MANIFEST, Journal, Manifest, beginning_of, sealed
from generator.classroom.files import class_sheets
from generator.classroom.files.pool import Papers, Pool, attempted, in_order, portions
from generator.classroom.files.pupil_files import EXAM, HAND_OUT, PupilSet, exam_paper
from generator.classroom.files.store import sha256
from generator.classroom.files.work_sheets import (
    ClassFile,
    Pair,
    SharedLeaf,
    WorkLeaf,
    WorkPage,
    taken,
)
from generator.classroom.numbers.fairness import Effort, Spread, spread
from generator.classroom.numbers.lesson import Lesson, teachers
from generator.classroom.numbers.task import Task
from generator.classroom.pupils.columns import written
from generator.classroom.pupils.seats import Roll, Seat, version_key, version_of
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.slips import Slip
from generator.locales.catalogue import load
from generator.locales.locale import of_norm
from generator.presets.portable import to_data
from generator.render.worksheet.binding import (
    CopierLeaf,
    bound_for_copier,
    fronted,
    page_count,
    paged,
    starts_of_book,
)
from generator.render.worksheet.edition import EditionPage as HtmlPage
from generator.render.worksheet.teacher_pages import (
    CheckLine,
    Control,
    IndexLine,
    check_pages,
    index,
    index_html,
    marks,
)
from generator.render.worksheet.worksheet import PrintedSheet, planned
from generator.sheets.options import KINDS
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES
from generator.sheets.titles import placed, title

NAMES, KEY = "teacher/names.csv", "teacher/answer-key.xlsx"
PART = 200  # pupils in one class PDF: a stack that a copier takes, and flat memory


@dataclass(frozen=True)
class TeacherPapers:
    """Everything that is for the class as a whole, and what is said of it."""

    roll: Roll
    journal: Journal

    def finish(self, workers: Pool) -> list[str]:
        """Make and write these papers; gives back what failed.

        Papers of an earlier, smaller or larger class that are not made any more are taken away.
        Raises `UserError` where the manifest cannot be written.
        """
        problems: list[str] = []
        digests: dict[str, str] = {}
        store = self.journal.store
        content = store.read(MANIFEST)  # of the batch that is being enlarged
        before = (
            set()
            if content is None
            else set(Manifest.opened(content, f"{store}/{MANIFEST}").papers)
        )
        for files, problem in self._all(workers):
            try:
                if not problem:
                    store.write(files)
                    digests.update((path, sha256(content)) for path, content in files.items())
            except UserError as error:
                problem = str(error)
            problems += [problem] if problem else []
        for path in sorted(before - digests.keys()):
            store.remove(path)
        store.write({MANIFEST: self._manifest(digests)})
        return problems

    def _all(self, workers: Pool) -> Iterator[Papers]:
        lesson = self.roll.lesson
        for _, papers in in_order(workers, make, self._parts()):
            yield from papers
        if not lesson.worksheet.exam:  # it has neither info leaf nor board
            yield from class_sheets.make(lesson, self._seats(), taken(self._seats()))
        yield attempted(KEY, lambda: {KEY: answer_key(lesson, self._sets())})
        yield Papers({NAMES: self._names()})

    def _seats(self) -> Iterator[Seat]:
        """The seats whose files are in place, in the list's order."""
        return (seat for seat in self.roll.seats() if seat.code in self.journal)

    def _sets(self) -> Iterator[PupilSet]:
        return (PupilSet(seat, self.journal.record(seat.code)) for seat in self._seats())

    def _parts(self) -> Iterator["ClassPart"]:
        several = sum(1 for _ in self._seats()) > PART
        for number, some in enumerate(portions(self._sets(), PART), 1):
            yield ClassPart(self.roll.lesson, some, f"-{number}" if several else "")

    def _names(self) -> bytes:
        """Who has which code: the only file with names, a CSV that Excel opens (semicolons, BOM).

        Further columns of the class list stand behind, as they were. An apostrophe stands before
        what a spreadsheet would take for a formula.
        """
        lesson, codes = self.roll.lesson, {seat.key: seat.code for seat in self._seats()}
        rows: list[list[str]] = []
        heading: list[str] = []
        for pupil in self.roll.pupils():
            extra = dict(pupil.extra)
            if not rows:
                heading = [name for name, _ in pupil.extra]
                rows.append(["code", "id", "name", *heading])
            key = version_key(version_of(lesson, pupil.id)) if lesson.versions else pupil.id
            further = [extra.get(name, "") for name in heading]
            rows.append([codes.get(key, ""), pupil.id, pupil.name, *further])
        return written(rows, ";")

    def _manifest(self, papers: Mapping[str, str]) -> bytes:
        """The manifest's bytes: choices, seed, presets, and the record of each seat; no names.

        `papers` has the SHA-256 of each file that is for the class as a whole, by its path.
        """
        lesson = self.roll.lesson
        presets = {seat.preset.sha256: seat.preset for seat in self._seats()}
        presets[lesson.preset.sha256] = lesson.preset
        head = {
            **beginning_of(lesson).head(),
            "effort": self.effort()._asdict(),
            "presets": {digest: to_data(one) for digest, one in sorted(presets.items())},
            "papers": dict(sorted(papers.items())),
        }
        return sealed(head, (one.record for one in self._sets()))

    def effort(self) -> Spread:
        """How even the class's work is, and how often numbers were redrawn."""
        parts = ((one.record, *one.record.apart.values()) for one in self._sets())
        return spread(
            Effort(math.fsum(one.seconds for one in some), sum(one.draws for one in some))
            for some in parts
        )


MOST_CONTROLS = 6
# Steps in which nothing shows: they repeat the one before, end at 1 for everybody, or lead to one
# number that is a control itself.
DULL = re.compile(
    rf"{REPEATED.pattern}|(?:.*\.)?(?:cumulative|tick|deviations|(?:plain_)?squares|contribution\d+)|check\..*"
)
# Of positions the first numbers tell most: the cosines behind them are all near 1.
FROM_THE_FRONT = re.compile(r"(?:.*\.)?(?:position|input)")


class CheckedCell(NamedTuple):
    """A cell to look at; `several` of its step are asked."""

    step: Step
    cell: Cell
    several: bool

    @property
    def label(self) -> str:
        """What tells the cell from others of its step: the column, in a lone column the row."""
        _, i, j = self.cell
        if len(self.step.columns) > 1:
            return self.step.columns[j]
        label = self.step.rows[i] if self.several else self.step.columns[j]
        return label if self.several or not label.isdecimal() else ""

    @property
    def row(self) -> str:
        """What its step calls the row."""
        return self.step.rows[self.cell[1]]


def line(seat: Seat, both: Pair, sheet: str) -> CheckLine:
    """One pupil's line: at most six control values, each with the numbers that usual slips give.

    Titles are in the teacher's language, numbers and tokens as the pupil writes them.
    """
    trace, lesson = both.trace, seat.lesson
    plan = planned(sheet, trace, seat.options)
    context = PrintedSheet(plan, *both, seat.options).view(blank=False)
    slips: dict[Cell, list[Slip]] = {}
    for slip in context.slips():
        slips.setdefault((slip.step, slip.i, slip.j), []).append(slip)
    looks = controls(trace, plan, list(slips))
    catalogue = of_norm(load(teachers(lesson).language), lesson.preset.norm_form)
    asking = {name for name, _, _ in plan.asked if not REPEATED.fullmatch(name)}
    counts = Counter(title(catalogue, name) for name in asking)

    def shown(look: CheckedCell) -> Control:
        name, i, j = look.cell
        # With its head or norm, where the sheet asks several of that title.
        one = title(catalogue, name)
        called = placed(catalogue, name) if counts[one] > 1 else one
        number = look.step.values[i, j]
        value = str(number) if look.step.text else context.show(name, float(number))
        wrong = {slip.key: context.show(name, slip.wrong) for slip in slips.get(look.cell, ())}
        return Control(called, look.label, value, wrong)

    values = tuple(_told_apart([shown(look) for look in looks], [look.row for look in looks]))
    own = trace.tokens[plan.own] if any(i == plan.own for _, i, _ in plan.asked) else ""
    return CheckLine(seat.code, seat.key, seat.name, plan.mark, own, values)


def _told_apart(shown: Sequence[Control], rows: Sequence[str]) -> Iterator[Control]:
    """The controls; those of two rows of a step that would be called the same with their row."""
    names = [(one.title, one.label) for one in shown]
    for one, name, row in zip(shown, names, rows, strict=True):
        twice = names.count(name) > 1
        yield one._replace(label=f"{row} · {one.label}") if twice else one


def controls(trace: Trace, plan: Plan, places: Sequence[Cell] = ()) -> list[CheckedCell]:
    """The cells to look at first: those where slips show, then of the last steps the last number.

    `places` are where slips show; one that is not asked is left out, as nobody gets it wrong.
    Whoever has the last numbers right has all before them right as well, or was lucky. Where there
    are few steps, they have several each, the later ones more.
    """
    known = frozenset([cell for cell in places if cell in plan.asked][:MOST_CONTROLS])
    steps = []
    for name, asked_cells in groupby(asked(trace, plan), key=lambda one: one[0].name):
        cells = list(asked_cells)
        looks = [CheckedCell(*one, several=len(cells) > 1) for one in cells]
        if not DULL.fullmatch(name) or _of(looks, known):
            steps.append(looks)
    others = [k for k, looks in enumerate(steps) if not _of(looks, known)]
    kept = frozenset(others[len(others) - min(len(others), MOST_CONTROLS - len(known)) :])
    steps = [looks for k, looks in enumerate(steps) if k in kept or k not in others]
    counts = [max(1, len(_of(looks, known))) for looks in steps]
    while sum(counts) < min(MOST_CONTROLS, sum(map(len, steps))):
        for k in reversed(range(len(steps))):
            counts[k] += counts[k] < len(steps[k]) and sum(counts) < MOST_CONTROLS
    return [look for some, n in zip(steps, counts, strict=True) for look in _best(some, n, known)]


def _of(looks: Sequence[CheckedCell], known: frozenset[Cell]) -> list[CheckedCell]:
    return [look for look in looks if look.cell in known]


def _best(looks: Sequence[CheckedCell], count: int, known: frozenset[Cell]) -> list[CheckedCell]:
    """So many of a step's cells, in order: those that are to be there, then the telling ones."""
    rest = [look for look in looks if look.cell not in known]
    if not FROM_THE_FRONT.fullmatch(looks[0].step.name):
        rest.reverse()
    chosen = [*_of(looks, known), *rest][:count]
    return [look for look in looks if look in chosen]


def make(part: "ClassPart") -> list[Papers]:
    """The files of a part, each that fails with its problem; nothing is written."""
    kinds = [kind for kind in KINDS if kind in part.lesson.outputs]
    files = (one for kind in kinds for one in replace(part, kind=kind).files())
    return [attempted(path, partial(_named, path, of)) for path, of in files]


def _named(path: str, of: Callable[[], bytes]) -> dict[str, bytes]:
    return {path: of()}


@dataclass(frozen=True)
class ClassPart:
    """Some sets of a lesson as files of a kind; `mark` tells them from other parts'."""

    lesson: Lesson
    sets: tuple[PupilSet, ...]
    mark: str = ""
    kind: str = "pdf"

    def files(self) -> Iterator[tuple[str, Callable[[], bytes]]]:
        """The paths of the part's files, each with what makes it."""
        end, filled = f"{self.mark}.{self.kind}", self.lesson.filled
        if self.lesson.worksheet.exam:
            if self.kind == "pdf":  # an exam is paper with a cover and running page numbers
                yield f"{HAND_OUT}/class-{EXAM.removesuffix('.pdf')}{end}", self._exams
                if self.lesson.variation.kind != "groups":
                    yield f"teacher/solutions{end}", self._solutions
            return
        for sheet in filled:
            path = f"{HAND_OUT}/class-{SERIES[sheet].name}-blank{end}"
            yield path, partial(self.of_sheet, sheet)
        if len(filled) > 1 or self.lesson.info != "none":  # else it would be the same
            yield f"{HAND_OUT}/class-blank{end}", self.collated
        solutions = self._solutions if self.kind == "pdf" else self._solutions_html
        yield f"teacher/solutions{end}", solutions
        yield f"teacher/check{end}", self.check_page

    def _exams(self) -> bytes:
        """Everybody's exam paper, one after the other, for the copier."""
        papers = (CopierLeaf(one.seat.code, exam_paper(one.pages, "blank")) for one in self.sets)
        return bound_for_copier(papers, self._title("exam.class"))

    def of_sheet(self, sheet: str) -> bytes:
        """Everybody's work leaf of a sheet, for the copier."""
        leaves = [WorkLeaf(sheet, one.pages[sheet], one.seat.code) for one in self.sets]
        return self._file(ClassFile(leaves, self._title(SERIES[sheet].title)))

    def collated(self) -> bytes:
        """All that pupils get, set by set, each leaf on an odd page; info leaves as chosen."""
        return self._file(ClassFile(list(self.leaves()), self._title("class.all")))

    def _file(self, file: ClassFile) -> bytes:
        return file.pdf() if self.kind == "pdf" else file.html()

    def leaves(self) -> Iterator[WorkLeaf | SharedLeaf]:
        """The leaves of the copier's file; "once" is once for each sentence and level."""
        lesson = self.lesson
        shared = [sheet for sheet in lesson.sheets if SERIES[sheet].kind.in_booklet]  # no slides
        tasks = [one.seat.tasks for one in self.sets]
        if lesson.info == "once":
            once = dict.fromkeys((sheet, own[sheet]) for own in tasks for sheet in shared)
            yield from (self._shared(*one) for one in once)
        for one, own in zip(self.sets, tasks, strict=True):
            for sheet in lesson.sheets:
                if lesson.info == "each" and sheet in shared:
                    yield self._shared(sheet, own[sheet], f"{one.seat.code} · ")
                if sheet in one.pages:
                    yield _titled(sheet, one.pages[sheet])

    def _shared(self, sheet: str, task: Task, whose: str = "") -> SharedLeaf:
        one, options = SERIES[sheet], self.lesson.options(task.base.language, task.level)
        leaf = load(teachers(self.lesson).language).t("sheet.leaf.info")
        title = one.name if one.kind.single else f"{one.name} · {leaf}"
        return SharedLeaf(sheet, task, options, f"{whose}{title}")

    def _solved(self, *front: HtmlPage) -> ClassFile:
        """The solved leaves of all sheets, pupil by pupil, each with its title in the outline."""
        pages = (page for one in self.sets for page in one.pages.items())
        leaves = [_titled(*page)._replace(variant="solution") for page in pages]
        return ClassFile(leaves, self._title(), front)

    def _index(self, *pages: int) -> list[IndexLine]:
        """A line for each pupil, with the page on which the own leaves begin, if it is known."""
        pairs = zip(self.sets, pages or repeat(0), strict=False)
        seats = ((one.seat, page) for one, page in pairs)
        return [IndexLine(seat.number, seat.code, seat.key, seat.name, k) for seat, k in seats]

    def _solutions(self) -> bytes:
        """Everybody's solved leaves behind an index that says on which page they begin."""
        book, options = self._solved().pdf(), teachers(self.lesson)
        first = starts_of_book(book)[:: len(self.lesson.filled)]

        def front(before: int) -> bytes:
            return index(self._index(*(before + page for page in first)), options)

        length = page_count(front(0))
        whole = fronted(front(length + length % 2), book)
        return paged(whole, marks(page_count(whole), options))

    def _solutions_html(self) -> bytes:
        """The same in HTML, where the index leads to each pupil and names no page."""
        front = HtmlPage(index_html(self._index(), teachers(self.lesson)), ("class.css",))
        return self._solved(front).html()

    def check_page(self) -> bytes:
        """`check.pdf`, or `check.html`: one table per sheet, in one language."""
        lines = {
            SERIES[sheet].name: [line(one.seat, one.pages[sheet].both, sheet) for one in self.sets]
            for sheet in self.lesson.filled
        }
        return check_pages(lines, teachers(self.lesson), self.kind)

    def _title(self, sheet: str = "") -> str:
        """What the file says that it is, to a reader and to a screen reader."""
        t = load(teachers(self.lesson).language).t
        return t("class.blank", sheet=t(sheet)) if sheet else t("class.solutions")


def _titled(sheet: str, page: WorkPage) -> WorkLeaf:
    """A pupil's work leaf, with whose and which it is in the outline."""
    return WorkLeaf(sheet, page, f"{page.options.code} · {SERIES[sheet].name}")
