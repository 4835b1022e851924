"""The class at a glance: what to teach again, a map of pupils and steps, common slips, hard boxes.

`class.pdf` and `class.html` are one template; a teacher is to see in ten seconds what tomorrow's
lesson is about.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from generator.grading.marking.marks import WHOLE, BoxMark, ClassMarks
from generator.grading.marking.question import kind
from generator.grading.marking.rule import How
from generator.grading.results.tables import ResultWords, Tables, drawable
from generator.notation.shown import percent
from generator.render.worksheet.edition import EditionPage, standalone
from generator.render.worksheet.pdf import PdfDocument, document_css
from generator.render.worksheet.styles import style
from generator.render.worksheet.worksheet import environment
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.version import __version__

WIDEST: Final = 18  # steps side by side on a page
LONGEST: Final = 36  # pupils below each other
MOST: Final = 8  # slips and boxes that are listed
MOST_STEPS: Final = 3  # to teach again
CAUSES: Final = 2  # beside a step to teach again
SHADES: Final = 4
Sections = Mapping[str, str]  # the heading that stands above a step's boxes, by the step's kind


class Field(NamedTuple):
    """One pupil's boxes of one step: points earned of so many, None where nothing came back."""

    marks: Sequence[BoxMark] | None

    @property
    def earned(self) -> float:
        """How many boxes' worth was earned."""
        return sum(mark.credit for mark in self.marks or ())

    @property
    def share(self) -> float:
        """The share that was earned, from 0 to 1."""
        return self.earned / len(self.marks) if self.marks else 0.0

    @property
    def lost(self) -> bool:
        """Whether something was handed in and not all of it earned."""
        return bool(self.marks) and self.share < WHOLE

    @property
    def shade(self) -> int:
        """How dark it is on the map: 0 all earned, 4 nothing; -1 not handed in."""
        if self.marks is None:
            return -1
        return max(1, -int(-(1 - self.share) * SHADES // 1)) if self.lost else 0


@dataclass(frozen=True)
class StepColumn:
    """A step of a task over the class. `section` is the heading of the sheet that it stands below.

    `fields` has one entry for each pupil of the class.
    """

    task: str
    title: str
    section: str
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
            single_causes = (mark.causes[0] for mark in field.marks or () if len(mark.causes) == 1)
            # Once a pupil; a set has another order each run.
            pupils_with.update(dict.fromkeys(single_causes).keys())
        return pupils_with

    @property
    def blank(self) -> int:
        """How many pupils left boxes empty here."""
        return sum(any(m.judged.how is How.BLANK for m in f.marks or ()) for f in self.fields)


def to_teach(columns: Iterable[StepColumn]) -> list[StepColumn]:
    """The steps in which the class earned least, at most three, the worst first."""
    with_losses = [column for column in columns if column.lost]
    return sorted(with_losses, key=lambda one: (one.share, -one.lost))[:MOST_STEPS]


def commonest(columns: Iterable[StepColumn]) -> list[tuple[StepColumn, str, int]]:
    """The slips that most pupils made, each with its step and how many these are."""
    slips = [(column, key, count) for column in columns for key, count in column.causes.items()]
    return sorted(slips, key=lambda one: -one[2])


@dataclass(frozen=True)
class ClassPage:
    """The page of the whole class; small enough to be sent to a process."""

    marks: ClassMarks
    sections: Mapping[str, Sections]
    options: SheetOptions
    words: ResultWords

    def files(self) -> list[tuple[str, bytes]]:
        """It as PDF and for a browser."""
        html = environment().get_template("marks-class.html.j2").render(
            t=self.words.t,
            options=self.options,
            language=self.words.language,
            version=__version__,
            facts=self._facts(),
            again=[self._again(column) for column in to_teach(self.columns)],
            maps=list(self._maps()),
            slips=[
                (self.words.cause(column.task, key),
                 f"{self.words.sheet(column.task)} · {column.title}", count)
                for column, key, count in commonest(self.columns)[:MOST]
            ],
            boxes=self._hardest()[:MOST],
            looks=list(map(drawable, self._looks())),
            stray=[
                (drawable(one.file), drawable(one.reason.said(self.words.catalogue)))
                for one in self.marks.stray
            ],
        )  # fmt: skip
        in_browser = html.replace("<body>", '<body class="in-browser">', 1)
        page = standalone(EditionPage(in_browser, OWN_STYLES)).encode()
        return [("class.pdf", printed(html, "the marks of the class")), ("class.html", page)]

    @cached_property
    def columns(self) -> list[StepColumn]:
        """All steps of all tasks in the order of computation."""
        return [column for task in self.marks.tasks for column in self._columns(task)]

    def _columns(self, task: str) -> Iterator[StepColumn]:
        came = [pupil.task(task) for pupil in self.marks.pupils]
        rows = [None if one is None else self.words.by_title(one) for one in came]
        sections = self.sections.get(task, {})
        for title in dict.fromkeys(title for row in rows if row for title in row):
            marks = [None if row is None else row.get(title, ()) for row in rows]
            first = next(mark.cell[0] for some in marks if some for mark in some)
            yield StepColumn(task, title, sections.get(kind(first), ""), tuple(map(Field, marks)))

    def _share(self, value: float) -> str:
        return percent(value, 0, self.words.language)

    def _facts(self) -> dict[str, object]:
        marks = self.marks
        shares = [earned / most for earned, most in map(marks.total, marks.handed_in)]
        return {
            "came": len(marks.handed_in),
            "of": len(marks.pupils),
            "mean": self._share(sum(shares) / len(shares)),
            "sheets": ", ".join(map(self.words.sheet, marks.tasks)),
            "whole": sum(not column.lost for column in self.columns),
            "steps": len(self.columns),
        }

    def _again(self, column: StepColumn) -> dict[str, object]:
        """A step to teach again: where the sheet explains it, how many lost something, why."""
        common = column.causes.most_common(CAUSES)
        return {
            "title": column.title,
            "where": self.words.where(column.task, column.section),
            "lost": column.lost,
            "of": column.handed_in,
            "blank": column.blank,
            "causes": [(self.words.cause(column.task, key), count) for key, count in common],
        }

    def _maps(self) -> Iterator[dict[str, Any]]:
        """Steps side by side, below the sheets that they are from; the last line is the class's."""
        for some in self._side_by_side():
            tasks = Counter(column.task for column in some)
            for start in range(0, len(self.marks.pupils), LONGEST):
                places = range(start, min(start + LONGEST, len(self.marks.pupils)))
                yield {
                    "heads": [(self.words.sheet(task), count) for task, count in tasks.items()],
                    "titles": [column.title for column in some],
                    "lines": [self._line(k, some) for k in places],
                    "foot": [self._share(column.share) for column in some],
                }

    def _side_by_side(self) -> list[list[StepColumn]]:
        """The columns as they fit on a page; the steps of a sheet stay together where they can."""
        pages: list[list[StepColumn]] = [[]]
        for task in dict.fromkeys(column.task for column in self.columns):
            own = [column for column in self.columns if column.task == task]
            if pages[-1] and len(pages[-1]) + len(own) > WIDEST:
                pages.append([])
            for start in range(0, len(own), WIDEST):
                if start:
                    pages.append([])
                pages[-1] += own[start : start + WIDEST]
        return [page for page in pages if page]

    def _line(self, k: int, columns: Iterable[StepColumn]) -> dict[str, object]:
        """A pupil's line of the map; boxes earned of those that there were, where some were not."""
        pupil, fields = self.marks.pupils[k], [column.fields[k] for column in columns]
        texts = [
            f"{self.words.points(one.earned)}/{len(one.marks)}" if one.lost and one.marks else ""
            for one in fields
        ]
        shades = [
            {"level": one.shade, "text": text} for one, text in zip(fields, texts, strict=True)
        ]
        points = self.words.points(self.marks.total(pupil)[0]) if pupil.files else ""
        grade = Tables(self.marks, self.words).grade_of(pupil) if pupil.files else ""
        return {"who": drawable(pupil.shown), "shades": shades, "points": points, "grade": grade}

    def _hardest(self) -> list[tuple[dict[str, object], str]]:
        """The boxes in which somebody lost something, the hardest first, each with its sheet.

        A box is the same for pupils who compute other rows: it is told by step and, where there are
        several, column.
        """
        lost_by_box: dict[tuple[str, str, str], list[bool]] = {}
        for pupil in self.marks.handed_in:
            for task in pupil.tasks:
                titles = self.words.titles(task)
                for mark in task.marks:
                    step = task.step(mark.cell)
                    label = step.columns[mark.cell[2]] if step.shape[1] > 1 else ""
                    key = task.name, titles[step.name], label
                    lost_by_box.setdefault(key, []).append(mark.credit < WHOLE)
        boxes = [(key, sum(lost), len(lost)) for key, lost in lost_by_box.items() if any(lost)]
        return [
            ({"title": title, "label": label, "lost": lost, "of": of}, self.words.sheet(task))
            for (task, title, label), lost, of in sorted(boxes, key=lambda one: (-one[1], one[2]))
        ]

    def _looks(self) -> Iterator[str]:
        """What a person should look at: remarks on files, entries that nobody can read."""
        for pupil in self.marks.handed_in:
            yield from (f"{pupil.shown}: {remark}" for remark in pupil.remarks)
            how = [mark.judged.how for task in pupil.tasks for mark in task.marks]
            if dark := how.count(How.UNREADABLE):
                yield f"{pupil.shown}: {self.words.t('grading.class.unreadable', count=dark)}"


OWN_STYLES: Final = ("class.css", "marks.css")  # beside those of a worksheet


def printed(html: str, where: str) -> bytes:
    """A page of results as a PDF; `where` is what errors call it."""
    css = (document_css(), *map(style, ("worksheet.css", *OWN_STYLES)))
    # Each leaf by itself: as a whole WeasyPrint lays out twice the first page of all but the first.
    return PdfDocument(html, css, Formulas(), where, leaves={}).to_pdf()


def load_styles() -> None:
    """Load fonts and styles, so that processes that are forked from this one begin with them."""
    printed('<html lang="en"><title>-</title><body>✓ <b>✗</b></body></html>', "nothing")
