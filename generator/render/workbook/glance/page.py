"""Writes the tab "At a glance": what is chosen there, the numbers, and the words around them."""

from generator.render.workbook.draft import Draft
from generator.render.workbook.glance import model_map, numbers, words
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.focus import focus_place
from generator.render.workbook.layout.glance import (
    CHOICES,
    FOCUS,
    MOST_HEADS,
    OWN,
    WORD,
    Glance,
)
from generator.render.workbook.layout.tokens import tokens_of
from generator.render.workbook.start.pen import Pen


def write(draft: Draft) -> None:
    """The whole tab, where the workbook has one."""
    glance = draft.layout.glance
    if glance is None:
        return
    pen = Pen(draft, draft.workbook[glance.sheet])
    _top(pen, glance)
    _focus(pen, glance)
    _head(pen, glance)
    numbers.write(draft, glance)
    words.write(draft, glance)
    model_map.write(draft, glance)


def _top(pen: Pen, glance: Glance) -> None:
    """Title, what this is, the way back, and what was refused."""
    pen.text(1, 1, glance.sheet, "title")
    pen.text(
        2, 1, pen.t("workbook.about.glance" + ".rounds" * (pen.draft.trace.rounds > 1)), "subtitle"
    )
    start = pen.draft.start_page.title
    pen.link(1, glance.columns.map, start, "A1", f"← {start}")
    message = f'={on(*pen.draft.layout.warning)}&""'
    pen.formula(at(1, glance.columns.query), message, "", "alarm")


def _focus(pen: Pen, glance: Glance) -> None:
    """The place of the focus token is typed here; Start says whether it is taken."""
    layout, place = pen.draft.layout, focus_place(pen.draft.trace, pen.draft.exercise.asked)
    pen.text(CHOICES, 1, pen.t("workbook.focus", last=glance.sizes.tokens), "label")
    pen.value(OWN, place + 1, "input", "0")
    force = f"={on(*layout.settings['focus'])}"
    pen.formula(FOCUS.replace("$", ""), force, place + 1, "inforce", "0", "center")
    word = f"=INDEX({layout.home('tokens').area()},{FOCUS},1)"
    pen.formula(WORD, word, tokens_of(pen.draft.trace, "")[place], "strong")


def _head(pen: Pen, glance: Glance) -> None:
    """Which head is shown: typed here where there are several, with a message if refused."""
    column, most = glance.columns.key + 1, len(glance.heads)
    if most == 1:
        several = glance.of_all > MOST_HEADS
        key = "workbook.glance.first" if several else "workbook.glance.only"
        title = pen.t(key, head=glance.heads[0].title, heads=glance.of_all)
        pen.text(CHOICES, glance.columns.key, title, "strong")
        return
    pen.text(CHOICES, column - 1, pen.t("workbook.glance.head", last=most), "label", "right")
    own = glance.own_head
    pen.value(own, 1, "input", "0")
    force = f"=IF(ISNUMBER({own}),IF(AND({own}>=1,{own}<={most},{own}=INT({own})),{own},1),1)"
    pen.formula(at(CHOICES, column + 1), force, 1, "inforce", "0", "center")
    titles = numbers.of_chosen_head(glance, [f'"{head.title}"' for head in glance.heads])
    refused = pen.t("workbook.refused.whole", least=1, most=most)
    formula = f'=IF({own}&""={glance.head}&"",{titles},{titles}&" ◀ {refused}")'
    pen.formula(at(CHOICES, column + 2), formula, glance.heads[0].title, "strong")
