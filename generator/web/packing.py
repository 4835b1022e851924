"""What was made, as one zip, and which of its files are opened first."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from generator.output import write

RESULT = "set.zip"  # what an order leaves in its folder
NO_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold: same files, same bytes
# What is opened first: its folder, then its names, the likelier ones first.
PAPERS = {
    "print": ("hand-out", "class-exam", "class-blank", "worksheets-blank", "*-blank"),
    "keep": ("teacher", "expectation", "solutions", "worksheets-solution", "*-solution"),
    "report": (".", "class"),
}
WORKBOOK = Path("hand-out", "workbook-exercise.xlsx")  # that of one set


def pack(folder: Path, made: str) -> None:
    """Put what was made below the folder into its zip."""
    write({folder / RESULT: zipped(folder / made)})


def papers(folder: Path) -> dict[str, str]:
    """By what it is for: all that is printed, all solutions, the report of marks, the workbook.

    Where there is a single sheet, it is its own file.
    """
    found = {}
    for what, (place, *patterns) in PAPERS.items():
        files = [
            one for pattern in patterns for one in sorted((folder / place).glob(f"{pattern}.pdf"))
        ]
        if files:
            found[what] = files[0].relative_to(folder).as_posix()
    if (folder / WORKBOOK).exists():
        found["workbook"] = WORKBOOK.as_posix()
    return found


def zipped(folder: Path) -> bytes:
    """The files of a folder as one zip, the same bytes for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in _files(folder):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), NO_DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            packed.writestr(entry, path.read_bytes())
    return out.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())
