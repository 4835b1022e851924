"""Writes the tab "At a glance": what is chosen there, the numbers, and the words around them."""

from openpyxl.utils.cell import coordinate_to_tuple

from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import cell_at, put_number, write_formula, write_link
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.glance import model_map, numbers, words
from generator.render.workbook.layout.box import on
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


def write(draft: Draft) -> None:
    """The whole tab, where the workbook has one."""
    glance = draft.layout.glance
    if glance is None:
        return
    _top(draft, glance)
    _focus(draft, glance)
    _head(draft, glance)
    numbers.write(draft, glance)
    words.write(draft, glance)
    model_map.write(draft, glance)


def _top(draft: Draft, glance: Glance) -> None:
    """Title, what this is, the way back."""
    pen = words.Words(draft, glance)
    pen.text(1, 1, glance.sheet, "title")
    key = "workbook.about.glance" + ".rounds" * (draft.trace.rounds > 1)
    pen.text(2, 1, draft.catalogue.t(key), "subtitle")
    start = draft.start_page.title
    style = draft.styles.look("link")
    write_link(pen.page, 1, glance.columns.map, f"← {start}", on(start, "A1"), style)


def _focus(draft: Draft, glance: Glance) -> None:
    """The place of the focus token is typed here; Start says whether it is taken."""
    page, look, place = draft.workbook[glance.sheet], draft.styles.look, focus_place(draft.trace)
    pen = words.Words(draft, glance)
    pen.text(CHOICES, 1, draft.catalogue.t("workbook.focus", last=glance.sizes.tokens), "label")
    row, column = coordinate_to_tuple(OWN)
    put_number(cell_at(page, row, column, look("input", "0", "center")), place + 1)
    force = Formula(f"={on(*draft.layout.settings['focus'])}", place + 1)
    row, column = coordinate_to_tuple(FOCUS.replace("$", ""))
    write_formula(page, row, column, force, look("inforce", "0", "center"))
    home = draft.layout.home("tokens")
    word = f"=INDEX({home.area()},{FOCUS},1)"
    row, column = coordinate_to_tuple(WORD)
    live = Formula(word, tokens_of(draft.trace, "")[place])
    write_formula(page, row, column, live, look("strong"))
    message = Formula(f'={on(*draft.layout.warning)}&""', "")
    write_formula(page, 1, glance.columns.query, message, look("alarm"))


def _head(draft: Draft, glance: Glance) -> None:
    """Which head is shown: typed here where there are several, with a message if refused."""
    t, look, pen = draft.catalogue.t, draft.styles.look, words.Words(draft, glance)
    column, most = glance.columns.key + 1, len(glance.heads)
    if most == 1:
        several = glance.of_all > MOST_HEADS
        key = "workbook.glance.first" if several else "workbook.glance.only"
        title = t(key, head=glance.heads[0].title, heads=glance.of_all)
        pen.text(CHOICES, glance.columns.key, title, "strong")
        return
    pen.text(CHOICES, column - 1, t("workbook.glance.head", last=most), "label", "right")
    own = glance.own_head
    put_number(cell_at(pen.page, CHOICES, column, look("input", "0", "center")), 1)
    force = f"=IF(ISNUMBER({own}),IF(AND({own}>=1,{own}<={most},{own}=INT({own})),{own},1),1)"
    style = look("inforce", "0", "center")
    write_formula(pen.page, CHOICES, column + 1, Formula(force, 1), style)
    titles = numbers.one_of(glance, [f'"{head.title}"' for head in glance.heads])
    refused = t("workbook.refused.whole", least=1, most=most)
    said = f'=IF({own}&""={glance.head}&"",{titles},{titles}&" ◀ {refused}")'
    text = Formula(said, glance.heads[0].title)
    write_formula(pen.page, CHOICES, column + 2, text, look("strong"))
