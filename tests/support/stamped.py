"""Stamped pages for tests: pupils with numbers of their own, and what two PDFs differ in."""

import io
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pikepdf

import generator
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import SheetOptions
from tests.support.memo import once
from tests.support.sheets import pictures

WORK = SheetOptions(part="work", teacher=False, code="K7QX2MPD")
DPI = 100
VISIBLE = 96  # of 255: a weaker difference is anti-aliasing, of dark rules at their corners


def pupil(
    k: int,
    sheet: str = "4a",
    options: SheetOptions = WORK,
    exercise: int | None = None,
    **more: object,
) -> PrintedSheet:
    """A pupil with other embeddings than the others, another code and perhaps an own token."""
    edits = {
        "vocabulary.embedding[2,1]": round(-1.5 + 0.1 * (k % 31), 1),
        "vocabulary.embedding[1,3]": round(0.9 - 0.2 * (k % 7), 1),
        "vocabulary.embedding[4,2]": round(0.7 - 0.1 * (k % 11), 1),
    }
    given = {"preset": "katze", **more}
    both = (generator.compute(edits=edits, rounding=one, **given) for one in (None, "exact"))
    code = f"ABCDEF{2 + k % 8}{chr(65 + k // 8 % 26)}"
    if exercise is not None:
        both = (replace(one, exercise=exercise) for one in both)
    return PrintedSheet(sheet, *both, replace(options, code=code))


def in_full(own: PrintedSheet, variant: str) -> bytes:
    """The same sheet laid out by WeasyPrint, which is the reference."""
    named = own.sheet, own.trace, own.exact, own.options, variant
    return once(lambda: own.file(variant=variant), *named)


def different_pixels(one: bytes, other: bytes) -> list[int]:
    """For each page how many pixels differ visibly."""
    pages = zip(pictures(one, DPI), pictures(other, DPI), strict=True)
    return [int((np.abs(a.astype(int) - b) > VISIBLE).any(axis=2).sum()) for a, b in pages]


def structure(document: bytes) -> list[tuple[object, ...]]:
    """The structure for screen readers: depth, role, alternative text, header, is text."""
    with pikepdf.open(io.BytesIO(document)) as pdf:
        return [one for kid in pdf.Root.StructTreeRoot.K for one in _elements(kid, 0)]


def problems(document: bytes) -> list[str]:
    """What qpdf finds wrong with a file."""
    with pikepdf.open(io.BytesIO(document)) as pdf:
        check = getattr(pdf, "check_pdf_syntax", None) or pdf.check
        return list(check())


def _elements(element: pikepdf.Object, depth: int) -> Iterator[tuple[object, ...]]:
    kids = list(element.get("/K", []))
    attributes = element.get("/A", {})
    yield (
        depth,
        str(element.S),
        str(element.get("/Alt", "")),
        str(attributes.get("/Scope", "")),
        [
            str(header).split("-")[1:] for header in attributes.get("/Headers", [])
        ],  # table-row-column
        any(isinstance(kid, int) for kid in kids),
    )
    for kid in kids:
        if isinstance(kid, pikepdf.Dictionary):
            yield from _elements(kid, depth + 1)
