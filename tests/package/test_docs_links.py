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
