"""Rules of a tab of steps: what differs, what is wrong, frames that follow the focus, colours.

What is no number in a given table is red; what cannot be computed from it shows nothing. And what
may be typed: a number that a reader can mean, or the program asks.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.utils.cell import range_boundaries

from generator.engine.ops.pieces import PairPlaces, Spelled
from generator.engine.place import place_of
from generator.engine.trace import Step, Trace
from generator.render.workbook import styles
from generator.render.workbook.band_pen import differs
from generator.render.workbook.layout.box import Box, at
from generator.render.workbook.layout.checks import KeptTab
from generator.render.workbook.layout.layout import FIRST_ROW, WORDS_COLUMN
from generator.render.workbook.layout.tabs import FOCUS, FOCUS_ROW, OWN, by_token
from generator.render.workbook.pen import Pen, TabPen
from generator.render.workbook.styles import FRAME, alarm, asks, calm, framed, heat, tinted, where
from generator.steps import kind_of

GREY = "E4E7EA"
HEATED = ("shares", "bars")
TIMES = 10.0


class Frame(NamedTuple):
    """Cells that are framed where a formula is true; it is written for the first of them."""

    spans: tuple[str, ...]
    formula: str


def hide_errors(pen: Pen) -> None:
    """A grey cell in the place of "#VALUE!", before the other rules of the page.

    By a rule and not by IFERROR around each formula: a formula stays as short as on paper.
    """
    span = f"A1:{at(pen.page.max_row, pen.page.max_column)}"
    pen.mark_first([(span, where("ISERROR(A1)", GREY, GREY, stopIfTrue=True))])


class Frames(TabPen):
    """Writes the rules; LibreOffice takes of all the first that is true, so their order matters."""

    def write(self) -> None:
        """All of them."""
        for box, step in self.homes():
            if step.kind == "given" and (step.name, 0, 0) not in self.start.by_cell:
                wrong = self._wrong(at(box.row, box.column), step)
                self.marks.add(box.span(), alarm(wrong))
        frames = [*self._chosen(), *self._focus(), *self._winners()]
        if self.kept:
            self._changed(frames, self.kept)
        self._colour()
        for frame in frames:
            self.marks.add(" ".join(frame.spans), framed(frame.formula))

    def _wrong(self, cell: str, step: Step) -> str:
        """The condition that a given cell has no number within its bound, or no word."""
        if step.text:
            most = letters(self.trace, step)
            return f'OR({cell}="",LEN({cell})>{most})' if most else f'{cell}=""'
        return f"IF(ISNUMBER({cell}),ABS({cell})>{bound(step):g},TRUE)"

    def _changed(self, frames: Sequence[Frame], kept: KeptTab) -> None:
        """A tint for every cell of a step that differs from as delivered, framed or not.

        One rule for the whole tab compares with the copy in the hidden columns, which is empty
        beside all other cells. Shares have a rule of their own, for LibreOffice takes no more than
        the rules of one range.
        """
        for frame in frames:
            columns, rows, _, _ = zip(*map(range_boundaries, frame.spans), strict=True)
            both = f"AND({frame.formula},{_apart(kept, (min(rows), min(columns)))})"
            self.marks.add(" ".join(frame.spans), tinted(both, border=FRAME))
        for box in filter(self._shaded, self.sheet.boxes):
            self.marks.add(box.span(), tinted(_apart(kept, box.place(0, 0))))
        span = f"{at(FIRST_ROW, 1)}:{at(kept.bottom, kept.wide)}"
        self.marks.add(span, tinted(_apart(kept, (FIRST_ROW, 1))))

    def _colour(self) -> None:
        """The colours of shares; no minus before unrounded negative numbers that show as zero."""
        picked = [box for band in self.sheet.bands for box in band.picked]
        for box in (*picked, *self.sheet.boxes):
            span, step = box.span(), self.trace[box.step]
            if self._shaded(box):
                self.marks.add(span, heat() if is_heated(box) else styles.slopes(box.span(True)))
            number = self.layout.looks[box.step].number.partition(";")[0]
            unrounded = self.trace.rounding == "exact" and step.kind == "computed" and not step.text
            if unrounded and number.startswith("0.0") and "E" not in number:
                cell, places = at(box.row, box.column), number.count("0") - 1
                test = f"AND(ISNUMBER({cell}),{cell}<0,ROUND({cell},{places})=0)"
                rule = FormulaRule(formula=[test])
                rule.dxf = DifferentialStyle(numFmt=NumberFormat(200, f"{number};{number}"))
                self.marks.add(box.span(), rule)

    def _shaded(self, box: Box) -> bool:
        """Whether the colour of its cells says how large a share is, on the way back a gradient."""
        back = self.sheet.tab.kind == "back" and place_of(box.step).kind.startswith("grad")
        return back or is_heated(box)

    def _chosen(self) -> Iterator[Frame]:
        """The row of the chosen word in each table of intervals."""
        for band in self.sheet.bands:
            for table, chosen in self.layout.choices(band):
                cell = at(chosen.row, chosen.column, fixed=True)
                span = f"A{table.row}:{at(table.bottom, table.right)}"
                yield Frame((span,), f"EXACT($A{table.row},{cell})")

    def _focus(self) -> Iterator[Frame]:
        """The focus token's row of each table, and its column where tokens stand across.

        The formulas read the focus cell of the same tab, so the frames follow it.
        """
        tokens = self.tokens
        frames = dict[str, list[Box]]()  # by formula
        for band in self.sheet.bands if tokens else ():
            tables = [
                (Box("", "", label.row, label.column, len(tokens), 1), True, False)
                for label in band.labels  # those that have all tokens, below each other
                if label.step == f"{self.sheet.tab.prefix}tokens"
                if not (label.across or label.cell)
            ]
            for box in band.boxes:
                rows, columns = by_token(self.trace[box.step], tokens)
                tables.append((box, columns, rows) if box.turned else (box, rows, columns))
            for box, rows, columns in tables:
                lines = [("ROW", box.row)] * rows + [("COLUMN", box.column)] * columns
                for function, first in lines:
                    formula = f"{function}()={FOCUS}+{first - 1}"
                    # LibreOffice: where both rules have one range.
                    if box.step and self._shaded(box):
                        yield Frame((box.span(),), formula)
                    else:
                        frames.setdefault(formula, []).append(box)
        for formula in sorted(frames, key=lambda formula: formula.startswith("COLUMN")):
            ordered = sorted(frames[formula], key=lambda box: (box.row, box.column))
            yield Frame(tuple(box.span() for box in ordered), formula)

    def _winners(self) -> Iterator[Frame]:
        """The most frequent pair of a round of byte-pair encoding, wherever it stands."""
        for step in self.sheet.tab.steps:
            if isinstance(step.op, PairPlaces):
                home = self.layout.homes[step.name]
                winner = self.layout.homes[step.name.replace(".places", ".winner")]
                first, cell = home.cell(0, 0), at(winner.row, winner.column, fixed=True)
                yield Frame((home.span(),), f'AND({first}<>"",EXACT({first},{cell}))')

    def calm(self) -> None:
        """What a tab waits for, or which experiment runs, does not look like an alarm."""
        place = at(FOCUS_ROW, WORDS_COLUMN)
        self.marks.add(place, calm(place))

    # What may be typed ----------------------------------------------------------------------------

    def guard(self) -> None:
        """What may be typed, with a message otherwise."""
        if self.tokens and not self.asks:  # else it is chosen on the first tab
            last = len(self.tokens)
            prompt = self.t("workbook.focus.prompt")
            self.one_of_first(last, OWN, prompt=prompt, **self._said("focus", last=last))
        self._numbers()
        for step in self.sheet.tab.steps:
            if isinstance(step.op, Spelled):  # no more letters than there are cells for
                said = self._said("bpe.word", most=step.op.most)
                said |= {"operator": "between", "errorStyle": "stop", "formula2": str(step.op.most)}
                rule = asks(type="textLength", formula1="1", **said)
                self.allow(rule, self.layout.homes[step.inputs[0]].span())

    def _numbers(self) -> None:
        """Each given number of a tab takes only decimals within a bound."""
        spans = dict[float, list[str]]()
        for box, step in self.homes():
            if step.kind == "given" and not step.text:
                spans.setdefault(bound(step), []).append(box.span())
        for limit, cells in spans.items():
            self.given(limit, *cells)

    def _said(self, key: str, **names: object) -> dict[str, str]:
        """The message of a rule that is broken."""
        title, error = self.t(f"workbook.{key}.title"), self.t(f"workbook.{key}.error", **names)
        return {"errorTitle": title, "error": error}


def _apart(kept: KeptTab, spot: tuple[int, int]) -> str:
    """The condition that a cell differs from its copy as delivered, as a relative formula."""
    return apart(at(*spot), at(spot[0], kept.column(spot[1])))


def apart(now: str, then: str) -> str:
    """The condition that a cell differs from the copy of what it was; without one it does not."""
    both = f"AND(ISNUMBER({now}),ISNUMBER({then}))"
    return f'IF({then}="",FALSE,IF({both},{differs(now, then)},NOT(EXACT({now},{then}))))'


def is_heated(box: Box) -> bool:
    """Whether the box shows shares, darker for larger ones."""
    return kind_of(box.step).shown.chart in HEATED and box.width > 1


def bound(step: Step) -> float:
    """The largest number that may be typed into a given step, a multiple of ten.

    At least ten times its own largest, rounded up so that the numbers of a class share a bound.
    """
    largest = float(np.abs(step.values).max())
    return max(1, math.ceil(largest)) * TIMES


def letters(trace: Trace, step: Step) -> int:
    """The most letters of a word in a given step that is spelled; 0 where it is not."""
    ops = (other.op for other in trace if step.name in other.inputs)
    return next((op.most for op in ops if isinstance(op, Spelled)), 0)
