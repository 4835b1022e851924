"""The words around the numbers: names of tokens and parts, what each row is, arrows."""

import math

from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import cell_at
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.focus import focus_place
from generator.render.workbook.layout.glance import ROLES, SMALL, WORD, Glance
from generator.render.workbook.layout.tabs import tokens_of
from generator.render.workbook.start.pen import Pen

DOWN, ALONG, RIGHT = "▼", "│", "►"
LETTER = {"query": "Q", "key": "K", "value": "V"}
ACROSS = "centerContinuous"  # over the empty cells at the right, which stay cells of their own


def write(draft: Draft, glance: Glance) -> None:
    """Everything that is no number."""
    words = GlanceTexts(draft, glance)
    words.tokens()
    words.products()
    words.turned()
    words.rows()
    words.result()
    words.roles()


class GlanceTexts:
    """Texts on the tab, by row and column."""

    def __init__(self, draft: Draft, glance: Glance) -> None:
        self.draft = draft
        self.glance = glance
        self.page = draft.workbook[glance.sheet]
        self.pen = Pen(draft, self.page)
        self.at_column = {role: glance.panel(role).column for role in ROLES}

    def text(self, row: int, column: int, text: str, role: str, align: str = "") -> None:
        """A text that stays text."""
        self.pen.text(row, column, text, role, align)

    def across(self, row: int, column: int, width: int, text: str, role: str) -> None:
        """A text in the middle of some cells, of which the others are empty."""
        self.text(row, column, text, role, ACROSS)
        for k in range(1, width):
            cell_at(self.page, row, column + k, self.draft.styles.look(role, align=ACROSS))

    def said(self, key: str, **names: object) -> str:
        """A phrase of this tab."""
        return self.draft.catalogue.t(f"workbook.glance.{key}", **names)

    def tokens(self) -> None:
        """The tokens with their numbers: at the left, and above the scores where they fit."""
        home = self.draft.layout.home("tokens")
        rows, columns = self.glance.rows, self.glance.columns
        for k, token in enumerate(tokens_of(self.draft.trace, "")):
            cell = on(home.sheet, home.cell(k, 0))
            live, cached = f'="{k + 1} "&{cell}', f"{k + 1} {token}"
            self.pen.formula(at(rows.tokens + k, 1), live, cached, "label")
            if self.glance.variant.named:
                above = at(rows.names, columns.key + k)
                self.pen.formula(above, live, cached, "head", align="center")
            else:
                self.text(rows.names, columns.key + k, str(k + 1), "head", "center")

    def products(self) -> None:
        """X · W: the matrices above, the arrows into their products."""
        glance, rows = self.glance, self.glance.rows
        self.text(rows.weights - 1, 1, glance.captions[0], "caption")
        for role in ROLES:
            column = self.at_column[role]
            if glance.variant.weighted:
                self.across(
                    rows.weights - 1,
                    column,
                    glance.sizes.d_head,
                    f"W_{LETTER[role]}",
                    f"{role} tag",
                )
            self.across(
                rows.tags,
                column,
                glance.sizes.d_head,
                f"{DOWN} {LETTER[role]}  {role}",
                f"{role} tag",
            )
        if not glance.variant.weighted:
            key = "elsewhere.w" if glance.variant.inputs else "elsewhere.xw"
            self.text(rows.weights - 1, self.at_column["query"], self.said(key), "words")
        if glance.variant.inputs:
            width = glance.sizes.d_model
            self.across(rows.tags, glance.columns.x, width, self.said("x"), "tag head")
        middle = rows.tokens + (glance.sizes.tokens - 1) // 2
        self.text(middle, glance.columns.query - 1, RIGHT, "arrow", "center")

    def turned(self) -> None:
        """Q down to the focus token's query, K down to its turned copy."""
        glance, rows = self.glance, self.glance.rows
        d_head = glance.sizes.d_head
        for row in range(rows.names - 1, rows.scores):
            sign = DOWN if row == rows.scores - 1 else ALONG
            self.across(row, self.at_column["query"], d_head, sign, "query tag")
        self.text(rows.names - 1, glance.columns.key, f"{DOWN} {self.said('turned')}", "key tag")

    def rows(self) -> None:
        """What each row of the focus token is."""
        glance, rows = self.glance, self.glance.rows
        for k, caption in enumerate(glance.captions[1:]):
            self.text(rows.scores + k, 1, caption, "caption")
        above = glance.panel("sum", "focus").row - 1
        self.text(above, glance.columns.total, "Σ", "tag head", "center")
        self.text(rows.scores, glance.columns.key - 1, RIGHT, "arrow", "center")
        self.text(rows.bars - 1, glance.columns.value - 1, RIGHT, "arrow", "center")

    def result(self) -> None:
        """V down to the output, and where it goes from there."""
        glance, rows, column = self.glance, self.glance.rows, self.at_column["value"]
        d_head = glance.sizes.d_head
        last = rows.bars - 2
        for row in range(rows.names - 1, last + 1):
            sign = DOWN if row == last else ALONG
            self.across(row, column, d_head, sign, "value tag")
        number = len(glance.captions) + 1
        self.across(rows.bars, column, d_head, self.said("output", number=number), "caption")
        self.across(rows.bars + 1, column, d_head, self.said("weighted"), "caption")
        place = focus_place(self.draft.trace, self.draft.exercise.asked)
        before, after = self.said("looks", word="|").split("|")
        cached = f"{before}{tokens_of(self.draft.trace, '')[place]}{after}"
        live = f'="{before}"&{WORD}&"{after}"'
        self.pen.formula(at(rows.bars, 1), live, cached, "caption")

    def roles(self) -> None:
        """What the three are for, where the scores leave room beside the keys."""
        glance, columns = self.glance, self.glance.columns
        first = columns.key + glance.sizes.d_head
        width = math.fsum(columns.widths[first - 1 : columns.value - 1])
        texts = {role: self.said(f"role.{role}") for role in ROLES}
        if width < SMALL * max(map(len, texts.values())) + 10 or glance.sizes.tokens < len(ROLES):
            return
        top = glance.rows.tokens + (glance.sizes.tokens - len(ROLES)) // 2
        for k, role in enumerate(ROLES):
            self.across(top + k, first, columns.value - first, texts[role], f"{role} tag")
