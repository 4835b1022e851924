"""The map on the first tab: one line per tab, links to its blocks, what is done or changed.

Before it before and after: the leading words with P now and as delivered, how much has changed.
"""

import math
from collections.abc import Sequence
from itertools import groupby

from generator.notation.excel import one_of
from generator.render.workbook.draft import Draft
from generator.render.workbook.entries import EntryPen
from generator.render.workbook.layout import start_layout as plan
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.checks import COUNT, LARGEST
from generator.render.workbook.layout.layout import Band, Sheet
from generator.render.workbook.layout.tabs import LETTER, TRAINING, is_control, origin
from generator.render.workbook.styles import tinted

FIRST_LINK, RIGHT, SHARE = 3, 13, 14
RANK, WORD, NOW, BAR, THEN = 8, 9, 11, 12, 14  # columns of the leading words
LONGEST_BAR = 18  # of blocks
CHANGES = (1, 3), (5, 9)  # of how much has changed: label and number
LARGEST_NUMBER, BLOCK = "0.####", "█"


class TabMap(EntryPen):
    """Writes the map, and what has changed.

    `progress`, by the title of a tab: a formula of how many of its asked cells are right, or filled
    in where nobody judges, and how many are asked.
    """

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        judges, self.row = draft.judging.judges, self.start.map_row
        self.progress = {
            title: (checks.done(judges), len(checks.asked))
            for title, checks in draft.checks.items()
        }

    def map(self) -> int:
        """The whole map; gives the first row below it, or that of the progress in all."""
        self.band(self.row, (1, plan.LAST_COLUMN), self.t("workbook.start.map"))
        titles = {1: "tab", FIRST_LINK: "blocks"}
        done = "right" if self.draft.judging.judges else "filled"
        titles |= {RIGHT: done, SHARE: "share"} if self.progress else {}
        titles |= {RIGHT: "changed", SHARE: "largest"} if self.draft.kept else {}
        left = (1, FIRST_LINK)
        self.heads(self.row + 1, titles, "workbook.start.map", (1, plan.LAST_COLUMN), left)
        self.row += 2
        self._glance()
        top = self.row
        for sheet in self.layout.sheets:
            self._tab(sheet)
        if self.draft.kept:
            self._tint(at(top, RIGHT), at(self.row - 1, SHARE))
        if self.progress:
            self._total()
        return self.row

    def _glance(self) -> None:
        """The tabs that show much on one screen, or why there is none of a head."""
        layout, planned, whole = self.layout, self.layout.planned, self.layout.whole
        rows = [(layout.warm_up, "warmup")] if layout.warm_up else []
        rows += [(planned.sheet, "glance" if layout.glance else "too.large")] if planned else []
        rows += [(whole.sheet, "whole")] if whole else []
        sizes = planned.sizes._asdict() if planned else {}
        for title, key in rows:
            if key == "too.large":
                self.put((self.row, 1), title)
            else:
                self.link((self.row, 1), title, (title, "A1"))
            self.put((self.row, FIRST_LINK), self.t(f"workbook.start.map.{key}", **sizes))
            self.row += 1

    def _tab(self, sheet: Sheet) -> None:
        """The line of a tab: how many of its numbers have changed, and by how much at most."""
        title = sheet.tab.title
        self.link((self.row, 1), title, (title, "A1"))
        if title in self.progress:
            self._progress(*self.progress[title])
        if kept := self.draft.kept.get(title):
            self.live((self.row, RIGHT), kept.total(COUNT), 0.0, "text", "0", "center")
            largest = kept.total(LARGEST)
            self.live((self.row, SHARE), largest, 0.0, "text", LARGEST_NUMBER, "center")
        self._blocks(sheet)

    def _progress(self, done: str, asked: int) -> None:
        paused = self.layout.paused[1]
        if asked:
            count = f'IF({paused}>0,"{plan.NOTHING_NEXT}",({done})&" / {asked}")'
            self.live((self.row, RIGHT), count, f"0 / {asked}", "text", align="center")
            share = f'IF({paused}>0,"{plan.NOTHING_NEXT}",({done})/{asked})'
            self.live((self.row, SHARE), share, 0.0, "strong", "0%", "center")

    def _total(self) -> None:
        """The progress in all; once more at the top."""
        self.put((self.row, 1), self.t("workbook.start.map.all"), "strong")
        parts, asked = zip(*self.progress.values(), strict=True)
        self._progress("+".join(f"({part})" for part in parts), sum(asked))
        top, share = plan.HEAD_ROW - 1, at(self.row, SHARE)
        label = self.t("workbook.start.progress")
        self.put((top, plan.LAST_COLUMN - 1), label, "label", align="right")
        self.live((top, plan.LAST_COLUMN), share, 0.0, "strong", "0%", "center")

    def _blocks(self, sheet: Sheet) -> None:
        """A link to each block; below the output of the first round the Draw tab and its tables."""
        links = [(self._block(band), f"A{band.top}") for band in sheet.bands]
        links = [link for link in links if link[0]]
        if sheet.tab.kind in TRAINING:  # of several in a row the first
            links = [next(run) for _, run in groupby(links, key=lambda link: link[0])]
        self._links(sheet.tab.title, links)
        draw, titles = self.start.draw, self.layout.titles
        if draw and titles.index(sheet.tab.title) + 1 == titles.index(draw.sheet):
            self.link((self.row, 1), draw.sheet, (draw.sheet, "A1"))
            tables = [(x.key, at(plan.FIRST_ROW, x.first)) for x in plan.PARTS]
            self._links(draw.sheet, [(self.t(f"workbook.draw.{k}"), cell) for k, cell in tables])

    def _links(self, title: str, links: Sequence[tuple[str, str]]) -> None:
        """Links to cells of a tab, as many in a row as there is room for."""
        column = FIRST_LINK
        for name, cell in links:
            width = math.ceil((len(name) + 2) * LETTER / plan.WIDTH)
            if column > FIRST_LINK and column + width > RIGHT:
                column, self.row = FIRST_LINK, self.row + 1
            self.link((self.row, column), name, (title, cell))
            column += width
        self.row += 1

    def _block(self, band: Band) -> str:
        """What a block is called: after the first step that it computes; "" for mere controls."""
        steps = [self.trace[line.step] for line in band.lines if not is_control(line.step)]
        if not steps:
            return ""
        first = next((step for step in steps if step.kind == "computed"), steps[0])
        if first.place.learning:  # as on the way forward, of which there is a tab for each part
            return origin(self.trace, self.draft.catalogue, first.name)
        return self.draft.catalogue.step(first.name).partition(" (")[0]

    # Around the experiments, where a workbook keeps what it was delivered with --------------------

    def changes(self) -> None:
        """The number of changes of all tabs, the largest of all; on top the leading words."""
        row, last = self.start.changes_row, plan.LAST_COLUMN
        if not self.draft.kept:
            return
        lines = (("count", COUNT, "SUM", "0"), ("largest", LARGEST, "MAX", LARGEST_NUMBER))
        for (label, value), (key, which, function, number) in zip(CHANGES, lines, strict=True):
            cells = ",".join(kept.total(which) for kept in self.draft.kept.values())
            self.put((row, label), self.t(f"workbook.changes.{key}"), "label")
            self.live((row, value), f"{function}({cells})", 0.0, "result", number, "center")
            self._tint(at(row, value), at(row, value))
        self.put((row, last - 1), self.t("workbook.changes.tint"), "label", align="right")
        self.sample((row, last), self.t("workbook.changes.sample"), "changed")
        if self.start.leads:
            self._leading(plan.HEAD_ROW + 1)

    def _leading(self, row: int) -> None:
        """The words of the first ranks now; a bar behind each probability."""
        draft, home = self.draft, self.layout.homes["sampling.share"]
        self.band(row - 1, (RANK, THEN), self.t("workbook.changes"))
        titles = {RANK: "rank", WORD: "word", NOW: "now", THEN: "then"}
        self.heads(row, titles, "workbook.changes", (RANK, THEN), (WORD,))
        shares, words = self.trace["sampling.share"].values[0], draft.ranked(plan.LEADING)
        number, kept = self.layout.looks["sampling.share"].number, draft.kept[home.sheet].copy(home)
        names = draft.area("vocabulary.words")
        for k, word in enumerate(words, start=1):
            place = f"MATCH({at(row + k, RANK)},{draft.area('sampling.rank')},0)"
            self.put((row + k, RANK), k, "label", align="center")
            shown = str(self.trace["vocabulary.words"].values[word, 0])
            looked_up = f'IFERROR({one_of(names, place)}&"","{plan.NOTHING_NEXT}")'
            self.live((row + k, WORD), looked_up, shown, "strong")
            looked = one_of(home.area(), place), one_of(kept.area(), place)
            now, then = (f'IFERROR({cell},"{plan.NOTHING_NEXT}")' for cell in looked)
            self.live((row + k, NOW), now, float(shares[word]), "computed", number, "right")
            self.live((row + k, THEN), then, float(shares[word]), "echo", number, "right")
            blocks = f'IFERROR(REPT("{BLOCK}",ROUND({LONGEST_BAR}*{at(row + k, NOW)},0)),"")'
            shown = BLOCK * int(LONGEST_BAR * shares[word] + 0.5)
            self.live((row + k, BAR), blocks, shown, "bar")

    def _tint(self, first: str, last: str) -> None:
        """The tint of changed numbers for numbers of changes, if above 0."""
        self.marks.add(f"{first}:{last}", tinted(f"AND(ISNUMBER({first}),{first}>0)"))
