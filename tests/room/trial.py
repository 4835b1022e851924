"""Rooms that are tried: speeds drawn, slips made, two absent; what the docs say of them is this.

`python -m tests.room.trial` writes the table in docs/how-to/room.md.
"""

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.engine.evaluate import evaluate
from generator.errors import UserError
from generator.room.checks import Probe
from generator.room.cut import PROBABILITIES, Room
from generator.room.forms import class_rooms
from generator.room.schedule import Schedule, lengths

SLIPS = 0.05  # of the numbers that somebody writes
SPREAD = 0.35  # of speeds, the standard deviation of their logarithm
ALIKE = 0.03  # of slips in numbers that two compute, both the same
AGAIN = 15.0  # seconds to find a slip, and the number once more
ABSENT = 2
NORM = ("mean", "variance", "deviation", "normalised")


class Tried(NamedTuple):
    """One room tried: minutes, whether its word is right, slips made, of those under a Probe."""

    minutes: float
    right: bool
    longest_wait: float
    busy: float
    slips: int
    probed: int
    caught: int


class Trial:
    """A room with what does not change from trial to trial."""

    def __init__(self, room: Room) -> None:
        self.room, self.work = room, room.work
        self.probes = {leg: Probe(self.work, leg.cells) for leg in room.legs}
        self.norms = self.norms_after()
        self.lengths = lengths(room)
        self.word = int(self.work.trace[PROBABILITIES].values[0].argmax())

    def tried(self, seed: int) -> Tried:
        draw = np.random.default_rng(seed)
        room, pairs = self.room, range(len(self.room.pairs))
        both = np.exp(draw.normal(0, SPREAD, (len(pairs), 2)))
        left, extra = set(), defaultdict(float)
        slips = probed = caught = 0
        for leg in room.legs:
            probe = self.probes[leg]
            twice = not probe.shared
            slow, shared = float(both[leg.pair].max()), float(2 / (1 / both[leg.pair]).sum())
            extra[leg] += self.lengths[leg] * ((slow if twice else shared) - 1)
            for cell in leg.cells:
                if draw.random() >= (1 - (1 - SLIPS) ** 2 if twice else SLIPS):
                    continue
                slips += 1
                if twice:
                    found = draw.random() >= ALIKE / 2
                else:
                    found = not self.passes(probe, cell, self.wrong(cell, draw))
                    probed += 1
                    caught += found
                if found:
                    again = AGAIN + self.work.seconds([cell])
                    again += 0 if twice else 0.35 * self.work.seconds(leg.cells)
                    extra[leg] += again * slow
                else:
                    left.add(cell)
        for leg in (leg for pair in pairs for leg in room.second_of(pair)):
            extra[leg] = self.lengths[leg._replace(pair=-1)] * (float(both[leg.pair].max()) - 1)
        schedule = Schedule(room, lambda leg: extra[leg])
        # The room's schedule keeps its lengths: they need not be counted again.
        schedule.__dict__["_lengths"] = self.lengths
        right = not left or int(self.word_of(left, draw)) == self.word
        busy = float(np.median([schedule.busy(k) for k in pairs]))
        wait = schedule.longest_wait / 60
        return Tried(schedule.end / 60, right, wait, busy, slips, probed, caught)

    def passes(self, probe, cell, value):
        """Whether the Probe holds with a wrong number; of a norm after its following steps."""
        name, i, j = cell
        arrays = {name: self.work.trace[name].values.copy()}
        arrays[name][i, j] = value

        def look(step):
            return arrays[step] if step in arrays else self.work.trace[step].values

        if probe.sides:
            return probe.holds(look)
        # The steps after it, to the quotients, of the same row.
        for leg in self.norms[name, i]:
            step = leg[0][0]
            arrays.setdefault(step, self.work.trace[step].values.copy())
            for one in leg:
                try:
                    arrays[step][one[1:]] = float(evaluate(self.work.trace.cell(*one), look))
                except (ArithmeticError, ValueError):
                    return False  # a σ of 0 is seen
        return Probe(self.work, leg).holds(look)

    def norms_after(self):
        """For each row of a mean, a variance, a σ: the rows of the norm after it."""
        after = {}
        for leg, probe in self.probes.items():
            if probe.later:
                name, i, _ = leg.cells[0]
                place = self.work.trace[name].place
                own = [s for s in self.work.steps
                       if self.work.trace[s].place.number == place.number
                       and self.work.trace[s].place.kind in NORM]  # fmt: skip
                after[name, i] = [self.work.row_of(s, i) for s in own[own.index(name) + 1 :]]
        return after

    def wrong(self, cell, draw):
        """A number that somebody writes in place of the right one."""
        name, i, j = cell
        step = self.work.trace[name]
        unit, value = 10.0 ** -(step.decimals or 0), float(step.values[i, j])
        positive = name.rpartition(".")[2] in ("exp", "sum", "weights", "probabilities")
        for _ in range(20):
            kind = draw.random()
            if kind < 0.25 and value and not positive:
                other = -value
            elif kind < 0.6:
                size = 10 ** np.floor(np.log10(abs(value))) if value else unit
                other = value + draw.choice([-1, 1]) * size * draw.choice([1, 0.1])
            elif kind < 0.75:
                other = value * draw.choice([0.1, 10])
            else:
                other = value * draw.uniform(0.5, 1.5)
            other = round(float(other), step.decimals or 0)
            if other != value and (other > 0 or not positive):
                return other
        return value + unit

    def word_of(self, left, draw):
        """The word that the room says with these slips in it."""
        arrays = {}

        def look(name):
            name = self.work.trace[name].name
            if name not in arrays:
                arrays[name] = self.work.trace[name].values.copy()
            return arrays[name]

        for name, i, j in self.flow():
            try:
                value = float(evaluate(self.work.trace.cell(name, i, j), look))
            except (ArithmeticError, ValueError):
                value = 0.0
            if (name, i, j) in left:
                value = self.wrong((name, i, j), draw)
            look(name)[i, j] = value if np.isfinite(value) else 0.0
        return look(PROBABILITIES)[0].argmax()

    def flow(self):
        """All numbers of the computation in order, those that are only copied, too."""
        trace = self.work.trace
        for step in trace:
            copied = step.place.kind in ("masked", "concat", "attention", "last", "output.tempered")
            if step.name in self.work.steps or copied:
                for i in range(step.shape[0]):
                    for j in range(step.shape[1]):
                        hidden = self.work.is_hidden(step, i, j) or step.place.kind == "masked"
                        if not hidden:
                            yield step.name, i, j


class Outcome(NamedTuple):
    planned: float
    median: float
    late: float  # the time within which 9 of 10 are done
    right: float
    in_time: float
    both: float
    wait: float
    busy: float
    caught: float
    slips: float


def outcome(room: Room, minutes: float, rooms: int) -> Outcome:
    """What comes of so many rooms, tried with the seeds 0, 1, …"""
    trial = Trial(Room(room.work, room.pupils - ABSENT, room.most))
    tried = [trial.tried(seed) for seed in range(rooms)]
    times = np.array([one.minutes for one in tried])
    right = np.array([one.right for one in tried])
    return Outcome(
        Schedule(room).end / 60,
        float(np.median(times)),
        float(np.percentile(times, 90)),
        float(right.mean()),
        float((times <= minutes).mean()),
        float((right & (times <= minutes)).mean()),
        float(np.percentile([one.longest_wait for one in tried], 50)),
        float(np.median([one.busy for one in tried])),
        sum(one.caught for one in tried) / max(1, sum(one.probed for one in tried)),
        float(np.mean([one.slips for one in tried])),
    )


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "room.md"
BEGIN, END = "<!-- tried rooms -->", "<!-- end -->"
ROOMS = 300
HEAD = (
    "| form | pupils | rooms | tokens | planned | half done in | 9 of 10 in | right word "
    "| right and in time | longest wait | busy | Probes catch |"
)


def line(form: str, pupils: int, rooms: int = ROOMS) -> str:
    """One row of the table in the docs."""
    try:
        found = class_rooms(pupils, form)
    except UserError:
        return f"| {form} | {pupils} | – | | too long: refused | | | | | | | |"
    own = found[-1]  # the smallest
    came = outcome(own.room, own.form.computing, rooms)
    minutes = (came.planned, came.median, came.late)
    shares = (came.right, came.both)
    return " | ".join(
        [f"| {form} | {pupils} | {len(found)} | {len(own.trace.tokens)}"]
        + [f"{one:.0f}" for one in minutes]
        + [f"{100 * one:.0f} %" for one in shares]
        + [f"{came.wait:.0f}", f"{100 * came.busy:.0f} %", f"{100 * came.caught:.0f} % |"]
    )


def written() -> str:
    """The whole table."""
    rows = [line(form, n) for form in ("25", "45", "90") for n in (8, 13, 16, 20, 24, 28, 35, 60)]
    return "\n".join([HEAD, "|---" * HEAD.count(" | ") + "|---|", *rows])


if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{written()}\n{END}{after}", "utf-8")
