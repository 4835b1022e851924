"""A page of a worksheet as a tree of elements: what changes a page works on it, not on its text."""

from collections.abc import Iterator, Set

import lxml.html
from lxml.html import HtmlElement

parsed = lxml.html.document_fromstring  # the tree of a whole page or of a part of one


def written(tree: HtmlElement) -> str:
    """The page of a tree, as HTML."""
    html: str = lxml.html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>")
    return html


def classes(element: HtmlElement) -> set[str]:
    """The classes of an element."""
    return set(element.get("class", "").split())


def of_class(tree: HtmlElement, names: Set[str]) -> Iterator[HtmlElement]:
    """The elements that have one of these classes, in order."""
    return (one for one in tree.iter("*") if not names.isdisjoint(classes(one)))


def numbers(tree: HtmlElement) -> list[HtmlElement]:
    """The elements that hold the number of a task, in order."""
    return [one for one in tree.iter("b") if one.get("class") == "no" and one.text.isdecimal()]


def inner(element: HtmlElement) -> str:
    """What stands between an element's tags, as HTML."""
    whole: str = lxml.html.tostring(element, encoding="unicode", with_tail=False)
    return whole.partition(">")[2].rpartition("</")[0]
