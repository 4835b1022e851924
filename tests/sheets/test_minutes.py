"""The minutes that a page prints, counted again: boxes, checks, lines, bars and words of the blank.

Seconds are those of `effort.toml`, as on the pages; how many there are of each kind is found in the
HTML, by what stands there, and not from what a plan says of itself.
"""

import re
from collections import Counter
from dataclasses import replace
from functools import cached_property

import numpy as np
import pytest
from lxml.html import HtmlElement

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.render.worksheet.worksheet import planned
from generator.resources import table
from generator.sheets.options import SheetOptions
from generator.sheets.page_tree import classes, of_class, parsed
from generator.sheets.plan import LEVELS, dot, seconds
from generator.sheets.series import SERIES, SHEETS
from generator.sheets.sheet7d.plan import Plan7d
from tests.support.filled import PRESETS, reason
from tests.support.sheets import html, traces

WORD = re.compile(r"[^\W\d_]{2,}")
PRINTED = re.compile(r"≈ (\d+) min")
UNREAD = {"furniture", "again", "hints"}  # every page has its own, and hints are folded away
PRODUCTS = {  # operations, with what is multiplied for one of their numbers
    "MatMul": lambda a, b, i, j: a[i] * b[:, j],
    "MatMulT": lambda a, b, i, j: a[i] * b[j],
    "MatTMul": lambda a, b, i, j: a[:, i] * b[:, j],
    "RowDot": lambda a, b, i, j: a[i] * b[i],
}
BOXES = {"ask", "box", "gap", "write", "choose"}
KINDS = {  # what is done for a box, by the last name of its step; other boxes are products or sums
    "copy": "embedding concat activation chance pieces hidden digits share contribution",
    "add": "residual deviations input cumulative rise bias with without",
    "scale": "scaled scores new mean ratio value slope matrix normalised norm tempered",
    "square": "squares together",
    "root": "deviation",
    "exp": "exp cross_entropy loss perplexity position probability",
    "share": "weights probabilities",
    "mark": "tick",
}
OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
FURTHER = {"ids": 8, "words": 8, "entries": 8, "": 8, "token": 7, "pairs": 26, "length": 60}
FURTHER |= {"masked": 0, "variance": 33, "key": 16, "tally": 40}  # of all words in one


class CountedPage:
    """A blank as a pupil sees it, with the numbers that its boxes are made from.

    `unsure` are seconds that the count may be wrong by: a product with 0 costs a term or nothing,
    as a sheet prints its zeros, so that each is counted as half of one.
    """

    def __init__(self, text: str, whole: Trace) -> None:
        tree, self.whole, self.unsure = parsed(text), whole, 0.0
        for element in list(of_class(tree, UNREAD)):
            if element.getparent() is not None:
                element.drop_tree()
        for element in tree.iter("svg"):
            element.clear(keep_tail=True)
        leaves = list(tree.iter("section"))
        self.info = [one for one in leaves if "info" in classes(one)]
        self.work = [one for one in leaves if "work" in classes(one)]

    @cached_property
    def words(self) -> int:
        """Of the information leaf."""
        return sum(len(WORD.findall(" ".join(leaf.itertext()))) for leaf in self.info)

    @cached_property
    def read_at_work(self) -> int:
        """Words in tables of the work leaf: programs, texts to compare."""
        tables = (one for leaf in self.work for one in leaf.iter("table"))
        return sum(len(WORD.findall(" ".join(one.itertext()))) for one in tables)

    @cached_property
    def lines(self) -> int:
        """Of the worked example."""
        steps = (one for leaf in self.info for one in of_class(leaf, {"steps", "worked"}))
        return sum(len(one.findall("li")) if one.tag == "ol" else 1 for one in steps)

    @cached_property
    def answers(self) -> int:
        """In words, on lines."""
        return sum(1 for leaf in self.work for _ in of_class(leaf, {"lines"}))

    @cached_property
    def sentences(self) -> int:
        """Of some words, what the own numbers show, on a line of their own."""
        return sum(
            1 for leaf in self.work for _ in of_class(leaf, {"sentence", "finding", "named"})
        )

    @cached_property
    def reading(self) -> float:
        """Minutes for the information leaf."""
        return _minutes(self.words * seconds()["word"] + self.lines * seconds()["line"])

    @cached_property
    def working(self) -> float:
        """Minutes for the work leaf."""
        return self.entering + self.besides

    @cached_property
    def entering(self) -> float:
        """Minutes for what goes into its boxes."""
        return _minutes(sum(map(self._box, self._boxes())))

    @cached_property
    def besides(self) -> float:
        """Minutes for the rest of it."""
        spent = self.read_at_work * seconds()["word"] + self.answers * seconds()["answer"]
        spent += self.sentences * seconds()["sentence"]
        return _minutes(spent + self._checks() + self._drawn() + self._copied(), self.blocks)

    def _boxes(self) -> list[Cell]:
        """The cells to fill, each once; of those for pupils' own words no program knows a step."""
        found = [_place(one) for leaf in self.work for one in of_class(leaf, BOXES)]
        return [*{cell for cell in found if cell[0]}, *(cell for cell in found if not cell[0])]

    def _box(self, cell: Cell) -> float:
        (name, i, j), table = cell, seconds()
        last = re.sub(r"\d+$", "", name.rpartition(".")[2])
        if last in FURTHER:
            return FURTHER[last]
        kind, given = type(self.whole[name].op).__name__, self.whole[name].inputs
        inputs = [self.whole[one].values for one in given if one in self.whole]
        if last == "sum":
            return table["sum"] * max(self._addends(name), 2)
        if kind not in PRODUCTS or last in ("matrix", "value") or len(inputs) < 2:
            return table[OF[last]]
        products = PRODUCTS[kind](*inputs[:2], i, j)
        zeros = len(products) - int(np.count_nonzero(products))
        self.unsure += zeros * table["dot"] / 2
        terms = len(products) - zeros / 2
        each = "weighted" if last == "output" else "dot"
        return table[each] * terms + table["dot_start"] * (each == "dot")

    def _addends(self, name: str) -> int:
        """How many numbers a sum has: the most that stand in a row of what it is made from."""
        inputs = (self.whole[one].values for one in self.whole[name].inputs if one in self.whole)
        return max((int(np.count_nonzero(one, axis=1).max()) for one in inputs), default=5)

    def _checks(self) -> float:
        """Each probe adds the numbers of a row or column once, or as often as there are boxes.

        With a square in it these are squared and added; beside a product's sum stands a product.
        """
        spent, table, before = 0.0, seconds(), None
        for one in (one for leaf in self.work for one in leaf.iter("table", "p")):
            if one.tag == "table" and _filled(one):
                before = one
            elif "probe" in classes(one) and before is not None:
                text, terms = "".join(one.itertext()), _terms(before)
                inline = sum(1 for _ in of_class(one, {"checkbox"}))
                boxes = sum(1 for _ in before.iterfind(".//td/span[@class='label']"))
                sums = max(1, boxes + ("²" in text))
                spent += sums * (terms * table["sum"] + table["compare"])
                spent += terms * table["square"] * ("²" in text)
                rows = sum(1 for row in before.iter("tr") if _has(row, {"jot"}))
                spent += rows * (table["weighted"] + table["add"]) if inline == 2 else 0.0
                spent += dot(4) if inline == 1 or "falk" in classes(before) else 0.0
        return spent

    def _drawn(self) -> float:
        """The empty bars; on other axes a point for each number of the step with most boxes."""
        tracks = (one for leaf in self.work for one in of_class(leaf, {"track"}) if not len(one))
        names = Counter(cell[0].rpartition(".")[2] for cell in self._boxes())
        axes = (one for leaf in self.work for one in of_class(leaf, {"lesson"})
                if next(one.iter("svg"), None) is not None)  # fmt: skip
        points = max(names.values(), default=0) if next(axes, None) is not None else 0
        return seconds()["draw"] * (sum(1 for _ in tracks) + points)

    def _copied(self) -> float:
        rows = (one for leaf in self.work for one in of_class(leaf, {"own"}) if one.tag == "tr")
        jots = sum(1 for leaf in self.work for _ in of_class(leaf, {"jot"}))
        return seconds()["copy"] * (sum(len(one.findall("td")) for one in rows) + jots / 3)

    @cached_property
    def blocks(self) -> int:
        """What is to be read before something is entered or drawn: places for it, in the end."""
        places = [one for leaf in self.work for one in leaf.iter("table", "p")
                  if _filled(one)]  # fmt: skip
        together = [one for leaf in self.work for one in of_class(leaf, {"lesson"})
                    if not _filled(one) and not _has(one, {"lines"})]  # fmt: skip
        return len(places) + len(together)


def _place(element: HtmlElement) -> Cell:
    table = next(element.iterancestors("table"), None)
    other = "|0|0" if table is None or "tallied" not in classes(table) else "tally|0|0"
    step, i, j = (element.get("data-cell") or other).split("|")
    return step, int(i), int(j)


def _filled(element: HtmlElement) -> bool:
    """Whether it has boxes."""
    return _has(element, BOXES | {"open"})


def _has(element: HtmlElement, names: set[str]) -> bool:
    return next(of_class(element, names), None) is not None


def _terms(filled: HtmlElement) -> int:
    """How many numbers of a step stand in a table, at most, of those that are asked."""
    asked = {_place(one)[0] for one in of_class(filled, BOXES)} - {""}
    cells = Counter(_place(one)[0] for one in filled.iter("*"))
    return max((cells[name] for name in asked), default=0)


def _minutes(practised: float, blocks: int = 0) -> float:
    return (practised * seconds()["class_median"] + blocks * seconds()["reading"]) / 60


FEW = ("katze", "katze-trained", "paris")
FILLED = [sheet for sheet in SHEETS if SERIES[sheet].kind.filled]
CASES = [
    pytest.param(sheet, preset, language, id=f"{sheet}-{preset}-{language}",
                 marks=() if preset in FEW and language == "de" else pytest.mark.ci)
    for sheet in FILLED for preset in PRESETS for language in ("de", "en")
    if not reason(sheet, preset)
]  # fmt: skip


@pytest.mark.parametrize(("sheet", "preset", "language"), CASES)
def test_printed_minutes_are_those_counted_on_the_blank(sheet, preset, language):
    """Apart from a block more or less, roundings, and a tenth: boxes of a kind are not all alike.

    Those of sheet 7d are one group's, with its share of the board.
    """
    for level in LEVELS:
        trace, exact = traces(preset, language)
        options, groups = SheetOptions(level=level, language=language), 0
        plan = planned(sheet, trace, options)
        if isinstance(plan, Plan7d):
            groups, trace = len(plan.groups), replace(trace, group=0)
            plan = planned(sheet, trace, options)
        text = html(trace, exact, options, blank=True, sheet=sheet)
        page = CountedPage(text, trace.with_steps(plan.extra))
        counted = page.reading + page.working
        if groups:
            board = replace(trace, group=groups)
            shared = html(board, exact, options, blank=True, sheet=sheet)
            extra = planned(sheet, board, options).extra
            together = CountedPage(shared, board.with_steps(extra))
            counted += together.entering / groups + together.besides
        (printed,) = {int(found) for found in PRINTED.findall(text)}
        assert printed == plan.in_all
        margin = 1.5 + counted / 10 + _minutes(page.unsure)
        assert abs(printed - counted) <= margin, (level, printed, counted, margin)
        assert abs(plan.reading - page.reading) <= 1, (level, plan.reading, page.reading)
        told = table("sheets/leaves.toml")[plan.leaf or sheet]
        assert told["answer"][:level][-1] - page.answers in (0, 1), "a question that not all have"


def test_every_sheet_that_is_filled_has_its_row_and_no_other():
    rows = {*table("sheets/leaves.toml")} - {"4b-explained", "4b-one-head"}
    assert rows == {*FILLED, "code"} - {"slides"}
