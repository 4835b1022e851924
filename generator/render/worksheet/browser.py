"""A PDF through the browser that is there: Chrome, Edge or Chromium prints a page without a window.

For computers without Pango, such as most of those in schools. The browser has a profile of its own
for a moment, is told of no network, and what it says of the time is taken out: the same page and
the same browser give the same bytes.

Also here:

* A page laid out in five times its size, and the PDF of it made small again.
* Leaves of many as one file without Pango: HTML, or what a browser prints of it.
"""

from __future__ import annotations

import io
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from generator.errors import NO_ROOM, UserError, message, refused
from generator.output import write_scratch
from generator.render.worksheet.binding import page_count, saved, starts_of_book
from generator.render.worksheet.edition import EditionPage, joined
from generator.render.worksheet.pdf_libraries import pikepdf
from generator.resources import table

OWN = "PAPERFORMER_BROWSER"  # names another program, where the browser is somewhere else
PATIENCE = 120  # seconds; a page takes about one, a class's file some
OLDEST = 135  # the first version that says, and so does, all that the pages' margins need
TABLES = table("render/worksheet/browser.toml")
PLACES: Mapping[str, list[str]] = TABLES["places"]
QUIET: list[str] = TABLES["print"]["options"]


class BrowserMissing(UserError):
    """No browser that can print a PDF is where browsers usually are."""

    def __init__(self) -> None:
        super().__init__(message("browser.missing", variable=OWN))


def found(platform: str = sys.platform, env: Mapping[str, str] = os.environ) -> Path | None:
    """The browser's program; None where there is none in the usual places."""
    if own := env.get(OWN):
        return Path(own)
    return next((path for path in _places(platform, env) if path.is_file()), None)


def _places(platform: str, env: Mapping[str, str]) -> Iterator[Path]:
    if platform == "win32":
        folders = [Path(env[folder]) for folder in PLACES["windows_folders"] if folder in env]
        for path in PLACES["windows"]:
            yield from (folder.joinpath(*path.split("\\")) for folder in folders)
    elif platform == "darwin":
        folders = [Path("/Applications"), Path(env.get("HOME", "/"), "Applications")]
        for name in PLACES["macos"]:
            yield from (one / f"{name}.app/Contents/MacOS" / name for one in folders)
    else:
        known = (shutil.which(name, path=env.get("PATH")) for name in PLACES["linux"])
        yield from map(Path, filter(None, known))


@cache
def require() -> Path:
    """The browser's program, `BrowserMissing` where there is none."""
    browser = found()
    if browser is None:
        raise BrowserMissing
    return browser


@cache
def version() -> str:
    """What prints here, as its files name it, such as "Skia/PDF m156"; as `to_pdf` raises."""
    with pikepdf.open(io.BytesIO(to_pdf(b"<p>", "the browser's version"))) as book:
        return str(book.docinfo["/Producer"])


def to_pdf(page: bytes, where: str) -> bytes:
    """An HTML file that stands alone as PDF, tagged, its headings as bookmarks.

    Raises `BrowserMissing`, and `UserError` naming `where` for a browser that is too old, does not
    start or does not end.
    """
    browser, own = require(), Path.home() / "snap" / "chromium" / "common"
    # A browser from a snap may only read and write in a folder of its own.
    place = own if "snap" in browser.resolve().parts and own.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="paperformer-", dir=place) as name:
        folder = Path(name)
        try:
            write_scratch(folder / "page.html", enlarged(page.decode()).encode())
        except OSError as error:
            raise UserError(f"{where}: no room in {folder}: {error.strerror}; {NO_ROOM}") from error
        _print(browser, folder, where)
        return _settled((folder / "page.pdf").read_bytes(), browser, where)


def _print(browser: Path, folder: Path, where: str) -> None:
    profile, pdf = folder / "profile", folder / "page.pdf"
    # As root, as in a container, Chromium starts only without its sandbox.
    as_root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    options = [*QUIET, *as_root, f"--user-data-dir={profile}", f"--print-to-pdf={pdf}"]
    command = [str(browser), *options, (folder / "page.html").as_uri()]
    try:
        run = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False
        )
    except OSError as error:
        raise UserError(f"{where}: {browser} does not start: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        names = {"browser": browser, "patience": PATIENCE}
        raise refused("browser.slow", where=where, **names) from error
    if run.returncode or not pdf.is_file():
        said = run.stderr.decode(errors="replace").strip().splitlines()
        last_words = f": {said[-1]}" if said else ""
        raise UserError(f"{where}: {browser} printed nothing (code {run.returncode}){last_words}")


def _settled(pdf: bytes, browser: Path, where: str) -> bytes:
    """The PDF without the time at which it was made."""
    with pikepdf.open(io.BytesIO(pdf)) as book:
        version = re.search(r"Skia/PDF m(\d+)", str(book.docinfo.get("/Producer", "")))
        if not version or int(version[1]) < OLDEST:
            found = version[1] if version else "unknown"
            raise refused("browser.old", where=where, browser=browser, found=found, oldest=OLDEST)
        for name in ("/CreationDate", "/ModDate", "/Creator"):
            if name in book.docinfo:
                del book.docinfo[name]
        _renumber(book)
        reduced(book)
        return saved(book, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def _renumber(book: pikepdf.Pdf) -> None:
    """Name the structure's elements by their order: a browser names them as it came upon them."""
    dictionaries = (one for one in book.objects if isinstance(one, pikepdf.Dictionary))
    elements = [one for one in dictionaries if "/ID" in one and "/S" in one]
    names = {str(one.ID): f"node{k:08}" for k, one in enumerate(elements, start=1)}
    for one in _containers(book.objects):
        for place in range(len(one)) if isinstance(one, pikepdf.Array) else list(one.keys()):
            if isinstance(one[place], pikepdf.String) and str(one[place]) in names:
                one[place] = pikepdf.String(names[str(one[place])])
    if elements:
        pairs = [part for one in elements for part in (one.ID, one)]
        book.Root.StructTreeRoot.IDTree = pikepdf.Dictionary(Names=pikepdf.Array(pairs))


def _containers(objects: Iterable[Any]) -> Iterator[Any]:
    """The arrays and dictionaries among some objects, and those that lie directly in one."""
    for one in objects:
        if isinstance(one, (pikepdf.Array, pikepdf.Dictionary)):
            yield one
            held = list(one) if isinstance(one, pikepdf.Array) else list(one.values())
            yield from _containers(part for part in held if not getattr(part, "is_indirect", False))


FINE = 5
A4 = (210.0, 297.0)  # mm
STYLE, END = "<style>", "</style>"
_BOXES = ("/MediaBox", "/CropBox", "/TrimBox", "/BleedBox", "/ArtBox")
_PLACES = ("/Rect", "/QuadPoints")  # of a link


def enlarged(page: str) -> str:
    """An HTML file that stands alone, everything in it `FINE` times as large, its paper too."""
    import tinycss2

    before, begin, behind = page.partition(STYLE)
    css, end, body = behind.partition(END)
    fonts, at, rules = css.partition("@page")  # fonts come first, and are long
    tokens = tinycss2.parse_component_value_list(at + rules)
    _enlarge(tokens)
    css = f"{fonts}{tinycss2.serialize(tokens)}\nhtml {{ zoom: {FINE}; }}\n"
    return f"{before}{begin}{css}{end}{body}"


def _enlarge(tokens: list[Any]) -> None:
    """Enlarge the paper that rules ask for, in millimetres, or A4 upright or "landscape"."""
    from tinycss2 import parse_component_value_list

    for k, token in enumerate(tokens):
        if isinstance(getattr(token, "content", None), list):
            _enlarge(token.content)
        if token.type == "ident" and token.value == "size":
            stop = next(n for n in range(k, len(tokens)) if tokens[n] == ";")
            value = tokens[k:stop]
            sides = [one.value for one in value if one.type == "dimension"] or A4
            across = any(one.type == "ident" and one.value == "landscape" for one in value)
            wide, high = reversed(sides) if across else sides
            paper = f": {FINE * wide:g}mm {FINE * high:g}mm"
            tokens[k + 1 : stop] = parse_component_value_list(paper)


def reduced(book: pikepdf.Pdf) -> None:
    """Make the pages of such a file as large as they are meant, with their links and bookmarks."""
    for page in book.pages:
        page.contents_add(b"%g 0 0 %g 0 0 cm" % (1 / FINE, 1 / FINE), prepend=True)
        page.contents_coalesce()  # one text of a page, as those expect who write on it
        _shrink(page.obj, _BOXES)
        for link in page.obj.get("/Annots", ()):
            _shrink(link, _PLACES)
    for one in _containers(book.objects):  # goals of links and bookmarks
        if isinstance(one, pikepdf.Array) and len(one) == 5 and one[1] == pikepdf.Name.XYZ:
            one[2], one[3] = _small([one[2], one[3]])


def _shrink(one: Any, names: Iterable[str]) -> None:
    for name in names:
        if name in one:
            one[name] = pikepdf.Array(_small(one[name]))


def _small(numbers: Iterable[Any]) -> list[float]:
    return [round(float(number) / FINE, 3) for number in numbers]


EMPTY = (
    "<!DOCTYPE html><html><head></head><body>"
    '<section class="leaf"><p>\N{NO-BREAK SPACE}</p></section></body></html>'
)


def book(pages: Sequence[EditionPage], titles: Sequence[str], title: str, *, odd: bool) -> bytes:
    """The pages as one tagged PDF, its outline these titles; with `odd` each begins on a front."""
    printed = to_pdf(joined(pages, title).encode(), title)
    firsts = _firsts(printed, pages, title)
    lengths = [end - first for first, end in itertools.pairwise([*firsts, page_count(printed)])]
    if odd and any(length % 2 for length in lengths[:-1]):
        filled: list[EditionPage] = []
        for page, length in zip(pages, [*lengths[:-1], 0], strict=True):
            filled += [page, page._replace(html=EMPTY, anchor="")] if length % 2 else [page]
        printed = to_pdf(joined(filled, title).encode(), title)
        firsts = _firsts(printed, pages, title)
    with pikepdf.open(io.BytesIO(printed)) as opened:
        with opened.open_outline() as outline:  # these titles, in place of the headings
            outline.root[:] = [
                pikepdf.OutlineItem(title, place)
                for title, place in zip(titles, firsts, strict=True)
                if title
            ]
        return saved(opened)


def _firsts(pdf: bytes, pages: Sequence[EditionPage], what: str) -> list[int]:
    """The place, from 0, of each document's first page: that of its first heading."""
    first_pages, counts = starts_of_book(pdf), [page.html.count("<h1") for page in pages]
    if len(first_pages) != sum(counts):
        raise refused("browser.leaves", what=what, found=len(first_pages), wanted=sum(counts))
    return [first_pages[sum(counts[:k])] - 1 for k in range(len(counts))]
