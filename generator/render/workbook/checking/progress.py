"""The head of an exercise tab: progress, what to do first, and what the check columns are."""

from typing import TYPE_CHECKING

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.dress.frames import ROW as WARNING_ROW
from generator.render.workbook.file.package import Formula
from generator.render.workbook.layout.box import quoted
from generator.render.workbook.layout.check_columns import (
    ABOUT_ROW,
    STATES,
    TITLE_ROW,
    TOTALS_ROW,
    at,
)
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.styles import ACCENT

if TYPE_CHECKING:
    from generator.render.workbook.checking.verdicts import ExerciseTab
    from generator.render.workbook.exercise_writer import ExerciseWriter

WIDTH, WIDE = 7.0, 36.0  # characters of a column of numbers, of texts
BAR = 10  # signs of a full bar
ARROW = "→"  # what a line that is no warning begins with


def write(tab: "ExerciseTab", page: Worksheet) -> None:
    """Everything at the head of a tab with asked cells, and the check columns themselves."""
    _explain(tab, page)
    _group(tab, page)
    _progress(tab, page)
    _chain(tab, page)


def first_open(tab: "ExerciseTab") -> str:
    """The cell that names the first tab, up to this one, with a blank cell; "" for none."""
    return f"{quoted(tab.title)}!{at(ABOUT_ROW, tab.columns.state('gate'), fixed=True)}"


def waits(writer: "ExerciseWriter", page: Worksheet, sheet: Sheet) -> None:
    """In the line of the warning: which tab to fill in first, because cells here wait for it."""
    before = _before(writer, sheet)
    if before is None:
        return
    warning_sheet, warning = writer.layout.warning
    message = f"{quoted(warning_sheet)}!{warning}"
    lead, rest = writer.catalogue.phrases["exercise.waits"].split("{tab}")
    cell = first_open(before)
    first = next(iter(writer.tabs))
    chosen = f'IF({cell}="","","{ARROW} {lead}"&{cell}&"{rest}")'
    formula = Formula(f'=IF({message}<>"",{message}&"",{chosen})', f"{ARROW} {lead}{first}{rest}")
    writer.compute(page, WARNING_ROW, WORDS_COLUMN, formula, writer.styles.look("alarm"))
    place = at(WARNING_ROW, WORDS_COLUMN)
    calm = FormulaRule(formula=[f'LEFT({place},1)="{ARROW}"'], font=Font(color=ACCENT))
    page.conditional_formatting.add(place, calm)


def _before(writer: "ExerciseWriter", sheet: Sheet) -> "ExerciseTab | None":
    """The last tab with asked cells before one that has hidden cells."""
    homes = {box.step for band in sheet.bands for box in band.boxes if box.home}
    if homes.isdisjoint(writer.exercise.steps):
        return None
    found = None
    for other in writer.layout.sheets:
        if other.tab.title == sheet.tab.title:
            return found
        found = writer.tabs.get(other.tab.title, found)
    raise ValueError(f"the workbook has no tab {sheet.tab.title!r}")


def _chain(tab: "ExerciseTab", page: Worksheet) -> None:
    before = _before(tab.writer, tab.sheet)
    own = f'IF({tab.count("blank")}>0,"{tab.title}","")'
    formula = own
    if before:
        formula = f'IF({first_open(before)}<>"",{first_open(before)},{own})'
    shown = Formula(f"={formula}", next(iter(tab.writer.tabs)))
    tab.put(page, ABOUT_ROW, tab.columns.state("gate"), shown)


def _progress(tab: "ExerciseTab", page: Worksheet) -> None:
    """How much is right, how much is filled in, and a bar."""
    right, blank = (at(TOTALS_ROW, tab.columns.state(name)) for name in ("right", "blank"))
    asked, t = len(tab.asked), tab.t
    here, of, filled = (t(f"exercise.progress.{key}") for key in ("here", "of", "filled"))
    done = f"INT({BAR}*{right}/{asked})"
    bar = f'REPT("■",{done})&REPT("□",{BAR}-{done})'
    formula = f'={bar}&"  {here}"&{right}&"{of}{asked}{filled}"&({asked}-{blank})'
    shown = f"{'□' * BAR}  {here}0{of}{asked}{filled}0"
    style = tab.writer.styles.look("strong")
    tab.writer.compute(page, TITLE_ROW, WORDS_COLUMN, Formula(formula, shown), style)


def _explain(tab: "ExerciseTab", page: Worksheet) -> None:
    columns = tab.columns
    _note(tab, page, TITLE_ROW, columns.first, "title")
    _note(tab, page, TITLE_ROW, columns.first + 3, "about")
    _note(tab, page, TOTALS_ROW, columns.state("gate"), "tab")
    for state in STATES:
        _note(tab, page, TOTALS_ROW + 1, columns.state(state), state)
    _note(tab, page, TOTALS_ROW, columns.verdict(1), "verdicts")
    _note(tab, page, TOTALS_ROW, columns.result(1), "results")
    _note(tab, page, ABOUT_ROW, columns.hint(0), "hints")
    tab.hints.head(page)


def _note(tab: "ExerciseTab", page: Worksheet, row: int, column: int, key: str) -> None:
    """A word about the checks, small and grey."""
    tab.writer.write(page, row, column, tab.t(f"exercise.checks.{key}"), "step")


def _group(tab: "ExerciseTab", page: Worksheet) -> None:
    """The check columns can be folded where a teacher takes the protection off; never printed."""
    texts = tab.columns.hint(0)
    for first, last, width in (
        (tab.columns.first, texts, WIDTH),
        (texts + 1, tab.columns.last, WIDE),
    ):
        letter = get_column_letter(first)
        page.column_dimensions.group(letter, get_column_letter(last), outline_level=1)
        page.column_dimensions[letter].width = width
    page.print_area = f"A1:{at(tab.sheet.bands[-1].bottom, tab.columns.wide)}"
