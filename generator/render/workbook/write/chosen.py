"""An arrow beside the row of the chosen word in the interval tables."""

from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import write_formula
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.layout import Band
from generator.render.workbook.write.filling import shown


def write(draft: Draft, page: Worksheet, band: Band) -> None:
    """The arrows of a band, live."""
    arrow = draft.catalogue.t("workbook.chosen")
    for table, chosen in draft.layout.choices(band):
        cell = at(chosen.row, chosen.column, fixed=True)
        next_word = shown(draft, chosen.step, 0, 0)
        for k, word in enumerate(draft.trace["vocabulary.words"].values[:, 0]):
            row = table.row + k
            text = f'=IF(EXACT($A{row},{cell}),"{arrow}","")'
            live = Formula(text, arrow if word == next_word else "")
            write_formula(page, row, table.right + 1, live, draft.styles.look("chosen"))
