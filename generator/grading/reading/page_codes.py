"""The codes that are printed on a form's pages: the foot of each says whose it is.

Only text as we write it is read (two bytes a sign, each with its letter in the font's ToUnicode
table); on a page that a program has drawn anew none is found, which says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.render.worksheet.pdf_libraries import pikepdf

CODE = re.compile(r"(?:[0-9A-Z]+-)?[2-9A-HJ-NP-Z]{8}")
_LETTERS = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_LETTER = re.compile(rb"<([0-9a-fA-F]{4})>\s*<([0-9a-fA-F]{4})>")
SHOWING = "Tf TJ Tj"


def codes_on(pdf: pikepdf.Pdf) -> list[list[str]]:
    """What may be a code, page by page; no page has another one's word on it by chance."""
    return [
        sorted({word for text in _texts(page) for word in text.split() if CODE.fullmatch(word)})
        for page in pdf.pages
    ]


def _texts(page: pikepdf.Page) -> Iterator[str]:
    """The texts that a page shows, each as it was written in one go."""
    fonts = {name: _table(font) for name, font in page.resources.get("/Font", {}).items()}
    letters: dict[bytes, str] = {}
    for instruction in pikepdf.parse_content_stream(page, SHOWING):
        operands = instruction.operands
        if str(instruction.operator) == "Tf":
            letters = fonts.get(str(operands[0]), {})
        else:
            yield "".join(letters.get(sign, "") for sign in _signs(operands[0]))


def _signs(shown: pikepdf.Object) -> Iterator[bytes]:
    parts = shown if isinstance(shown, pikepdf.Array) else [shown]
    for part in parts:
        if isinstance(part, pikepdf.String):
            data = bytes(part)
            yield from (data[k : k + 2] for k in range(0, len(data), 2))


def _table(font: pikepdf.Object) -> dict[bytes, str]:
    """The letter of each sign of a font."""
    if "/ToUnicode" not in font:
        return {}
    blocks = _LETTERS.findall(font.ToUnicode.read_bytes())
    return {
        bytes.fromhex(sign.decode()): chr(int(letter, 16))
        for block in blocks
        for sign, letter in _LETTER.findall(block)
    }
