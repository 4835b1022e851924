"""The map beside the head: every stage of the model leads to its tab, the one shown is lit."""

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter

from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import write_formula, write_link
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.glance.words import RIGHT, Words
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.glance import FIRST_ROW, Glance
from generator.render.workbook.layout.model_map import Stage
from generator.render.workbook.styles import LIT
from generator.render.workbook.write.filling import shown


def write(draft: Draft, glance: Glance) -> None:
    """From token to next token; with arrows between them where there is room."""
    words = Words(draft, glance)
    column = glance.columns.map
    words.text(FIRST_ROW - 1, column, words.said("map"), "map head", "center")
    for k, stage in enumerate(glance.map):
        row = row_of(glance, k)
        home = draft.layout.home(stage.step)
        style = draft.styles.look("map", align="center")
        write_link(words.page, row, column, stage.title, on(home.sheet, f"A{home.row}"), style)
        if spread(glance) and k:
            words.text(row - 1, column, "↓", "arrow", "center")
        if numbers := lit(glance, stage):
            sign = Formula(_here(glance, numbers), RIGHT if 1 in numbers else "")
            style = draft.styles.look("arrow", align="right")
            write_formula(words.page, row, column - 1, sign, style)
    if glance.map[-1].step == "sampling.next":
        _next(draft, glance, words)


def light(draft: Draft, glance: Glance) -> None:
    """The stage in which the chosen head stands, in colour; it follows the choice."""
    page, column = draft.workbook[glance.sheet], glance.columns.map
    first, last = row_of(glance, 0), row_of(glance, len(glance.map) - 1)
    fill, font = PatternFill("solid", bgColor=LIT), Font(bold=True)
    cell = f"${get_column_letter(column - 1)}{first}"
    rule = FormulaRule(formula=[f'{cell}<>""'], fill=fill, font=font)
    page.conditional_formatting.add(f"{at(first, column)}:{at(last, column)}", rule)


def _here(glance: Glance, numbers: list[int]) -> str:
    """The formula of the sign at a stage with these heads."""
    if len(glance.heads) == 1:
        return f'="{RIGHT}"'
    chosen = ",".join(f"{glance.head}={number}" for number in numbers)
    return f'=IF(OR({chosen}),"{RIGHT}","")'


def lit(glance: Glance, stage: Stage) -> list[int]:
    """The numbers, from 1, of the heads that a stage stands for."""
    if not stage.block:
        return []
    name = f"block{stage.block}.head"
    name += str(stage.head) if stage.head else ""
    prefixes = [head.prefix for head in glance.heads]
    whole = stage.head > 0
    return [k for k, x in enumerate(prefixes, 1) if (x == name if whole else x.startswith(name))]


def spread(glance: Glance) -> bool:
    """Whether there is room for an arrow between any two stages, and for the next token."""
    return FIRST_ROW + 2 * len(glance.map) - 1 <= len(glance.rows.heights)


def row_of(glance: Glance, k: int) -> int:
    """The row of a stage."""
    return FIRST_ROW + (2 * k if spread(glance) else k)


def _next(draft: Draft, glance: Glance, words: Words) -> None:
    """The next token, live, below the last stage."""
    home, row = draft.layout.home("sampling.next"), row_of(glance, len(glance.map) - 1) + 1
    live = Formula(f'={on(home.sheet, home.cell(0, 0))}&""', shown(draft, "sampling.next", 0, 0))
    write_formula(
        words.page, row, glance.columns.map, live, draft.styles.look("result", align="center")
    )
