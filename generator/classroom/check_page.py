"""The check page for a teacher who walks round: one line per pupil, control values, usual slips."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from generator.classroom.key_rows import REPEATED, asked
from generator.classroom.lesson import Lesson, teachers
from generator.classroom.pupil_files import options_of, pages_of
from generator.classroom.seat_record import Record
from generator.classroom.seats import Seat
from generator.classroom.work_sheets import Pair
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.insight.slips import Slip
from generator.locales.catalogue import Catalogue, load
from generator.locales.norms import of_norm
from generator.render.worksheet.teacher_pages import CheckLine, Control, check_pages
from generator.render.worksheet.worksheet import planned, view
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES
from generator.sheets.titles import placed, title

MOST_CONTROLS = 6
# Steps in which nothing shows: they repeat the one before, end at 1 for everybody, or lead to one
# number that is a control itself.
DULL = re.compile(
    rf"{REPEATED.pattern}|(?:.*\.)?(?:cumulative|tick|deviations|(?:plain_)?squares|contribution\d+)|check\..*"
)
# Of positions the first numbers tell most: the cosines behind them are all near 1.
FROM_THE_FRONT = re.compile(r"(?:.*\.)?(?:position|input)")


class Look(NamedTuple):
    """A cell to look at; `several` of its step are asked."""

    step: Step
    cell: Cell
    several: bool

    @property
    def label(self) -> str:
        """What tells the cell from others of its step: the column, in a lone column the row."""
        _, i, j = self.cell
        if len(self.step.columns) > 1:
            return self.step.columns[j]
        label = self.step.rows[i] if self.several else self.step.columns[j]
        return label if self.several or not label.isdecimal() else ""

    @property
    def row(self) -> str:
        """What its step calls the row."""
        return self.step.rows[self.cell[1]]


def check_page(lesson: Lesson, seats: Iterable[tuple[Seat, Record]], kind: str = "pdf") -> bytes:
    """`check.pdf`, or `check.html`, for these seats: one table per sheet, in one language."""
    pupils = [(seat, pages_of(lesson, seat, record)) for seat, record in seats]
    lines = {
        SERIES[sheet].name: [line(lesson, seat, pages[sheet].both, sheet) for seat, pages in pupils]
        for sheet in lesson.filled
    }
    return check_pages(lines, teachers(lesson), kind)


def line(lesson: Lesson, seat: Seat, both: Pair, sheet: str) -> CheckLine:
    """One pupil's line: at most six control values, each with the numbers that usual slips give.

    Titles are in the teacher's language, numbers and tokens as the pupil writes them.
    """
    options = options_of(lesson, seat)
    plan = planned(sheet, both.trace, options)
    context = view(plan, *both, options, Formulas(), blank=False)
    own = both.trace.tokens[plan.own] if any(i == plan.own for _, i, _ in plan.asked) else ""
    slips = context.slips()
    places = list(dict.fromkeys(_cell(slip) for slip in slips))
    catalogue = of_norm(load(teachers(lesson).language), lesson.preset.norm_form)
    looks = controls(both.trace, plan, places)
    asking = {name for name, _, _ in plan.asked if not REPEATED.fullmatch(name)}
    titles = _titles(catalogue, [look.step.name for look in looks], asking)
    shown = [
        _control(context, titles, look, [slip for slip in slips if _cell(slip) == look.cell])
        for look in looks
    ]
    control_values = tuple(_told_apart(shown, [look.row for look in looks]))
    return CheckLine(seat.code, seat.key, seat.name, plan.mark, own, control_values)


def _told_apart(shown: Sequence[Control], rows: Sequence[str]) -> Iterator[Control]:
    """The controls; those of two rows of a step that would be called the same with their row."""
    names = [(one.title, one.label) for one in shown]
    for one, name, row in zip(shown, names, rows, strict=True):
        twice = names.count(name) > 1
        yield one._replace(label=f"{row} · {one.label}") if twice else one


def _cell(slip: Slip) -> Cell:
    return slip.step, slip.i, slip.j


def _titles(
    catalogue: Catalogue, names: Sequence[str], asking: Collection[str]
) -> Mapping[str, str]:
    """The title of each step; where the sheet asks several of that title with its head or norm."""
    counts = Counter(title(catalogue, name) for name in asking)
    titles = {name: title(catalogue, name) for name in names}
    return {
        name: placed(catalogue, name) if counts[one] > 1 else one for name, one in titles.items()
    }


def _control(
    context: Context, titles: Mapping[str, str], look: Look, slips: Sequence[Slip]
) -> Control:
    name, i, j = look.cell
    number = look.step.values[i, j]
    value = str(number) if look.step.text else context.show(name, float(number))
    wrong = {slip.key: context.show(slip.step, slip.wrong) for slip in slips}
    return Control(titles[name], look.label, value, wrong)


def controls(trace: Trace, plan: Plan, places: Sequence[Cell] = ()) -> list[Look]:
    """The cells to look at first: those where slips show, then of the last steps the last number.

    `places` are where slips show; one that is not asked is left out, as nobody gets it wrong.
    Whoever has the last numbers right has all before them right as well, or was lucky. Where there
    are few steps, they have several each, the later ones more.
    """
    known = frozenset([cell for cell in places if cell in plan.asked][:MOST_CONTROLS])
    steps = list(_steps(trace, plan, known))
    others = [k for k, looks in enumerate(steps) if not _of(looks, known)]
    kept = frozenset(others[len(others) - min(len(others), MOST_CONTROLS - len(known)) :])
    steps = [looks for k, looks in enumerate(steps) if k in kept or k not in others]
    counts = [max(1, len(_of(looks, known))) for looks in steps]
    while sum(counts) < min(MOST_CONTROLS, sum(map(len, steps))):
        for k in reversed(range(len(steps))):
            counts[k] += counts[k] < len(steps[k]) and sum(counts) < MOST_CONTROLS
    return [look for some, n in zip(steps, counts, strict=True) for look in _best(some, n, known)]


def _steps(trace: Trace, plan: Plan, known: frozenset[Cell]) -> Iterator[list[Look]]:
    """The asked cells of each step that shows something, or in which a slip does."""
    for name, cells in groupby(asked(trace, plan), key=lambda one: one[0].name):
        cells_of_step = list(cells)
        looks = [Look(*one, several=len(cells_of_step) > 1) for one in cells_of_step]
        if not DULL.fullmatch(name) or _of(looks, known):
            yield looks


def _of(looks: Sequence[Look], known: frozenset[Cell]) -> list[Look]:
    return [look for look in looks if look.cell in known]


def _best(looks: Sequence[Look], count: int, known: frozenset[Cell]) -> list[Look]:
    """So many of a step's cells, in order: those that are to be there, then the telling ones."""
    rest = [look for look in looks if look.cell not in known]
    if not FROM_THE_FRONT.fullmatch(looks[0].step.name):
        rest.reverse()
    chosen = [*_of(looks, known), *rest][:count]
    return [look for look in looks if look in chosen]
