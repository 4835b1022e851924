"""What is drawn beside texts: bars and QR codes."""

from generator.render.worksheet.stamp.draft import Draft
from generator.render.worksheet.stamp.fit import DoesNotFit
from generator.render.worksheet.stamp.harvest import Bar
from generator.render.worksheet.stamp.page import SQUARE, Key, Square
from generator.render.worksheet.stamp.pupil import Pupil
from generator.sheets.codes import squares

PIXELS_IN_MM = 96 / 25.4


def bar_width(draft: Draft, number: int, pupil: Pupil) -> float:
    """The width of a pupil's bar in CSS pixels."""
    text = "".join(draft.piece(one, pupil) for one in draft.bars[number])
    if not text.endswith("mm"):
        raise DoesNotFit(f"a bar is {text!r} wide, expected millimetres")
    return float(text.removesuffix("mm")) * PIXELS_IN_MM


def square_drawn(pupil: Pupil, page: int, like: Square) -> dict[Key, bytes]:
    """The operators of a pupil's QR code on a page; none where the template has none."""
    if not like:
        return {}
    dark, _ = squares(pupil.view.in_square())
    if max(dark)[0] != max(like)[0]:
        raise DoesNotFit("the QR code has another size")
    path = b"\n".join(b"%d %d 1 1 re" % place for place in dark)
    return {(-1, page, SQUARE): path + b"\nf"}


def bar_drawn(bar: Bar, width: float) -> bytes:
    """The operators of a bar; its border lies inside, so that none is narrower than two borders."""
    b = bar.border
    width = max(width, 2 * b)
    outer = (bar.x, bar.y, width, bar.height)
    inner = (bar.x + b, bar.y + b, width - 2 * b, bar.height - 2 * b)
    return b"\n".join(
        (
            b"/Artifact BMC q",
            b"%.6f %.6f %.6f rg" % bar.fill,
            b"%.6f %.6f %.6f %.6f re f" % outer,
            b"%.6f %.6f %.6f rg" % bar.line,
            b"%.6f %.6f %.6f %.6f re" % outer,
            b"%.6f %.6f %.6f %.6f re f*" % inner,
            b"Q EMC",
        )
    )
