"""The tab "The whole model" as a person reads it: matrices, what each is, arrows; it prints on A3.

All is live: each cell repeats the one that is computed on another tab, by a link to it.
"""

from generator.render.workbook.draft import Draft
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.frames import is_heated
from generator.render.workbook.layout import whole as plan
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.layout import LINK_COLUMN, SCREEN, TabLabel
from generator.render.workbook.layout.tabs import FOCUS, FOCUS_ROW, POINTS, WORD, by_token
from generator.render.workbook.pen import Pen
from generator.render.workbook.print_setup import HEAD
from generator.render.workbook.styles import PARTS, framed, heat
from generator.steps import kind_of, shaped_as

A3 = "8"  # as spreadsheets number sizes of paper


class WholeTab(Pen):
    """The tab with its layout; its numbers are those of the draft."""

    def __init__(self, draft: Draft, whole: plan.Whole) -> None:
        super().__init__(draft, whole.sheet)
        self.whole = whole

    def write(self) -> None:
        """Title and focus token, then each line of matrices."""
        whole = self.whole
        self.head(self.t("workbook.about.whole"), min(LINK_COLUMN, whole.right))
        self.put((FOCUS_ROW, 1), self.t("workbook.setting.focus"), "label")
        force = on(*self.layout.settings["focus"])
        self.live(FOCUS, force, self.draft.focus + 1, "inforce", "0", "center")
        word = f"INDEX({self.draft.area('tokens')},{FOCUS},1)"
        self.live(WORD, word, whole.tokens[self.draft.focus], "strong")
        self.tell((FOCUS_ROW, 6))
        for k, line in enumerate(whole.lines):
            self._line(line, first=k == 0)

    def _line(self, line: plan.MatrixLine, first: bool) -> None:
        """The tab that it is at home on, an arrow from the line above, tokens, matrices."""
        if line.title:
            self.link((line.row, 1), line.title, (line.title, "A1"))
        if not first:
            self.put((line.row, 2), "↓", "flow", align="center")
        of_tokens = [box for box, _ in line.cards if self._by_token(box)]
        for k in range(len(self.whole.tokens) if of_tokens else 0):
            self._token((line.row + plan.HEADS + k, 1), k, "label")
        for box, sign in line.cards:
            self._card(box)
            if sign:
                middle = box.row + (box.height - 1) // 2
                row = box.row - 1 if self._named(box) else middle
                self.put((row, box.column - 1), sign, "flow", align="center")

    def _by_token(self, box: Box) -> bool:
        return by_token(self.trace[box.step], self.whole.tokens)[0]

    def _named(self, box: Box) -> bool:
        """Whether the column at its left has names of its rows; d1, d2 of weights say nothing."""
        step = self.trace[box.step]
        weight = step.place.kind.startswith("weight.")
        return not (self._by_token(box) or weight) and box.height > 1

    def _token(self, spot: tuple[int, int], k: int, role: str) -> None:
        """The live label of a token: "3 sitzt"."""
        text = f'"{k + 1} "&{self.draft.cell("tokens", k)}', f"{k + 1} {self.whole.tokens[k]}"
        self.live(spot, *text, role, align="right" if role == "head" else "")

    def _card(self, box: Box) -> None:
        """What a matrix is, what its columns are, its numbers."""
        step, names = self.trace[box.step], self.draft.names
        kind = step.place.kind.rpartition(".")[2]
        texts = [names.formula(box.step), names.symbol(box.step), names.name(box.step)]
        tag = next(filter(None, texts))
        self.put((box.row - 2, box.column), tag, f"{kind} tag" if kind in PARTS else "tag")
        self._columns(box)
        number, role = self.layout.looks[box.step].number, self._role(box)
        home = self.layout.homes[box.step]
        for i, j in box.cells():
            live, shown = on(home.sheet, home.cell(i, j)), self.draft.shown(box.step, i, j)
            self.live(box.place(i, j), live, shown, role, number, "right")

    def _role(self, box: Box) -> str:
        step = self.trace[box.step]
        kind = step.place.kind.rpartition(".")[2]
        if step.kind == "given":
            return "weight"
        return kind if kind in PARTS else "result" if kind_of(box.step).shown.result else "computed"

    def _columns(self, box: Box) -> None:
        """Tokens and words above columns are live, and words below each other at their left."""
        step, (row, left) = self.trace[box.step], (box.row - 1, box.column - 1)
        tokens = by_token(step, self.whole.tokens)[1]
        words = shaped_as(step.name).by_word and step.shape[1] > 1
        for k, name in enumerate(step.columns):
            spot = (box.row + k, left) if box.turned else (row, box.column + k)
            if tokens:
                self._token(spot, k, "head")
            elif words:
                live = CellFormula(f"={self.draft.cell('vocabulary.words', k)}", name)
                self.put(spot, live, "head", align="right")
            else:
                self._label(spot, name)
        names = step.rows if self._named(box) and step.shape[0] > 1 else ()
        for k, name in enumerate(names):
            self._label((row, box.column + k) if box.turned else (box.row + k, left), name)

    def _label(self, spot: tuple[int, int], name: str) -> None:
        label = TabLabel(*spot, name).shown(self.draft.catalogue)
        self.put(spot, label, "head", align="right")

    def dress(self) -> None:
        """The focus token's rows framed, attention shares darker the larger they are."""
        for box in self.whole.boxes:
            if is_heated(box):
                self.marks.add(box.span(), heat())
            if self._by_token(box):
                self.marks.add(box.span(), framed(f"ROW()={FOCUS}+{box.row - 1}"))

    def fit(self) -> None:
        """Widths and heights; one page of A3 upright."""
        page, (first, each) = self.page, self.whole.widths
        lines = [plan.LINE * POINTS] * (self.whole.bottom - 1)
        self.shape([first, *[each] * (self.whole.right - 1)], [HEAD[0], *lines])
        page.set_printer_settings(A3, "portrait")
        page.page_setup.fitToHeight, page.print_title_rows = 1, None
        page.freeze_panes = page.cell(FOCUS_ROW + 1, 2)
        page.print_area = f"A1:{at(self.whole.bottom, self.whole.right + 1)}"  # a long last title
        page.sheet_view.zoomScale = min(100, int(100 * SCREEN / self.whole.wide))
