"""A class without Pango: nothing is lost, in HTML for any browser, in PDFs by Chrome or Edge."""

import io
import json
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

# A browser of another version: what it prints says so.
LATER = """"$BROWSER" "$@"
for asked; do case $asked in --print-to-pdf=*) pdf=${{asked#*=}};; esac; done
sed -i 's,{version},Skia/PDF m999,' "$pdf"
"""
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


def script(path: Path, lines: str) -> Path:
    """A program in the place of the browser."""
    path.write_text(f'#!/bin/sh\nBROWSER="{browser.found()}"\n{lines}\n')
    path.chmod(0o755)
    return path


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
    # As on a computer on which the browser has its own libraries.
    program = script(tmp_path / "chrome", 'unset LD_LIBRARY_PATH; exec "$BROWSER" "$@"')
    environment = {"LD_LIBRARY_PATH": str(tmp_path), browser.OWN: str(program)}
    asked = ("--only", "pdf", "--sheets", "bpe", "--info", "none", "--seed", "s", "--out", "class")
    done = run("batch", "2", *asked, cwd=tmp_path, **environment)
    assert done.returncode == 0, done.stderr
    assert "as Pango is not installed" in done.stderr
    assert "no fillable forms" in done.stderr, "what is less good is named"
    exam = run("exam", "4", cwd=tmp_path, **environment)
    assert (exam.returncode, exam.stderr.count("need the system library Pango")) == (1, 1)
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
    remembers_its_browser(place, asked, tmp_path)


def remembers_its_browser(place: Path, asked: tuple[str, ...], tmp_path: Path) -> None:
    """Where Pango is, a pupil's files come again from the browser; another one does not go on."""
    manifest = json.loads((place / "teacher/manifest.json").read_bytes())
    made_with, code = manifest["made_with"], codes(place)[0]
    assert made_with["browser"] == browser.version()
    assert "weasyprint" not in made_with
    assert manifest["settings"]["worksheet"]["pdf_by"] == "chromium"
    again = generator.reissue(place / "teacher/manifest.json", code, tmp_path / "again")
    assert [path.read_bytes() for path in again] == [
        path.read_bytes() for path in (place / "hand-out" / code).iterdir()
    ]
    further = run("batch", "3", *asked, "--resume", cwd=tmp_path)
    assert "pdf_by was 'chromium', is 'weasyprint'" in further.stderr
    later = script(tmp_path / "later", LATER.format(version=browser.version()))
    asked = (*asked, "--resume", "--pdf-by", "chromium")
    further = run("batch", "3", *asked, cwd=tmp_path, **{browser.OWN: str(later)})
    assert f"browser was '{browser.version()}', is 'Skia/PDF m999'" in further.stderr
