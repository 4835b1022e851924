"""Looks numbers and words of the model up where they are at home, for tabs that show them again."""

from generator.notation.excel import one_of
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.write.filling import shown


class LookUp:
    """Addresses of steps on their own tabs, for formulas on another one."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    def cell(self, step: str, i: int, j: int) -> tuple[str, float | str]:
        """The address of a step's cell, and what it shows as delivered."""
        home = self.draft.layout.home(step)
        return on(home.sheet, at(*home.place(i, j), fixed=True)), shown(self.draft, step, i, j)

    def area(self, step: str) -> str:
        """The address of all cells of a step."""
        return self.draft.layout.home(step).area()

    def at(self, step: str, place: str) -> str:
        """The number at a place, from 1, of a step of one row or one column."""
        return one_of(self.area(step), place)

    def kept(self, step: str, place: str) -> str:
        """The same number as delivered, from the copy that its tab keeps."""
        home = self.draft.layout.home(step)
        return one_of(self.draft.kept[home.sheet].area(home), place)

    def ranked(self, most: int) -> list[int]:
        """The places, from 0, of the likeliest words as delivered, at most so many."""
        ranks = self.draft.trace["sampling.rank"].values[0]
        return sorted(range(len(ranks)), key=lambda j: float(ranks[j]))[:most]
