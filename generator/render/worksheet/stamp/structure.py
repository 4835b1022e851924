"""The structure for screen readers of a PDF that is about to be written."""

from collections.abc import Iterable
from typing import Any

from generator.render.worksheet.stamp.harvest import Block, pages_of


def silent(pdf: Any, blocks: Iterable[Block]) -> dict[int, tuple[int, bytes]]:
    """For each block how a screen reader passes over it: an object's number and its bytes then."""
    at = {page.reference: k for k, page in enumerate(pages_of(pdf))}
    elements: list[Any] = [one for one in pdf.objects if isinstance(one, dict) and "Pg" in one]
    leaves = {
        (at[one["Pg"]], kid): one
        for one in elements
        for kid in one.get("K", ())
        if isinstance(kid, int)
    }
    objects = {}
    for block in blocks:
        leaf = leaves.get((block.page, block.spots[0].mcid))
        if leaf is None:
            continue
        parent = pdf.objects[int(leaf["P"].split()[0])]
        kids = type(parent["K"])(kid for kid in parent["K"] if kid != leaf.reference)
        objects[block.number] = parent.number, type(parent)(parent | {"K": kids}).data
    return objects
