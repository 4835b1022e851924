"""All that can be read out of a file: text, names, metadata, comments, whatever is packed in."""

import html
import io
import zipfile
from collections.abc import Iterator

import pikepdf

from tests.support.sheets import text


def readable(path: str, content: bytes) -> str:
    """A file's path and everything in it as one text."""
    if path.endswith(".pdf"):
        return "\n".join([path, text(content), *_pdf(content)])
    if path.endswith(".xlsx"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            comments = [
                archive.comment.decode(),
                *(one.comment.decode() for one in archive.filelist),
            ]
            members = [(name, archive.read(name).decode()) for name in archive.namelist()]
        return "\n".join(
            [path, *comments, *(f"{name}\n{html.unescape(xml)}" for name, xml in members)]
        )
    return f"{path}\n{content.decode('utf-8', errors='replace')}"


def _pdf(content: bytes) -> Iterator[str]:
    """Every string, name and stream of a PDF: outline, metadata, alternative texts, all of it."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        for thing in [*pdf.objects, pdf.trailer]:
            yield from _strings(thing)


def _strings(thing: object) -> Iterator[str]:
    if isinstance(thing, pikepdf.Stream):
        if thing.get("/Subtype") not in ("/Image", "/CIDFontType0C", "/OpenType"):
            yield thing.read_bytes().decode("latin-1")
            yield thing.read_bytes().decode("utf-8", errors="ignore")
        thing = thing.stream_dict
    if isinstance(thing, pikepdf.Dictionary):
        for name, value in thing.items():
            yield name
            yield from _inside(value)
    elif isinstance(thing, pikepdf.Array):
        for value in thing:
            yield from _inside(value)
    elif isinstance(thing, pikepdf.String | pikepdf.Name | str):
        yield str(thing)


def _inside(value: object) -> Iterator[str]:
    """What stands in place; what is referred to has its own turn."""
    if not (isinstance(value, pikepdf.Object) and value.is_indirect):
        yield from _strings(value)
