"""What a class needs beside single leaves: own tokens, the copier's file, hints, a complete run."""

import atexit
import re
from collections.abc import Mapping
from functools import partial
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
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.site.asked import asked
from generator.site.build import build
from generator.web.desk import WebWork, _computed
from generator.web.form import Choices
from tests.benchmarks.measure import Pair
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


def collated(pupils: int) -> Pair:
    """The copier's file with its info leaves, and the class PDFs, all laid out already."""
    one = Class(pupils, ("4a", "6"), info="each")
    assert one.books()
    return one.part.collated, one.books


def otherwise(pupils: int) -> Pair:
    """Pupils with own numbers: of katze-trained, whose sheet 6 asks other words; of katze."""
    one, other = (
        Class(pupils, ("6",), preset=name, vary="numbers") for name in ("katze-trained", "katze")
    )
    assert len(one.pages) == len(other.pages) == pupils
    return one.leaves, other.leaves


def hints() -> Pair:
    """Sheet 4a's work leaf, and the same without its strip of hints."""
    own = PrintedSheet("4a", *both(), WORK)
    html = own.page(blank=True)
    without = HINTS.sub("", html)
    assert len(without) < len(html)
    css = SERIES["4a"].css

    def made(page: str) -> bytes:
        return own.document(page, css, "4a", leaves={}).to_pdf()

    return lambda: made(html), lambda: made(without)


def run() -> Pair:
    """The complete run, every number of every token, and sheet 4a's solution."""
    sheets = (PrintedSheet(name, *both(), SheetOptions()) for name in ("run", "4a"))
    all_of_it, sheet = (partial(one.file, variant="solution") for one in sheets)
    return all_of_it, sheet


def tokens() -> Pair:
    """Which tokens pupils may have on the sheets of a series, and computing their sentence."""
    preset = load_preset("katze")

    def ours() -> object:
        own_tokens.cache_clear()
        return own_tokens(Task(preset, ("2", "3", "4a", "4b", "5")))

    return ours, lambda: computed(preset=preset)


def gallery() -> Pair:
    """A gallery of one preset in one language once more, where nothing is made; and its sheets."""
    folder = mkdtemp()
    atexit.register(rmtree, folder)
    trace, request = (
        computed(preset="paris"),
        Request(only=("pdf",), sheets=("slide", "slides"), jobs=1),
    )

    def again() -> None:
        small = asked(["paris"], ["de"], None, small=True, address=None, docs=False, jobs=1)
        build(small, Path(folder, "gallery"))

    again()
    return again, lambda: make(trace, request)


def look() -> str:
    """The first thing that the page for teachers shows after each letter: sheet 4a."""
    _computed.cache_clear()
    return WebWork(Choices(lesson="attention", words="de", preset="katze")).look()
