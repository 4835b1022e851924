"""The handbook builds without a warning, leads nowhere that is not there, and is kept."""

import re
from pathlib import Path

import pytest

from generator.site.build import DOCS, PLACE, _built, handbook
from generator.site.record import FILE
from tests.site.links import links

FOREIGN = re.compile(r"https?://|mailto:|data:")


@pytest.mark.ci
def test_it_is_built_once_and_every_link_of_its_own_leads_to_a_file(tmp_path: Path):
    for name in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(name, reason="pip install -r .locked/proofs.txt")
    files = handbook(tmp_path)
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    sources = [*DOCS.glob("*.md"), *(DOCS / "how-to").glob("*.md")]
    assert len(sources) > 20
    made = [Path("docs", page.relative_to(DOCS)).with_suffix(".html") for page in sources]
    assert [page for page in made if page.as_posix() not in files] == []
    wrong = [
        (page.name, link)
        for page in tmp_path.rglob("*.html")
        for link in (link.partition("?")[0] for link in links(page))
        if link and not FOREIGN.match(link) and not (page.parent / link).exists()
    ]
    assert wrong == []
    (tmp_path / "docs/other.html").write_text("what is not ours is not taken for ours")
    assert handbook(tmp_path) == files
    (tmp_path / "docs/index.html").write_text("damaged")
    again = _built(tmp_path / "again", "-W", "--keep-going")  # a complaint would be an error
    kept = {f"{PLACE}/{name}": content for name, content in again.items()}
    assert kept == {name: content for name, content in files.items() if name != f"{PLACE}/{FILE}"}
    assert handbook(tmp_path) == files
