"""The exam edition of a page: what helps, checks or is done together is taken out.

It is made from the page of the lesson, so that there is no second copy of a sheet.
"""

from generator.engine.step import Cell
from generator.sheets.page_tree import numbers, of_class, parsed, written
from generator.sheets.worth import mark_light

# Checks, what comes next, hints, the story, what pupils say of themselves; and `lesson`: what a
# class shares, and drawings, which have no marks. And squares: they stand with the cover, so that
# no page of a paper has nothing but squares; in large print the cover has no room for them.
HELP = frozenset({"probe", "next", "hints", "story", "told", "stations", "skills", "lesson"})
LEFT_OUT = HELP | {"scratch"}
BLOCKS = ("p", "div", "aside", "table")


def edition(html: str, asked: frozenset[Cell], *, squares: bool = False) -> str:
    """A work leaf without what an exam leaves out; tasks are numbered anew, asked cells count."""
    tree = parsed(html)
    for element in list(of_class(tree, HELP if squares else LEFT_OUT)):
        if element.tag in BLOCKS and element.getparent() is not None:
            element.drop_tree()
    for number, element in enumerate(numbers(tree), start=1):
        element.text = str(number)
    mark_light(tree, asked)
    return written(tree)
