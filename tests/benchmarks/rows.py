"""The rows of the benchmark: what is measured against what, and which ratio we aim at."""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from generator.api import compute
from generator.engine.learning import to_learn
from generator.engine.model import compute as compute_preset
from generator.engine.trace import Trace
from generator.engine.trace_gradients import with_gradients
from generator.locales.catalogue import load
from generator.render.workbook import solution
from generator.sheets.series import SHEETS
from tests.benchmarks import lessons, models, workbooks
from tests.benchmarks.bare_numpy import Bare
from tests.benchmarks.marking import marking
from tests.benchmarks.measure import Job, Pair, least, peak_megabytes, wall
from tests.benchmarks.sheets import OPTIONS, Sheet, apart, chromium, in_chromium, series
from tests.support.views import render as render_sheet


class Row(NamedTuple):
    """One line of the table; `pair` prepares both sides, untimed.

    `aim` is the largest ratio wanted (None: only reported), `rounds` how often each side runs,
    `alone` the code whose peak memory a fresh process reports, `limit` its aim in MB.
    """

    title: str
    pair: Callable[[], Pair]
    aim: float | None
    rounds: int
    alone: str
    limit: int | None = None


class Result(NamedTuple):
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
    ours, reference = once(row)
    return Result(row, ours, reference, peak_megabytes(row.alone))


def once(row: Row) -> list[float]:
    """The least ms of both sides of a row, without its memory."""
    return least(row.pair(), row.rounds)


def engine(rounding: str, *, first: bool = False) -> Pair:
    """The engine beside bare NumPy, whose weights are ready as our steps are, if not the first."""
    preset = models.large()
    sentence = models.sentence(preset)
    tokens = tuple(sentence.split())
    bare = Bare(preset, tokens)

    def ours() -> object:
        if first:
            preset.computed.clear()
        return compute_preset(preset, sentence, rounding=rounding)

    return ours, lambda: bare.probabilities(tokens)


def gradients() -> Pair:
    """Gradients of all weights beside the pass that they follow, neither with the other's time."""
    preset = models.large()
    sentence = models.sentence(preset)

    def forward() -> Trace:
        return compute_preset(preset, sentence, rounding="exact", worked=0, exercise=1)

    trace, wanted = forward(), to_learn((), "last")
    return lambda: with_gradients(trace, wanted, sentence.split()[0]), forward


def rendered(trace: Trace, language: str = "de") -> Job:
    """All of a workbook."""
    catalogue = load(language)
    return lambda: solution.render(trace, catalogue)


@cache
def katze() -> workbooks.Ready:
    """The cells of a workbook."""
    return workbooks.taken_apart(solution.render(compute(controls=True), load("de")))


def cells(other: Callable[[workbooks.Ready], bytes]) -> Pair:
    """Ready cells written by us and otherwise."""
    return lambda: workbooks.ours(katze()), lambda: other(katze())


def whole_workbook() -> Pair:
    """All of a workbook beside XlsxWriter's writing."""
    ready = katze()
    return rendered(compute(controls=True)), lambda: workbooks.reference(ready)


def training_workbook() -> Pair:
    """One step of training of every weight, beside the same workbook without it."""
    plain, learned = (compute(preset="katze", next_word="Matte", controls=True, train=n)
                      for n in (0, 1))  # fmt: skip
    return rendered(learned), rendered(plain)


def large_workbook(tokens: int) -> Pair:
    """The same of a large one."""
    trace = models.trace(tokens)
    ready = workbooks.taken_apart(solution.render(trace, load("en")))
    return rendered(trace, "en"), lambda: workbooks.reference(ready)


@cache
def the_sheet() -> Sheet:
    """One for all rows."""
    return Sheet()


def worksheet(other: Callable[[Sheet], bytes]) -> Pair:
    """A sheet by us and otherwise."""
    return the_sheet().ours, partial(other, the_sheet())


def in_browser(program: str) -> Pair:
    """Both in fresh processes."""
    sheet = the_sheet()
    html = render_sheet("4a", sheet.trace, sheet.exact, OPTIONS, kind="html")
    return lambda: wall("-c", WORKSHEET), lambda: in_chromium(program, html)


def look() -> Pair:
    """What the page shows when somebody has typed, beside the sheet as PDF."""
    return lessons.look, the_sheet().ours


def lesson(code: str) -> str:
    """The code that runs one side of a pair for a class."""
    return f"from tests.benchmarks import lessons; lessons.{code}()"


def helped() -> Pair:
    """`--help` beside what it cannot do without."""
    return lambda: wall("-m", "generator", "--help"), lambda: wall("-c", "import numpy")


ENGINE = """
from generator.engine.model import compute
from tests.benchmarks import models
preset = models.{}()
compute(preset, models.sentence(preset), rounding="{}")
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
render(models.trace({}), load("en"))
"""
CHROMIUM = "worksheet 4a / Chromium, fresh processes"
WORKSHEET = "from tests.benchmarks.sheets import Sheet; Sheet().ours()"
SERIES = "from tests.benchmarks.sheets import series; series({})[0]()"
MAKE = """
import pathlib, tempfile
from generator.api import compute, write
with tempfile.TemporaryDirectory() as folder:
    assert write(compute(), pathlib.Path(folder) / "out", sheets={})
"""
MARKING = "from tests.benchmarks.marking import marking; marking()[0]()"
HELP = """
import contextlib, io, sys
from generator.cli import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main(["--help"])
assert not {"weasyprint", "openpyxl"} & sys.modules.keys()
"""


def rows(
    tokens: int = models.TOKENS, sheets: tuple[str, ...] = SHEETS, pupils: int = lessons.PUPILS
) -> tuple[Row, ...]:
    """All rows; the large workbook's tokens, the series' sheets, the pupils say how long they take.

    The row of Chromium is there only where the program is installed.
    """
    program = chromium()
    make = MAKE.format(None if sheets == SHEETS else sheets)  # None: all that fit
    exact, paper = ((60, ENGINE.format("longest", kind), 500) for kind in ("exact", "paper"))
    first, back = (60, ENGINE.format("large", "exact"), 500), (60, GRADIENTS, 500)
    book, learn, large = (5, WORKBOOK, 300), (5, LEARN, 300), (1, LARGE.format(tokens), 300)
    sheet, whole, all_of_it = (5, WORKSHEET, 300), (1, SERIES.format(sheets), 300), (1, make, 300)
    look_alone, tokens_alone = (9, lesson("look"), 300), (9, lesson("tokens()[0]"))
    copier, others = (
        (1, lesson(f"{name}({pupils})[0]"), 300) for name in ("collated", "otherwise")
    )
    first_time, large_one = partial(engine, "exact", first=True), partial(large_workbook, tokens)
    in_typst = partial(worksheet, Sheet.in_typst)
    leaves, collated = partial(lessons.otherwise, pupils), partial(lessons.collated, pupils)
    chrome = [Row(CHROMIUM, partial(in_browser, program), None, 3, *sheet[1:])] if program else []
    return (
        Row("engine, exact / bare NumPy (peak: 512 tokens)", partial(engine, "exact"), 3.5, *exact),
        Row("engine, paper / bare NumPy (peak: 512 tokens)", partial(engine, "paper"), 9.0, *paper),
        Row("engine, exact, the first time / bare NumPy", first_time, None, *first),
        Row("gradients / the engine's own pass, exact", gradients, 6.0, *back),
        Row("workbook, ready cells / XlsxWriter", partial(cells, workbooks.reference), 0.5, *book),
        Row("workbook, ready cells / pasted by hand", partial(cells, workbooks.floor), None, *book),
        Row("workbook, all of it / XlsxWriter's writing", whole_workbook, None, *book),
        Row("workbook with a step of training / without", training_workbook, None, *learn),
        Row("large workbook, all / XlsxWriter's writing", large_one, None, *large),
        Row("worksheet 4a / untuned WeasyPrint", partial(worksheet, Sheet.untuned), 0.45, *sheet),
        Row("series, blank / untuned WeasyPrint", partial(series, sheets), 0.4, *whole),
        Row("series, blank and solved / each as a whole", partial(apart, sheets), 0.75, *all_of_it),
        *chrome,
        Row("worksheet 4a / untuned, flex rows", partial(worksheet, Sheet.with_flex), None, *sheet),
        Row("worksheet 4a / Typst, tables (peak: make)", in_typst, None, 5, make, 300),
        Row("paperformer --help / import numpy", helped, None, 5, HELP),
        Row("own tokens of a series / its computation", lessons.tokens, None, *tokens_alone),
        Row("marking a sheet 4a / its computation", marking, 3, 9, MARKING, 300),
        Row("complete run / sheet 4a, solved (peak: make)", lessons.run, None, 3, make, 300),
        Row("page: a look at 4a / the sheet as PDF", look, 0.2, *look_alone),
        Row("gallery, nothing changed / its sheets made", lessons.gallery, 0.1, 3, make, 300),
        Row("sheet 4a with hints / without", lessons.hints, 1.15, *sheet),
        Row("class-blank, info each / its class PDFs", collated, 1.5, *copier),
        Row("own numbers asked otherwise / alike, sheet 6", leaves, None, *others),
    )
