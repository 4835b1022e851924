"""French from one folder: the main series as HTML, PDF and workbooks, nothing edited elsewhere."""

import html
import re
import zipfile
from pathlib import Path

import pytest
from ironcalc import create

import generator
from generator.classroom.pupils.roster import read
from generator.cli import main
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.locales.locale import locale_of
from generator.make import Request, make
from generator.notation.excel import in_language
from generator.notation.shown import grouped, number, percent
from generator.presets.load import load_preset
from generator.resources import table
from generator.sheets.options import SheetOptions
from tests.support.french import marked

SERIES = ("1", "2", "3", "4a", "4b", "5", "6")
ONLY_IN_EXCEL = {"NORMDIST", "RANK"}  # IronCalc has no French for these two
_WORD = re.compile(r"[^\W\d_]{3,}")


@pytest.fixture(scope="module")
def made(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The files of the series, HTML and workbooks, by their names."""
    place = tmp_path_factory.mktemp("made")
    trace = generator.compute(preset="katze", language="fr")
    request = Request(only=("html", "xlsx"), sheets=SERIES, worksheet=SheetOptions(level=1))
    done = make(trace, request, place)
    assert not done.problems
    return {path.name: path for path in done.paths}


def english() -> set[str]:
    """Words with an e in the phrases of the shipped languages."""
    texts = [text for code in ("de", "en") for text in load(code).phrases.values()]
    words = {word for text in texts for word in _WORD.findall(re.sub(r"<[^>]*>|{[^}]*}", "", text))}
    return {word for word in words if "e" in word}


@pytest.mark.ci
def test_every_word_of_the_worksheets_is_the_folder_s(made: dict[str, Path]):
    pages = [path for name, path in made.items() if name.endswith(".html")]
    assert len(pages) > 2 * len(SERIES)
    for page in pages:
        text = page.read_text("utf-8")
        spoken = " ".join(re.findall(r'(?:alt|title|aria-label)="([^"]*)"', text))
        shown = re.sub(r"<style.*?</style>|<[^>]*>", " ", text, flags=re.S)
        said = html.unescape(f"{shown} {spoken}")
        for curriculum in table("sheets/curriculum.toml").values():  # names are not translated
            said = said.replace(curriculum["short"], "")
        found = _WORD.findall(said)
        assert "thé" in found
        foreign = set(found) & english() - {"katze"}  # what a teacher orders by
        assert foreign == set(), page.name
        assert '<html lang="fr">' in text


def test_numbers_and_signs_are_french(made: dict[str, Path]):
    page = made["4a-self-attention-solution.html"].read_text("utf-8")
    assert re.search(r"\d,\d\d? × \d,\d", re.sub("<[^>]*>", "", page))
    assert number(-1.5, 2, "fr") == "−1,50"
    assert grouped(124439808, "fr") == "124\u202f439\u202f808"
    assert percent(0.25, 0, "fr") == "25\u202f%"


def test_the_workbooks_show_french_functions_and_store_english_ones(made: dict[str, Path]):
    texts = {
        name: zipfile.ZipFile(made[f"workbook-{name}.xlsx"]) for name in ("exercise", "solution")
    }
    parts = {
        name: " ".join(book.read(one).decode() for one in book.namelist() if one.endswith(".xml"))
        for name, book in texts.items()
    }
    assert re.search(r"= ARRONDI\(SOMMEPROD\([^)]*; [^)]*\); \d\)", parts["exercise"])
    for text in parts.values():
        stored = " ".join(re.findall(r"<f[^>]*>([^<]*)</f>", text))
        assert "ROUND(" in stored
        assert "ARRONDI(" not in stored
        found = set(_WORD.findall(" ".join(re.findall(r"<t[^>]*>([^<]*)</t>", text))))
        assert "thé" in found


def test_a_sheet_as_pdf(folder: Path, tmp_path: Path):
    out = ["--only", "pdf", "--sheets", "4a", "--variant", "blank", "--out", str(tmp_path)]
    assert main(["make", "--language", str(folder), *out]) == 0
    assert list(tmp_path.rglob("4a-*.pdf"))


@pytest.mark.whole
def test_the_series_as_pdf(folder: Path, tmp_path: Path):
    out = ["--only", "pdf", "--sheets", ",".join(SERIES), "--out", str(tmp_path)]
    assert main(["make", "--language", str(folder), *out]) == 0
    assert len(list(tmp_path.rglob("*-solution.pdf"))) == len(SERIES) + 1


def test_excel_s_french_functions():
    names = locale_of("fr").spreadsheet.functions
    book = create("book", "fr", "UTC", "fr")
    for name in names.keys() - ONLY_IN_EXCEL:
        _switch(book, "en")
        book.set_user_input(0, 1, 1, f"={name}(B1)")
        _switch(book, "fr")
        assert book.get_cell_content(0, 1, 1) == f"={names[name]}(B1)"
    assert in_language("=ROUND(A1*0.5,2)", "fr") == "=ARRONDI(A1*0,5;2)"


def _switch(book, code: str) -> None:
    book.set_language(code)
    book.set_locale(code)


def test_shipped_presets_speak_it_where_the_folder_has_their_words(folder: Path):
    katze = load_preset("katze")
    assert katze.sentences["fr"] == "Le chat reste sur un tapis"
    trace = generator.compute("Die Katze", preset="katze", language="fr")
    assert trace.tokens == ("Le", "chat")
    with pytest.raises(UserError, match="'mental' has no language 'fr'; it has: de, en"):
        generator.compute(preset="mental", language="fr")


def test_a_folder_changes_no_preset_s_content_hash(folder: Path, monkeypatch):
    there = load_preset("katze")
    monkeypatch.delenv("PAPERFORMER_LANGUAGES")
    without = load_preset("katze")
    assert there.sha256 == without.sha256
    assert "fr" not in without.sentences


def test_phrases_of_the_sample_are_taken_as_they_are(folder: Path):
    phrases = load("fr").phrases
    assert phrases["whatif.self"] == "soi-même"
    assert phrases["sheet.page"] == marked(load("en").phrases["sheet.page"])
    assert main(["presets", "what-if", "katze", "--language", str(folder)]) == 0


def test_a_french_class_list(folder: Path, tmp_path: Path):
    file = tmp_path / "4e.csv"
    file.write_text("Numéro;Prénom;Nom;Langue\n7;Zoé;Petit;Français\n8;Max;Roth;de\n", "utf-8")
    zoe, max_ = read(file)
    assert (zoe.id, zoe.name, zoe.language) == ("7", "Zoé Petit", "fr")
    assert max_.language == "de"
