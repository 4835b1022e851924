"""The rows above the first band of a tab: title, link back, focus token, message."""

from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.worksheet import Worksheet

from generator.locales.catalogue import Catalogue
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import (
    SharedStyle,
    cell_at,
    write_formula,
    write_link,
    write_text,
)
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.layout.box import on
from generator.render.workbook.layout.focus import (
    FOCUS,
    OWN,
    ROW,
    WORD,
    focus_place,
    focusable,
)
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.layout.tabs import Tab
from generator.steps import kind_of


def write(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The head of a tab, with a link back to the first one."""
    look, start = draft.styles.look, draft.start_page.title
    write_text(page, 1, 1, sheet.tab.title, look("title"))
    write_text(page, 2, 1, about(sheet.tab, draft.catalogue), look("subtitle"))
    write_link(
        page, 1, draft.grids[sheet.tab.title].link, "← " + start, on(start, "A1"), look("link")
    )
    _focus(draft, page, sheet)
    message = Formula(_message(draft, sheet), "")
    write_formula(page, ROW, WORDS_COLUMN, message, look("alarm"))


def about(tab: Tab, catalogue: Catalogue) -> str:
    """What happens on a tab, in one line, true of this model."""
    own = f"workbook.about.{tab.kind}"
    if tab.kind == "input" and not any("position" in step.name for step in tab.steps):
        return catalogue.t(f"{own}.plain")
    if tab.kind not in ("attention", "feedforward"):
        return catalogue.t(own)
    parts: dict[str, None] = {}  # in the order of the tab: a norm stands before or after
    for step in tab.steps:
        norm = "workbook.about.layernorm" if kind_of(step.name).layer_norm else own
        key = "workbook.about.residual" if step.place.kind == "residual" else norm
        parts[key] = None
    text = " → ".join(map(catalogue.t, parts))
    return text[0].upper() + text[1:]


def _focus(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """Which token is in focus, on a tab with token rows; in a solution one of the tab's own.

    An empty cell, or one with anything but such a number, means the token chosen for all tabs.
    """
    tokens = focusable(draft.trace, sheet)
    if not tokens:
        return
    look, place = draft.styles.look, focus_place(draft.trace, draft.exercise.asked)
    write_text(page, ROW, 1, draft.catalogue.t("workbook.focus", last=len(tokens)), look("label"))
    chosen = on(*draft.layout.settings["focus"])
    if not draft.exercise.asked:
        row, column = coordinate_to_tuple(OWN)
        cell_at(page, row, column, look("input", "0", "center"))
        chosen = f"IF({_accepted(len(tokens))},{OWN},{chosen})"
    force = Formula(f"={chosen}", place + 1)
    _at(page, FOCUS, force, look("inforce", "0", "center"))
    home = draft.layout.home(f"{sheet.tab.prefix}tokens")
    area = home.span() if home.sheet == page.title else home.area()
    _at(page, WORD, Formula(f'=IFERROR(INDEX({area},{FOCUS},1),"")', tokens[place]), look("strong"))


def _accepted(tokens: int) -> str:
    """The condition that the tab's own focus token is one of its tokens."""
    number = f"IF(ISNUMBER({OWN}),{OWN},0)"
    return f"AND({number}>=1,{number}<={tokens},{number}=INT({number}))"


def _message(draft: Draft, sheet: Sheet) -> str:
    """The formula of what was refused: the tab's own focus token, else the first of all."""
    t, warning = draft.catalogue.t, f'{on(*draft.layout.warning)}&""'
    tokens = focusable(draft.trace, sheet)
    if draft.exercise.asked or not tokens:
        return f"={warning}"
    reason = t("workbook.refused.whole", least=1, most=len(tokens))
    message = f"{t('workbook.refused.warning')}{t('workbook.focus.title')}: {reason}"
    return f'=IF(OR(ISBLANK({OWN}),{_accepted(len(tokens))}),{warning},"{message}")'


def _at(page: Worksheet, cell: str, formula: Formula, style: SharedStyle) -> None:
    row, column = coordinate_to_tuple(cell.replace("$", ""))
    write_formula(page, row, column, formula, style)
