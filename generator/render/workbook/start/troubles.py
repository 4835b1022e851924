"""What is wrong on the other tabs, as the first sentence of all: an input, or a division by 0.

A table of given numbers is its own input, so the number in it cannot be refused as on the first
tab: a computation with another number than the one that stands there would not be the one that is
seen. Instead the cell is named with what belongs there, and what depends on it stays blank.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from openpyxl.utils import get_column_letter

from generator.engine.ops import Normalise, Power, RowShare
from generator.engine.trace import Step
from generator.notation.numbers import number
from generator.render.workbook.draft import Draft
from generator.render.workbook.guards import bound, letters
from generator.render.workbook.layout.box import Box, on
from generator.render.workbook.layout.layout import FIRST_ROW, Sheet
from generator.render.workbook.layout.start_layout import TROUBLES
from generator.render.workbook.layout.tabs import round_prefix
from generator.render.workbook.layout.tokens import by_token, tokens_of
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.start.refusals import quoted
from generator.render.workbook.write.filling import cells_of
from generator.steps import kind_of, letter_of

FIRST = 5
LARGEST = math.log(1.7976931348623157e308)  # e to this is the largest number of a cell
THOUSAND = 1000  # more than there are columns on a tab


class Trouble(NamedTuple):
    """One thing that may be wrong: a condition that is true then, and the sentence, as formulas."""

    condition: str
    sentence: str


def write(pen: Pen) -> str:
    """Writes a column of conditions, each cell the first sentence so far; gives the last cell."""
    last, letter = "", get_column_letter(TROUBLES)
    for row, trouble in enumerate(_troubles(pen.draft), start=FIRST):
        own = f'IF({trouble.condition},{trouble.sentence},"")'
        formula = f'=IF({last}<>"",{last},{own})' if last else f"={own}"
        last = f"{letter}{row}"
        pen.formula(last, formula, "", "tag")
    return last


def _troubles(draft: Draft) -> Iterator[Trouble]:
    """Inputs first, for what follows from them is no trouble of its own."""
    steps = [(sheet, step) for sheet in draft.layout.sheets for step in sheet.tab.steps]
    for sheet, step in steps:
        if step.kind == "given" and draft.layout.start.entry(step.name, 0, 0) is None:
            yield from (_no_word if step.text else _no_number)(draft, sheet, step)
    for sheet, step in steps:
        yield from _twice(draft, sheet, step)
        yield from _no_divisor(draft, sheet, step)
        yield from _too_large(draft, sheet, step)
    for sheet in draft.layout.sheets:
        yield _any_error(draft, sheet)


# Inputs -----------------------------------------------------------------------------------------


def _no_number(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """A cell of a given table without a number within its bound; an error value stops comparing."""
    home, limit = draft.layout.home(step.name), bound(step)
    area, limit_text = home.area(), number(limit, None, draft.catalogue.language)
    beyond = f'COUNTIF({area},">{limit:g}")+COUNTIF({area},"<-{limit:g}")'
    wrong = f'({area}>{limit:g})+({area}<-{limit:g})+({area}="")'
    reason = draft.catalogue.t("workbook.trouble.number", limit=limit_text)
    error = _at_first(draft, sheet, home, f'ISERROR({area}&"")*1', reason)
    yield Trouble(f"ISERROR(SUM({area}))", error)
    condition = f"OR(COUNT({area})<{home.height * home.width},{beyond}>0)"
    yield Trouble(condition, _at_first(draft, sheet, home, wrong, reason))


def _no_word(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """No word, or one with more letters than there are cells for them."""
    home, most = draft.layout.home(step.name), letters(draft, step)
    area, reason = home.area(), draft.catalogue.t("workbook.trouble.empty")
    if not most:
        wrong = f'({area}="")*1'
        yield Trouble(f"COUNTBLANK({area})>0", _at_first(draft, sheet, home, wrong, reason))
        return
    cells = (on(home.sheet, home.cell(i, j)) for i, j in cells_of(step))
    long = ",".join(f"LEN({cell})>{most}" for cell in cells)
    reason = draft.catalogue.t("workbook.bpe.word.error", most=most)
    wrong = f'({area}="")+(LEN({area})>{most})'
    condition = f"IFERROR(OR(COUNTBLANK({area})>0,{long}),TRUE)"
    yield Trouble(condition, _at_first(draft, sheet, home, wrong, reason))


def _at_first(draft: Draft, sheet: Sheet, home: Box, wrong: str, reason: str) -> str:
    """The sentence that names the first wrong cell of a table, and what was delivered there.

    Excel and LibreOffice compute with whole areas here; of an error value IronCalc names only the
    tab, and of any cell Gnumeric and HyperFormula the tab or its first one.
    """
    area, most = home.area(), THOUSAND**2
    place = f"(ROW({area})*{THOUSAND}+COLUMN({area}))"
    first = f"{most}-SUMPRODUCT(MAX((({wrong})>0)*({most}-{place})))"
    row, column = f"INT(({first})/{THOUSAND})", f"MOD({first},{THOUSAND})"
    before, after = draft.catalogue.phrases["workbook.trouble.cell"].split("{cell}")
    refused, tab = draft.catalogue.t("workbook.refused.warning"), sheet.tab.title
    cell = f"{quoted(before)}&ADDRESS({row},{column},4)&{quoted(after)}"
    sentence = f"{quoted(refused + tab)}&IFERROR({cell},{quoted(': ')})&{quoted(reason)}"
    if kept := draft.kept.get(sheet.tab.title):
        lead = quoted(draft.catalogue.t("workbook.trouble.delivered"))
        place = f"{row}-{home.row - 1},{column}-{home.column - 1}"
        sentence += f'&IFERROR({lead}&INDEX({kept.area(home)},{place}),"")'
    return sentence


def _twice(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """A word of the sentence that stands in the vocabulary twice has two ones in its row."""
    if step.place.kind == "onehot":
        area = draft.layout.home(step.name).area()
        reason = draft.catalogue.t("workbook.trouble.twice")
        sentence = quoted(f"{sheet.tab.title}: {reason}")
        yield Trouble(f"IFERROR(SUM({area})>{step.shape[0]},FALSE)", sentence)


# Results ----------------------------------------------------------------------------------------


def _no_divisor(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """A row of a softmax whose sum is 0, of a norm whose deviation is 0."""
    if isinstance(step.op, RowShare):
        if step.op.empty:
            return  # an empty row of the strict mask has shares of 0
        key = "sum"
    elif step.place.kind == "normalised":
        key = "deviation" if isinstance(step.op, Normalise) else "root"
    else:
        return
    divisor = draft.trace[step.inputs[-1]]
    if divisor.name in draft.exercise.steps:
        return  # what pupils enter is judged, not commented on
    which = f"MATCH(0,{draft.layout.home(divisor.name).area()},0)"
    row = _row(draft, divisor, which)
    letter = letter_of(divisor.name).plain
    reason = draft.catalogue.t(f"workbook.trouble.{key}", letter=letter)
    sentence = f"{quoted(sheet.tab.title)}{row}&{quoted(f': {reason}')}"
    yield Trouble(f"ISNUMBER({which})", sentence)


def _row(draft: Draft, step: Step, which: str) -> str:
    """The name of a step's row, to be joined: its token or temperature; nothing for others."""
    prefix = round_prefix(step.place.round)
    if by_token(step, tokens_of(draft.trace, prefix))[0]:
        words = draft.layout.home(f"{prefix}tokens").area()
        before, after = draft.catalogue.phrases["workbook.trouble.row"].split("{token}")
        return f"&{quoted(before)}&INDEX({words},{which})&{quoted(after)}"
    if kind_of(step.name).rows == "temperatures":
        heats = draft.layout.home("temperature").area()
        return f'&", T = "&INDEX({heats},{which})'
    return ""


def _too_large(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """A power that no cell can hold."""
    if isinstance(step.op, Power) and step.inputs[0] not in draft.exercise.steps:
        largest = LARGEST / math.log(step.op.base or math.e)
        area = draft.layout.home(step.inputs[0]).area()
        reason = draft.catalogue.t("workbook.trouble.large")
        sentence = quoted(f"{sheet.tab.title}: {reason}")
        yield Trouble(f"IFERROR(MAX({area})>{largest:.2f},FALSE)", sentence)


def _any_error(draft: Draft, sheet: Sheet) -> Trouble:
    """Whatever else: an error on a tab, which its sum then is as well."""
    right = draft.grids[sheet.tab.title].right
    tab = Box("", sheet.tab.title, FIRST_ROW, 1, sheet.bands[-1].bottom - FIRST_ROW + 1, right)
    reason = draft.catalogue.t("workbook.trouble.other")
    sentence = quoted(f"{sheet.tab.title}: {reason}")
    return Trouble(f"ISERROR(SUM({tab.area()}))", sentence)
