"""The worksheets in the order in which they are taught; one line a sheet."""

from collections.abc import Callable
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.plans import (
    sheet1,
    sheet2,
    sheet3,
    sheet4a,
    sheet4b,
    sheet5,
    sheet6,
    sheetbpe,
    sheetgenerate,
    sheetmath,
    sheetslide,
    sheetslides,
)
from generator.plans.plan import Plan
from generator.render.worksheet.context import Context
from generator.render.worksheet.views import sheet1 as view1
from generator.render.worksheet.views import sheet2 as view2
from generator.render.worksheet.views import sheet3 as view3
from generator.render.worksheet.views import sheet4a as view4a
from generator.render.worksheet.views import sheet4b as view4b
from generator.render.worksheet.views import sheet5 as view5
from generator.render.worksheet.views import sheet6 as view6
from generator.render.worksheet.views import sheetbpe as viewbpe
from generator.render.worksheet.views import sheetgenerate as view_generate
from generator.render.worksheet.views import sheetmath as view_math
from generator.render.worksheet.views import sheetslide as view_slide
from generator.render.worksheet.views import sheetslides as view_slides


class Kind(NamedTuple):
    """One sheet: how it is planned, what its template may ask, its name in file names.

    `css` names further style sheets in `templates/` that only this sheet needs. What is for the
    `screen` has pages of its own: it is not in the booklet, and options for print do not apply.
    Where nothing is `filled` in, a class has the sheet in common.
    """

    plan: Callable[[Trace, int], Plan]
    view: type[Context]
    slug: str
    css: tuple[str, ...] = ()
    screen: bool = False
    filled: bool = True


SERIES: dict[str, Kind] = {
    "1": Kind(sheet1.plan, view1.View, "tokenizer", ("sheet1.css",)),
    "bpe": Kind(sheetbpe.plan, viewbpe.View, "bpe", ("sheetbpe.css",)),
    "2": Kind(sheet2.plan, view2.View, "embedding", ("sheet2.css",)),
    "3": Kind(sheet3.plan, view3.View, "position", ("sheet3.css",)),
    "4a": Kind(sheet4a.plan, view4a.View, "self-attention"),
    "4b": Kind(sheet4b.plan, view4b.View, "mask-and-heads", ("sheet4b.css",)),
    "5": Kind(sheet5.plan, view5.View, "add-norm-feed-forward", ("sheet5.css",)),
    "6": Kind(sheet6.plan, view6.View, "output", ("sheet6.css",)),
    "generate": Kind(sheetgenerate.plan, view_generate.View, "generate", ("sheetgenerate.css",)),
    "math": Kind(sheetmath.plan, view_math.View, "mathematics", ("sheetmath.css",), filled=False),
    "formulas": Kind(
        sheetmath.plan_formulas,
        view_math.View,
        "formula-sheet",
        ("sheetmath.css",),
        filled=False,
    ),
    "slide": Kind(sheetslide.plan, view_slide.View, "hand-out", ("sheetslide.css",)),
    "slides": Kind(
        sheetslides.plan,
        view_slides.View,
        "slides",
        ("sheetslides.css",),
        screen=True,
        filled=False,
    ),
}
SHEETS = tuple(SERIES)
