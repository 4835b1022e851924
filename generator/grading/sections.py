"""Where a sheet explains a step: the heading above the first number of its kind."""

import re
from html import unescape

from generator.engine.trace import Trace
from generator.render.worksheet.worksheet import page
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan

_MARK = re.compile(r'<h2[^>]*>(?P<title>.*?)</h2>|data-cell="(?P<step>[^"|]+)\|', re.DOTALL)
_SIGN = re.compile(r"<svg.*?</svg>|<[^>]+>", re.DOTALL)
_DIGITS = "0123456789"


def sections_of(plan: Plan, trace: Trace, exact: Trace, options: SheetOptions) -> dict[str, str]:
    """The heading for each kind of step (its last name) that the sheet shows, as it is printed."""
    html = page(plan, trace, exact, options, Formulas(), blank=True)
    headings: dict[str, str] = {}
    heading = ""
    for mark in _MARK.finditer(html):
        if mark["step"] is None:
            heading = " ".join(unescape(_SIGN.sub("", mark["title"])).split())
        else:
            headings.setdefault(kind(mark["step"]), heading)
    return headings


def kind(step: str) -> str:
    """The last name of a step, which its worked example shares: "scores", "deviation".

    Those of the output layer are told from those of a head, as "output.exp".
    """
    before, _, last = step.rpartition(".")
    layer = "output." if before.rpartition(".")[2] == "output" else ""
    return layer + last.rstrip(_DIGITS)
