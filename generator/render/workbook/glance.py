"""The tab "At a glance" as a person reads it: what is chosen, numbers, their words, the map.

Then its look and rules: the focus token's row framed, the bars, the place on the map lit, the
drop-downs, widths and heights for one screen and one page.
"""

import math
from collections.abc import Mapping, Sequence

from generator.render.workbook.charts import below
from generator.render.workbook.draft import Draft
from generator.render.workbook.frames import apart
from generator.render.workbook.layout import glance as plan
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.tabs import DIGIT, FOCUS, OWN, POINTS
from generator.render.workbook.pen import Pen
from generator.render.workbook.styles import FRAME, LIT, framed, tinted, where
from generator.render.workbook.styles import PARTS as ROLES

DOWN, ALONG, RIGHT = "▼", "│", "►"
LETTER = {"query": "Q", "key": "K", "value": "V"}
ACROSS = "centerContinuous"  # over the empty cells at the right, which stay cells of their own
LOOKS = {"input": "echo", "weights": "share", "output": "result"}  # of parts, but for the roles
LOOKS |= {f"{before}{role}": role for role in ROLES for before in ("", "weight.")}
FRAMED = ("input", "query")  # the parts of which the focus token's row matters


class GlanceTab(Pen):
    """The tab with its layout; its words and numbers are those of the draft."""

    def __init__(self, draft: Draft, glance: plan.Glance) -> None:
        super().__init__(draft, glance.sheet)
        self.glance, self.variant, self.said = glance, glance.variant, glance.said
        self.columns, self.rows, self.panels = glance.columns, glance.rows, glance.panels
        self.words, self.focus, self.of_heads = glance.words, draft.focus, glance.heads
        self.tokens, self.d_model, self.d_head = glance.sizes

    def write(self) -> None:
        """What stands in the cells, from top to bottom, then the map beside it."""
        self._title()
        self._chosen_head()
        for panel in self.panels.values():
            self._numbers(panel)
        self._tokens()
        self._products()
        self._captions()
        self._result()
        self._roles()
        self._map()

    # What stands in the cells ---------------------------------------------------------------------

    def _title(self) -> None:
        """Title, what this is, the way back, what was refused; then the focus token, typed here.

        Start says whether it is taken.
        """
        about = "workbook.about.glance" + ".rounds" * (self.trace.rounds > 1)
        self.head(self.t(about), self.columns["map"])
        self.tell((1, self.columns["query"]))
        self.put((plan.CHOICES, 1), self.t("workbook.focus", last=self.tokens), "label")
        self.put(OWN, self.focus + 1, "input", "0", "center")
        force = on(*self.layout.settings["focus"])
        self.live(FOCUS, force, self.focus + 1, "inforce", "0", "center")
        word = f"INDEX({self.draft.area('tokens')},{FOCUS},1)"
        self.live(plan.WORD, word, self.words[self.focus], "strong")

    def _chosen_head(self) -> None:
        """Which head is shown: typed here where there are several, with a message if refused."""
        glance, column, first = self.glance, self.columns["key"], self.of_heads[0].title
        most, own = len(self.of_heads), glance.own_head
        if most == 1:
            key = "first" if glance.of_all > plan.MOST_HEADS else "only"
            text = self.said(key, head=first, heads=glance.of_all)
            self.put((plan.CHOICES, column), text, "strong")
            return
        self.put((plan.CHOICES, column), self.said("head", last=most), "label", align="right")
        self.put(own, 1, "input", "0", "center")
        force = f"IF(ISNUMBER({own}),IF(AND({own}>=1,{own}<={most},{own}=INT({own})),{own},1),1)"
        self.live(glance.head, force, 1, "inforce", "0", "center")
        titles = self._of_chosen_head([f'"{head.title}"' for head in self.of_heads])
        refused = self.t("workbook.refused.whole", least=1, most=most)
        formula = f'IF({own}&""={glance.head}&"",{titles},{titles}&" ◀ {refused}")'
        self.live((plan.CHOICES, column + 3), formula, first, "strong")

    def _numbers(self, panel: Box) -> None:
        """Every cell of a panel, live: it links to the tab of the head that is chosen."""
        homes = [self.layout.homes[step.name] for step in self.glance.steps(panel.step)]
        kept = [self.draft.kept[box.sheet].copy(box) for box in homes]
        step = homes[0].step
        number, role = self.layout.looks[step].number, LOOKS.get(panel.step, "computed")
        for i, j in panel.cells():
            cached, (row, column) = self._shown(step, panel, i, j), panel.place(i, j)
            source = self._source(panel, homes, i, j, self.panels)
            self.live((row, column), source, cached, role, number, "center")
            then = self._source(panel, kept, i, j, self._copies)
            self.live((row, self._copied(column)), then, cached)

    def _shown(self, step: str, panel: Box, i: int, j: int) -> float | str:
        return self.draft.shown(step, i if panel.home else self.focus, j)

    def _source(
        self, panel: Box, homes: Sequence[Box], i: int, j: int, here: Mapping[str, Box]
    ) -> str:
        """Where a cell comes from: the chosen head, or what stands `here` already."""
        if panel.turned:
            return here["key"].cell(i, j)
        if panel.home:
            return self._of_chosen_head([on(box.sheet, box.cell(i, j)) for box in homes])
        if panel.step == "query":  # of the focus token, with two indices, as every program needs
            areas = [here["query"].strip(j).span()]
        else:
            areas = [on(box.sheet, box.strip(j).span()) for box in homes]
        return self._of_chosen_head([f"INDEX({area},{FOCUS},1)" for area in areas])

    def _copied(self, column: int) -> int:
        """The hidden column that has what a column shows as delivered, for the same choices."""
        return column + len(self.columns.sizes) + 1

    @property
    def _copies(self) -> Mapping[str, Box]:
        panels = self.panels.items()
        return {key: box._replace(column=self._copied(box.column)) for key, box in panels}

    def _of_chosen_head(self, of_heads: Sequence[str]) -> str:
        """An expression that gives that of the chosen head; they may all be the same."""
        if len(set(of_heads)) == 1:
            return of_heads[0]
        return f"CHOOSE({self.glance.head},{','.join(of_heads)})"

    def _tokens(self) -> None:
        """The tokens with their numbers: at the left, and above the scores where they fit."""
        for k, token in enumerate(self.words):
            live = f'"{k + 1} "&{self.draft.cell("tokens", k)}', f"{k + 1} {token}"
            self.live((self.rows["tokens"] + k, 1), *live, "label")
            above = self.rows["names"], self.columns["key"] + k
            if self.variant.named:
                self.live(above, *live, "head", align="center")
            else:
                self.put(above, str(k + 1), "head", align="center")

    def _products(self) -> None:
        """X · W: the matrices above, the arrows into their products, from Q and K downwards."""
        rows, variant, d_head = self.rows, self.variant, self.d_head
        self.put((rows["weights"] - 1, 1), self.glance.captions[0], "caption")
        for role, column in ((role, self.columns[role]) for role in ROLES):
            letter, look = LETTER[role], f"{role} tag"
            if variant.weighted:
                self._across((rows["weights"] - 1, column), d_head, f"W_{letter}", look)
            self._across((rows["tags"], column), d_head, f"{DOWN} {letter}  {role}", look)
        if not variant.weighted:
            key = "elsewhere.w" if variant.inputs else "elsewhere.xw"
            self.put((rows["weights"] - 1, self.columns["query"]), self.said(key), "words")
        if variant.inputs:
            spot = rows["tags"], self.columns["input"]
            self._across(spot, self.d_model, self.said("x"), "tag head")
        middle = rows["tokens"] + (self.tokens - 1) // 2
        self.put((middle, self.columns["query"] - 1), RIGHT, "arrow", align="center")
        self._flow("query", rows["scores"] - 1)
        spot = rows["names"] - 1, self.columns["key"]
        self.put(spot, f"{DOWN} {self.said('turned')}", "key tag")

    def _captions(self) -> None:
        """What each row of the focus token is."""
        rows, columns = self.rows, self.columns
        for row, caption in enumerate(self.glance.captions[1:], start=rows["scores"]):
            self.put((row, 1), caption, "caption")
        above = self.panels["sum focus"].row - 1
        self.put((above, columns["sum"]), "Σ", "tag head", align="center")
        self.put((rows["scores"], columns["key"] - 1), RIGHT, "arrow", align="center")
        self.put((rows["weighted"], columns["value"] - 1), RIGHT, "arrow", align="center")

    def _result(self) -> None:
        """V down to the output, and where it goes from there."""
        row, column, d_head = self.rows["bars"], self.columns["value"], self.d_head
        self._flow("value", row - 2)
        output = self.said("output", number=len(self.glance.captions) + 1)
        self._across((row, column), d_head, output, "caption")
        self._across((row + 1, column), d_head, self.said("weighted"), "caption")
        looks = self.phrase("workbook.glance.looks", word=(plan.WORD, self.words[self.focus]))
        self.live((row, 1), *looks, "caption")

    def _roles(self) -> None:
        """What the three are for, where the scores leave room beside the keys."""
        first, last = self.columns["key"] + self.d_head, self.columns["value"] - 1
        texts = {role: self.said(f"role.{role}") for role in ROLES}
        width = math.fsum(self.columns.sizes[first - 1 : last])
        free = self.tokens - len(ROLES)
        if width >= plan.SMALL * max(map(len, texts.values())) + 10 and free >= 0:
            for row, role in enumerate(ROLES, start=self.rows["tokens"] + free // 2):
                self._across((row, first), last + 1 - first, texts[role], f"{role} tag")

    # The map of the model, from token to next token -----------------------------------------------

    def _map(self) -> None:
        """Every stage leads to its tab; with arrows between them where there is room."""
        column = self.columns["map"]
        self.put((plan.FIRST_ROW - 1, column), self.said("map"), "map head", align="center")
        for k, stage in enumerate(self.glance.map):
            row, home = self._row_of(k), self.layout.homes[stage.step]
            target = home.sheet, f"A{home.row}"
            self.link((row, column), stage.title, target, "map")
            if self._spread and k:
                self.put((row - 1, column), "↓", "arrow", align="center")
            if stage.heads:
                chosen = ",".join(f"{self.glance.head}={number}" for number in stage.heads)
                lit = f'IF(OR({chosen}),"{RIGHT}","")' if len(self.of_heads) > 1 else f'"{RIGHT}"'
                sign = RIGHT if 1 in stage.heads else ""
                self.live((row, column - 1), lit, sign, "arrow", align="right")
        if self.glance.map[-1].step == "sampling.next":
            live = f'{self.draft.cell("sampling.next")}&""'
            cached = self.draft.shown("sampling.next", 0, 0)
            self.live((self._row_of(-1) + 1, column), live, cached, "result", align="center")

    @property
    def _spread(self) -> bool:
        """Whether there is room for an arrow between any two stages, and for the next token."""
        return plan.FIRST_ROW + 2 * len(self.glance.map) - 1 <= len(self.rows.sizes)

    def _row_of(self, k: int) -> int:
        """The row of a stage; of the last one for -1."""
        return plan.FIRST_ROW + k % len(self.glance.map) * (2 if self._spread else 1)

    # Look, rules and paper ------------------------------------------------------------------------

    def dress(self) -> None:
        """The focus token's row framed, the place on the map lit, bars, drop-downs."""
        first, last = self.rows["tokens"], self.tokens
        spans = [self.panels[part].span() for part in FRAMED if part in self.panels]
        chosen = f"ROW()={FOCUS}+{first - 1}"
        where_framed = " ".join([f"A{first}:A{first + last - 1}", *spans])
        differs = apart(at(first, 1), at(first, self._copied(1)))
        self.marks.add(where_framed, tinted(f"AND({chosen},{differs})", border=FRAME))
        self.marks.add(where_framed, framed(chosen))
        whole = f"{at(plan.FIRST_ROW, 1)}:{at(len(self.rows.sizes), len(self.columns.sizes))}"
        differs = apart(at(plan.FIRST_ROW, 1), at(plan.FIRST_ROW, self._copied(1)))
        self.marks.add(whole, tinted(differs))
        column = self.columns["map"]
        lit = where(f'${at(plan.FIRST_ROW, column - 1)}<>""', None, LIT, bold=True)
        self.marks.add(f"{at(plan.FIRST_ROW, column)}:{at(self._row_of(-1), column)}", lit)
        rows = self.rows["weighted"] + 1, self.rows["end"] - 1
        self.page.add_chart(below(self, self.panels["weights focus"], rows))
        title, error = self.t("workbook.focus.title"), self.t("workbook.focus.error", last=last)
        note = self.t("workbook.setting.focus.note")
        self.one_of_first(last, OWN, errorTitle=title, error=error, prompt=note)
        if (most := len(self.of_heads)) > 1:
            heads = ", ".join(f"{k}: {head.title}" for k, head in enumerate(self.of_heads, start=1))
            error = self.t("workbook.refused.whole", least=1, most=most)
            says = {"errorTitle": self.t("workbook.refused.title"), "error": error}
            self.one_of_first(most, self.glance.own_head, prompt=heads, **says)

    def fit(self) -> None:
        """Widths and heights in pixels of the screen; one page on paper."""
        page, columns = self.page, self.columns.sizes
        self.shape([x / DIGIT for x in columns], [y * POINTS for y in self.rows.sizes])
        self.aside(self._copied(1), self._copied(len(columns)))
        page.page_setup.fitToHeight = 1
        page.print_title_rows = None
        page.sheet_view.zoomScale = self.variant.zoom

    def _across(self, spot: tuple[int, int], width: int, text: str, role: str) -> None:
        """A text in the middle of some cells, of which the others are empty."""
        row, column = spot
        for k in range(width):
            self.put((row, column + k), None if k else text, role, align=ACROSS)

    def _flow(self, role: str, last: int) -> None:
        """An arrow down from above the tokens' names to a row."""
        for row in range(self.rows["names"] - 1, last + 1):
            sign = DOWN if row == last else ALONG
            self._across((row, self.columns[role]), self.d_head, sign, f"{role} tag")
