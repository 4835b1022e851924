"""Drawn edits, alone and together, are computed alike by four programs and by the engine.

LibreOffice and IronCalc, Gnumeric and HyperFormula (which is typed into, like a program that is
open); each edit in every one of them. Without the last two the test says how to install them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import NamedTuple

import pytest

from generator.engine.choices import STRATEGIES
from generator.engine.model import compute
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.presets.language import in_language
from generator.presets.load import load_preset
from tests.reference.options import Draws
from tests.support.engines import differing, gnumeric_tables, live
from tests.support.office import Office
from tests.support.recalculate import edit_cells, ironcalc_values, libreoffice_edited
from tests.support.workbook import book, compare

pytestmark = pytest.mark.sweep

PROGRAMS = 4
DIGITS = re.compile(r"\d+")
TYPED = (".weight.", ".bias.", "embedding", "output.matrix", ".gain", ".beta")


class Drawn(NamedTuple):
    """How many edits are drawn for a workbook: preset, language, arithmetic, rounds."""

    preset: str
    language: str
    rounding: str
    rounds: int
    edits: int


WORKBOOKS = (
    Drawn("ausgabe", "de", "paper", 1, 20),
    Drawn("brille", "en", "exact", 1, 14),
    Drawn("paris", "de", "exact", 1, 14),
    Drawn("mental", "en", "paper", 1, 12),
    Drawn("katze", "de", "paper", 1, 8),
    Drawn("random", "en", "exact", 1, 4),
    Drawn("previous-word", "de", "paper", 1, 5),
)


def test_as_many_edits_as_were_promised() -> None:
    assert PROGRAMS * sum(drawn.edits for drawn in WORKBOOKS) >= 300


@pytest.mark.parametrize("drawn", WORKBOOKS, ids=lambda drawn: f"{drawn.preset}-{drawn.rounding}")
def test_each_edit_gives_the_same_in_four_programs(drawn: Drawn, office: Office) -> None:
    made = book(computed(drawn, {}), drawn.language)
    edits = list(islice(drawn_edits(drawn, made.trace), drawn.edits))
    assert len(edits) == drawn.edits
    assert sum(len(edit) > 1 for edit in edits) >= drawn.edits // 3
    typed = [made.typed(edit) for edit in edits]
    files = [edit_cells(made.xlsx, cells) for cells in typed]
    knowns = [ironcalc_values(xlsx) for xlsx in files]
    everywhere = zip(
        edits,
        knowns,
        libreoffice_edited([made.xlsx], [typed], office)[0][1:],
        gnumeric_tables(files, knowns),
        live(made.xlsx, [as_text(cells) for cells in typed]),
        strict=True,
    )
    for edit, known, office_values, texts, lively in everywhere:
        expected = computed(drawn, edit)
        assert compare(made, known, expected) > 60
        compare(made, office_values, expected)
        for found in (lively, texts):
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
    options = {"rounding": drawn.rounding, "rounds": drawn.rounds, "controls": True}
    return compute(preset, edits=edit, **options)


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
