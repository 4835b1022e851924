"""A class without Pango: nothing is lost, in HTML for any browser, in PDFs by Chrome or Edge."""

import io
import re
from pathlib import Path

import pikepdf
import pytest

import generator
from generator.errors import UserError
from generator.render.worksheet import browser
from tests.cli.command import run
from tests.support.browser_print import needs_a_browser
from tests.support.sheets import text

LEAF = re.compile(r'<section style="page: leaf[0-9-]+" (class="leaf.*?</section>)', re.DOTALL)
PAPERS = (
    "hand-out/class-1-blank", "hand-out/class-4a-blank", "hand-out/class-blank",
    "hand-out/4a-self-attention-info", "teacher/4a-self-attention-solution",
    "teacher/board", "teacher/check", "teacher/solutions",
)  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("html") / "class"
    made = generator.batch(2, folder, only=["html"], sheets=["1", "4a"], seed="without Pango")
    assert (made.made, made.problems) == (2, [])
    return folder


def codes(place: Path) -> list[str]:
    found = sorted(path.name for path in (place / "hand-out").iterdir() if path.is_dir())
    assert len(found) == 2
    return found


def test_a_class_in_html_has_every_paper(place: Path):
    for name in PAPERS:
        html = (place / f"{name}.html").read_text(encoding="utf-8")
        assert html.count("<main>") == html.count("</html>") == 1, name
        assert "http" not in html.replace("http://www.w3.org/", ""), name
    assert (place / "teacher/answer-key.xlsx").is_file()


def test_the_copiers_html_has_the_leaves_of_the_pupils_own_files_and_nothing_else(place: Path):
    book = LEAF.findall((place / "hand-out/class-4a-blank.html").read_text(encoding="utf-8"))
    own = {
        code: (place / f"hand-out/{code}/4a-self-attention-blank.html").read_text(encoding="utf-8")
        for code in codes(place)
    }
    assert sorted(book) == sorted(leaf for html in own.values() for leaf in LEAF.findall(html))
    assert len(book) == 2


def test_each_pupils_pages_count_from_1_and_a_sheets_styles_are_its_own(place: Path):
    html = (place / "hand-out/class-blank.html").read_text(encoding="utf-8")
    names = re.findall(r'<section style="page: (leaf[0-9-]+)"', html)
    assert len(set(names)) == len(names) == 2 + 2 * 2, "info leaves once, two work leaves a pupil"
    counters = re.findall(r"counter-increment: (sheet\d+) leaf", html)
    assert len(set(counters)) == len(names)
    assert html.count(":where(.of1) {") == html.count(":where(.of2) {") == 1
    assert html.count("@font-face") == 4, "fonts once, not once a pupil"


def test_the_index_leads_to_each_pupil_in_the_same_file(place: Path):
    html = (place / "teacher/solutions.html").read_text(encoding="utf-8")
    for code in codes(place):
        assert html.count(f'<a href="#{code}">{code}</a>') == 1
        assert f'id="{code}"' in html
    assert html.index('<table class="check index">') < html.index('id="')


def test_what_a_browser_cannot_make_is_said(tmp_path: Path):
    with pytest.raises(UserError, match="no form fields"):
        generator.write(generator.compute(), tmp_path, only=["pdf"], sheets=["1"], fillable=True,
                        variant="blank", pdf_by="chromium")  # fmt: skip
    with pytest.raises(UserError, match="'firefox'"):
        generator.write(generator.compute(), tmp_path, pdf_by="firefox")


@pytest.mark.ci
@needs_a_browser
def test_without_pango_a_browser_makes_the_class(tmp_path: Path):
    (tmp_path / "libpango-1.0.so.0").touch()  # found first by the loader, and no library
    program = tmp_path / "chrome"  # as on a computer on which the browser has its own libraries
    program.write_text(f'#!/bin/sh\nunset LD_LIBRARY_PATH\nexec "{browser.found()}" "$@"\n')
    program.chmod(0o755)
    environment = {"LD_LIBRARY_PATH": str(tmp_path), browser.OWN: str(program)}
    asked = ("--only", "pdf", "--sheets", "bpe", "--info", "none", "--seed", "s", "--out", "class")
    done = run("batch", "2", *asked, cwd=tmp_path, **environment)
    assert done.returncode == 0, done.stderr
    assert "as Pango is not installed" in done.stderr
    assert "no fillable forms" in done.stderr, "what is less good is named"
    place = tmp_path / "class"
    solutions = (place / "teacher/solutions.pdf").read_bytes()
    for code in codes(place):
        (leaf,) = (place / "hand-out" / code).glob("*.pdf")
        assert code in text(leaf.read_bytes())
    with pikepdf.open(io.BytesIO(solutions)) as pdf, pdf.open_outline() as outline:
        assert sorted(item.title.partition(" ")[0] for item in outline.root) == codes(place)
    with pikepdf.open(place / "hand-out/class-bpe-blank.pdf") as pdf, pdf.open_outline() as outline:
        places = [list(pdf.pages).index(pikepdf.Page(i.destination[0])) for i in outline.root]
    assert len(places) == 2
    assert not any(place % 2 for place in places), "each begins on the front of a sheet"
