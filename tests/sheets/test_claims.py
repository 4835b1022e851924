"""No false sentence: what a page says of its result is looked up anew in fresh numbers.

Each claim that a page has let through is put to its second witness (`tests/support/witnesses.py`),
which knows nothing of the predicate; a claim that was not let through may not stand on the page.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from html import unescape

import pytest

import generator
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.claims import Claim, Told
from generator.insight.general_claims import GENERAL
from generator.locales.catalogue import load
from generator.render.worksheet.worksheet import planned, printed, view
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.filled import PRESETS
from tests.support.speech import Speech, speeches
from tests.support.witnesses import WITNESSES, Seen

FORMULAS = Formulas()
ELSEWHERE = ("walk.", "workbook.")  # claims that no worksheet says
SENTENCES = 8  # for each preset and language: of every kind, of some two
LEAST_PIECE = 25  # letters by which a phrase is known again
Printed = tuple[Context, str]


@cache
def shipped_claims() -> dict[str, Claim]:
    """All claims that worksheets can say."""
    views = (vars(one).get("claims", {}) for name in SHEETS for one in SERIES[name].view.__mro__)
    every = {key: claim for claims in views for key, claim in claims.items()}
    return {key: claim for key, claim in every.items() if not key.startswith(ELSEWHERE)}


def sheet(name: str, speech: Speech, level: int, *, blank: bool = False) -> Printed | None:
    """A sheet of a sentence with the view that knows what it said; None where it is refused."""
    options = SheetOptions(language=speech.language, level=level)
    try:
        trace, exact = (_computed(speech, rounding) for rounding in (None, "exact"))
        plan = planned(name, trace, options)
    except UserError:
        return None
    context = view(plan, trace, exact, options, FORMULAS, blank=blank)
    return context, printed(context)


def false_claims(context: Context, speech: Speech) -> list[str]:
    """The claims said of which the witness says that they are not true."""
    plan = context.plan
    seen = Seen(_fresh(speech).with_steps(plan.extra), plan)
    return [key for key in sorted(context.catalogue.said) if not WITNESSES[key](seen)]


def unheard(context: Context, html: str) -> list[str]:
    """The claims that stand on a page although nobody let them through."""
    text = words(html)
    phrases, said = context.catalogue.phrases, context.catalogue.said
    silent = [key for key in shipped_claims() if key not in said and key in phrases]
    pieces = {key: longest_piece(phrases[key]) for key in silent}
    found = [key for key, one in pieces.items() if len(one) >= LEAST_PIECE and one in text]
    spoken = [phrase for key, phrase in phrases.items() if key not in silent]
    return [key for key in found if not any(pieces[key] in phrase for phrase in spoken)]


def words(html: str) -> str:
    """What a reader reads, one blank between words."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).replace("\u00ad", "").split())


def longest_piece(phrase: str) -> str:
    """The longest stretch of a phrase without names and letters that are set apart."""
    return max(re.split(r"\{[^}]*\}|d_k", phrase), key=len).strip()


@cache
def _computed(speech: Speech, rounding: str | None) -> Trace:
    return generator.compute(
        speech.sentence or None,
        preset=speech.preset,
        language=speech.language,
        rounding=rounding,
    )


@cache
def _fresh(speech: Speech) -> Trace:
    """The same computation made once more: no page was printed from it."""
    return _computed.__wrapped__(speech, None)


def check(cases: Iterable[tuple[str, Speech, int, bool]]) -> Counter[str]:
    """Print the sheets and hold each claim against its witness; how often each was said."""
    said: Counter[str] = Counter()
    wrong = []
    for name, speech, level, blank in cases:
        if made := sheet(name, speech, level, blank=blank):
            context, html = made
            found = false_claims(context, speech) + unheard(context, html)
            wrong += [(name, level, speech, key) for key in found]
            said.update(context.catalogue.said)
    assert not wrong, "\n".join(map(str, wrong))
    return said


def test_every_claim_has_a_phrase_a_witness_and_another_phrase_that_exists():
    claims = shipped_claims()
    assert len(claims) > 80
    assert set(claims) == set(WITNESSES)
    for language in ("de", "en"):
        phrases = load(language).phrases
        for key, claim in {**claims, **GENERAL}.items():
            assert key in phrases or key == "preset.shows"
            assert not claim.otherwise or claim.otherwise in phrases


@pytest.mark.parametrize("name", SHEETS)
def test_a_page_says_nothing_false(name):
    few = [one for one in speeches(PRESETS, 2) if one.language == "de"]
    cases = [(name, one, 1 + k % 3, bool(k % 2)) for k, one in enumerate(few)]
    assert check(cases) or name in ("bpe", "formulas")


@pytest.mark.sweep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("preset", PRESETS)
def test_no_page_of_any_sentence_says_anything_false(preset, language):
    drawn = [one for one in speeches((preset,), SENTENCES) if one.language == language]
    cases = [
        (name, one, 1 + (k + n) % 3, False) for k, one in enumerate(drawn)
        for n, name in enumerate(SHEETS)
    ]  # fmt: skip
    said = check(cases)
    assert len(said) > 8
    _computed.cache_clear()
    _fresh.cache_clear()


def test_a_claim_that_does_not_hold_is_not_said():
    never = {"sheet.rounding": Claim(lambda trace, plan: False, "sheet.name"),
             "sheet.name": Claim(lambda trace, plan: False)}  # fmt: skip
    trace = _computed(Speech("katze", "de", "own", ""), None)
    catalogue = Told(load("de"), never, trace, None)
    assert catalogue.t("sheet.rounding") == ""
    assert catalogue.only("sheet.name", "Name") == ""
    assert catalogue.t("sheet.class") == "Klasse:"
    assert not catalogue.said
    with pytest.raises(KeyError):
        catalogue.holds("sheet.class")


def test_a_phrase_of_the_teachers_own_is_no_claim():
    own = (("sheet6.story.open", "Am Rad steht „{own}“."),)
    speech = Speech("ausgabe", "de", "own", "")
    options = SheetOptions(texts=own)
    trace = _computed(speech, None)
    context = view(planned("6", trace, options), trace, trace, options, FORMULAS, blank=True)
    assert "Am Rad steht „Matte“." in words(printed(context))
