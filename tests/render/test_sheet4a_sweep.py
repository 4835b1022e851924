"""Sheet 4a for many sentences: nothing off the page, no warning, no leak."""

import hashlib
import re

import pytest

from generator.sheets.options import SheetOptions
from generator.sheets.sheet4a import plan as sheet4a
from tests.support.battery import blank_does_not_hang_on_answers
from tests.support.sheets import Cells, html, pdf, pictures, traces

WORDS = re.findall(
    r"\S+",
    "Der Die das Hund Katze sitzt schläft auf unter dem Tisch Matte und ein eine alte weiße "
    "Straßenbahnhaltestelle Donaudampfschifffahrt läuft . , ! ? 1/2 =1+1 TRUE <b> {{7*7}} Äpfel",
)
CASES = [(k, ("brille", "katze", "random")[k % 3]) for k in range(40)]


def sentence(k: int) -> str:
    """A drawn sentence of three to eight words."""
    digest = hashlib.sha256(f"sheet4a|{k}".encode()).digest()
    return " ".join(WORDS[b % len(WORDS)] for b in digest[1 : 4 + digest[0] % 6])


@pytest.mark.sweep
@pytest.mark.parametrize(("k", "preset"), CASES)
def test_any_sentence_fits_the_page_and_leaks_nothing(k, preset):
    level, language = 1 + k % 3, ("de", "en")[k % 2]
    trace, exact = traces(preset, language, sentence(k))
    if len(trace.tokens) > 12:
        trace, exact = traces(preset, language, " ".join(trace.tokens[:7]))
    options = SheetOptions(language=language, level=level)
    plan = sheet4a.plan(trace, level)
    blank_does_not_hang_on_answers("4a", trace, exact, options)
    blank = html(trace, exact, options, blank=True)
    boxes = {cell for cell, ask, _ in Cells(blank).found if ask}
    assert boxes
    assert boxes <= plan.asked
    for picture in pictures(pdf(trace, exact, options, "solution"), dpi=50):
        ink = (picture < 250).any(axis=2)
        assert not ink[:, : round(18 / 210 * picture.shape[1])].any()
        assert not ink[:, round(200 / 210 * picture.shape[1]) :].any()
