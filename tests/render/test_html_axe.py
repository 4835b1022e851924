"""Every sheet's HTML by axe-core, on a desktop and on a phone; three of them in each long run."""

import pytest

from generator.sheets.options import VARIANTS, SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.chromium import complaints, needs_axe, needs_chromium
from tests.support.filled import filling
from tests.support.sheets import traces
from tests.support.views import render

OFTEN = (("4a", "de", "solution"), ("7b", "en", "blank"), ("slides", "en", "blank"))
ALL = [
    (sheet, language, variant)
    for sheet in SHEETS
    for language in ("de", "en")
    for variant in SERIES[sheet].kind.variants(VARIANTS)
]
pytestmark = [needs_chromium, needs_axe]


@pytest.mark.parametrize(
    "cases", [pytest.param(OFTEN, marks=pytest.mark.ci), pytest.param(ALL, marks=pytest.mark.whole)]
)
def test_axe_finds_nothing_on_a_sheet(browser, cases):
    page, found = browser.new_page(), {}
    for sheet, language, variant in cases:
        both = traces(filling(sheet), language)
        options = SheetOptions(language=language)
        page.set_content(render(sheet, *both, options, kind="html", variant=variant).decode())
        found[sheet, language, variant] = complaints(page)
    page.close()
    assert not any(found.values()), {case: told for case, told in found.items() if told}
