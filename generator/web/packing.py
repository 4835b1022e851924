"""What was made, as one zip, and which of its files are opened first."""

import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Reversible
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO

from generator.locales.catalogue import load
from generator.output import write, zipped
from generator.render.worksheet.worksheet import environment
from generator.resources import table

RESULT = "set.zip"  # what an order leaves in its folder
# What is opened first: its folder, then its names, the likelier ones first.
PAPERS = {
    "print": ("hand-out", "class-exam", "class-blank", "worksheets-blank", "*-blank"),
    "conductor": ("teacher", "conductor", "*-conductor"),
    "cards": ("hand-out", "cards", "*-cards"),
    "slides": ("teacher", "slides-projector"),
    "keep": ("teacher", "expectation", "solutions", "worksheets-solution", "*-solution"),
    "plan": ("teacher", "plan"),
    "report": (".", "class"),
}
# The workbook of one set; a class's marks as the page shows them.
BESIDE = {"workbook": "hand-out/workbook-exercise.xlsx", "look": "class.html"}
WORKBOOKS = "workbooks.zip"  # those of a class


def pack(folder: Path, made: str, language: str) -> None:
    """Put what was made below the folder into its zip, with a text that says what is what."""
    paths = sorted(path for path in (folder / made).rglob("*") if path.is_file())
    files = {path.relative_to(folder / made).as_posix(): path for path in paths}
    write({folder / RESULT: zipped({**contents(files, load(language).t), **files})})


def contents(paths: Reversible[str], t: Callable[..., str]) -> dict[str, bytes]:
    """A text on what the files of a zip are, by its name; none where nothing is known."""
    kinds: dict[str, str] = table("web/contents.toml")
    first = {next(filter(PurePosixPath(path).match, kinds), ""): path for path in reversed(paths)}
    told = [(first[kind], phrase) for kind, phrase in kinds.items() if kind in first]
    text = environment().get_template("web/contents.txt.j2").render(t=t, files=told)
    return {t("web.contents.name"): text.replace("\n", "\r\n").encode("utf-8-sig")} if told else {}


def papers(folder: Path) -> dict[str, str]:
    """By what it is for: all that is printed, all solutions, the report of marks, the workbook.

    Papers for planning, and all of a room, by their names.

    Where there is a single sheet, it is its own file. As HTML a set has no file with all: its
    sheets are "print", "print-2" and so on.
    """
    found = dict[str, Path]()
    for what, (place, *patterns) in PAPERS.items():
        names = (f"{pattern}.{kind}" for pattern in patterns for kind in ("pdf", "html"))
        files = [one for name in names for one in sorted((folder / place).glob(name))]
        found |= _numbered(what, _first(files, *patterns))
    if "print" not in found:  # one pupil's
        found |= _numbered("print", sorted(folder.glob("hand-out/*/*-blank.pdf")))
    found |= {what: folder / path for what, path in BESIDE.items() if (folder / path).exists()}
    more = ("planning/*", "hand-out/*", "teacher/*conductor")[: 3 if "conductor" in found else 1]
    found |= {one.stem: one for name in more for one in sorted(folder.glob(f"{name}.pdf"))}
    found |= {"workbooks": folder / WORKBOOKS} if any(folder.glob("hand-out/*/*.xlsx")) else {}
    return {what: file.relative_to(folder).as_posix() for what, file in found.items()}


def opened(packed: Path, path: str) -> bytes:
    """A file of the zip, or those of a class's workbooks in a zip of their own."""
    with zipfile.ZipFile(packed) as made:
        if path != WORKBOOKS:
            return made.read(path)
        books = [one for one in made.namelist() if one.startswith("hand-out/")]
        return zipped({one: made.read(one) for one in books if one.endswith(".xlsx")})


def of_class(upload: IO[bytes], wanted: Collection[str], most: int) -> dict[str, bytes]:
    """Files of a class's zip by their names, those that are wanted; none of what is no zip."""
    found: dict[str, bytes] = {}
    none = suppress(zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError)
    with none, zipfile.ZipFile(upload) as packed:
        for one in packed.infolist():
            name = one.filename.rpartition("/")[2]
            if name in wanted and name not in found and one.file_size <= most:
                found[name] = packed.read(one)
    return found


def plain_name(name: str) -> str:
    """The end of a file's name, without what could lead elsewhere, end a line or turn the text."""
    return re.sub(r"[^\w.,()+ -]", "_", re.split(r"[/\\]", name)[-1])[-60:]


def page_count(path: Path) -> int:
    """How many pages a PDF has; 0 for another file."""
    if path.suffix != ".pdf":
        return 0
    import pikepdf

    with pikepdf.open(path) as document:
        return len(document.pages)


def _numbered(what: str, files: list[Path]) -> dict[str, Path]:
    return {what if k == 1 else f"{what}-{k}": file for k, file in enumerate(files, 1)}


def _first(files: list[Path], *patterns: str) -> list[Path]:
    """The likeliest of these files, and where that is one of several HTML sheets, all of them."""
    if files and files[0].suffix == ".html" and files[0].match(f"{patterns[-1]}.html"):
        whole = [one for one in files if one.stem in patterns]
        return whole[:1] or list(dict.fromkeys(files))
    return files[:1]
