"""The fonts inside an HTML file: cut to the characters of European languages and of mathematics.

Each file has its own, so that it looks the same on a stick, in a mail and in a tablet's preview,
where a file beside it would not be found; cut they take 0.2 MB of it, not 2.2. A text that needs
more brings the whole fonts along. `python -m docs.cut_fonts` makes the files.
"""

import base64
from functools import cache

from generator.resources import templates
from generator.sheets.fonts import CODE, HANZI, MATHS, STACK, TEXT, Face, font_bytes, missing_glyphs

CUTS = {
    "SourceSans3-Regular.ttf": "PaperformerSans-Regular.woff2",
    "SourceSans3-It.ttf": "PaperformerSans-It.woff2",
    "SourceSans3-Semibold.ttf": "PaperformerSans-Semibold.woff2",
    "SourceSans3-Bold.ttf": "PaperformerSans-Bold.woff2",
    "STIXTwoMath-Regular.ttf": "PaperformerSymbols-Regular.woff2",
    "SourceCodePro-Regular.ttf": "PaperformerCode-Regular.woff2",
}
# Latin, Greek, punctuation, indices, currencies, letters as symbols, arrows, mathematics, shapes.
KEPT = (
    (0x20, 0x17F), (0x18F, 0x18F), (0x192, 0x192), (0x218, 0x21B), (0x259, 0x259), (0x2B0, 0x2FF),
    (0x300, 0x30C), (0x327, 0x328), (0x386, 0x3CE), (0x3D1, 0x3D5), (0x1E9E, 0x1EF9),
    (0x2000, 0x209F), (0x20A0, 0x20BF), (0x2100, 0x214F), (0x2190, 0x23FF), (0x25A0, 0x27EF),
)  # fmt: skip


def kept(character: str) -> bool:
    """Whether the cut fonts have a character that the whole ones have."""
    return any(first <= ord(character) <= last for first, last in KEPT)


def embedded_font_face_css(text: str) -> str:
    """The @font-face rules for an HTML file that stands alone, with the fonts inside.

    The mathematical font and the Chinese one come along only where `text` has a character that
    needs them; formulas do not, they are drawings. That of programs comes with one.
    """
    faces = [*TEXT, *([CODE] if "<code" in text else [])]
    for face in (MATHS, HANZI):
        lacking = missing_glyphs(text, faces)
        if len(missing_glyphs("".join(lacking), [face])) < len(lacking):
            faces.append(face)
    cut = all(map(kept, set(text) - {"\n", "\t"}))
    return "\n".join(_rule(face, _address(face.file, cut)) for face in faces)


def linked(html: str, address: str) -> str:
    """An HTML file that stands alone, its fonts no longer inside but below an address.

    So a page that is shown again and again loads them once.
    """
    for face in STACK:
        for cut in (True, False):
            html = html.replace(_address(face.file, cut), address + face.file)
    return html


def cut_bytes(file: str) -> bytes:
    """A cut font file, by its own name; raises KeyError for a file that is not one of them."""
    if file not in CUTS.values():
        raise KeyError(file)
    return (templates() / "fonts" / file).read_bytes()


def _rule(face: Face, address: str) -> str:
    return (
        f'@font-face {{ font-family: "{face.family}"; font-style: {face.style}; '
        f'font-weight: {face.weight}; src: url("{address}"); }}'
    )


@cache
def _address(file: str, cut: bool) -> str:
    if cut and file in CUTS:
        return _data("font/woff2", cut_bytes(CUTS[file]))
    return _data("font/ttf", font_bytes(file))


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"
