"""No false sentence: what a page says of its result is looked up anew in fresh numbers.

Each claim that a page has let through is put to its second witness (`tests/support/witnesses`),
which knows nothing of the predicate; a claim that was not let through may not stand on the page.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

import pytest

import generator
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.claims import GENERAL, CheckedCatalogue, Claim
from generator.locales.catalogue import load
from generator.render.walk.pages import pages
from generator.render.workbook.layout.start_layout import shows
from generator.render.worksheet.worksheet import planned, printed
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.filled import PRESETS
from tests.support.speech import Speech, speeches
from tests.support.views import view
from tests.support.witnesses import WITNESSES
from tests.support.witnesses.attention import heads_mix
from tests.support.witnesses.seen import Seen
from tests.support.words import words

FORMULAS = Formulas()
ELSEWHERE = ("walk.", "workbook.")  # claims that no worksheet says
SENTENCES = 6  # for each preset and language: one of every kind
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
    """Print the sheets and hold each claim against its witness; how often each was said.

    Under "" stands how many sheets there were.
    """
    said: Counter[str] = Counter()
    wrong = []
    for name, speech, level, blank in cases:
        if made := sheet(name, speech, level, blank=blank):
            context, html = made
            found = false_claims(context, speech) + unheard(context, html)
            wrong += [(name, level, speech, key) for key in found]
            said.update([*context.catalogue.said, ""])
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
    said = check(cases)
    assert said[""] >= 1
    own = [key for key in shipped_claims() if key.startswith(f"sheet{name}.")]
    assert not own or any(said[key] for key in own)


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


WALKED = {  # what walk says of the model, and when
    "walk.paper": lambda trace: trace.rounding == "paper",
    "walk.chosen": lambda trace: not trace.preset.meaningful,
    "walk.say.weight.output": lambda trace: heads_mix(Seen(trace, None)),
    "walk.say.weight.hidden": lambda trace: trace.preset.d_ff > trace.preset.d_model,
    "walk.say.hidden": lambda trace: trace.preset.d_ff > trace.preset.d_model,
}


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("preset", PRESETS)
def test_walk_says_nothing_false(preset, language):
    for speech in (one for one in speeches((preset,), 4) if one.language == language):
        try:
            trace = _computed(speech, None)
        except UserError:
            continue
        text = str(pages(trace, load(language)))
        phrases = load(language).phrases
        for key, true in WALKED.items():
            assert true(trace) or phrases[key] not in text, (speech, key)
        told = trace.preset.shows.get(language)
        assert not told or (told in text) == WITNESSES["preset.shows"](Seen(trace, None)), speech


def test_walk_and_start_tab_have_no_other_claims():
    assert set(GENERAL) - set(shipped_claims()) == {*WALKED, "workbook.start.chosen"}


def test_what_a_preset_shows_is_told_only_where_it_is_to_be_seen(preset, sentence, seen):
    trace = generator.compute(sentence, preset=preset, language="de")
    text = trace.preset.shows["de"]
    assert (text in str(pages(trace, load("de")))) == seen
    whole = generator.compute(sentence, preset=preset, language="de", controls=True)
    tab = " ".join(shows(whole, load("de")))
    assert (tab == text) == seen
    assert tab == text or not tab
    if made := sheet("4a", Speech(preset, "de", "own", sentence), 2):
        assert (text in words(made[1])) == seen


def test_drawn_or_changed_numbers_are_not_called_learned():
    trained = "Die Zahlen sind gelernt"
    for sentence, edits in (
        ("Die Katze sitzt auf dem Meer", {}),
        ("Die Katze sitzt auf der", {"block1.head1.weight.query[1,1]": 0.3}),
    ):
        trace = generator.compute(sentence, preset="katze-trained", language="de", edits=edits)
        text = str(pages(trace, load("de")))
        assert trained not in text
        assert load("de").t("walk.chosen") not in text
    assert trained in str(pages(generator.compute(preset="katze-trained"), load("de")))


def test_a_claim_that_does_not_hold_is_not_said():
    never = {"sheet.rounding": Claim(lambda trace, plan: False, "sheet.name"),
             "sheet.name": Claim(lambda trace, plan: False)}  # fmt: skip
    trace = _computed(Speech("katze", "de", "own", ""), None)
    catalogue = CheckedCatalogue(load("de"), never, trace, None)
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
