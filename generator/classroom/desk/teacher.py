"""What a teacher gets for the whole class: class PDFs, solutions, key, check page, manifest.

Also here:

* What the whole class has in common: the info leaf, the board example, the board.
* The files of one part of a class, PDF or HTML: work leaves to copy, the teacher's solutions.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product, repeat

from generator.classroom.desk.key_rows import answer_key, check_line
from generator.classroom.desk.manifest import MANIFEST, Journal, Manifest, beginning_of, sealed
from generator.classroom.files.pool import Papers, Pool, attempted, in_order, portions
from generator.classroom.files.pupil_files import EXAM, HAND_OUT, PupilSet, exam_paper
from generator.classroom.files.store import sha256
from generator.classroom.files.work_sheets import (
    ClassFile,
    Pair,
    SharedLeaf,
    Taken,
    WorkLeaf,
    WorkPage,
    matrix_of,
    taken,
)
from generator.classroom.numbers.fairness import Effort, Spread, spread
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.pupils.columns import written
from generator.classroom.pupils.seats import Roll, Seat, usual_seat, version_key, version_of
from generator.errors import UserError
from generator.insight.class_step import exercises
from generator.locales.catalogue import load
from generator.presets.portable import to_data
from generator.render.worksheet.binding import (
    CopierLeaf,
    bound_for_copier,
    fronted,
    page_count,
    paged,
    starts_of_book,
)
from generator.render.worksheet.booklet import plan_of_route
from generator.render.worksheet.edition import EditionPage as HtmlPage
from generator.render.worksheet.teacher_pages import CheckLine, ClassPapers, IndexLine
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.mosaic import FILES
from generator.sheets.options import KINDS, VARIANTS, SheetOptions
from generator.sheets.series import SERIES, TOGETHER
from generator.slug import folder_name

NAMES, KEY = "teacher/names.csv", "teacher/answer-key.xlsx"
PART = 200  # pupils in one class PDF: a stack that a copier takes, and flat memory


@dataclass(frozen=True)
class TeacherPapers:
    """Everything that is for the class as a whole, and what is said of it."""

    roll: Roll
    journal: Journal
    workers: Pool

    def finish(self) -> list[str]:
        """Make and write these papers; gives back what failed.

        Papers of an earlier, smaller or larger class that are not made any more are taken away.
        Raises `UserError` where the manifest cannot be written.
        """
        problems: list[str] = []
        digests: dict[str, str] = {}
        store = self.journal.store
        content = store.read(MANIFEST)  # of the batch that is being enlarged
        before = set[str]()
        if content is not None:
            before |= Manifest.opened(content, f"{store}/{MANIFEST}").papers.keys()
        for files, problem in self._all():
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

    def _all(self) -> Iterator[Papers]:
        lesson = self.roll.lesson
        for _, papers in in_order(self.workers, make, self._parts()):
            yield from papers
        if not lesson.worksheet.exam:  # it has neither info leaf nor board
            yield from common_papers(lesson, self._seats(), taken(self._seats()))
        if lesson.worksheet.route:
            common = CommonPapers(lesson, usual_seat(lesson).task)
            yield attempted("plan of the lessons", common.plan)
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
            "effort": self.effort._asdict(),
            "presets": {digest: to_data(one) for digest, one in sorted(presets.items())},
            "papers": dict(sorted(papers.items())),
        }
        return sealed(head, (one.record for one in self._sets()))

    @cached_property
    def effort(self) -> Spread:
        """How even the class's work is, and how often numbers were redrawn."""
        parts = ((one.record, *one.record.apart.values()) for one in self._sets())
        return spread(
            Effort(math.fsum(one.seconds for one in some), sum(one.draws for one in some))
            for some in parts
        )


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
            if self.kind == "pdf" and self.sets[0].pages[sheet].of(sheet).has_mosaic:
                for variant, name in FILES.items():
                    place = HAND_OUT if variant == "blank" else "teacher"
                    path = f"{place}/class-{SERIES[sheet].name}-{name}{end}"
                    yield path, partial(self.mosaics, sheet, variant)
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

    def mosaics(self, sheet: str, variant: str) -> bytes:
        """Everybody's self-check of tiles, for the copier; solved for the teacher."""
        papers = (CopierLeaf(one.seat.code, one.pages[sheet].of(sheet).mosaic("pdf", variant))
                  for one in self.sets)  # fmt: skip
        return bound_for_copier(papers, self._title("sheet.leaf.mosaic"))

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
        leaf = load(self.lesson.teachers.language).t("sheet.leaf.info")
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
        book, papers = self._solved().pdf(), ClassPapers(self.lesson.teachers)
        first = starts_of_book(book)[:: len(self.lesson.filled)]

        def front(before: int) -> bytes:
            return papers.index(self._index(*(before + page for page in first)))

        length = page_count(front(0))
        whole = fronted(front(length + length % 2), book)
        return paged(whole, papers.marks(page_count(whole)))

    def _solutions_html(self) -> bytes:
        """The same in HTML, where the index leads to each pupil and names no page."""
        index = ClassPapers(self.lesson.teachers).index_html(self._index())
        return self._solved(HtmlPage(index, ("class.css",))).html()

    def check_page(self) -> bytes:
        """`check.pdf`, or `check.html`: one table per sheet, in one language."""
        sheets, lines = self.lesson.filled, dict[str, list[CheckLine]]()
        for one, sheet in product(self.sets, sheets):
            line = check_line(one.seat, one.pages[sheet].both, sheet)
            lines.setdefault(SERIES[sheet].name, []).append(line)
        return ClassPapers(self.lesson.teachers, self.kind).check(lines)

    def _title(self, sheet: str = "") -> str:
        """What the file says that it is, to a reader and to a screen reader."""
        t = load(self.lesson.teachers.language).t
        return t("class.blank", sheet=t(sheet)) if sheet else t("class.solutions")


def _titled(sheet: str, page: WorkPage) -> WorkLeaf:
    """A pupil's work leaf, with whose and which it is in the outline."""
    return WorkLeaf(sheet, page, f"{page.options.code} · {SERIES[sheet].name}")


def common_papers(lesson: Lesson, seats: Iterable[Seat], places: Taken) -> Iterator[Papers]:
    """Info leaf and solved example of each sheet, once for all who share sentence and level.

    The board's matrix holds the rows of the tokens that are nobody's.
    """
    tasks = deque({seat.task: seat.tasks for seat in seats}.items())
    sentences = len({matrix_of(task) for task, _ in tasks}) > 1
    levels = len({task.level for task, _ in tasks}) > 1
    boards: set[str] = set()
    while tasks:
        task, own = tasks.popleft()  # with all that was computed for it
        place = _mark(task) * sentences
        mark = place + f"-level-{task.level}" * levels
        for kind in ("pdf", "html"):
            for sheet in lesson.sheets if kind in lesson.outputs else ():
                common = CommonPapers(lesson, own[sheet])
                what = f"info leaf and example of sheet {SERIES[sheet].name}{mark}"
                yield attempted(what, partial(common.papers, sheet, kind, mark))
        if place not in boards:
            boards.add(place)
            for name, one in _boards(task, own).items():
                what, rows = f"board{name}{place}", places.get(matrix_of(one))
                yield attempted(what, partial(CommonPapers(lesson, one).board, rows, what))


def _boards(task: Task, own: Mapping[str, Task]) -> Mapping[str, Task]:
    """The tasks that a class has a board for, by how its file is called behind "board"."""
    apart = {f"-{sheet}": one for sheet, one in own.items() if one != task}
    return {"": task, **apart}


def _mark(task: Task) -> str:
    """What tells the papers of one sentence from those of another in file names."""
    return f"-{folder_name(task.base)}"


@dataclass(frozen=True)
class CommonPapers:
    """What all of a lesson who have a task get alike, and what the teacher shows them."""

    lesson: Lesson
    task: Task

    @property
    def options(self) -> SheetOptions:
        """How these papers are printed."""
        return self.lesson.options(self.task.base.language, self.task.level)

    def plan(self) -> dict[str, bytes]:
        """The plan of the route's lessons, with the numbers of this task."""
        own = PrintedSheet(self.lesson.sheets[0], *self._both(None), self.options)
        made = [kind for kind in KINDS if kind in self.lesson.outputs]
        return {f"teacher/plan.{kind}": plan_of_route(own, kind) for kind in made}

    def _has_board(self, what: str) -> bool:
        return any(SERIES[sheet].kind.board == what for sheet in self.task.sheets)

    def board(self, places: frozenset[int] | None, name: str) -> dict[str, bytes]:
        """The class's matrix about the tokens, and what it counts: the words that a sheet draws."""
        base = self.task.base
        tokens = base.tokens if self._has_board("tokens") else ()
        words = base["output.logits"].columns if self._has_board("words") else ()
        if not (tokens or words):
            return {}
        options = replace(self.options, alone=self.lesson.variation.alone)
        rows = {} if places is None else self._rows_of_nobody(places)
        return {
            f"teacher/{name}.{kind}": ClassPapers(options, kind).board(tokens, words, rows)
            for kind in KINDS
            if kind in self.lesson.outputs
        }

    def _rows_of_nobody(self, places: frozenset[int]) -> dict[int, tuple[str, ...]]:
        """The matrix's rows of the tokens that no pupil computes, as the sheet shows them."""
        sheet = next(name for name in self.task.sheets if SERIES[name].kind.board == "tokens")
        plan, both = self.task.base_plans[sheet], self._both(None)
        shown = PrintedSheet(sheet, *both, self.options, plan).view(blank=True)
        nobodys = (i for i in range(len(shown.tokens)) if i not in places)
        return {i: row for i in nobodys if (row := shown.class_row(i))}

    def _both(self, exercise: int | None) -> Pair:
        """The class's own computation, or a group's."""
        paper = self.task.base if exercise is None else self.task.trace({}, exercise=exercise)
        return Pair(paper, self.task.trace({}, exercise=exercise, rounding="exact"))

    def papers(self, sheet: str, kind: str, mark: str) -> dict[str, bytes]:
        """The sheet's files for the class; slides are shown by the teacher, not handed out."""
        one, files = SERIES[sheet], {}
        for variant in one.kind.variants(VARIANTS):
            if variant == "blank" and not one.kind.screen:
                path = f"{HAND_OUT}/{one.file('info', kind, mark)}"
                files[path] = SharedLeaf(sheet, self.task, self.options).file(kind)
            else:
                path = f"teacher/{one.file(variant, kind, mark)}"
                own = PrintedSheet(sheet, *self._both(None), self.options)
                files[path] = own.file(kind, variant)
        if self.task.grouped and sheet == TOGETHER:  # what all groups do together, blank
            both = self._both(len(exercises(self.task.base)))
            options = replace(self.options, part="work")
            path = f"teacher/board-{one.name}{mark}.{kind}"
            files[path] = PrintedSheet(sheet, *both, options).file(kind)
        return files
