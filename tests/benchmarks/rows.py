"""The rows of the benchmark: what is measured against what, and which ratio we aim at."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from generator.api import compute
from generator.engine.learning import to_learn
from generator.engine.model import compute as compute_preset
from generator.engine.trace import Trace
from generator.engine.trace_gradients import with_gradients
from generator.locales.catalogue import load
from generator.render.workbook import solution
from generator.render.worksheet.worksheet import render as render_sheet
from generator.sheets.series import SHEETS
from tests.benchmarks import models, workbooks
from tests.benchmarks.bare_numpy import Bare
from tests.benchmarks.lessons import PUPILS, Class, Gallery, Hints, Look, Run, Tokens, otherwise
from tests.benchmarks.marking import Marking
from tests.benchmarks.measure import Job, least, peak_megabytes, wall
from tests.benchmarks.sheets import OPTIONS, Both, Series, Sheet, chromium, in_chromium


@dataclass(frozen=True)
class Row:
    """One line of the table; `pair` prepares both sides, untimed.

    `aim` is the largest ratio wanted (None: only reported), `rounds` how often each side runs,
    `alone` the code whose peak memory a fresh process reports, `limit` its aim in MB.
    """

    title: str
    pair: Callable[[], tuple[Job, Job]]
    aim: float | None
    rounds: int
    alone: str
    limit: int | None = None


@dataclass(frozen=True)
class Result:
    """What one row measured: the least times in ms and peak memory in MB."""

    row: Row
    ours: float
    reference: float
    memory: float

    @property
    def ratio(self) -> float:
        """Ours by reference: below 1 we are faster."""
        return self.ours / self.reference


def measured(row: Row) -> Result:
    """Run one row."""
    ours, reference = least(row.pair(), row.rounds)
    return Result(row, ours, reference, peak_megabytes(row.alone))


def ratio(row: Row) -> float:
    """One row's ratio alone, without its memory."""
    ours, reference = least(row.pair(), row.rounds)
    return ours / reference


def _engine(rounding: str, *, first: bool = False) -> Callable[[], tuple[Job, Job]]:
    """The engine beside bare NumPy, whose weights are ready as our steps are, if not the first."""

    def pair() -> tuple[Job, Job]:
        preset = models.large()
        sentence = models.sentence(preset)
        tokens = tuple(sentence.split())
        bare = Bare(preset, tokens)

        def ours() -> object:
            if first:
                preset.computed.clear()
            return compute_preset(preset, sentence, rounding=rounding)

        return ours, lambda: bare.probabilities(tokens)

    return pair


def _gradients() -> tuple[Job, Job]:
    """Gradients of all weights beside the pass that they follow, neither with the other's time."""
    preset = models.large()
    sentence = models.sentence(preset)
    tokens = sentence.split()

    def forward() -> Trace:
        return compute_preset(preset, sentence, rounding="exact", worked=0, exercise=1)

    trace, wanted = forward(), to_learn((), "last")
    return lambda: with_gradients(trace, wanted, tokens[0]), forward


@cache
def _katze() -> workbooks.Ready:
    return workbooks.taken_apart(solution.render(compute(controls=True), load("de")))


def _workbook() -> tuple[Job, Job]:
    ready = _katze()
    return lambda: workbooks.ours(ready), lambda: workbooks.reference(ready)


def _floor() -> tuple[Job, Job]:
    ready = _katze()
    return lambda: workbooks.ours(ready), lambda: workbooks.floor(ready)


def _whole_workbook() -> tuple[Job, Job]:
    trace, catalogue, ready = compute(controls=True), load("de"), _katze()
    return lambda: solution.render(trace, catalogue), lambda: workbooks.reference(ready)


def _training_workbook() -> tuple[Job, Job]:
    """One step of training of every weight, beside the same workbook without it."""
    catalogue = load("de")
    plain, learned = (compute(preset="katze", next_word="Matte", controls=True, train=n)
                      for n in (0, 1))  # fmt: skip
    return lambda: solution.render(learned, catalogue), lambda: solution.render(plain, catalogue)


def _large_workbook(tokens: int) -> Callable[[], tuple[Job, Job]]:
    def pair() -> tuple[Job, Job]:
        trace, catalogue = models.trace(tokens), load("en")
        ready = workbooks.taken_apart(solution.render(trace, catalogue))
        return lambda: solution.render(trace, catalogue), lambda: workbooks.reference(ready)

    return pair


@cache
def _the_sheet() -> Sheet:
    return Sheet()


def _worksheet() -> tuple[Job, Job]:
    return _the_sheet().ours, _the_sheet().untuned


def _worksheet_with_flex() -> tuple[Job, Job]:
    return _the_sheet().ours, _the_sheet().with_flex


def _typst() -> tuple[Job, Job]:
    return _the_sheet().ours, _the_sheet().in_typst


def _series(sheets: tuple[str, ...]) -> Callable[[], tuple[Job, Job]]:
    def pair() -> tuple[Job, Job]:
        series = Series(sheets)
        assert series.pages
        return series.ours, series.untuned

    return pair


def _both(sheets: tuple[str, ...]) -> Callable[[], tuple[Job, Job]]:
    def pair() -> tuple[Job, Job]:
        both = Both(sheets)
        assert both.ours() == both.apart()
        return both.ours, both.apart

    return pair


def _chromium(program: str) -> Callable[[], tuple[Job, Job]]:
    def pair() -> tuple[Job, Job]:
        sheet = _the_sheet()
        html = render_sheet("4a", sheet.trace, sheet.exact, OPTIONS, kind="html")
        return lambda: wall("-c", WORKSHEET), lambda: in_chromium(program, html)

    return pair


def _help() -> tuple[Job, Job]:
    return lambda: wall("-m", "generator", "--help"), lambda: wall("-c", "import numpy")


def _tokens() -> tuple[Job, Job]:
    tokens = Tokens()
    return tokens.ours, tokens.once


def _marking() -> tuple[Job, Job]:
    marking = Marking()
    return marking.ours, marking.once


def _run() -> tuple[Job, Job]:
    run = Run()
    return run.ours, run.sheet


def _hints() -> tuple[Job, Job]:
    hints = Hints()
    return hints.ours, hints.bare


def _collated(pupils: int) -> Callable[[], tuple[Job, Job]]:
    def pair() -> tuple[Job, Job]:
        one = Class(pupils, ("4a", "6"), info="each")
        assert one.books()  # all is laid out
        return one.collated, one.books

    return pair


def _otherwise(pupils: int) -> Callable[[], tuple[Job, Job]]:
    def pair() -> tuple[Job, Job]:
        one, other = otherwise(pupils)
        return one.leaves, other.leaves

    return pair


ENGINE = """
from generator.engine.model import compute
from tests.benchmarks import models
preset = models.{model}()
compute(preset, models.sentence(preset), rounding="{rounding}")
"""
GRADIENTS = """
from generator.engine.learning import Training
from generator.engine.model import compute
from tests.benchmarks import models
preset = models.large()
edits = {"loss.target": models.sentence(preset).split()[0]}
compute(preset, models.sentence(preset), rounding="exact", edits=edits, training=Training(1))
"""
WORKBOOK = """
from generator.api import compute
from generator.render.workbook.solution import render
from generator.locales.catalogue import load
render(compute(controls=True), load("de"))
"""
LEARN = """
from generator.api import compute
from generator.render.workbook.solution import render
from generator.locales.catalogue import load
render(compute(preset="katze", next_word="Matte", controls=True, train=5), load("de"))
"""
LARGE = """
from generator.render.workbook.solution import render
from generator.locales.catalogue import load
from tests.benchmarks import models
render(models.trace({tokens}), load("en"))
"""
CHROMIUM = "worksheet 4a / Chromium, fresh processes"
WORKSHEET = """
from tests.benchmarks.sheets import Sheet
Sheet().ours()
"""
SERIES = """
from tests.benchmarks.sheets import Series
Series({sheets}).ours()
"""
MAKE = """
import pathlib, tempfile
from generator.api import compute, write
with tempfile.TemporaryDirectory() as folder:
    assert write(compute(), pathlib.Path(folder) / "out", sheets={sheets})
"""
MARKING = "from tests.benchmarks.marking import Marking; Marking().ours()"
LESSONS = """
from tests.benchmarks import lessons
lessons.{code}
"""
HELP = """
import contextlib, io, sys
from generator.cli import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main(["--help"])
assert not {"weasyprint", "openpyxl"} & sys.modules.keys()
"""


def rows(
    tokens: int = models.TOKENS, sheets: tuple[str, ...] = SHEETS, pupils: int = PUPILS
) -> tuple[Row, ...]:
    """All rows; the large workbook's tokens, the series' sheets, the pupils say how long they take.

    The row of Chromium is there only where the program is installed.
    """
    program = chromium()
    browser = [Row(CHROMIUM, _chromium(program), None, 3, WORKSHEET, 300)] if program else []
    series = SERIES.format(sheets=sheets)
    make = MAKE.format(sheets=None if sheets == SHEETS else sheets)  # None: all that fit
    return (
        Row(
            "engine, exact / bare NumPy (peak: 512 tokens)",
            _engine("exact"),
            3.5,
            60,
            ENGINE.format(model="longest", rounding="exact"),
            500,
        ),
        Row(
            "engine, paper / bare NumPy (peak: 512 tokens)",
            _engine("paper"),
            9.0,
            60,
            ENGINE.format(model="longest", rounding="paper"),
            500,
        ),
        Row(
            "engine, exact, the first time / bare NumPy",
            _engine("exact", first=True),
            None,
            60,
            ENGINE.format(model="large", rounding="exact"),
            500,
        ),
        Row(
            "gradients / the engine's own pass, exact",
            _gradients,
            6.0,
            60,
            GRADIENTS,
            500,
        ),
        Row("workbook, ready cells / XlsxWriter", _workbook, 0.5, 5, WORKBOOK, 300),
        Row("workbook, ready cells / pasted by hand", _floor, None, 5, WORKBOOK, 300),
        Row("workbook, all of it / XlsxWriter's writing", _whole_workbook, None, 5, WORKBOOK, 300),
        Row("workbook with a step of training / without", _training_workbook, None, 5, LEARN, 300),
        Row(
            "large workbook, all / XlsxWriter's writing",
            _large_workbook(tokens),
            None,
            1,
            LARGE.format(tokens=tokens),
            300,
        ),
        Row("worksheet 4a / untuned WeasyPrint", _worksheet, 0.45, 5, WORKSHEET, 300),
        Row("series, blank / untuned WeasyPrint", _series(sheets), 0.4, 1, series, 300),
        Row("series, blank and solved / each as a whole", _both(sheets), 0.75, 1, make, 300),
        *browser,
        Row("worksheet 4a / untuned, flex rows", _worksheet_with_flex, None, 5, WORKSHEET, 300),
        Row("worksheet 4a / Typst, tables (peak: make)", _typst, None, 5, make, 300),
        Row("paperformer --help / import numpy", _help, None, 5, HELP, None),
        *_lessons(pupils, make),
    )


def _gallery() -> tuple[Job, Job]:
    gallery = Gallery()
    return gallery.again, gallery.sheets


def _look() -> tuple[Job, Job]:
    return Look().ours, Sheet().ours


def _lessons(pupils: int, make: str) -> tuple[Row, ...]:
    """What a class needs beside single leaves; the memory is that of one run, alone."""

    def alone(code: str) -> str:
        return LESSONS.format(code=code)

    copier = f"Class({pupils}, ('4a', '6'), info='each').collated()"
    return (
        Row("own tokens of a series / its computation", _tokens, None, 9, alone("Tokens().ours()")),
        Row("marking a sheet 4a / its computation", _marking, 3, 9, MARKING, 300),
        Row("complete run / sheet 4a, solved (peak: make)", _run, None, 3, make, 300),
        Row("page: a look at 4a / the sheet as PDF", _look, 0.2, 9, alone("Look().ours()"), 300),
        Row("gallery, nothing changed / its sheets made", _gallery, 0.1, 3, make, 300),
        Row("sheet 4a with hints / without", _hints, 1.15, 5, WORKSHEET, 300),
        Row(
            "class-blank, info each / its class PDFs", _collated(pupils), 1.5, 1, alone(copier), 300
        ),
        Row(
            "own numbers asked otherwise / alike, sheet 6",
            _otherwise(pupils),
            None,
            1,
            alone(f"otherwise({pupils})[0].leaves()"),
            300,
        ),
    )
