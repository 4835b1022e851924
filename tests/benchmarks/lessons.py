"""What a class needs beside single leaves: own tokens, the copier's file, hints, a complete run."""

import atexit
import re
from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from generator.classroom.desk.teacher import ClassPart
from generator.classroom.files.pupil_files import PupilSet, drawn
from generator.classroom.files.work_sheets import WorkLeaf, WorkPage, laid_out
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import own_tokens
from generator.classroom.pupils.roster import numbered
from generator.classroom.pupils.seats import Roll
from generator.make import Request, make
from generator.presets.computed import computed
from generator.presets.load import load_preset
from generator.render.worksheet.worksheet import PrintedSheet, render
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.site.asked import asked
from generator.site.build import build
from generator.web.desk import WebWork, _computed
from generator.web.form import Choices
from tests.benchmarks.sheets import both

PUPILS = 30
HINTS = re.compile(r'<aside class="hints">.*?</aside>', re.DOTALL)
WORK = SheetOptions(part="work", teacher=False, code="K7QX2MPD")
SEED = "benchmark"


class Class:
    """A class with everything drawn for it, and nothing laid out."""

    def __init__(self, pupils: int, sheets: tuple[str, ...], **options: object) -> None:
        self.lesson = Lesson.asked(seed=SEED, outputs=("pdf",), sheets=sheets, **options)
        roll = Roll(self.lesson)
        seats = [roll.seat(one) for one in numbered(pupils)]
        self.part = ClassPart(self.lesson, tuple(PupilSet(one, drawn(one, {})) for one in seats))

    @property
    def pages(self) -> list[Mapping[str, WorkPage]]:
        """What each pupil's leaves are made from."""
        return [one.pages for one in self.part.sets]

    def leaves(self) -> list[bytes]:
        """Everybody's blank leaves of the first sheet, with all layouts."""
        laid_out.cache_clear()
        sheet = self.lesson.filled[0]
        return [WorkLeaf(sheet, own[sheet]).pdf() for own in self.pages]

    def books(self) -> list[bytes]:
        """The class PDF of each sheet; it is laid out already."""
        return [self.part.of_sheet(sheet) for sheet in self.lesson.filled]

    def collated(self) -> bytes:
        """The copier's file."""
        return self.part.collated()


class Hints:
    """Sheet 4a's work leaf, and the same without its strip of hints."""

    def __init__(self) -> None:
        self.trace, exact = both()
        self.own = PrintedSheet.of("4a", self.trace, exact, WORK)
        self.html = self.own.page(blank=True)
        self.without = HINTS.sub("", self.html)
        assert len(self.without) < len(self.html)

    def ours(self) -> bytes:
        """With hints."""
        return self._pdf(self.html)

    def bare(self) -> bytes:
        """Without."""
        return self._pdf(self.without)

    def _pdf(self, html: str) -> bytes:
        return self.own.file(html, SERIES["4a"].css, "4a")


class Run:
    """The complete run, and sheet 4a's solution."""

    def __init__(self) -> None:
        self.both = tuple(both())

    def ours(self) -> bytes:
        """Every number of every token."""
        return render("run", *self.both, SheetOptions(), variant="solution")

    def sheet(self) -> bytes:
        """One sheet."""
        return render("4a", *self.both, SheetOptions(), variant="solution")


class Tokens:
    """Which tokens pupils may have on the sheets of a series, and computing their sentence."""

    def __init__(self) -> None:
        self.preset = load_preset("katze")

    def ours(self) -> tuple[int | None, ...]:
        """All that are fit and equal work."""
        own_tokens.cache_clear()
        return own_tokens(Task(self.preset, ("2", "3", "4a", "4b", "5")))

    def once(self) -> object:
        """The computation alone."""
        return computed(preset=self.preset)


def otherwise(pupils: int) -> tuple[Class, Class]:
    """Pupils with own numbers: of katze-trained, whose sheet 6 asks other words; of katze."""
    one, other = (Class(pupils, ("6",), preset=name, vary="numbers") for name in TWO)
    for some in (one, other):
        assert len(some.pages) == pupils
    return one, other


TWO = ("katze-trained", "katze")


class Gallery:
    """A small gallery of one preset in one language, made already."""

    def __init__(self) -> None:
        self.folder = mkdtemp()
        atexit.register(rmtree, self.folder)
        self.trace = computed(preset="paris")
        self.again()

    def again(self) -> None:
        """The same command once more: nothing is made."""
        small = asked(["paris"], ["de"], None, small=True, address=None, docs=False, jobs=1)
        build(small, Path(self.folder, "gallery"))

    def sheets(self) -> object:
        """Its sheets made."""
        return make(self.trace, Request(only=("pdf",), sheets=("slide", "slides"), jobs=1))


class Look:
    """The first thing that the page for teachers shows when somebody has typed: sheet 4a."""

    def __init__(self) -> None:
        self.choices = Choices(lesson="attention", words="de", preset="katze")

    def ours(self) -> str:
        """Sentence and sheet anew, as after each letter."""
        _computed.cache_clear()
        return WebWork(self.choices).look()
