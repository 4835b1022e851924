"""Where the pages of a folder lead to."""

import re
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r'\b(?:href|src)="([^"]*)"')
IN_STYLE = re.compile(r'url\("([^"]*)"\)')


def links(page: Path) -> list[str]:
    """What a page or a style sheet points to, anchors of its own left out."""
    text = page.read_text("utf-8")
    found = [*LINK.findall(text), *(IN_STYLE.findall(text) if page.suffix == ".css" else [])]
    return [unquote(link.partition("#")[0]) for link in found if not link.startswith("#")]


def broken(folder: Path) -> list[str]:
    """Links that do not lead to a file below the folder by a relative path."""
    pages = [*folder.rglob("*.html"), *folder.rglob("*.css")]
    assert pages
    return [
        f"{page.relative_to(folder)}: {link}"
        for page in pages
        for link in links(page)
        if not _leads(page, link, folder)
    ]


def _leads(page: Path, link: str, folder: Path) -> bool:
    place = (page.parent / link).resolve()
    relative = "//" not in link and not link.startswith("/")
    return relative and place.is_file() and place.is_relative_to(folder.resolve())
