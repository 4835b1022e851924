"""Sentences about presets that nobody tuned a page to: each is looked up anew, ties above all."""

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from generator.errors import UserError
from generator.notation.shown import number, shown_decimals
from generator.presets.computed import computed
from generator.presets.load import parse
from generator.render.worksheet.worksheet import planned
from generator.sheets.context import Context
from generator.sheets.options import SheetOptions
from generator.sheets.plan import LEVELS
from generator.sheets.series import SHEETS
from tests.sheets.test_claims import FORMULAS, Printed, printed, unheard
from tests.support.covering import first
from tests.support.drawn_presets import PRESETS, drawn_traces
from tests.support.views import view
from tests.support.witnesses import WITNESSES
from tests.support.witnesses.seen import Seen
from tests.support.words import words
from tests.support.workbook import LANGUAGES

FEW, MANY = 10, 50  # presets at once: of all sheets, and of one or two that not each preset fills
AND = {"de": "und", "en": "and"}
ALL_SEEN = {"de": "alle sichtbaren Tokens", "en": "All visible tokens"}
ALL = {"de": "alle Tokens", "en": "All tokens"}
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
QUOTED = {"de": "„{}“", "en": "“{}”"}


def ranges(count: int) -> list[ParameterSet]:
    """The numbers of so many presets at once; the first of them run always."""
    return first(1, [range(k, k + count) for k in range(0, PRESETS, count)])


def solved(
    presets: range, sheets: tuple[str, ...] = SHEETS, levels: tuple[int, ...] = LEVELS
) -> Iterator[Context]:
    """Solved sheets of some drawn presets, not printed yet; languages and levels take turns."""
    for n in presets:
        for k, sheet in enumerate(sheets):
            yield from one(n, sheet, LANGUAGES[(n + k) % 2], levels[(n + k) % len(levels)])


def one(preset: int, sheet: str, language: str, level: int) -> Iterator[Context]:
    """A solved sheet of a drawn preset; nothing where it is refused."""
    options = SheetOptions(language=language, level=level)
    try:
        if both := drawn_traces(preset, language):
            plan = planned(sheet, both[0], options)
            yield view(plan, *both, options, FORMULAS, blank=False)
    except UserError:
        return


def drawn(*given: Any) -> Iterator[Printed]:
    """The same, each with its page."""
    return ((context, printed(context)) for context in solved(*given))


@pytest.mark.parametrize("presets", ranges(FEW))
def test_each_claim_is_true(presets):
    wrong, said = [], set()
    for context, html in drawn(presets):
        seen = Seen(context.trace, context.plan)
        found = [key for key in context.catalogue.said if not WITNESSES[key](seen)]
        name = context.trace.preset.name, context.plan.sheet, context.plan.level
        wrong += [(*name, key) for key in [*found, *unheard(context, html)]]
        said |= context.catalogue.said
    assert not wrong, "\n".join(map(str, wrong))
    assert len(said) > 25


def in_a_row(names: list[str], language: str) -> str:
    """Names as a reader lists them."""
    *head, last = (QUOTED[language].format(name) for name in names)
    return f"{', '.join(head)} {AND[language]} {last}" if head else last


def told_apart(places: list[int], context: Context) -> str:
    """Tokens as a reader lists them, equal ones with their positions."""
    tokens = context.tokens
    told = (str(j).translate(LOWERED) if tokens.count(tokens[j]) > 1 else "" for j in places)
    names = [tokens[j] + place for j, place in zip(places, told, strict=True)]
    return in_a_row(names, context.options.language)


def leading(context: Context, weights: str) -> str:
    """Who gets most of the own row, by the numbers as printed: all, or their names and places."""
    plan, tokens, language = context.plan, context.tokens, context.options.language
    seen = Seen(context.trace, plan)
    shares = dict(zip(plan.visible, seen.row(weights, plan.own, plan.visible), strict=True))
    most = [j for j, share in shares.items() if share == max(shares.values())]
    if len(most) == len(shares) > 2:
        return (ALL if len(most) == len(tokens) else ALL_SEEN)[language]
    return told_apart(most, context)


def furthest(context: Context) -> list[str]:
    """At whom two heads differ most, by the numbers as printed; nobody where all agree."""
    plan, seen = context.plan, Seen(context.trace, context.plan)
    rows = (seen.row(f"block1.head{h}.weights", plan.own, plan.visible) for h in (1, 2))
    gaps = {j: abs(a - b) for j, a, b in zip(plan.visible, *rows, strict=True)}
    most = [j for j, gap in gaps.items() if gap == max(gaps.values()) > 0]
    return [told_apart(most, context)] if most else []


def tied(presets: range) -> Iterator[tuple[str, list[str]]]:
    """What sheets say of who gets most, and the names that have to stand there."""
    for context, html in drawn(presets, ("4a", "slide", "4b"), (3, 2)):
        said, text = context.catalogue.said, words(html)
        if context.plan.sheet != "4b":
            if not {"sheet4a.answer.why.equal", "sheetslide.answer.why"} & said:
                yield text, [leading(context, context.at("weights"))]
        elif 2 in context.plan.computed:
            yield text, [leading(context, "block1.head1.weights"), *furthest(context)]


@pytest.mark.parametrize("presets", ranges(FEW))
def test_who_gets_most_is_everybody_who_does(presets):
    found = [(name, name in text) for text, names in tied(presets) for name in names]
    assert found
    assert [name for name, there in found if not there] == []


def test_the_tales_promise_nothing_that_ties_break():
    """At equal shares no name tag is the brightest, at equal rounds no wheel is divided anew."""
    for language, wrong in (
        ("de", "das meiste vom (hellsten|passendsten)|neu eingeteilt"),
        ("en", "most from the|divided differently"),
    ):
        for sheet in ("4a", "slide", "generate"):
            made = next(context for n in range(30) for context in one(n, sheet, language, 2))
            assert not re.search(wrong, words(printed(made)))


@pytest.mark.parametrize("presets", ranges(MANY))
def test_the_table_of_rates_begins_with_the_loss_that_pupils_know(presets):
    """Computed without rounding, it once said 1.31 below a 1.30."""
    for context, _ in drawn(presets, ("7b",)):
        if not context.has("rates.loss"):
            continue
        seen = Seen(context.trace, context.plan)
        assert seen.number("loss.cross_entropy", 0, 0) == seen.number("rates.loss", 0, 0)
        assert seen.number("loss.probability", 0, 0) == seen.number("rates.chance", 0, 0)


@pytest.mark.parametrize("presets", ranges(MANY))
def test_another_word_without_rounding_is_told(presets):
    """Sheet 6 by the likeliest word, the complete run by the one that the preset takes."""
    told = {
        "de": "Ohne Runden käme „{}“ statt „{}“.",
        "en": "Without rounding it would be “{}”, not “{}”.",
    }
    differing = 0
    for context, html in drawn(presets, ("6", "run")):
        paper, exact = context.trace, context.exact
        if "sampling.next" not in paper:
            continue
        if context.plan.sheet == "run":
            there, here = (str(one["sampling.next"].values[0, 0]) for one in (exact, paper))
        else:
            row, words_ = context.plan.drawn, paper["output.logits"].columns
            there, here = (
                words_[int(np.argmax(np.round(one["output.probabilities"].values[row], 10)))]
                for one in (exact, paper)
            )
        sentence = told[context.options.language].format(there, here)
        assert (sentence in words(html)) == (there != here)
        differing += there != here
    assert differing or presets.stop == PRESETS, "of the last ones none differs"


@pytest.mark.parametrize("presets", ranges(MANY))
def test_every_asked_number_has_room_in_its_box(presets):
    """A power once had 187 characters and was asked for; now the sheet is refused."""
    looked = 0
    for context in solved(presets):
        for name, i, j in context.plan.asked:
            step = context.trace[name]
            if not step.text:
                shown = number(float(step.values[i, j]), shown_decimals(step), "de")
                assert len(shown) <= 12, (context.trace.preset.name, name, shown)
                looked += 1
    assert looked > 1_000


@pytest.mark.parametrize("sheet", ["4a", "4b", "slide"])
def test_powers_that_are_too_long_to_write_are_refused(sheet):
    """The message says the number and what would help; whoever looks for a sheet finds none."""
    text = (files("generator.presets") / "katze.toml").read_text(encoding="utf-8")
    wide = '"block1.head1.weight.query" = [[60, 0], [0, 60], [0, 0], [0, 0]]'
    old = '"block1.head1.weight.query" = "select d1 d2"'
    assert old in text
    preset = parse(text.replace(old, wide), "wide.toml")
    trace = computed(None, preset=preset, rounding="exact")
    with pytest.raises(UserError, match=r"would ask for .* 10.+12 characters.*--only xlsx"):
        planned(sheet, trace, SheetOptions())


@pytest.mark.parametrize("presets", ranges(MANY))
def test_no_part_of_nothing(presets):
    """Where ReLU crosses out nothing, "0 of 4" is no finding."""
    zero = {"de": "hier 0 von", "en": "here 0 of"}
    pages = list(drawn(presets, ("5",)))
    assert len(pages) > 5
    for context, html in pages:
        assert zero[context.options.language] not in words(html)
