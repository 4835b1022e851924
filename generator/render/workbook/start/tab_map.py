"""The map on the first tab: one line per tab, links to its blocks, what is done or changed.

Also here:

* Before and after: the leading words with P now and as delivered, and how much has changed.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.frames import bars, tinted
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.controls import is_control
from generator.render.workbook.layout.draw_layout import FIRST_ROW, PARTS
from generator.render.workbook.layout.kept import COUNT, LARGEST, KeptTab
from generator.render.workbook.layout.layout import Band, Sheet
from generator.render.workbook.layout.start_layout import (
    HEAD_ROW,
    LAST_COLUMN,
    LEADING,
    NOTHING_NEXT,
)
from generator.render.workbook.layout.tabs import LETTER, TRAINING, origin
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.write.boxes import LookUp

WIDTH = 11.0  # characters of a column of the first tab
FIRST_LINK, RIGHT, SHARE = 3, 13, 14


class Progress(NamedTuple):
    """How many of a tab's asked cells are right, or filled in where nobody judges.

    An expression of a formula, and the number asked.
    """

    right: str
    asked: int


def progress_of(draft: Draft) -> Mapping[str, Progress]:
    """The progress of each tab with asked cells, by its title."""
    return {
        title: Progress(checks.done(draft.judging.judges), len(checks.asked))
        for title, checks in draft.checks.items()
    }


class TabMap:
    """Writes the map from its own row on; `progress` is by the title of a tab."""

    def __init__(self, pen: Pen, progress: Mapping[str, Progress]) -> None:
        self.pen = pen
        self.t = pen.t
        self.draft = pen.draft
        self.layout = pen.draft.layout
        self.start = self.layout.start
        self.trace = self.layout.trace
        self.progress = progress
        self.row = self.start.map_row

    def write(self) -> int:
        """The whole map; gives the first row below it, or that of the progress in all."""
        self.pen.band(self.row, 1, LAST_COLUMN, self.t("workbook.start.map"))
        titles = {1: "tab", FIRST_LINK: "blocks"}
        done = "right" if self.draft.judging.judges else "filled"
        titles |= {RIGHT: done, SHARE: "share"} if self.progress else {}
        titles |= {RIGHT: "changed", SHARE: "largest"} if self.draft.kept else {}
        heads = {c: self.t(f"workbook.start.map.{key}") for c, key in titles.items()}
        self.pen.heads(self.row + 1, heads, (1, LAST_COLUMN), (1, FIRST_LINK))
        self.row += 2
        self._glance()
        top = self.row
        for sheet in self.layout.sheets:
            self.pen.link(self.row, 1, sheet.tab.title, "A1", sheet.tab.title)
            title = sheet.tab.title
            self._progress(self.row, self.progress.get(title))
            counted(self.pen, self.row, self.draft.kept.get(title), (RIGHT, SHARE))
            self._blocks(sheet)
            self._drawing(sheet)
        if self.draft.kept:
            tint(self.pen, at(top, RIGHT), at(self.row - 1, SHARE))
        if self.progress:
            self.pen.text(self.row, 1, self.t("workbook.start.map.all"), "strong")
            parts = "+".join(f"({p.right})" for p in self.progress.values())
            total = Progress(parts, sum(p.asked for p in self.progress.values()))
            self._progress(self.row, total)
            self._total()
        return self.row

    def _glance(self) -> None:
        """The tab that shows a head on one screen, or why there is none."""
        glance, sizes = self.layout.glance, self.layout.too_large
        if glance:
            self.pen.link(self.row, 1, glance.sheet, "A1", glance.sheet)
            self.pen.text(self.row, FIRST_LINK, self.t("workbook.start.map.glance"))
        elif sizes:
            self.pen.text(self.row, 1, self.t("workbook.tab.glance"))
            text = self.t("workbook.start.map.too.large", **sizes._asdict())
            self.pen.text(self.row, FIRST_LINK, text)
        self.row += bool(glance or sizes)

    def _progress(self, row: int, progress: Progress | None) -> None:
        if progress is None or not progress.asked:
            return
        done, paused = progress.right, self.layout.paused[1]
        count = f'=IF({paused}>0,"{NOTHING_NEXT}",({done})&" / {progress.asked}")'
        self.pen.formula(at(row, RIGHT), count, f"0 / {progress.asked}", "text", align="center")
        share = f'=IF({paused}>0,"{NOTHING_NEXT}",({done})/{progress.asked})'
        self.pen.formula(at(row, SHARE), share, 0.0, "strong", "0%", "center")

    def _total(self) -> None:
        """The progress in all once more, at the top."""
        self.pen.text(
            HEAD_ROW, LAST_COLUMN - 1, self.t("workbook.start.progress"), "label", "right"
        )
        share = f"={at(self.row, SHARE)}"
        self.pen.formula(at(HEAD_ROW, LAST_COLUMN), share, 0.0, "strong", "0%", "center")

    def _blocks(self, sheet: Sheet) -> None:
        """A link to each block, as many in a row as there is room for."""
        column, stop, last = FIRST_LINK, RIGHT, ""
        for band in sheet.bands:
            name, top = self._block(band)
            if not name or (name == last and sheet.tab.kind in TRAINING):
                continue
            last = name
            width = math.ceil((len(name) + 2) * LETTER / WIDTH)
            if column > FIRST_LINK and column + width > stop:
                column, self.row = FIRST_LINK, self.row + 1
            self.pen.link(self.row, column, sheet.tab.title, f"A{top}", name)
            column += width
        self.row += 1

    def _drawing(self, sheet: Sheet) -> None:
        """Below the output of the first round: the Draw tab and its tables."""
        draw, titles = self.start.draw, self.layout.titles
        if draw is None or titles.index(sheet.tab.title) + 1 != titles.index(draw.sheet):
            return
        self.pen.link(self.row, 1, draw.sheet, "A1", draw.sheet)
        column = FIRST_LINK
        for part in PARTS:
            name = self.t(f"workbook.draw.{part.key}")
            self.pen.link(self.row, column, draw.sheet, at(FIRST_ROW, part.first), name)
            column += math.ceil((len(name) + 2) * LETTER / WIDTH)
        self.row += 1

    def _block(self, band: Band) -> tuple[str, int]:
        """What a block is called: after the first step that it computes; "" for mere controls."""
        steps = [self.trace[line.step] for line in band.lines if not is_control(line.step)]
        if not steps:
            return "", band.top
        first = next((step for step in steps if step.kind == "computed"), steps[0])
        if first.place.learning:  # as on the way forward, of which there is a tab for each part
            return origin(self.trace, self.draft.catalogue, first.name), band.top
        return self.draft.catalogue.step(first.name).partition(" (")[0], band.top


RANK, WORD, NOW, THEN, LABEL, VALUE = 1, 2, 3, 4, 9, 13  # columns of the Start tab
LARGEST_NUMBER = "0.####"


def write(pen: Pen) -> None:
    """The table below the experiments, where a workbook keeps what it was delivered with."""
    kept, row = pen.draft.kept, pen.draft.layout.start.changes_row
    if not kept:
        return
    pen.band(row, 1, LAST_COLUMN, pen.t("workbook.changes"))
    _summary(pen, row + 1, kept)
    if "sampling.share" in pen.draft.trace:
        _leading(pen, row + 1)


def counted(pen: Pen, row: int, kept: KeptTab | None, columns: tuple[int, int]) -> None:
    """In the line of a tab: how many of its numbers have changed, and by how much at most."""
    if kept is not None:
        count, largest = (at(row, column) for column in columns)
        pen.formula(count, f"={kept.total(COUNT)}", 0.0, "text", "0", "center")
        pen.formula(largest, f"={kept.total(LARGEST)}", 0.0, "text", LARGEST_NUMBER, "center")


def tint(pen: Pen, first: str, last: str) -> None:
    """The tint of changed numbers for numbers of changes from one cell to another, if above 0."""
    rule = tinted(f"AND(ISNUMBER({first}),{first}>0)")
    pen.page.conditional_formatting.add(f"{first}:{last}", rule)


def _summary(pen: Pen, row: int, kept: Mapping[str, KeptTab]) -> None:
    """The number of changes of all tabs, and the largest of all."""
    lines = (("count", COUNT, "SUM", "0"), ("largest", LARGEST, "MAX", LARGEST_NUMBER))
    for k, (key, which, function, number) in enumerate(lines, start=1):
        cells = ",".join(one.total(which) for one in kept.values())
        pen.text(row + k, LABEL, pen.t(f"workbook.changes.{key}"), "label")
        pen.formula(at(row + k, VALUE), f"={function}({cells})", 0.0, "result", number, "center")
    tint(pen, at(row + 1, VALUE), at(row + 2, VALUE))
    pen.text(row + 3, LABEL, pen.t("workbook.changes.tint"), "label")
    pen.sample(row + 3, VALUE, pen.t("workbook.changes.sample"), "changed")


def _leading(pen: Pen, row: int) -> None:
    """The words of the first ranks now; a bar behind each probability."""
    find, trace = LookUp(pen.draft), pen.draft.trace
    titles = {RANK: "rank", WORD: "word", NOW: "now", THEN: "then"}
    heads = {column: pen.t(f"workbook.changes.{key}") for column, key in titles.items()}
    pen.heads(row, heads, (RANK, THEN), (WORD,))
    shares, words = trace["sampling.share"].values[0], find.ranked(LEADING)
    number = pen.draft.looks["sampling.share"].number
    for k, word in enumerate(words, start=1):
        place = f"MATCH({at(row + k, RANK)},{find.area('sampling.rank')},0)"
        pen.value(at(row + k, RANK), k, "label")
        shown = str(trace["vocabulary.words"].values[word, 0])
        looked_up = f'=IFERROR({find.at("vocabulary.words", place)}&"","{NOTHING_NEXT}")'
        pen.formula(at(row + k, WORD), looked_up, shown, "strong")
        share = float(shares[word])
        looked = find.at("sampling.share", place), find.kept("sampling.share", place)
        now, then = (f'=IFERROR({cell},"{NOTHING_NEXT}")' for cell in looked)
        pen.formula(at(row + k, NOW), now, share, "computed", number, "right")
        pen.formula(at(row + k, THEN), then, share, "echo", number, "right")
    for column in (NOW, THEN):
        span = f"{at(row + 1, column)}:{at(row + len(words), column)}"
        pen.page.conditional_formatting.add(span, bars(1))
