"""What LibreOffice does when entries are typed by keys: files edited by a program do not show it.

A formula can be typed wherever a number can. What is no number is asked about, and where it is kept
all the same, the verdict beside it or the head of the tab says so.
"""

from collections.abc import Iterator, Mapping

import pytest

from generator.checks.verdict import NO_NUMBER, NOT_YET, WRONG
from tests.support.office import Office, has_window
from tests.support.pupil import desk
from tests.support.workbook import LANGUAGES, Place, played

pytestmark = [
    pytest.mark.ci,
    pytest.mark.skipif(not has_window(), reason="windows need: apt-get install libreoffice-calc"),
]
ASKED, REFUSED = "cancel ok", "ok"
DRAWN = 37  # each so many of the asked cells
GIVEN = ("block1.head1.weight.query", "block1.head2.weight.key", "vocabulary.embedding")
CONTROLS = ("temperature", "sampling.p", "sampling.random")


@pytest.fixture(scope="module")
def window() -> Iterator[Office]:
    with Office(window=True) as running:
        yield running


def entry(place: Place, text: str, look: Place, *, keep: bool = True) -> Mapping[str, object]:
    return {"sheet": place[0], "cell": place[1], "text": text, "keep": keep, "look": look}


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_may_be_formulas_and_what_is_no_number_is_told(
    language: str, window: Office
) -> None:
    made = desk("katze", 2, language)
    asked = [cell for cell in sorted(made.plan.asked) if not made.trace[cell[0]].text]
    judged = [cell for cell in asked if not made.exercise.guard(cell)]  # lack nothing before
    numbers = sorted({*asked[::DRAWN], *judged[:2]})
    assert judged
    typed, expected = [], []
    for cell in numbers:
        place, verdict = made.entry(cell), made.verdict(cell)
        typed += [entry(place, text, verdict) for text in ("=7*11*13", "=1/2", "abc", "1E+09")]
        typed += [entry(place, "abc", verdict, keep=False), entry(place, "31", verdict)]
        expected += [ASKED] * 5 + [""]
    found = window.typed(made.filled({}), typed)
    assert [one["buttons"] for one in found] == expected
    groups = zip(*[iter(found)] * 6, strict=True)
    for cell, (first, second, text, huge, dropped, number) in zip(numbers, groups, strict=True):
        assert (first["formula"], second["formula"]) == ("=7*11*13", "=1/2")
        assert (text["formula"], huge["formula"], dropped["formula"]) == ("abc", "1000000000", "")
        if cell in judged:
            assert (text["shown"], huge["shown"], dropped["shown"]) == (NO_NUMBER, WRONG, NOT_YET)
        assert number["formula"] == "31"


@pytest.mark.parametrize("language", LANGUAGES)
def test_inputs_may_be_formulas_and_what_is_no_number_is_told(
    language: str, window: Office
) -> None:
    made = played("katze", language=language)
    places = [made.input(name) for name in (*GIVEN, *CONTROLS)]
    said = made.layout.warning
    texts = ("=1/2", "abc")
    typed = [entry(place, text, said) for place in places for text in texts]
    found = window.typed(made.xlsx, typed)
    assert {one["buttons"] for one in found} == {ASKED}
    for formula, text in zip(found[::2], found[1::2], strict=True):
        assert (formula["formula"], formula["shown"]) == ("=1/2", "")
        assert (text["formula"], text["shown"] != "") == ("abc", True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_choice_from_a_list_takes_no_formula(language: str, window: Office) -> None:
    made = desk("katze", 2, language)
    places = (made.experiment, made.focus)
    typed = [entry(place, text, place) for place in places for text in ("=1+1", "2")]
    found = window.typed(made.xlsx, typed)
    assert [one["buttons"] for one in found] == [REFUSED, ""] * len(places)
