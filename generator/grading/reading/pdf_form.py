"""What stands in the fields of a PDF, whichever program filled and saved it."""

import datetime
import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import pikepdf

from generator.grading.reading.raw import LONGEST, NotOurs

MOST_FIELDS, DEEPEST = 5_000, 20
MOST_PAGES = 200
# What a pen, a text box or a stamp leaves on a page, beside the fields.
WRITTEN = ("/Ink", "/FreeText", "/Stamp", "/Line", "/Square", "/Circle", "/Polygon", "/PolyLine")
_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'?(\d\d)?'?)?")


class Form(NamedTuple):
    """The fields that hold something; `identifier` is where our mark may stand.

    `fields` says how many there are in all, `written` how many notes are on the pages beside them,
    `mended` whether the file was damaged, so that some of it may be lost.
    """

    identifier: str
    changed: str | None
    entries: dict[str, str]
    fields: int
    written: int
    mended: bool


def form_in(data: bytes) -> Form:
    """The form of a PDF; `NotOurs` for one that cannot be opened or has absurdly many parts."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            form_fields = list(islice(_fields(pdf.Root.get("/AcroForm"), "", 0), MOST_FIELDS))
            return Form(
                identifier=_identifier(pdf),
                changed=_changed(pdf),
                entries={name: text for name, text in form_fields if text.strip()},
                fields=len(form_fields),
                written=_written(pdf),
                mended=bool(pdf.get_warnings()),
            )
    except pikepdf.PasswordError as error:
        raise NotOurs("it has a password; save it without one") from error
    except (pikepdf.PdfError, RecursionError, TypeError, ValueError, KeyError) as error:
        raise NotOurs("it is a damaged PDF; ask for it again, or mark it by hand") from error


def _fields(node: Any, above: str, depth: int) -> Iterator[tuple[str, str]]:
    """Name and content of each field below a form or a group of fields."""
    if node is None or depth > DEEPEST:
        return
    name = ".".join(part for part in (above, str(node.get("/T", ""))) if part)
    inner = node.get("/Fields" if depth == 0 else "/Kids", ())
    kids = [kid for kid in inner if depth == 0 or "/T" in kid]
    if depth and not kids:
        yield name, _typed(node.get("/V"))
    for kid in kids:
        yield from _fields(kid, name, depth + 1)


def _typed(value: Any) -> str:
    """The text of a field: programs write it as a string, a name, or a stream of text."""
    if isinstance(value, pikepdf.Stream):
        return value.read_bytes().decode("utf-8", errors="replace")[:LONGEST]
    if isinstance(value, pikepdf.Array):
        return ""
    return "" if value is None else str(value)[:LONGEST]


def _identifier(pdf: pikepdf.Pdf) -> str:
    """The keywords, by the document's information or by its metadata."""
    texts = [str(pdf.docinfo.get("/Keywords", ""))]
    if "/Metadata" in pdf.Root:
        texts.append(pdf.Root.Metadata.read_bytes()[:20_000].decode("utf-8", errors="replace"))
    return "\n".join(texts)


def _changed(pdf: pikepdf.Pdf) -> str | None:
    """When a program says that it saved the file (ISO 8601)."""
    match = _DATE.match(str(pdf.docinfo.get("/ModDate", "")))
    if not match:
        return None
    *parts, hours, minutes = match.groups()
    zone = f"{hours}:{minutes or '00'}" if hours else "+00:00"
    text = "{}-{}-{}T{}:{}:{}".format(*parts) + zone
    try:
        return datetime.datetime.fromisoformat(text).isoformat()
    except ValueError:
        return None


def _written(pdf: pikepdf.Pdf) -> int:
    """How many marks of a pen, texts and stamps lie on the pages."""
    if len(pdf.pages) > MOST_PAGES:
        raise NotOurs(f"it has {len(pdf.pages)} pages")
    notes = (note for page in pdf.pages for note in page.get("/Annots", ()))
    return sum(str(note.get("/Subtype", "")) in WRITTEN for note in notes)
