"""How results name sheets, reasons and causes, in the words of a language."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from generator.grading.marking.causes import LISTED
from generator.grading.marking.marks import BoxMark
from generator.grading.marking.rule import How
from generator.grading.reading.entries import WORKBOOK
from generator.locales.catalogue import Catalogue, load
from generator.locales.folders import ENGLISH
from generator.sheets.fonts import missing_glyphs
from generator.sheets.titles import placed, title

HANDED_IN: Final = "handed_in."  # how the keys of reasons begin
LONGEST: Final = 1_000  # of a reason: a name of a file in it may be made to keep a pattern busy


def drawable(text: str) -> str:
    """A text from outside with "?" for each character that no font of ours can draw."""
    lacking = dict.fromkeys(map(ord, missing_glyphs(text)), "?")
    return text.translate(lacking)


def reason_words(catalogue: Catalogue, reason: str) -> str:
    """Why a file is not marked, in the catalogue's language; the command prints it in English.

    A reason that no phrase fits stays as it is, such as what a library says of a damaged file.
    """
    for key, phrase in _reasons() if len(reason) <= LONGEST else ():
        if match := phrase.fullmatch(reason):
            return catalogue.t(key, **match.groupdict())
    return reason


@cache
def _reasons() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The English reasons as patterns, those with the fewest names first."""
    phrases = {k: v for k, v in load(ENGLISH).phrases.items() if k.startswith(HANDED_IN)}
    order = sorted(phrases, key=lambda key: phrases[key].count("{"))
    return tuple((key, _pattern(phrases[key])) for key in order)


def _pattern(phrase: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", phrase)
    pieces = (re.escape(part) if k % 2 == 0 else f"(?P<{part}>.+)" for k, part in enumerate(parts))
    return re.compile("".join(pieces), re.DOTALL)


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


def cause_words(catalogue: Catalogue, task: str, mark: BoxMark) -> str:
    """The causes of a box: one is probable, several are possible; "" for none."""
    words = [cause_word(catalogue, task, key) for key in mark.causes]
    if not words:
        return ""
    kind = "probably" if len(words) == 1 else "possibly"
    return catalogue.t(f"grading.{kind}", causes=f" {catalogue.t('grading.or')} ".join(words))


def how_words(catalogue: Catalogue, mark: BoxMark) -> str:
    """Why a box has its credit, in words."""
    one = mark.judged
    if mark.decided:
        return catalogue.t("grading.how.decided")
    if one.percent:
        return catalogue.t("grading.how.percent")
    if one.how is How.OTHER_ROW:
        return catalogue.t("grading.how.other_row", row=one.remark)
    return catalogue.t(f"grading.how.{one.how.value}")
