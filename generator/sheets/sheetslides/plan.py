"""Sheet slides: pages for a projector on which one token's attention grows step by step."""

import math
from dataclasses import dataclass

import numpy as np

from generator.engine.trace import Step, Trace
from generator.insight.attention import AttentionRow
from generator.locales.folders import USUAL
from generator.notation.shown import number, shown_decimals
from generator.sheets.attending import Widest, attended, row_seconds, share_seconds
from generator.sheets.plan import demand, minutes
from generator.sheets.sheet4a.plan import EXAMPLE, Plan4a, about
from generator.sheets.sheetslide.plan import focus

MOST_TOKENS = 6
WIDEST = Widest(model=4, head=4)
MOST_LINES, LINE = 7, 11  # lines of words that fit on a page, letters that fit on such a line
WIDTH, WORD = 314.0, 41.0  # of a page and of its column of words, in mm
DIGIT, COMMA, MARGIN, LEAST = 3.55, 1.85, 3.2, 11.0  # in type of 20 pt


@dataclass(frozen=True, kw_only=True)
class PlanSlides(Plan4a):
    """As for sheet 4a; `widths` are those of a board's columns in mm, by the last name of a step.

    Nothing is for pupils to fill in: each page that asks is followed by one that answers.
    """

    widths: dict[str, float]


def plan(trace: Trace, level: int) -> PlanSlides:
    """What the slides show; the same at every level.

    Raises `UserError` where the preset has no attention, or where numbers or words would not fit
    in type that can be read from the last row.
    """
    tidy, worked, own = focus(trace, "slides", MOST_TOKENS, WIDEST)
    lines = sum(-(-len(token) // LINE) for token in trace.tokens)
    facts = {"lines": lines, "most": MOST_LINES, "longest": max(trace.tokens, key=len)}
    demand(lines <= MOST_LINES, "slides.lines", trace, **facts)
    width = own["output"].shape[1]
    return PlanSlides(
        **about(worked, own),
        outputs=width,
        minutes=minutes(len(own.visible) * (row_seconds(width) + share_seconds()), 1),
        extra=(*tidy, *worked.parts(EXAMPLE)),
        widths=_widths(worked, own.token),
    )


def _widths(worked: AttentionRow, own: int) -> dict[str, float]:
    trace, rows = worked.trace, (worked.token, own)
    x = trace[attended(trace)]
    widths = {"x": _widest(x), "key": max(_widest(worked["query"]), _widest(worked["key"]))}
    for name in ("scores", "scaled", "exp", "weights"):
        widths[name] = max(18.0, _widest(worked[name], rows))
    widths["exp"] = max(widths["exp"], _widest(worked["sum"], rows))
    widths["weights"] = max(widths["weights"], 26.0)  # the word above it
    widths["value"] = max(_widest(worked["value"]), _widest(worked["output"], rows))
    vectors = {"x": x.shape[1]} | dict.fromkeys(("key", "value"), worked["key"].shape[1])
    total = WORD + sum(vectors.get(name, 1) * width for name, width in widths.items())
    demand(total <= WIDTH, "slides.wide", trace, total=total, width=WIDTH)
    return widths


def _widest(step: Step, rows: tuple[int, ...] = ()) -> float:
    """Room for the longest number of a step, or of some of its rows, in mm."""
    values = step.values[list(rows)] if rows else step.values
    decimals = shown_decimals(step)  # in any language: a point is as wide as a comma
    shown = [number(v, decimals, USUAL) for v in values[np.isfinite(values)].ravel()]
    lengths = (math.fsum(COMMA if sign == "," else DIGIT for sign in text) for text in shown)
    return max(LEAST, max(lengths) + MARGIN)
