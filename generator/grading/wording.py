"""How results name sheets, reasons and causes, in the words of a language."""

from collections.abc import Iterable

from generator.grading.causes import LISTED
from generator.grading.credit import How
from generator.grading.entries import WORKBOOK
from generator.grading.marks import Mark
from generator.locales.catalogue import Catalogue
from generator.sheets.fonts import missing_glyphs
from generator.sheets.titles import placed, title


def drawable(text: str) -> str:
    """A text from outside with "?" for each character that no font of ours can draw."""
    lacking = dict.fromkeys(map(ord, missing_glyphs(text)), "?")
    return text.translate(lacking)


def sheet_name(catalogue: Catalogue, task: str) -> str:
    """What a task is called in a table: the sheet's short name, or the workbook."""
    key = f"sheet{task}.name"
    return catalogue.t("grading.workbook") if task == WORKBOOK else catalogue.t(key)


def sheet_title(catalogue: Catalogue, task: str) -> str:
    """The whole title of a task."""
    return (
        catalogue.t("grading.workbook") if task == WORKBOOK else catalogue.t(f"sheet{task}.title")
    )


def step_titles(catalogue: Catalogue, names: Iterable[str]) -> dict[str, str]:
    """The title of each step of a task; with its head or norm where several have the same one."""
    known = {name: (title(catalogue, name), placed(catalogue, name)) for name in names}
    several = {
        short: len({long for one, long in known.values() if one == short})
        for short, _ in known.values()
    }
    return {name: long if several[short] > 1 else short for name, (short, long) in known.items()}


def cause_word(catalogue: Catalogue, task: str, key: str) -> str:
    """One cause in words; those of a page for teachers in the words of that page."""
    if key.startswith(LISTED):
        return catalogue.t(f"sheet{task}.{key}")
    return catalogue.t(f"grading.cause.{key}")


def cause_words(catalogue: Catalogue, task: str, mark: Mark) -> str:
    """The causes of a box: one is probable, several are possible; "" for none."""
    words = [cause_word(catalogue, task, key) for key in mark.causes]
    if not words:
        return ""
    kind = "probably" if len(words) == 1 else "possibly"
    return catalogue.t(f"grading.{kind}", causes=f" {catalogue.t('grading.or')} ".join(words))


def how_words(catalogue: Catalogue, mark: Mark) -> str:
    """Why a box has its credit, in words."""
    one = mark.judged
    if mark.decided:
        return catalogue.t("grading.how.decided")
    if one.percent:
        return catalogue.t("grading.how.percent")
    if one.how is How.OTHER_ROW:
        return catalogue.t("grading.how.other_row", row=one.remark)
    return catalogue.t(f"grading.how.{one.how.value}")
