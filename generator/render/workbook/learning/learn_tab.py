"""What stands on a tab Learn around its tables: choices, headings, how to go on."""

from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.place import step_prefix
from generator.notation.functions import Functions
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import cell_at, write_text
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.layout.learn_layout import STRIPS, Strip
from generator.render.workbook.layout.tabs import learning, trainings
from generator.render.workbook.learning.choices import Choices
from generator.render.workbook.start.pen import Pen

HEADING, HOW, FORMULA, NAMES = 4, 3, 2, 1  # rows above the first row of the strips' labels


def write(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """All of it; nothing on other tabs."""
    if sheet.strips is None:
        return
    pen = Pen(draft, page)
    if sheet.tab.step == 1:
        Choices(pen).write()
    _heading(pen, sheet, sheet.strips)
    _weights(draft, page, sheet)
    if not draft.exercise.asked and sheet.tab.step == 1:
        _unlock(draft, page, sheet.strips[0])


def _heading(pen: Pen, sheet: Sheet, strips: tuple[Strip, Strip, Strip]) -> None:
    """What the strips are, how to go on with the new weights, the formula of the first of them."""
    draft, top = pen.draft, strips[0].top
    right = draft.grids[sheet.tab.title].right
    above = top - 1
    pen.band(above - HEADING, 1, right, pen.t("workbook.learn.weights"))
    if not draft.exercise.asked:
        pen.text(above - HOW, 1, _how(draft, strips), "text")
    if not any(step.name in draft.exercise.steps for step in sheet.tab.steps):  # it would be a hint
        pen.text(above - FORMULA, 1, _formula(draft, sheet), "functions")
    for strip, key in zip(strips, STRIPS, strict=True):
        pen.text(above - NAMES, strip.left, pen.t(f"workbook.learn.{key}"), "tag")


def _how(draft: Draft, strips: tuple[Strip, Strip, Strip]) -> str:
    """How the new weights become the given ones, without a macro."""
    learn = draft.layout.start.learn
    first = next(sheet for sheet in draft.layout.sheets if sheet.strips)
    if learn is None or first.strips is None:
        raise ValueError("found a tab of training without the first one")
    several = ".several" * (trainings(draft.trace) > 1)
    return draft.catalogue.t(
        f"workbook.learn.on{several}",
        new=strips[2].span,
        old=first.strips[0].first,
        tab=first.tab.title,
    )


def _formula(draft: Draft, sheet: Sheet) -> str:
    """The formula of the first new weight, in words and in functions."""
    name = f"{step_prefix(sheet.tab.step)}update.{learning(draft.trace)[0]}"
    box = draft.layout.home(name)
    functions = Functions(draft.layout.addresses(box), draft.catalogue.language)
    words = draft.catalogue.t("formula.update")
    return f"{words}    {box.cell(0, 0)}: {functions.formula(draft.trace.cell(name, 0, 0))}"


def _weights(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The name of each weight over its three tables, as a heading."""
    look, right = draft.styles.look, draft.grids[sheet.tab.title].right
    for band in sheet.bands:
        new = [box for box in band.boxes if ".update." in f".{box.step}" and box.home]
        if new and not band.lines:
            for column in range(1, right + 1):
                cell_at(page, band.top, column, look("band"))
            title = next(label.text for label in band.labels if label.row == band.top)
            write_text(page, band.top, 1, title, look("band"))


def _unlock(draft: Draft, page: Worksheet, old: Strip) -> None:
    """The whole strip of given weights takes what is copied, labels and empty cells included."""
    look = draft.styles.look
    for row in range(old.top, old.bottom + 1):
        for column in range(old.left, old.right + 1):
            cell = cell_at(page, row, column)
            if not cell.protection.locked:
                continue
            role = "free head" if cell.value is not None else "free"
            band = "free band" if page.cell(row, 1)._style == look("band") else role
            cell._style = look(band, "General", "right")
