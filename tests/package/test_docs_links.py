"""Each link of the documentation to a file of ours leads to one."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
CODE = re.compile(r"`((?:[\w-]+/)*\w+\.(?:py|j2|css))`")
OF_AUTHORS = {"sheets/sheet7/macros.j2"}  # in a folder that the reader writes
FILES = [
    f"/{path.relative_to(ROOT).as_posix()}"
    for folder in ("generator", "templates", "tests", "docs")
    for path in (ROOT / folder).rglob("*.*")
]
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


def missing(page: Path) -> list[str]:
    return [
        link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path):
    assert missing(page) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_file_of_code_that_a_page_names_is_there(page: Path):
    """By its name, or by the end of its path."""
    named = set(CODE.findall(page.read_text("utf-8"))) - OF_AUTHORS
    assert {name for name in named if not any(one.endswith(f"/{name}") for one in FILES)} == set()


def test_files_of_code_are_named_at_all():
    assert sum(len(CODE.findall(page.read_text("utf-8"))) for page in PAGES) > 100


def test_links_are_found_at_all():
    assert sum(len(LINK.findall(page.read_text("utf-8"))) for page in PAGES) > 50


@pytest.mark.parametrize(
    "page", [one for one in PAGES if "docs" in one.parts], ids=lambda page: page.name
)
def test_a_page_of_the_handbook_leads_to_no_markdown_outside(page: Path):
    """As a site the handbook has only its own pages."""
    targets = [(page.parent / link).resolve() for link in LINK.findall(page.read_text("utf-8"))]
    outside = [one for one in targets if not one.is_relative_to(ROOT / "docs")]
    assert [one for one in outside if one.suffix == ".md" or one.is_dir()] == []
