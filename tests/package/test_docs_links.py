"""Each link of the documentation to a file of ours leads to one."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


def missing(page: Path) -> list[str]:
    return [
        link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path):
    assert missing(page) == []


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
