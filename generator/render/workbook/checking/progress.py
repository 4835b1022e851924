"""The head of an exercise tab: progress, what to do first, and what the check columns are."""

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.checking import hints
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import write_formula, write_text
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.check_columns import ABOUT_ROW, STATES, TITLE_ROW, TOTALS_ROW
from generator.render.workbook.layout.checks import Checks
from generator.render.workbook.layout.focus import ROW as WARNING_ROW
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.styles import ACCENT

BAR = 10  # signs of a full bar
ARROW = "→"  # what a line that is no warning begins with


def write(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """Everything at the head of a tab with asked cells."""
    _explain(draft, page, checks)
    _progress(draft, page, checks)
    _first_open(draft, page, checks)


def write_waiting(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """In the line of the warning: which tab to fill in first, because cells here wait for it."""
    before = _before(draft, sheet)
    if before is None:
        return
    message, cell = on(*draft.layout.warning), _open_cell(before)
    lead, rest = draft.catalogue.phrases["exercise.waits"].split("{tab}")
    chosen = f'IF({cell}="","","{ARROW} {lead}"&{cell}&"{rest}")'
    shown = f"{ARROW} {lead}{next(iter(draft.checks))}{rest}"
    formula = Formula(f'=IF({message}<>"",{message}&"",{chosen})', shown)
    write_formula(page, WARNING_ROW, WORDS_COLUMN, formula, draft.styles.look("alarm"))


def calm(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """That line does not look like an alarm where it is none."""
    if _before(draft, sheet):
        place = at(WARNING_ROW, WORDS_COLUMN)
        rule = FormulaRule(formula=[f'LEFT({place},1)="{ARROW}"'], font=Font(color=ACCENT))
        page.conditional_formatting.add(place, rule)


def _before(draft: Draft, sheet: Sheet) -> Checks | None:
    """The last tab with asked cells before one that has hidden cells."""
    homes = {box.step for band in sheet.bands for box in band.boxes if box.home}
    if homes.isdisjoint(draft.exercise.steps):
        return None
    last = None
    for other in draft.layout.sheets:
        if other is sheet:
            break
        last = draft.checks.get(other.tab.title, last)
    return last


def _open_cell(checks: Checks) -> str:
    """The cell that names the first tab, up to this one, with a blank cell; "" for none."""
    return on(checks.title, at(ABOUT_ROW, checks.columns.state("gate"), fixed=True))


def _first_open(draft: Draft, page: Worksheet, checks: Checks) -> None:
    before = _before(draft, checks.sheet)
    formula = f'IF({checks.count("blank")}>0,"{checks.title}","")'
    if before:
        formula = f'IF({_open_cell(before)}<>"",{_open_cell(before)},{formula})'
    shown = Formula(f"={formula}", next(iter(draft.checks)))
    hints.put(draft, page, ABOUT_ROW, checks.columns.state("gate"), shown)


def _progress(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """How much is right, how much is filled in, and a bar; where nobody judges, only the latter."""
    if not draft.judging.judges:
        _filled(draft, page, checks)
        return
    right, blank = (at(TOTALS_ROW, checks.columns.state(name)) for name in ("right", "blank"))
    asked, t = len(checks.asked), draft.catalogue.t
    here, of, filled = (t(f"exercise.progress.{key}") for key in ("here", "of", "filled"))
    done = f"INT({BAR}*{right}/{asked})"
    bar = f'REPT("■",{done})&REPT("□",{BAR}-{done})'
    text = f'{bar}&"  {here}"&{right}&"{of}{asked}{filled}"&({asked}-{blank})'
    formula = f'=IF({on(*draft.layout.paused)}>0,"",{text})'  # in a pause nothing counts as right
    shown = Formula(formula, f"{'□' * BAR}  {here}0{of}{asked}{filled}0")
    write_formula(page, TITLE_ROW, WORDS_COLUMN, shown, draft.styles.look("strong"))


def _filled(draft: Draft, page: Worksheet, checks: Checks) -> None:
    asked, blank = len(checks.asked), at(TOTALS_ROW, checks.columns.state("blank"))
    filled, of = (draft.catalogue.t(f"exercise.progress.{key}") for key in ("only", "of"))
    formula = f'="{filled}"&({asked}-{blank})&"{of}{asked}"'
    shown = Formula(formula, f"{filled}0{of}{asked}")
    write_formula(page, TITLE_ROW, WORDS_COLUMN, shown, draft.styles.look("strong"))


def _explain(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """A word about each part of the checks, small and grey."""
    columns = checks.columns
    notes = {
        (TITLE_ROW, columns.first): "title",
        (TITLE_ROW, columns.first + 3): "about",
        (TOTALS_ROW, columns.state("gate")): "tab",
        **{(TOTALS_ROW + 1, columns.state(state)): state for state in STATES},
        (TOTALS_ROW, columns.verdict(1)): "verdicts",
        (TOTALS_ROW, columns.result(1)): "results",
        (ABOUT_ROW, columns.hint(0)): "hints",
    }
    for (row, column), key in notes.items():
        text = draft.catalogue.t(f"exercise.checks.{key}")
        write_text(page, row, column, text, draft.styles.look("step"))
    hints.write_numbers(draft, page, checks)
    hints.write_steps(draft, page, checks)
