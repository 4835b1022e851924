"""What WeasyPrint leaves open in a PDF's structure and PDF/UA asks for: header scopes, list bodies.

Works on the objects of the PDF before they are written; adds nothing that is not in the HTML.
"""

from collections.abc import Iterator
from typing import Any

LIST_PARTS = ("/Lbl", "/LBody")


def mend_tags(document: Any, pdf: Any) -> None:
    """Give each table header its scope, and put each list item's text into a body.

    WeasyPrint calls it, through its `finisher=`, with the laid out document and the PDF.
    """
    for element in list(_elements(pdf)):
        if element["S"] == "/TR":
            _scopes(pdf, element)
        elif element["S"] == "/LI":
            _list_body(pdf, element)


def _elements(pdf: Any) -> Iterator[Any]:
    for one in pdf.objects:
        if isinstance(one, dict) and one.get("Type") == "/StructElem":
            yield one


def _kids(pdf: Any, element: Any) -> list[Any]:
    """The structure elements among the kids; a number is a piece of the page itself."""
    return [pdf.objects[_number(kid)] for kid in element["K"] if isinstance(kid, bytes)]


def _number(reference: bytes) -> int:
    return int(reference.split()[0])


def _scopes(pdf: Any, row: Any) -> None:
    """A header that cells of its own row refer to belongs to the row, any other to its column."""
    cells = _kids(pdf, row)
    used = {key.data for td in cells if td["S"] == "/TD" for key in td["A"].get("Headers", ())}
    for th in cells:
        if th["S"] == "/TH":
            th["A"]["Scope"] = "/Row" if th["ID"].data in used else "/Column"


def _list_body(pdf: Any, item: Any) -> None:
    """Kids that are neither label nor body are put into one new body."""
    kids = dict(zip(list(item["K"]), _kids(pdf, item), strict=True))
    loose = [reference for reference, kid in kids.items() if kid["S"] not in LIST_PARTS]
    if not loose:
        return
    dictionary, array = type(item), type(item["K"])  # of pydyf, as WeasyPrint made them
    body = dictionary({"Type": "/StructElem", "S": "/LBody", "K": array(loose), "Pg": item["Pg"]})
    body["P"] = item.reference
    pdf.add_object(body)
    for reference in loose:
        kids[reference]["P"] = body.reference
    item["K"] = array([*(kid for kid in kids if kid not in loose), body.reference])
