"""What may be typed into the yellow cells of a tab, with a message otherwise."""

from collections.abc import Sequence

from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.step import Cell
from generator.locales.catalogue import Catalogue
from generator.render.workbook.checking.hints import HELP_COLUMN
from generator.render.workbook.checking.verdicts import boxes
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.check_columns import LEVELS, TOTALS_ROW
from generator.render.workbook.layout.checks import Checks

MOST = 1000


def guard(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The rules for entries and for the choice of a hint."""
    kinds: dict[str, list[Cell]] = {"numbers": [], "wholes": [], "words": []}
    for cell in checks.asked:
        step = draft.trace[cell[0]]
        whole = step.op.precision != "rounded" and step.decimals == 0
        kinds["words" if step.text else "wholes" if whole else "numbers"].append(cell)
    spans = {kind: [box.span for box in boxes(draft, cells)] for kind, cells in kinds.items()}
    t = draft.catalogue
    _add(page, t, _between("decimal", -MOST), "number.title", "number.error", spans["numbers"])
    _add(page, t, _between("whole", 0), "number.title", "whole.error", spans["wholes"])
    if words := spans["words"]:
        known = draft.layout.home("vocabulary.words").area()
        _add(page, t, _one_of(known), "word.title", "word.prompt", words)
    first, last = (at(TOTALS_ROW, checks.columns.hint(k), fixed=True) for k in (0, LEVELS[-1]))
    for block in checks.blocks if draft.judging.hints else ():
        choice = at(block.band.help_row, HELP_COLUMN)
        _add(
            page, t, _one_of(f"{first}:{last}"), "help.title", "help.error", [f"{choice}:{choice}"]
        )


def _between(kind: str, least: int) -> DataValidation:
    rule = DataValidation(type=kind, operator="between", allow_blank=True)
    rule.formula1, rule.formula2 = str(least), str(MOST)
    return rule


def _one_of(area: str) -> DataValidation:
    return DataValidation(type="list", formula1=f"={area}", allow_blank=True)


def _add(
    page: Worksheet,
    catalogue: Catalogue,
    rule: DataValidation,
    title: str,
    error: str,
    spans: Sequence[str],
) -> None:
    """Puts a rule on cells, with what it says before and after an entry."""
    rule.errorTitle = rule.promptTitle = catalogue.t(f"exercise.{title}")
    rule.error = catalogue.t(f"exercise.{error}")
    rule.prompt = catalogue.t(f"exercise.{title.partition('.')[0]}.prompt")
    rule.showErrorMessage = rule.showInputMessage = True
    rule.errorStyle = "stop"
    for span in spans:
        rule.add(span)
    if spans:
        page.add_data_validation(rule)
