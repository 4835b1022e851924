"""What a teacher gets for the whole class: class PDFs, solutions, key, check page, manifest.

Also here:

* The check page for a teacher who walks round: one line per pupil, control values, usual slips.
* The files of one part of a class, PDF or HTML: work leaves to copy, the teacher's solutions.
"""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from typing import NamedTuple, TypeAlias

from generator.classroom.desk.key_rows import REPEATED, answer_key, asked
from generator.classroom.desk.manifest import MANIFEST, Journal, opened, sealed, versions_for
from generator.classroom.files import class_sheets
from generator.classroom.files.common_leaves import for_everybody
from generator.classroom.files.pool import Papers, Pool, attempted, in_order
from generator.classroom.files.pupil_files import EXAM, HAND_OUT, exam_paper, options_of, pages_of
from generator.classroom.files.store import Store, sha256
from generator.classroom.files.work_sheets import (
    Pair,
    SharedLeaf,
    WantedLeaf,
    WorkPage,
    class_file,
    taken,
)
from generator.classroom.numbers.fairness import Effort, Spread, spread
from generator.classroom.numbers.lesson import Lesson, teachers
from generator.classroom.numbers.task import Task
from generator.classroom.pupils.class_list import Roll
from generator.classroom.pupils.columns import cell
from generator.classroom.pupils.roster import Pupil
from generator.classroom.pupils.seats import (
    FORMAT,
    Seat,
    SeatRecord,
    tasks_of,
    version_key,
    version_of,
)
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.slips import Slip
from generator.locales.catalogue import Catalogue, load
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
from generator.render.worksheet.worksheet import planned, view
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.options import KINDS
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES
from generator.sheets.titles import placed, title

NAMES, KEY = "teacher/names.csv", "teacher/answer-key.xlsx"
PART = 200  # pupils in one class PDF: a stack that a copier takes, and flat memory


def finish(roll: Roll, journal: Journal, workers: Pool) -> list[str]:
    """Make and write everything that is for the class as a whole; gives back what failed.

    Papers of an earlier, smaller or larger class that are not made any more are taken away. Raises
    `UserError` where the manifest cannot be written.
    """
    problems: list[str] = []
    digests: dict[str, str] = {}
    store, before = journal.store, _earlier(journal.store)
    for files, problem in _all_papers(roll, journal, workers):
        if problem := problem or _written(store, files):
            problems.append(problem)
        else:
            digests.update((path, sha256(content)) for path, content in files.items())
    for path in sorted(before - digests.keys()):
        store.remove_file(path)
    store.write({MANIFEST: manifest(roll, journal, digests)})
    return problems


def _all_papers(roll: Roll, journal: Journal, workers: Pool) -> Iterator[Papers]:
    for _, papers in in_order(workers, make, _parts(roll, journal)):
        yield from papers
    if not roll.lesson.worksheet.exam:  # it has neither info leaf nor board
        rows = taken(roll.lesson, finished(roll, journal))
        yield from class_sheets.make(roll.lesson, finished(roll, journal), rows)
    known = ((seat, journal.record(seat.code)) for seat in finished(roll, journal))
    yield attempted(KEY, lambda: {KEY: answer_key(roll.lesson, known)})
    yield Papers({NAMES: names(roll, journal)})


def _earlier(store: Store) -> set[str]:
    """The papers of the batch that is being enlarged."""
    content = store.read(MANIFEST)
    return set() if content is None else set(opened(content, f"{store}/{MANIFEST}")["papers"])


def finished(roll: Roll, journal: Journal) -> Iterator[Seat]:
    """The seats whose files are in place, in the list's order."""
    return (seat for seat in roll.seats([]) if seat.code in journal)


def _written(store: Store, files: Mapping[str, bytes]) -> str:
    """Write files; gives back why that could not be, "" where it could."""
    try:
        store.write(files)
    except UserError as error:
        return str(error)
    return ""


@dataclass(frozen=True)
class ClassPart:
    """Some seats of a lesson with their records; `mark` tells its files from other parts'."""

    lesson: Lesson
    seats: tuple[Seat, ...]
    records: tuple[SeatRecord, ...]
    mark: str


def _parts(roll: Roll, journal: Journal) -> Iterator[ClassPart]:
    several = sum(1 for _ in finished(roll, journal)) > PART
    seats, number = finished(roll, journal), 0
    while some := tuple(islice(seats, PART)):
        number += 1
        records = tuple(journal.record(seat.code) for seat in some)
        yield ClassPart(roll.lesson, some, records, f"-{number}" if several else "")


def names(roll: Roll, journal: Journal) -> bytes:
    """Who has which code: the only file with names, as a CSV that Excel opens (semicolons, BOM).

    Further columns of the class list stand behind, as they were. An apostrophe stands before what
    a spreadsheet would take for a formula.
    """
    codes = {seat.key: seat.code for seat in finished(roll, journal)}
    text = io.StringIO()
    table = csv.writer(text, delimiter=";", lineterminator="\r\n")
    heading: list[str] | None = None
    for pupil in roll.pupils():
        if heading is None:
            heading = [name for name, _ in pupil.extra]
            table.writerow(["code", "id", "name", *map(cell, heading)])
        extra = dict(pupil.extra)
        further = (extra.get(name, "") for name in heading)
        cells = (pupil.id, pupil.name, *further)
        table.writerow([codes.get(_key(roll, pupil), ""), *map(cell, cells)])
    return text.getvalue().encode("utf-8-sig")


def _key(roll: Roll, pupil: Pupil) -> str:
    if not roll.lesson.versions:
        return pupil.id
    return version_key(version_of(roll.lesson, pupil.id))


def manifest(roll: Roll, journal: Journal, papers: Mapping[str, str]) -> bytes:
    """The manifest's bytes: choices, seed, presets, and the record of each seat; no names.

    `papers` has the SHA-256 of each file that is for the class as a whole, by its path.
    """
    lesson = roll.lesson
    records = (journal.record(seat.code) for seat in finished(roll, journal))
    presets = {seat.preset.sha256: seat.preset for seat in finished(roll, journal)}
    presets[lesson.preset.sha256] = lesson.preset
    return sealed(
        {
            "format": FORMAT,
            "made_with": versions_for(lesson),
            "seed": lesson.seed,
            "settings": dict(lesson.settings()),
            "effort": _spread(roll, journal)._asdict(),
            "presets": {digest: to_data(one) for digest, one in sorted(presets.items())},
            "papers": dict(sorted(papers.items())),
        },
        records,
    )


def effort(roll: Roll, journal: Journal) -> str:
    """How even the class's work is, and how often numbers were redrawn, in words."""
    return str(_spread(roll, journal))


def _spread(roll: Roll, journal: Journal) -> Spread:
    records = (journal.record(seat.code) for seat in finished(roll, journal))
    return spread(_effort(record) for record in records)


def _effort(record: SeatRecord) -> Effort:
    """What all sheets of a seat take together, and how often its numbers were redrawn."""
    parts = (record, *record["apart"].values())
    return Effort(math.fsum(one["seconds"] for one in parts), sum(one["draws"] for one in parts))


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


def check_page(
    lesson: Lesson, seats: Iterable[tuple[Seat, SeatRecord]], kind: str = "pdf"
) -> bytes:
    """`check.pdf`, or `check.html`, for these seats: one table per sheet, in one language."""
    pupils = [(seat, pages_of(lesson, seat, record)) for seat, record in seats]
    lines = {
        SERIES[sheet].name: [line(lesson, seat, pages[sheet].both, sheet) for seat, pages in pupils]
        for sheet in lesson.filled
    }
    return check_pages(lines, teachers(lesson), kind)


def line(lesson: Lesson, seat: Seat, both: Pair, sheet: str) -> CheckLine:
    """One pupil's line: at most six control values, each with the numbers that usual slips give.

    Titles are in the teacher's language, numbers and tokens as the pupil writes them.
    """
    options = options_of(lesson, seat)
    plan = planned(sheet, both.trace, options)
    context = view(plan, *both, options, Formulas(), blank=False)
    own = both.trace.tokens[plan.own] if any(i == plan.own for _, i, _ in plan.asked) else ""
    slips = context.slips()
    places = list(dict.fromkeys(_cell(slip) for slip in slips))
    catalogue = of_norm(load(teachers(lesson).language), lesson.preset.norm_form)
    looks = controls(both.trace, plan, places)
    asking = {name for name, _, _ in plan.asked if not REPEATED.fullmatch(name)}
    titles = _titles(catalogue, [look.step.name for look in looks], asking)
    shown = [
        _control(context, titles, look, [slip for slip in slips if _cell(slip) == look.cell])
        for look in looks
    ]
    control_values = tuple(_told_apart(shown, [look.row for look in looks]))
    return CheckLine(seat.code, seat.key, seat.name, plan.mark, own, control_values)


def _told_apart(shown: Sequence[Control], rows: Sequence[str]) -> Iterator[Control]:
    """The controls; those of two rows of a step that would be called the same with their row."""
    names = [(one.title, one.label) for one in shown]
    for one, name, row in zip(shown, names, rows, strict=True):
        twice = names.count(name) > 1
        yield one._replace(label=f"{row} · {one.label}") if twice else one


def _cell(slip: Slip) -> Cell:
    return slip.step, slip.i, slip.j


def _titles(
    catalogue: Catalogue, names: Sequence[str], asking: Collection[str]
) -> Mapping[str, str]:
    """The title of each step; where the sheet asks several of that title with its head or norm."""
    counts = Counter(title(catalogue, name) for name in asking)
    titles = {name: title(catalogue, name) for name in names}
    return {
        name: placed(catalogue, name) if counts[one] > 1 else one for name, one in titles.items()
    }


def _control(
    context: Context, titles: Mapping[str, str], look: CheckedCell, slips: Sequence[Slip]
) -> Control:
    name, i, j = look.cell
    number = look.step.values[i, j]
    value = str(number) if look.step.text else context.show(name, float(number))
    wrong = {slip.key: context.show(slip.step, slip.wrong) for slip in slips}
    return Control(titles[name], look.label, value, wrong)


def controls(trace: Trace, plan: Plan, places: Sequence[Cell] = ()) -> list[CheckedCell]:
    """The cells to look at first: those where slips show, then of the last steps the last number.

    `places` are where slips show; one that is not asked is left out, as nobody gets it wrong.
    Whoever has the last numbers right has all before them right as well, or was lucky. Where there
    are few steps, they have several each, the later ones more.
    """
    known = frozenset([cell for cell in places if cell in plan.asked][:MOST_CONTROLS])
    steps = list(_steps(trace, plan, known))
    others = [k for k, looks in enumerate(steps) if not _of(looks, known)]
    kept = frozenset(others[len(others) - min(len(others), MOST_CONTROLS - len(known)) :])
    steps = [looks for k, looks in enumerate(steps) if k in kept or k not in others]
    counts = [max(1, len(_of(looks, known))) for looks in steps]
    while sum(counts) < min(MOST_CONTROLS, sum(map(len, steps))):
        for k in reversed(range(len(steps))):
            counts[k] += counts[k] < len(steps[k]) and sum(counts) < MOST_CONTROLS
    return [look for some, n in zip(steps, counts, strict=True) for look in _best(some, n, known)]


def _steps(trace: Trace, plan: Plan, known: frozenset[Cell]) -> Iterator[list[CheckedCell]]:
    """The asked cells of each step that shows something, or in which a slip does."""
    for name, cells in groupby(asked(trace, plan), key=lambda one: one[0].name):
        cells_of_step = list(cells)
        looks = [CheckedCell(*one, several=len(cells_of_step) > 1) for one in cells_of_step]
        if not DULL.fullmatch(name) or _of(looks, known):
            yield looks


def _of(looks: Sequence[CheckedCell], known: frozenset[Cell]) -> list[CheckedCell]:
    return [look for look in looks if look.cell in known]


def _best(looks: Sequence[CheckedCell], count: int, known: frozenset[Cell]) -> list[CheckedCell]:
    """So many of a step's cells, in order: those that are to be there, then the telling ones."""
    rest = [look for look in looks if look.cell not in known]
    if not FROM_THE_FRONT.fullmatch(looks[0].step.name):
        rest.reverse()
    chosen = [*_of(looks, known), *rest][:count]
    return [look for look in looks if look in chosen]


Pages: TypeAlias = Mapping[str, WorkPage]  # one pupil's, by sheet


def make(part: ClassPart) -> list[Papers]:
    """The files of a part, each that fails with its problem; nothing is written."""
    if not set(KINDS) & set(part.lesson.outputs):
        return []
    seats = zip(part.seats, part.records, strict=True)
    pages = [pages_of(part.lesson, *one) for one in seats]
    wanted = [kind for kind in KINDS if kind in part.lesson.outputs]
    return [_one(path, render) for kind in wanted for path, render in _files(part, pages, kind)]


def _one(path: str, render: Callable[[], bytes]) -> Papers:
    return attempted(path, lambda: {path: render()})


def _files(
    part: ClassPart, pages: list[Pages], kind: str
) -> Iterator[tuple[str, Callable[[], bytes]]]:
    end = f"{part.mark}.{kind}"
    if part.lesson.worksheet.exam and kind == "html":
        return  # an exam is paper with a cover and running page numbers
    if part.lesson.worksheet.exam:
        yield (
            f"{HAND_OUT}/class-{EXAM.removesuffix('.pdf')}{part.mark}.pdf",
            partial(_exams, part, pages),
        )
        if part.lesson.variation.kind != "groups":
            yield f"teacher/solutions{part.mark}.pdf", partial(_solutions, part, pages)
        return
    for sheet in part.lesson.filled:
        path = f"{HAND_OUT}/class-{SERIES[sheet].name}-blank{end}"
        yield path, partial(_class, part, pages, sheet, kind)
    if len(part.lesson.filled) > 1 or part.lesson.info != "none":  # else it would be the same
        yield f"{HAND_OUT}/class-blank{end}", partial(_collated, part, pages, kind)
    solved = _solutions if kind == "pdf" else _solutions_html
    yield f"teacher/solutions{end}", partial(solved, part, pages)
    pupils = zip(part.seats, part.records, strict=True)
    yield f"teacher/check{end}", partial(check_page, part.lesson, pupils, kind)


def _exams(part: ClassPart, pages: list[Pages]) -> bytes:
    """Everybody's exam paper, one after the other, for the copier."""
    exam_papers = (
        CopierLeaf(seat.code, exam_paper(part.lesson, own, "blank"))
        for seat, own in zip(part.seats, pages, strict=True)
    )
    return bound_for_copier(exam_papers, _title(part, "exam.class"))


def _class(part: ClassPart, pages: list[Pages], sheet: str, kind: str = "pdf") -> bytes:
    """Everybody's work leaf of a sheet, for the copier."""
    leaves = [WantedLeaf(sheet, one[sheet], one[sheet].options.code) for one in pages]
    return class_file(leaves, "blank", _title(part, SERIES[sheet].title), kind)


def _collated(part: ClassPart, pages: list[Pages], kind: str = "pdf") -> bytes:
    """All that pupils get, set by set, each leaf on an odd page; info leaves as often as chosen."""
    return class_file(list(_sets(part, pages)), "blank", _title(part, "class.all"), kind)


def _sets(part: ClassPart, pages: list[Pages]) -> Iterator[WantedLeaf | SharedLeaf]:
    """The leaves of the copier's file; "once" is once for each sentence and level."""
    lesson = part.lesson
    shared = tuple(for_everybody(lesson.sheets))
    tasks = [tasks_of(lesson, seat) for seat in part.seats]
    if lesson.info == "once":
        once = dict.fromkeys((sheet, own[sheet]) for own in tasks for sheet in shared)
        yield from (_shared(lesson, *one) for one in once)
    for seat, own, leaves in zip(part.seats, tasks, pages, strict=True):
        for sheet in lesson.sheets:
            if lesson.info == "each" and sheet in shared:
                yield _shared(lesson, sheet, own[sheet], f"{seat.code} · ")
            if sheet in leaves:
                yield _titled(sheet, leaves[sheet])


def _shared(lesson: Lesson, sheet: str, task: Task, whose: str = "") -> SharedLeaf:
    options, one = lesson.options(task.base.language, task.level), SERIES[sheet]
    leaf = load(teachers(lesson).language).t("sheet.leaf.info")
    title = one.name if one.kind.single else f"{one.name} · {leaf}"
    return SharedLeaf(sheet, task, options, f"{whose}{title}")


def _by_pupil(part: ClassPart, pages: list[Pages]) -> list[WantedLeaf]:
    """The work leaves of all sheets, pupil by pupil, each with its title in the outline."""
    return [_titled(sheet, page) for own in pages for sheet, page in own.items()]


def _titled(sheet: str, page: WorkPage) -> WantedLeaf:
    """A pupil's work leaf, with whose and which it is in the outline."""
    return WantedLeaf(sheet, page, f"{page.options.code} · {SERIES[sheet].name}")


def _solutions(part: ClassPart, pages: list[Pages]) -> bytes:
    """Everybody's solved leaves behind an index that says on which page of the file they begin."""
    book = class_file(_by_pupil(part, pages), "solution", _title(part), "pdf")
    first = starts_of_book(book)[:: len(part.lesson.filled)]

    def front(before: int) -> bytes:
        lines = [
            IndexLine(seat.number, seat.code, seat.key, seat.name, before + page)
            for seat, page in zip(part.seats, first, strict=True)
        ]
        return index(lines, teachers(part.lesson))

    length = page_count(front(0))
    whole = fronted(front(length + length % 2), book)
    return paged(whole, marks(page_count(whole), teachers(part.lesson)))


def _solutions_html(part: ClassPart, pages: list[Pages]) -> bytes:
    """The same in HTML, where the index leads to each pupil and names no page."""
    options = teachers(part.lesson)
    lines = [IndexLine(seat.number, seat.code, seat.key, seat.name, 0) for seat in part.seats]
    front = HtmlPage(index_html(lines, options), ("class.css",))
    return class_file(_by_pupil(part, pages), "solution", _title(part), "html", front)


def _title(part: ClassPart, sheet: str = "") -> str:
    """What the file says that it is, to a reader and to a screen reader."""
    t = load(teachers(part.lesson).language).t
    return t("class.blank", sheet=t(sheet)) if sheet else t("class.solutions")
