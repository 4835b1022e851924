"""What is stored beside each formula every program computes anew; so do two nobody ever tuned to.

Drawn edits, alone and together, are computed alike by LibreOffice and IronCalc, Gnumeric and
HyperFormula (which is typed into, like a program that is open): each edit in every one of them.
Gnumeric and HyperFormula are extra test tools: without them these tests are skipped and say how to
install them. In English where numbers stand inside texts, for a program spells them with its own
decimal sign.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import NamedTuple

import pytest

from generator.checks.exercise import Exercise
from generator.checks.verdict import NO_NUMBER
from generator.engine.choices import STRATEGIES
from generator.engine.model import compute
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.notation.excel import Functions
from generator.plans.workbook import plan
from generator.presets.language import in_language
from generator.presets.load import load_preset
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.layout import WORDS_COLUMN
from tests.reference.options import Draws
from tests.support.engines import (
    differing,
    gnumeric_tables,
    gnumeric_values,
    hyperformula_values,
    live,
    same,
    typed_values,
)
from tests.support.office import Office
from tests.support.pupil import Desk, desk
from tests.support.recalculate import Typed, Value, Values, ironcalc_values, libreoffice_values
from tests.support.workbook import LANGUAGES, book, closeness, compare, made_of, played

QUERY = "block1.head1.weight.query"
SPELLED_LONG = 0.54  # Gnumeric joins it to a text as 0.54000000000000000002
PROGRAMS: Mapping[str, Callable[[bytes], Values]] = {
    "Gnumeric": gnumeric_values,
    "HyperFormula": hyperformula_values,
}
CELL_AND_FORMULA = re.compile(r"([A-Z]+\d+): (=.*)")


@pytest.mark.parametrize(
    ("preset", "rounding", "rounds", "level"),
    [
        ("katze", "paper", 3, 2),
        pytest.param("random", "exact", 2, 3, marks=pytest.mark.ci),
        pytest.param("nihao", "paper", 2, 1, marks=pytest.mark.ci),
        pytest.param("katze-trained", "exact", 3, 3, marks=pytest.mark.ci),
        *(
            pytest.param(name, "paper", 1, 2, marks=pytest.mark.ci)
            for name in ("brille", "paris", "ausgabe", "mental")
        ),
    ],
)
def test_two_programs_compute_what_is_stored(
    preset: str, rounding: str, rounds: int, level: int, office: Office
) -> None:
    """Numbers and texts; an empty text is stored as an empty cell."""
    english = in_language(load_preset(preset), "en")
    trace = compute(english, rounding=rounding, rounds=rounds, controls=True)
    files = [book(trace, "en"), Desk(trace, level, "en")]
    for one, found in zip(files, libreoffice_values([x.bare for x in files], office), strict=True):
        stored = {
            sheet: {cell: one.cached[sheet].get(cell, "") for cell in cells}
            for sheet, cells in one.formulas.items()
        }
        for values in (found, one.values()):
            wrong = differing(stored, values, closeness(trace))
            assert not wrong, (len(wrong), wrong[:5])


@pytest.mark.ci
@pytest.mark.parametrize("program", PROGRAMS)
def test_gelu_is_a_function_that_they_know_too(program: str) -> None:
    """NORMSDIST takes two arguments in HyperFormula; an error would be shown all the way down."""
    preset = replace(load_preset("katze"), activation="gelu")
    one = made_of(preset, "en")
    values = PROGRAMS[program](one.bare)
    home = one.layout.home("block1.activation")
    for i, j in home.cells():
        value = values[home.sheet][home.cell(i, j)]
        assert value == pytest.approx(one.trace[home.step].values[i, j], abs=1e-6)
    assert "NORMDIST(" in one.formulas[home.sheet][home.cell(0, 0)]


def test_words_of_a_later_round_wait_with_their_numbers() -> None:
    trace = compute(load_preset("katze"), rounds=2, controls=True)
    bare = Exercise(trace, plan(trace, 2).asked).without_numbers()
    assert set(bare["round2.block1.head1.query"].rows) == {""}
    assert bare["block1.head1.query"].rows == trace.tokens


@pytest.mark.ci
def test_texts_hold_numbers_as_short_as_they_are_and_round_ties_alike() -> None:
    preset = in_language(load_preset("random"), "en")
    edits = {f"{QUERY}[{i},{j}]": SPELLED_LONG for i in (1, 2, 3, 4) for j in (1, 2)}
    tie = "0.45 × (−1.10) + (−0.30) × (−1.60) ≈ −0.02"  # −0.015
    for changes, spelled in ((None, (tie,)), (edits, ("0.54 × ", "× 0.54"))):
        made = made_of(preset, "en", rounding="exact", edits=changes)
        texts = {
            sheet: {c: cells[c] for c in made.formulas[sheet] if isinstance(cells.get(c), str)}
            for sheet, cells in made.cached.items()
        }
        joined = " ".join(text for cells in texts.values() for text in cells.values())
        assert any(one in joined for one in spelled)
        for values in (gnumeric_values(made.xlsx), made.values()):
            assert not differing(texts, values)


@pytest.mark.ci
@pytest.mark.parametrize("program", PROGRAMS)
def test_an_exercise_is_judged_alike(program: str) -> None:
    made = desk()
    names = ("head1.scores", "head1.sum", "head2.scores")
    scores, total, other = ((f"block1.{name}", made.plan.own, 0) for name in names)
    entered = {**made.right, scores: made.right[scores] + 1, other: "0.5"}
    xlsx = made.filled({**entered, total: Typed(f"={made.right[total]!r}*1")})
    values, known = PROGRAMS[program](xlsx), ironcalc_values(xlsx)
    assert sorted(set(made.verdicts(known).values())) == [-2, -1, 0, 1]
    assert made.verdicts(values) == made.verdicts(known)
    wrong = differing(values, known)
    assert not wrong, (len(wrong), wrong[:3])


@pytest.mark.ci
def test_a_pupil_types_in_a_german_program() -> None:
    """Numbers with a comma and formulas with German functions count; a point makes a text."""
    made = desk()
    point, wrong = [cell for cell in made.right if cell[0] == "block1.head2.query"]
    entered = {**made.right, point: "0.5", wrong: made.right[wrong] + 1}
    typed = {
        cell: x if isinstance(x, str) else f"{x:g}".replace(".", ",") for cell, x in entered.items()
    }
    for cell in (cell for cell in entered if cell[0].startswith("block1.head1.")):
        address = made.layout.addresses(made.layout.home(cell[0]))
        typed[cell] = Functions(address, "de").formula(made.trace.cell(*cell))
    assert len([x for x in typed.values() if "RUNDEN" in x or "SUMME" in x]) >= 4
    session = {made.entry(cell): text for cell, text in typed.items()}
    session[made.layout.setting_inputs["judge"]] = f"'{made.catalogue.t('workbook.judge.once')}"
    verdicts = made.verdicts(live(made.xlsx, [session], "de")[0])
    assert verdicts[point] == NO_NUMBER
    assert verdicts == made.expected(entered)


@pytest.mark.ci
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_tabs_say_in_functions_can_be_typed_in(language: str) -> None:
    """The grey line "F12: =RUNDEN(…)" typed into that cell of a program in that language."""
    made = played("katze", "Die Katze sitzt auf der Matte", language)
    shown, typed = made.cached, defaultdict[str, dict[str, Value]](dict)
    for title, line in made.lines:
        rows = [str(shown[title].get(at(row, WORDS_COLUMN), "")).strip() for row in line.functions]
        if rows:  # a formula may go over several
            found = CELL_AND_FORMULA.fullmatch("".join(rows))
            assert found, line.step
            typed[title][found[1]] = found[2]
    values = typed_values(shown, typed, language)
    told = [(title, name) for title, cells in values.items() for name in cells]
    assert len(told) >= 50
    for title, name in told:
        wanted = shown[title][name]
        assert same(values[title][name], wanted), (title, name, typed[title][name], wanted)


# Drawn edits, alone and together, in four programs ---------------------------------------------

DIGITS = re.compile(r"\d+")
TYPED = (".weight.", ".bias.", "embedding", "output.matrix", ".gain", ".beta")


class Drawn(NamedTuple):
    """How many edits are drawn for a workbook: preset, language, arithmetic."""

    preset: str
    language: str
    rounding: str
    edits: int


WORKBOOKS = (
    Drawn("ausgabe", "de", "paper", 20),
    Drawn("brille", "en", "exact", 14),
    Drawn("paris", "de", "exact", 14),
    Drawn("mental", "en", "paper", 12),
    Drawn("katze", "de", "paper", 8),
    Drawn("random", "en", "exact", 4),
    Drawn("previous-word", "de", "paper", 5),
)


@pytest.mark.sweep
def test_as_many_edits_as_were_promised() -> None:
    assert 4 * sum(drawn.edits for drawn in WORKBOOKS) >= 300


@pytest.mark.sweep
@pytest.mark.parametrize("drawn", WORKBOOKS, ids=lambda drawn: f"{drawn.preset}-{drawn.rounding}")
def test_each_edit_gives_the_same_in_four_programs(drawn: Drawn, office: Office) -> None:
    made = book(computed(drawn, {}), drawn.language)
    edits = list(islice(drawn_edits(drawn, made.trace), drawn.edits))
    assert len(edits) == drawn.edits
    assert sum(len(edit) > 1 for edit in edits) >= drawn.edits // 3
    typed = [made.typed(edit) for edit in edits]
    both = list(made.by_both(edits, office))
    texts = gnumeric_tables([made.edited(edit) for edit in edits], [known for _, known in both])
    lively = live(made.xlsx, [as_text(cells) for cells in typed])
    for edit, (office_values, known), *others in zip(edits, both, texts, lively, strict=True):
        expected = computed(drawn, edit)
        assert compare(made, known, expected) > 60
        compare(made, office_values, expected)
        for found in others:
            wrong = [x for x in differing(found, known) if not tie(drawn, *x[2:])]
            assert not wrong, (edit, len(wrong), wrong[:3])


def as_text(typed: Mapping[tuple[str, str], object]) -> dict[tuple[str, str], object]:
    """Words marked as such, so that none is taken for a number."""
    return {cell: f"'{x}" if isinstance(x, str) else x for cell, x in typed.items()}


def tie(drawn: Drawn, found: object, wanted: object) -> bool:
    """Whether two texts differ in digits only: unrounded, a tie is shown as the program sees it."""
    both = isinstance(found, str) and isinstance(wanted, str) and drawn.rounding == "exact"
    return both and DIGITS.sub("0", str(found)) == DIGITS.sub("0", str(wanted))


def computed(drawn: Drawn, edit: Mapping[str, object]) -> Trace:
    """What the engine says."""
    preset = in_language(load_preset(drawn.preset), drawn.language)
    return compute(preset, rounding=drawn.rounding, edits=edit, controls=True)


def drawn_edits(drawn: Drawn, trace: Trace) -> Iterator[dict[str, object]]:
    """One thing, then two, three, four at once, and so on; only what leaves a result."""
    draws = Draws(f"paperformer/four programs/{drawn.preset}")
    several = 0
    while True:
        several = several % 4 + 1
        edit: dict[str, object] = {}
        while len(edit) < several:
            edit |= draws.choice(things(trace, draws))()
        with suppress(UserError):
            computed(drawn, edit)
            yield edit


def things(trace: Trace, draws: Draws) -> list[Callable[[], dict[str, object]]]:
    """The kinds of things that can be changed in a workbook, each still to be drawn."""

    def place(shape: tuple[int, ...]) -> str:
        return ",".join(str(1 + int(draws.number() * size)) for size in shape)

    def number(step: Step) -> dict[str, object]:
        at = place(step.shape)
        old = step.values[tuple(int(k) - 1 for k in at.split(","))]
        new = round(float(old) + draws.choice((-0.7, -0.3, 0.1, 0.2, 0.5)), 4)
        return {f"{step.name}[{at}]": new}

    def switch(step: Step) -> dict[str, object]:
        return {f"{step.name}[{place(step.shape)}]": 0}

    def word() -> dict[str, object]:
        new = draws.choice(trace["vocabulary.words"].values[:, 0].tolist())
        return {f"tokens[{place((len(trace.tokens),))}]": str(new)}

    def heat() -> dict[str, object]:
        row = place(trace["temperature"].shape[:1])
        return {f"temperature[{row},1]": draws.choice((0.4, 0.8, 1.5, 3.0))}

    def choice() -> dict[str, object]:
        strategy, k = draws.choice(STRATEGIES), draws.choice((1, 2, 4))
        p, random = draws.choice((0.3, 0.6)), round(draws.number(), 2)
        names = ("strategy", "k", "p", "random")
        return {f"sampling.{n}": x for n, x in zip(names, (strategy, k, p, random), strict=True)}

    numbers = [s for s in trace if s.kind == "given" and any(x in s.name for x in TYPED)]
    switches = [step for step in trace if step.name.startswith("switch.")]
    found = [partial(number, step) for step in numbers[:8]]
    found += [partial(switch, step) for step in switches]
    for kind, name, often in ((word, "onehot", 3), (heat, "temperature", 2),
                              (choice, "sampling.strategy", 3)):  # fmt: skip
        found += [partial(kind)] * often if name in trace else []
    return found
