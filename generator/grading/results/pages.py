"""The pages of results: the class at a glance, and a page for each pupil.

`class.pdf` and `class.html` are one template: what to teach again, a map of pupils and steps,
common slips, hard boxes. A teacher is to see in ten seconds what tomorrow's lesson is about. A
pupil reads what was right, where it began to go wrong, where to look again.

Also here:

* Where each sheet explains what: the heading above the first number of each kind of step.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any, Final, NamedTuple

from generator.grading.marking.marks import WHOLE, ClassMarks, PupilMarks, TaskMarks
from generator.grading.marking.question import is_tick
from generator.grading.marking.rule import BoxMark
from generator.grading.marking.scheme import GOES_ON, How
from generator.grading.marking.task import Batch
from generator.grading.reading.entries import WORKBOOK, by_reason
from generator.grading.results.tables import ResultWords, Tables, drawable
from generator.notation.shown import MINUS, SUBSCRIPTS, number, percent, shown_decimals
from generator.render.worksheet.edition import EditionPage, standalone
from generator.render.worksheet.pdf import PdfDocument, class_css
from generator.render.worksheet.worksheet import PrintedSheet, environment
from generator.resources import table
from generator.sheets.options import SheetOptions
from generator.sheets.page_tree import parsed
from generator.sheets.series import SERIES
from generator.sheets.titles import row_label
from generator.version import __version__

SIGN = re.compile(r"(?<![\w.,])-(?=\s*[\d.,])")  # of a number as it was typed, with a hyphen
FEEDBACK: Final = "feedback"
WIDEST: Final = 18  # steps side by side on a page
LONGEST: Final = 36  # pupils below each other
MOST: Final = 8  # slips and boxes that are listed
MOST_STRAY: Final = 100  # reasons why files are not marked; all stand in the list of these
MOST_STEPS: Final = 3  # to teach again
MOST_OTHERS: Final = 2  # slips of a sheet after the first one
SHADES: Final = 4
OWN_STYLES: Final = ("class.css", "marks.css")  # beside those of a worksheet
NUMBERED: Final = re.compile(r"[^\W\d]\d+")  # the label of one number of a vector: d1, q2
SIGNS: Final[Mapping[str, list[str]]] = table("grading/results/boxes.toml")["signs"]
Sections = Mapping[str, str]  # the heading that stands above a step's boxes, by the step's kind


@dataclass(frozen=True)
class PageMaker:
    """How pages of results look and what they say; small enough to be sent to a process.

    `sections` say where each sheet explains what, by language and sheet.
    """

    options: SheetOptions
    words: ResultWords
    sections: Mapping[str, Mapping[str, Sections]]

    def html(self, name: str, **content: object) -> str:
        """The page that a template makes of some content."""
        words, given = self.words, {"options": self.options, "version": __version__}
        template = environment().get_template(f"marks-{name}.html.j2")
        return template.render(t=words.t, words=words, language=words.language, **given, **content)

    def where(self, task: str, kind: str) -> str:
        """Where a sheet explains a kind of step: below a heading, as far as it is known which."""
        sheet, section = self.words.title(task), self.section(task, kind)
        return self.words.t("grading.where", sheet=sheet, section=section) if section else sheet

    def section(self, task: str, kind: str) -> str:
        """The heading below which a sheet explains a kind of step; "" for none."""
        return self.sections[self.words.language].get(task, {}).get(kind, "")


def printed(html: str, where: str) -> bytes:
    """A page of results as a PDF; `where` is what errors call it."""
    # Each leaf by itself: as a whole WeasyPrint lays out twice the first page of all but the first.
    return PdfDocument(html, class_css("marks.css"), where=where, leaves={}).to_pdf()


def load_styles() -> None:
    """Load fonts and styles, so that processes that are forked from this one begin with them."""
    printed('<html lang="en"><title>-</title><body>✓ <b>✗</b></body></html>', "nothing")


# The class at a glance ---------------------------------------------------------------------------


class Field(NamedTuple):
    """One pupil's boxes of one step: points earned of so many; None where none is, or came back."""

    marks: Sequence[BoxMark] | None

    @property
    def earned(self) -> float:
        """How many boxes' worth was earned, or would have been with all roundings."""
        return sum(mark.understood for mark in self.marks or ())

    @property
    def share(self) -> float:
        """The share of them, from 0 to 1."""
        return self.earned / len(self.marks) if self.marks else 0.0

    @property
    def lost(self) -> bool:
        """Whether something was handed in and not all of it earned."""
        return bool(self.marks) and self.share < WHOLE

    @property
    def wrong(self) -> bool:
        """Whether something was lost by what was entered, not by what was left blank."""
        return any(one.understood < WHOLE and one.how is not How.BLANK for one in self.marks or ())

    @property
    def shade(self) -> int:
        """How dark it is on the map: 0 all earned, 4 nothing; -1 not handed in."""
        if self.marks is None:
            return -1
        return max(1, -int(-(1 - self.share) * SHADES // 1)) if self.lost else 0


@dataclass(frozen=True)
class StepColumn:
    """A step of a task over the class, with one of `fields` for each pupil."""

    task: str
    title: str
    kind: str
    fields: tuple[Field, ...]

    @property
    def handed_in(self) -> int:
        """How many pupils have boxes of this step among what came back."""
        return sum(field.marks is not None for field in self.fields)

    @property
    def lost(self) -> int:
        """How many of them lost something here, by an own slip: what is carried on is forgiven."""
        return sum(field.lost for field in self.fields)

    @property
    def share(self) -> float:
        """What the class earned here, from 0 to 1."""
        shares = [field.share for field in self.fields if field.marks is not None]
        return sum(shares) / len(shares) if shares else 0.0

    @cached_property
    def causes(self) -> Counter[str]:
        """How many pupils made each slip, as far as it is told apart from all others."""
        pupils_with: Counter[str] = Counter()
        for field in self.fields:
            others = (mark for mark in field.marks or () if mark.how is not How.UNROUNDED)
            single_causes = (mark.causes[0] for mark in others if len(mark.causes) == 1)
            # Once a pupil; a set has another order each run.
            pupils_with.update(dict.fromkeys(single_causes).keys())
        return pupils_with

    @property
    def blank(self) -> int:
        """How many pupils left boxes empty here."""
        return sum(any(mark.how is How.BLANK for mark in one.marks or ()) for one in self.fields)

    @property
    def wrong(self) -> int:
        """How many pupils entered something wrong here."""
        return sum(field.wrong for field in self.fields)


def to_teach(columns: Iterable[StepColumn]) -> list[StepColumn]:
    """The steps in which the class earned least, at most three, the worst first.

    A step in which boxes were left blank and none is wrong was perhaps not reached: it counts only
    where there is no other.
    """
    with_losses = [column for column in columns if column.lost]
    tried = [column for column in with_losses if column.wrong]
    return sorted(tried or with_losses, key=lambda one: (one.share, -one.lost))[:MOST_STEPS]


def commonest(columns: Iterable[StepColumn]) -> list[tuple[StepColumn, str, int]]:
    """The slips that most pupils made, each with its step and how many these are."""
    slips = [(column, key, count) for column in columns for key, count in column.causes.items()]
    return sorted(slips, key=lambda one: -one[2])


@dataclass(frozen=True)
class ClassPage:
    """The page of the whole class."""

    marks: ClassMarks
    maker: PageMaker

    def files(self) -> list[tuple[str, bytes]]:
        """It as PDF and for a browser."""
        html = self.maker.html(
            "class", maker=self.maker, facts=self.facts(), again=to_teach(self.columns),
            grade=Tables(self.marks, self.maker.words).grade_key,
            who="name" if any(one.name for one in self.marks.pupils) else "code",
            maps=list(self._maps()), slips=commonest(self.columns)[:MOST],
            boxes=self._hardest()[:MOST], looks=list(map(drawable, self._looks())),
            unread=list(self._unread()), stray=self._told(False), noted=self._told(True),
        )  # fmt: skip
        in_browser = html.replace("<body>", '<body class="in-browser">', 1)
        page = standalone(EditionPage(in_browser, OWN_STYLES)).encode()
        return [("class.pdf", printed(html, "the marks of the class")), ("class.html", page)]

    def _told(self, taken: bool) -> list[tuple[str, ...]]:
        some = [one for one in self.marks.stray if one.taken == taken]
        told = by_reason(some, self.maker.words.catalogue)[:MOST_STRAY]
        return [tuple(map(drawable, one)) for one in told]

    @cached_property
    def columns(self) -> list[StepColumn]:
        """All steps of all tasks in the order of computation."""
        return [column for task in self.marks.tasks for column in self._columns(task)]

    def _columns(self, task: str) -> Iterator[StepColumn]:
        came = [pupil.task(task) for pupil in self.marks.pupils]
        rows = [None if one is None else self.maker.words.by_title(one) for one in came]
        for title in dict.fromkeys(title for row in rows if row for title in row):
            marks = [row.get(title) if row else None for row in rows]
            first = next(mark.cell[0] for some in marks if some for mark in some)
            yield StepColumn(task, title, kind(first), tuple(map(Field, marks)))

    def share(self, value: float) -> str:
        """A share as it is printed."""
        return percent(value, 0, self.maker.words.language)

    def facts(self) -> dict[str, object]:
        """How many came back, of which sheets, with which mean, and how many steps are whole."""
        marks = self.marks
        shares = [earned / most for earned, most in map(marks.total, marks.handed_in)]
        return {
            "came": len(marks.handed_in),
            "of": len(marks.pupils),
            "mean": self.share(sum(shares) / len(shares)),
            "sheets": ", ".join(map(self.maker.words.sheet, marks.tasks)),
            "whole": sum(not column.lost for column in self.columns),
            "steps": len(self.columns),
        }

    def _maps(self) -> Iterator[dict[str, Any]]:
        """Steps side by side, below the sheets that they are from; the last line is the class's."""
        for some in self._side_by_side():
            for start in range(0, len(self.marks.pupils), LONGEST):
                places = range(start, min(start + LONGEST, len(self.marks.pupils)))
                yield {
                    "heads": Counter(column.task for column in some),
                    "columns": some,
                    "lines": [self._line(k, some) for k in places],
                    "foot": [self.share(column.share) for column in some],
                }

    def _side_by_side(self) -> list[list[StepColumn]]:
        """The columns as they fit on a page; the steps of a sheet stay together where they can."""
        pages: list[list[StepColumn]] = [[]]
        for _, group in groupby(self.columns, lambda column: column.task):
            own = list(group)
            if pages[-1] and len(pages[-1]) + len(own) > WIDEST:
                pages.append([])
            pages[-1] += own[:WIDEST]
            pages += (own[start : start + WIDEST] for start in range(WIDEST, len(own), WIDEST))
        return [page for page in pages if page]

    def _line(self, k: int, columns: Iterable[StepColumn]) -> dict[str, object]:
        """A pupil's line of the map."""
        pupil, words = self.marks.pupils[k], self.maker.words
        points = words.points(self.marks.total(pupil)[0]) if pupil.files else ""
        grade = Tables(self.marks, words).grade_of(pupil) if pupil.files else ""
        fields = [column.fields[k] for column in columns]
        return {"who": drawable(pupil.shown), "fields": fields, "points": points, "grade": grade}

    def _hardest(self) -> list[tuple[tuple[str, str, str], int, int]]:
        """The boxes in which somebody was wrong, the hardest first: how many of how many.

        A box is the same for pupils who compute other rows: it is told by sheet, step and, where
        there are several, column.
        """
        lost_by_box: dict[tuple[str, str, str], list[bool]] = {}
        for pupil in self.marks.handed_in:
            for task in pupil.tasks:
                titles = self.maker.words.titles(task)
                for mark in task.marks:
                    step = task.step(mark.cell)
                    label = step.columns[mark.cell[2]] if step.shape[1] > 1 else ""
                    key = task.name, titles[step.name], label
                    lost_by_box.setdefault(key, []).append(Field([mark]).wrong)
        boxes = [(key, sum(lost), len(lost)) for key, lost in lost_by_box.items() if any(lost)]
        return sorted(boxes, key=lambda one: (-one[1], one[2]))

    def _looks(self) -> Iterator[str]:
        """What a person should look at: remarks on files, numbers computed without rounding."""
        for pupil in self.marks.handed_in:
            yield from (f"{pupil.shown}: {remark}" for remark in pupil.remarks)
            how = [mark.how for task in pupil.tasks for mark in task.marks]
            if count := how.count(How.UNROUNDED):
                yield f"{pupil.shown}: {self.maker.words.t('grading.class.unrounded', count=count)}"

    def _unread(self) -> Iterator[dict[str, str]]:
        """The entries that nobody could read."""
        for pupil in self.marks.handed_in:
            for task in pupil.tasks:
                part, sheet = SheetPart(task, self.maker, False), self.maker.words.sheet(task.name)
                for mark in task.marks:
                    if mark.how is How.UNREADABLE and not mark.decided:
                        yield {"who": drawable(pupil.shown), "sheet": sheet, **part.answer(mark)}


# A page for each pupil ---------------------------------------------------------------------------


class Feedback(NamedTuple):
    """The pages of some pupils, in the language of each; right numbers only where it is wanted."""

    pupils: tuple[PupilMarks, ...]
    maker: PageMaker
    show_answers: bool

    def files(self) -> list[tuple[str, bytes]]:
        """A PDF a pupil."""
        return [
            (f"{FEEDBACK}/{one.code}.pdf", printed(self._html(one), f"the feedback for {one.code}"))
            for one in self.pupils
        ]

    def _html(self, pupil: PupilMarks) -> str:
        words = self.maker.words._replace(language=pupil.language)
        maker = replace(self.maker, words=words)
        order = [*(sheet.name for sheet in SERIES.values()), WORKBOOK]
        tasks = sorted(pupil.tasks, key=lambda task: order.index(task.name))
        parts = [SheetPart(task, maker, self.show_answers) for task in tasks]
        return maker.html("feedback", who=drawable(pupil.shown), parts=parts)


@dataclass(frozen=True)
class SheetPart:
    """One sheet of a pupil's page."""

    task: TaskMarks
    maker: PageMaker
    show_answers: bool

    @property
    def strips(self) -> Iterator[tuple[str, list[list[str]], float]]:
        """Each step by its title, with a sign for each box and what all of them earned."""
        for title, marks in self.maker.words.by_title(self.task).items():
            yield title, list(map(_sign, marks)), sum(mark.credit for mark in marks)

    @property
    def carried(self) -> int:
        """How many boxes are right with own numbers."""
        return sum(mark.how in GOES_ON for mark in self.task.marks)

    @property
    def unrounded(self) -> int:
        """How many boxes follow with all digits of the calculator."""
        return sum(mark.how is How.UNROUNDED for mark in self.task.marks)

    @cached_property
    def _wrong(self) -> list[BoxMark]:
        return [mark for mark in self.task.marks if mark.understood < WHOLE]

    @property
    def answers(self) -> list[dict[str, str]]:
        """The boxes that are not wholly right with the right numbers, where these are wanted."""
        lost = [mark for mark in self.task.marks if mark.credit < WHOLE]
        return [self.answer(mark) for mark in lost] if self.show_answers else []

    @property
    def first(self) -> dict[str, object] | None:
        """The first box that went wrong: where, what was entered, why, where to look again.

        `unread` says that nobody could tell which number was meant: it need not be wrong. None
        where nothing is wrong or nothing was begun.
        """
        begun = any(mark.how is not How.BLANK for mark in self.task.marks)
        if not (self._wrong and begun):
            return None
        mark, name, practice = self._wrong[0], self.task.name, self.task.practice
        return {
            **self._slip(mark),
            "look": self.maker.where(name, kind(mark.cell[0])),
            "practice": practice if practice and practice.cell == mark.cell else None,
            "unread": mark.how is How.UNREADABLE and not mark.decided,
        }

    @property
    def others(self) -> list[dict[str, object]]:
        """Further slips with a known cause, each where it was made first: not the first box's."""
        known = {self._wrong[0].causes: self._wrong[0]} if self._wrong else {}
        for mark in self._wrong[1:]:
            if mark.probable:
                known.setdefault(mark.causes, mark)
        return [self._slip(mark) for mark in [*known.values()][1 : 1 + MOST_OTHERS]]

    def _slip(self, mark: BoxMark) -> dict[str, object]:
        """A box that went wrong with what is known of it."""
        answer = self.answer(mark)
        return {
            **answer,
            "right": answer["right"] if self.show_answers else "",
            "causes": self.maker.words.either(self.task.name, mark),
            "perhaps": not mark.probable,
            "times": sum(one.causes == mark.causes for one in self._wrong if mark.probable),
        }

    def answer(self, mark: BoxMark) -> dict[str, str]:
        """A box with the pupil's number and the right one."""
        step, words = self.task.step(mark.cell), self.maker.words
        where, title = self._where(mark), words.titles(self.task)[step.name]
        right, typed = mark.right, mark.typed
        if isinstance(right, float):
            right = number(right, shown_decimals(step), words.language)
        elif is_tick(step):
            right = right or words.t("grading.class.none")
        if isinstance(typed, float | int):
            typed = number(typed, None, words.language)
        return {
            "place": words.t("grading.feedback.place", step=title, where=where) if where else title,
            "typed": drawable(SIGN.sub(MINUS, typed or "")),
            "right": right,
        }

    def _where(self, mark: BoxMark) -> str:
        """Row and column as the sheets say it, as far as they tell something: q₁ of “mat”."""
        (_, i, j), step, words = mark.cell, self.task.step(mark.cell), self.maker.words
        row, column = step.rows[i], step.columns[j]
        heat = row_label(words.catalogue, row)
        told = [heat if heat != row else self._said(row)]
        told = told if step.shape[0] > 1 and not row.isdecimal() else []
        if step.shape[1] == 1:
            return "".join(told)
        how = "at" if heat != row else "of" if NUMBERED.fullmatch(column) else "with"
        names = {"one": self._said(column), "other": "".join(told)}
        return words.t(f"grading.feedback.{how}", **names) if told else names["one"]

    def _said(self, label: str) -> str:
        """A label as it is read: a letter with its index, or a word in quotation marks."""
        if NUMBERED.fullmatch(label):
            return label[0] + label[1:].translate(SUBSCRIPTS)
        return self.maker.words.t("sheet.quoted", text=label)


def _sign(mark: BoxMark) -> list[str]:
    """A box's sign and its style."""
    decided = How.ORIGINAL if mark.credit >= WHOLE else How.WRONG
    return SIGNS[decided if mark.decided else mark.how]


# Where each sheet explains what ------------------------------------------------------------------


def all_sections(batch: Batch, language: str) -> dict[str, dict[str, Sections]]:
    """Where each sheet explains what, in the teacher's language and in each that pupils have."""
    languages = {language, *(one.language for one in batch.records.values())}
    return {one: _sections(batch, ResultWords(one)) for one in sorted(languages)}


def _sections(batch: Batch, words: ResultWords) -> dict[str, Sections]:
    """Where each sheet explains what, by its name; for the workbook the sheet is named, too."""
    options = replace(
        batch.lesson.teachers, language=words.language, part="both", code="", pupil=""
    )
    by_name: dict[str, Sections] = {}
    anywhere: dict[str, str] = {}
    for sheet, page in batch.first.pages.items():
        name, exact = SERIES[sheet].name, page.task.trace({}, rounding="exact")
        by_name[name] = _headings(PrintedSheet(sheet, page.task.base, exact, options))
        if SERIES[sheet].kind.in_workbook:
            for step, heading in by_name[name].items():
                anywhere.setdefault(step, f"{heading} ({words.sheet(name)})")
    return {**by_name, WORKBOOK: anywhere}


def _headings(sheet: PrintedSheet) -> dict[str, str]:
    """Each kind of step that the sheet shows below a heading, with that as it is printed."""
    heading, found = "", dict[str, str]()
    for element in parsed(sheet.page(blank=True)).iter("*"):
        if element.tag == "h2":
            heading = " ".join("".join(element.xpath(".//text()[not(ancestor::svg)]")).split())
        elif element.tag == "section":
            heading = ""  # the last one of the leaf before is about something else
        elif heading and (cell := element.get("data-cell")):
            found.setdefault(kind(cell.partition("|")[0]), heading)
    return found


def kind(step: str) -> str:
    """The last name of a step, which its worked example shares: "scores", "deviation".

    Those of the output layer are told from those of a head, as "output.exp".
    """
    before, _, last = step.rpartition(".")
    layer = "output." if before.rpartition(".")[2] == "output" else ""
    return layer + last.rstrip("0123456789")
