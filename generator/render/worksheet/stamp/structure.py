"""The structure for screen readers, for the solution and, from the same objects, for the blank."""

from collections.abc import Iterable
from typing import Any


def pages_of(pdf: Any) -> list[Any]:
    """The pages of a PDF that is about to be written."""
    return [one for one in pdf.objects if isinstance(one, dict) and one.get("Type") == "/Page"]


class Structure:
    """The structure elements of a PDF that is about to be written."""

    def __init__(self, pdf: Any) -> None:
        self._pdf = pdf
        at = {page.reference: k for k, page in enumerate(pages_of(pdf))}
        self._leaves: dict[tuple[int, int], Any] = {}
        for one in pdf.objects:
            if isinstance(one, dict) and one.get("Type") == "/StructElem" and "Pg" in one:
                for kid in one["K"]:
                    if isinstance(kid, int):
                        self._leaves[at[one["Pg"]], kid] = one

    def remove(self, page: int, mcid: int, levels: int) -> None:
        """Takes a piece of text out, with so many of the elements around it."""
        element = self._leaves[page, mcid]
        for _ in range(levels + 1):
            parent = self._pdf.objects[int(element["P"].split()[0])]
            if element.reference in parent["K"]:
                parent["K"].remove(element.reference)
            element = parent

    def without(self, page: int, mcid: int) -> tuple[int, bytes]:
        """Number and bytes of the element around a piece of text, as if that were not there."""
        leaf = self._leaves[page, mcid]
        parent = self._pdf.objects[int(leaf["P"].split()[0])]
        kids = [kid for kid in parent["K"] if kid != leaf.reference]
        return parent.number, type(parent)(parent | {"K": type(parent["K"])(kids)}).data

    def removed(self, spots: Iterable[tuple[int, int, int]]) -> None:
        """Takes several pieces out: page, mark of content, elements around it."""
        for page, mcid, levels in spots:
            self.remove(page, mcid, levels)
