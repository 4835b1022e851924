"""Which words have random numbers stands on the sheets that show embeddings."""

import pytest

from tests.support.sheets import html_of

SHEETS = ("2", "3", "4a", "6")
SAID = {
    "de": ("Alle Embeddings sind hier Zufallszahlen.", "sind Zufallszahlen", " und "),
    "en": ("All embeddings here are random numbers.", "are random numbers", " and "),
}


def info(sheet: str, preset: str, language: str, sentence: str | None) -> str:
    """The info leaf of a sheet."""
    page = html_of(sheet, preset, language, sentence=sentence, level=2, part="info")
    return " ".join(page.replace("\n", " ").split())


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("language", SAID)
def test_all_some_or_no_words_are_drawn(sheet, language):
    every, some, joint = SAID[language]
    assert every in info(sheet, "katze", language, "Heute scheint die Sonne")
    assert every in info(sheet, "random", language, None)
    known = {"de": "Die Katze sitzt", "en": "The cat sits"}[language]
    mixed = info(sheet, "katze", language, f"{known} xa xb xc")
    quoted = [{"de": f"„{word}“", "en": f"“{word}”"}[language] for word in ("xa", "xb", "xc")]
    assert f"{quoted[0]}, {quoted[1]}{joint}{quoted[2]} {some}" in mixed
    assert every not in mixed
    one = info(sheet, "katze", language, f"{known} xa {known}")
    assert f" {quoted[0]} {some}" in one
    own = info(sheet, "katze", language, None)
    assert every not in own
    assert some not in own
