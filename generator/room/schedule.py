"""When who computes what: starts from what a leg needs, ends from its seconds, waits counted.

Who would wait a minute or longer computes the last row a second time as far as it gets: that holds
nobody up, and the word depends on that row.

The same walk plans a room and, with drawn speeds and slips, tries one: tests do that.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from generator.engine.step import Cell
from generator.resources import table
from generator.room.checks import Probe
from generator.room.cut import FINALE, Leg, Room
from generator.sheets.plan import seconds

MINUTE: Final = 60.0
SHORT: Final = MINUTE  # a shorter gap is none to begin something else in


class LegRun(NamedTuple):
    """A leg in time, in seconds from the start: when it may begin, begins and ends.

    `after` is the leg that it waited for longest, by its index; None where it waited for nobody.
    """

    leg: Leg
    start: float
    end: float
    waited: float
    after: int | None


class Spare(NamedTuple):
    """A stretch between a pair's own legs: with the second calculation in it, or nothing."""

    start: float
    end: float
    second: bool


@dataclass(frozen=True, eq=False)
class Schedule:
    """A room's legs in time; `extra` are the seconds more that each takes in a trial."""

    room: Room
    extra: Callable[[Leg], float] = lambda leg: 0.0

    @cached_property
    def runs(self) -> tuple[LegRun, ...]:
        """Every leg in time, in the order of the room's legs."""
        made_by = {cell: k for k, leg in enumerate(self.room.legs) for cell in leg.cells}
        free = dict.fromkeys(range(len(self.room.pairs)), self._reading)
        last = dict[int, int]()
        runs: list[LegRun] = []
        for leg in self.room.legs:
            needs = {made_by[n] for c in leg.cells for n in self.room.work.cells[c]}
            arrivals = {k: runs[k].end + self._way(runs[k].leg, leg) for k in sorted(needs)}
            latest = max(arrivals, key=lambda k: arrivals[k], default=None)
            mine = free[leg.pair]
            waits = latest is not None and arrivals[latest] > mine
            start = arrivals[latest] if waits and latest is not None else mine
            end = start + self._lengths[leg] + self.extra(leg)
            after = latest if waits else last.get(leg.pair)
            runs.append(LegRun(leg, start, end, start - mine, after))
            free[leg.pair], last[leg.pair] = end, len(runs) - 1
        return tuple(runs)

    def clock(self, seconds_in: float) -> int:
        """The minute in which a class is there: real ones take longer than their median's plan."""
        return round(seconds_in / MINUTE * float(table("room/room.toml")["stretch"]))

    @cached_property
    def _lengths(self) -> Mapping[Leg, float]:
        return lengths(self.room)

    @cached_property
    def end(self) -> float:
        """When the word is there, in seconds from the start."""
        return max(run.end for run in self.runs)

    @cached_property
    def critical(self) -> tuple[int, ...]:
        """The legs on which the end depends, by their index, the first one first."""
        path, k = [], max(range(len(self.runs)), key=lambda k: self.runs[k].end)
        at: int | None = k
        while at is not None:
            path.append(at)
            at = self.runs[at].after
        return tuple(reversed(path))

    def spare(self, pair: int) -> list[Spare]:
        """What a pair does while it waits for others, and after its last number."""
        return self._spare[pair]

    @cached_property
    def _spare(self) -> list[list[Spare]]:
        return [list(self._filled(pair)) for pair in range(len(self.room.pairs))]

    def _filled(self, pair: int) -> Iterator[Spare]:
        own = [run for run in self.runs if run.leg.pair == pair]
        gaps = [(run.start - run.waited, run.start) for run in own if run.waited]
        left = [*self._second(pair)]
        for start, end in [*gaps, (own[-1].end, self.end)]:
            at = start
            while left and end - start >= SHORT and max(at, left[0][0]) < end:
                ready, work = left.pop(0)
                begin = max(at, ready)
                if begin > at:
                    yield Spare(at, begin, second=False)
                at = min(end, begin + work)
                yield Spare(begin, at, second=True)
                if begin + work > end:
                    left.insert(0, (ready, begin + work - end))
            if at < end:
                yield Spare(at, end, second=False)

    def _second(self, pair: int) -> Iterator[tuple[float, float]]:
        """For each leg of a pair's second calculation when all is there for it, and its seconds."""
        legs = self.room.second_of(pair)
        mine = {cell for leg in legs for cell in leg.cells}
        way = float(table("room/room.toml")["ways"]["wall"])
        for leg in legs:
            needs = {one for cell in leg.cells for one in self.room.work.cells[cell]} - mine
            ready = max((self._made[one] + way for one in needs), default=0.0)
            yield ready, self._lengths[leg._replace(pair=-1)] + self.extra(leg)

    @cached_property
    def _made(self) -> dict[Cell, float]:
        return {cell: run.end for run in self.runs for cell in run.leg.cells}

    def longest_wait_of(self, pair: int) -> float:
        """The longest time at a stretch that a pair has nothing to do, in seconds."""
        return max((one.end - one.start for one in self.spare(pair) if not one.second), default=0.0)

    @cached_property
    def longest_wait(self) -> float:
        """The same of whoever waits longest."""
        return max(map(self.longest_wait_of, range(len(self.room.pairs))))

    def busy(self, pair: int) -> float:
        """The share of the time to the end in which a pair reads or computes."""
        own = [run for run in self.runs if run.leg.pair == pair]
        worked = self._reading + sum(run.end - run.start for run in own)
        worked += sum(one.end - one.start for one in self.spare(pair) if one.second)
        return worked / self.end

    @property
    def _reading(self) -> float:
        return seconds()["reading"]

    def _way(self, one: Leg, other: Leg) -> float:
        """Seconds until somebody has what another pair has computed."""
        if one.pair == other.pair:
            return 0.0
        ways = table("room/room.toml")["ways"]
        same = one.row == other.row and FINALE not in self._stages(one, other)
        return float(ways["table" if same else "wall"])

    def _stages(self, *legs: Leg) -> set[str]:
        return {self.room.work.steps[leg.step] for leg in legs}


def lengths(room: Room) -> dict[Leg, float]:
    """Seconds for each leg: the two of a pair share it where a Probe follows, else both do all.

    They compare what leaves their hands: what another pair needs, or the next part of the card.
    """
    work = room.work
    legs = {cell: leg for leg in room.legs for cell in leg.cells}
    stages = {leg: {leg.step, work.steps[leg.step]} for leg in room.legs}
    leaving = {
        legs[one]
        for cell, needs in work.cells.items()
        for one in needs
        if legs[one].pair != legs[cell].pair or not stages[legs[one]] & stages[legs[cell]]
    }
    found = {leg: length(room, leg, compared=leg in leaving) for leg in room.legs}
    return found | {leg: length(room, leg, compared=False) for leg in room.second}


def length(room: Room, leg: Leg, *, compared: bool = True) -> float:
    """Seconds for one leg, with a look at the partner's numbers or without."""
    probe, seconds_for = Probe(room.work, leg.cells), room.work.seconds
    if probe.sides:
        return max(map(seconds_for, (leg.cells[::2], leg.cells[1::2]))) + probe.seconds()
    if probe.later and len(leg.cells) == 1:
        return seconds_for(leg.cells) / 2
    return seconds_for(leg.cells) + (probe.seconds() if compared else 0.0)
