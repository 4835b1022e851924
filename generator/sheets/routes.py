"""Routes through the series: which sheets on which day at which level, for the time that there is.

Also here:

* How much of a lesson its sheets may take, so that time is left to compare and to sum up.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from generator.engine.trace import Trace
from generator.errors import UserError, refused, require, require_known
from generator.resources import table
from generator.sheets.plan import LEAST_OPENING, LEAST_SECURED, MARKS, Plan
from generator.sheets.series import SERIES, in_order
from generator.sheets.slots import taken
from generator.sheets.titles import numbers_of

Lessons = list[list[Plan]]
BEYOND = ("7a", "7b", "7c", "8", "code")  # told of beside routes, though none has them
TOLD = ("1", "2", "3", "4b", "5")  # what a teacher can tell of in a sentence
OF_ROUTE = ("sheets", "level", "budget")  # what a route decides
MOST_ASKED = 7 / 8  # of a lesson, for all that its sheets ask
LEAST_COMPARED = 5  # minutes, in which a class can look at its numbers together


class LessonPart(NamedTuple):
    """A part of a lesson, from one minute to another; of a sheet, or of none."""

    start: int
    end: int
    kind: str
    sheet: str


@dataclass(frozen=True)
class Route:
    """Some lessons of so many `minutes` with the sheets of each, all at one level.

    `preset` is the one whose numbers they take where none is named. A route without `calculator` is
    for presets whose powers stand on the sheet and of which nothing is rounded.
    """

    name: str
    minutes: int
    level: int
    preset: str
    lessons: Sequence[Sequence[str]]
    calculator: bool = True

    @property
    def sheets(self) -> tuple[str, ...]:
        """All of its sheets in their order."""
        return tuple(sheet for lesson in self.lessons for sheet in lesson)

    @property
    def mark(self) -> str:
        """The neutral mark of its level."""
        return MARKS[self.level]

    def plans(self, trace: Trace) -> Lessons:
        """What the sheets of each lesson ask of a computation.

        Raises `UserError` where a sheet cannot be filled, and where this route promises more than
        holds: too long a lesson, or a calculator.
        """
        names: dict[str, Any] = {"route": self, "preset": trace.preset}
        of = {one: numbers_of(one, self.sheets, trace, trace)[0] for one in self.sheets}
        try:
            plans = [[SERIES[k].plan(of[k], self.level) for k in lesson] for lesson in self.lessons]
        except UserError as error:
            raise refused("route.sheet", why=error, **names) from error
        pressed = any(one.calculator for lesson in plans for one in lesson)
        require(self.calculator or not pressed, "route.calculator", **names)
        for number, lesson in enumerate(plans, 1):
            spent, most = sum(one.in_all for one in lesson), int(self.minutes * MOST_ASKED)
            names |= {"number": number, "spent": spent, "most": most, "minutes": self.minutes}
            require(spent <= most, "route.long", **names)
        return plans


ROUTES = {name: Route(name, **row) for name, row in table("sheets/routes.toml").items()}


def route_of(name: str) -> Route:
    """The route of that name; `UserError` for an unknown one."""
    require_known("route", name, tuple(ROUTES))
    return ROUTES[name]


def by_route(options: Mapping[str, Any]) -> dict[str, Any]:
    """A user's options with what a `route` among them decides: sheets, level, a lesson's minutes.

    Raises `UserError` where sheets, level or budget are said, too, and for an unknown route.
    """
    if not (name := options.get("route")):
        return dict(options)
    route, given = route_of(name), [one for one in OF_ROUTE if one in options]
    said = {"sheets": ", ".join(route.sheets), "given": " and ".join(given)}
    require(not given, "route.given", route=route, **said)
    return {"lesson": route.minutes, **options, "sheets": route.sheets, "level": route.level}


def as_told(routes: Sequence[tuple[Route, Lessons]], there: Iterable[str] = ()) -> dict[str, Any]:
    """What a page that tells of routes is given: these, and their printed sheets in their order.

    Also those of the sheets `there` that are beyond the routes.
    """
    every = {sheet for route, _ in routes for sheet in route.sheets}.union({*there} & {*BEYOND})
    printed = [sheet for sheet in every if SERIES[sheet].kind.in_booklet]
    return {"routes": routes, "sheets": in_order(printed)}


def by_minutes(route: Route, lesson: Sequence[Plan]) -> list[LessonPart]:
    """What a lesson does from when to when: slides, sheets, then comparing and securing.

    Each sheet is compared when it is done where there is time enough for each. Some of what is left
    goes to the opening of sheets whose reading leaves no time for an example; where too little is
    left to compare, the last sheet's work is stopped as its route says.
    """
    parts, now, stages = list[tuple[str, str, int]](), 0, list[LessonPart]()
    rest = route.minutes - sum(plan.in_all for plan in lesson)
    for plan in sorted(lesson, key=lambda one: not SERIES[one.sheet].kind.screen):
        if SERIES[plan.sheet].kind.screen:
            parts += [("show", plan.sheet, plan.in_all)]
            continue
        more = LEAST_OPENING - plan.reading if plan.reading else 0
        more = max(0, min(more, rest - LEAST_SECURED - 1))
        opening, rest = plan.reading + more, rest - more
        parts += [("open" if opening < LEAST_OPENING else "read", plan.sheet, opening)]
        parts += [("work", plan.sheet, plan.in_all - plan.reading)]
    secure = max(LEAST_SECURED, rest // 3)
    done = [k for k, (kind, *_) in enumerate(parts, 1) if kind == "work"]
    if (each := (rest - secure) // max(1, len(done))) >= LEAST_COMPARED:
        for k in reversed(done[:-1]):
            parts.insert(k, ("compare", parts[k - 1][1], each))
            rest -= each
    kind, sheet, minutes = parts[-1]
    if (short := LEAST_COMPARED - (rest - secure)) > 0 and kind == "work":
        parts[-1], rest = ("cut", sheet, minutes - short), rest + short
    for kind, sheet, minutes in [*parts, ("compare", "", rest - secure), ("secure", "", secure)]:
        if minutes > 0:
            stages.append(LessonPart(now, now + minutes, kind, sheet))
            now += minutes
    return stages


def told_only(route: Route, trace: Trace) -> dict[str, str]:
    """The sheets of this model that the route leaves out, to be told, each with its next sheet."""
    left = [one for one in TOLD if one not in route.sheets and taken(one, trace, route.level)]
    among = {one: in_order((*route.sheets, one)) for one in left}
    return {k: then[0] for k, names in among.items() if (then := names[names.index(k) + 1 :])}


def open_to(
    trace: Trace, sheets: Iterable[str], named: str = ""
) -> Iterator[tuple[Route, Lessons]]:
    """The routes that a set of these printed sheets holds and this computation can take, planned.

    Only the `named` one where a set was made for it.
    """
    there = set(sheets)
    for route in [route_of(named)] if named else ROUTES.values():
        if there.issuperset(one for one in route.sheets if SERIES[one].kind.in_booklet):
            with suppress(UserError):
                yield route, route.plans(trace)
