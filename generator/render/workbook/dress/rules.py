"""Rules that colour and frame cells by what they hold: heat, the chosen word, no minus zero."""

from typing import TYPE_CHECKING

from openpyxl.formatting.rule import ColorScaleRule, FormulaRule
from openpyxl.styles import Border, Font, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.file.package import Formula
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.layout import Band
from generator.render.workbook.styles import HEAT, INK
from generator.text.catalogue import step_place

if TYPE_CHECKING:
    from generator.render.workbook.write.boxes import Writer

HEATED = ("weights", "probabilities")


def is_heated(box: Box) -> bool:
    """Whether the box shows shares, darker for larger ones."""
    return box.step.rpartition(".")[2] in HEATED and box.width > 1


def heat(page: Worksheet, box: Box) -> None:
    """Darker for a larger share."""
    scale = ColorScaleRule(
        start_type="num",
        start_value=0,
        start_color=HEAT[0],
        end_type="num",
        end_value=1,
        end_color=HEAT[1],
    )
    page.conditional_formatting.add(box.span(), scale)


def no_minus_zero(page: Worksheet, box: Box, number: str) -> None:
    """Unrounded negative numbers that show as zero show no minus."""
    if not number.startswith("0.0") or "E" in number:
        return
    cell = f"{get_column_letter(box.column)}{box.row}"
    test = f"AND(ISNUMBER({cell}),{cell}<0,ROUND({cell},{number.count('0') - 1})=0)"
    style = DifferentialStyle(numFmt=NumberFormat(numFmtId=200, formatCode=f"{number};{number}"))
    rule = FormulaRule(formula=[test])
    rule.dxf = style
    page.conditional_formatting.add(box.span(), rule)


def framed(formula: str) -> FormulaRule:
    """A rule that frames cells and makes their content bold where its formula is true."""
    line = Side("thin", color=INK)
    frame = Border(left=line, right=line, top=line, bottom=line)
    rule = FormulaRule(formula=[formula])
    rule.dxf = DifferentialStyle(border=frame, font=Font(b=True))
    return rule


def mark_choice(writer: "Writer", page: Worksheet, band: Band) -> None:
    """In the interval table the row of the chosen word: a frame, and an arrow beside it."""
    for box in band.boxes:
        prefix, _, rest = box.step.rpartition("sampling.")
        if rest != "digits" or step_place(box.step)[2] != "sampling.digits":
            continue
        chosen = writer.layout.home(f"{prefix}sampling.next")
        if chosen.sheet != page.title:
            continue
        cell = f"${get_column_letter(chosen.column)}${chosen.row}"
        table = f"A{box.row}:{get_column_letter(box.right)}{box.bottom}"
        page.conditional_formatting.add(table, framed(f"EXACT($A{box.row},{cell})"))
        words = writer.trace["vocabulary.words"].values[:, 0]
        next_word = writer.cached(writer.trace[chosen.step], 0, 0)
        for k, word in enumerate(words):
            row, mark = box.row + k, writer.catalogue.t("workbook.chosen")
            formula = f'=IF(EXACT($A{row},{cell}),"{mark}","")'
            cached = mark if word == next_word else ""
            style = writer.styles.look("chosen")
            writer.compute(page, row, box.right + 1, Formula(formula, cached), style)
