"""The rows above the first band of a tab: title, link back, focus token, message."""

from openpyxl.worksheet.worksheet import Worksheet

from generator.locales.catalogue import Catalogue
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import write_formula, write_link, write_text
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.layout.box import on
from generator.render.workbook.layout.focus import FOCUS, ROW, focus_place, focusable
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
    message = Formula(f'={on(*draft.layout.warning)}&""', "")
    write_formula(page, ROW, WORDS_COLUMN, message, look("alarm"))


def about(tab: Tab, catalogue: Catalogue) -> str:
    """What happens on a tab, in one line, true of this model."""
    own = f"workbook.about.{tab.kind}"
    if tab.kind == "input" and not any("position" in step.name for step in tab.steps):
        return catalogue.t(f"{own}.plain")
    if tab.kind == "norm" and any(step.place.kind == "rms" for step in tab.steps):
        return catalogue.t(f"{own}.rms")
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
    """Which token is in focus, on a tab with token rows; in a solution to be changed here too.

    In an exercise it only mirrors the first tab: typed over, it could never follow that again.
    """
    tokens = focusable(draft.trace, sheet)
    if not tokens:
        return
    title = draft.catalogue.t("workbook.focus", last=len(tokens))
    write_text(page, ROW, 1, title, draft.styles.look("label"))
    place = focus_place(draft.trace)
    chosen = Formula(f"={on(*draft.layout.settings['focus'])}", place + 1)
    role = "inforce" if draft.exercise.asked else "input"
    write_formula(page, ROW, 2, chosen, draft.styles.look(role, align="center"))
    home = draft.layout.home(f"{sheet.tab.prefix}tokens")
    area = home.span() if home.sheet == page.title else home.area()
    word = Formula(f'=IFERROR(INDEX({area},{FOCUS}),"")', tokens[place])
    write_formula(page, ROW, 3, word, draft.styles.look("strong"))
