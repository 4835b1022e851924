"""One pair's card: its own weights, what it needs from whom, boxes for what it computes.

A card is tables of spots. A spot is given, own, somebody else's (then a box to copy into, with
whose it is) or nothing; a blank has given numbers only, a solution has them all.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from generator.engine.evaluate import evaluate
from generator.engine.expr import Ref, inside
from generator.engine.ops import attention, feedforward, linear
from generator.engine.step import Cell
from generator.engine.trace import Step
from generator.insight.tolerances import upwards
from generator.locales.catalogue import Catalogue
from generator.notation.shown import SUBSCRIPTS, shown_decimals
from generator.room.checks import Probe, Sides
from generator.room.cut import ALL_LOGITS, FINALE, LOGITS, Leg, Room
from generator.room.schedule import Schedule
from generator.room.spots import (
    CardPart,
    CardTable,
    ProbeLine,
    RoomNumbers,
    Spot,
    band_of,
    cell_row,
)
from generator.steps import kind_of

HALVES: Final = "●○"
SINGLE: Final = (feedforward.RowMean, feedforward.Variance, feedforward.MeanSquare,
                 feedforward.Deviation, attention.RowSum, attention.RowMax)  # fmt: skip


@dataclass(frozen=True, eq=False)
class PairCard:
    """The card of one pair, for both of its pupils."""

    room: Room
    pair: int
    numbers: RoomNumbers
    catalogue: Catalogue
    schedule: Schedule

    @property
    def name(self) -> str:
        """The pair's name: its table, with a letter where a table has several."""
        return self.room.pairs[self.pair].name

    @cached_property
    def legs(self) -> list[Leg]:
        """What the pair computes, in order."""
        return [leg for leg in self.room.legs if leg.pair == self.pair]

    @cached_property
    def cells(self) -> set[Cell]:
        """The cells of the card."""
        return {cell for leg in self.legs for cell in leg.cells}

    @cached_property
    def parts(self) -> list[CardPart]:
        """The stages in order; of several rows one after the other."""
        keys = dict.fromkeys((self._stage(leg), leg.row) for leg in self.legs)
        return [self._part(stage, row) for stage, row in keys]

    def _stage(self, leg: Leg) -> str:
        return self.room.work.steps[leg.step]

    def _part(self, stage: str, row: int) -> CardPart:
        legs = [leg for leg in self.legs if (self._stage(leg), leg.row) == (stage, row)]
        checks = [line for leg in legs for line in self._checks(leg)]
        norm = any(isinstance(self._step(leg).op, feedforward.Normalise) for leg in legs)
        return CardPart(stage, row, norm, self._clock(legs), list(self._needs(legs)),
                        list(self._tables(stage, legs)), checks, self._gives(legs))  # fmt: skip

    def _clock(self, legs: Sequence[Leg]) -> tuple[int, int] | None:
        runs = [run for run in self.schedule.runs if run.leg in legs]
        begin, end = min(run.start for run in runs), max(run.end for run in runs)
        first = self.schedule.clock(begin)
        return first, max(first + 1, self.schedule.clock(end))

    # Spots.

    def spot(self, ref: Ref) -> Spot:
        """The place of a number: given, own, another pair's, or nothing."""
        work, ref = self.room.work, self.room.work.origin(ref)
        step = work.trace[ref.step]
        cell = (step.name, ref.i, ref.j)
        if cell not in work.cells:
            return Spot("given", self.numbers.given(*cell))
        if cell in self.cells:  # it has its own box in another table
            return Spot("again", self.numbers.answer(cell), cell=cell)
        if cell in self._needed:
            return Spot("copy", self.numbers.answer(cell), self._of(cell), cell)
        # A 0 is one whatever anybody computes.
        return Spot("given", "0") if work.is_nothing(ref) else Spot("none", "–")

    def box(self, ref: Ref) -> Spot:
        """The place where a number is computed: an own box, where it is the pair's."""
        cell = (ref.step, ref.i, ref.j)
        if cell in self.cells:
            return Spot("own", self.numbers.answer(cell), self._mark(cell), cell)
        return self.spot(ref)

    @cached_property
    def _needed(self) -> set[Cell]:
        return {one for cell in self.cells for one in self.room.work.cells[cell]} - self.cells

    @cached_property
    def _marks(self) -> dict[Cell, str]:
        return {
            cell: HALVES[k % 2]
            for leg in self.legs
            if len(leg.cells) > 1 and Probe(self.room.work, leg.cells).shared
            for k, cell in enumerate(leg.cells)
        }

    def _mark(self, cell: Cell) -> str:
        return self._marks.get(cell, "")

    def _of(self, cell: Cell) -> str:
        return self.room.pairs[self.room.owner(cell)].name

    # Tables.

    def _tables(self, stage: str, legs: Sequence[Leg]) -> Iterator[CardTable]:
        steps = {leg.step: leg for leg in legs}
        if stage == "look":
            for head in self._heads(steps):
                yield self._looking(head, legs[0].row, steps)
            return
        done: set[str] = set()
        for name, leg in steps.items():
            step = self.room.work.trace[name]
            if name in done:
                continue
            if step.name in (LOGITS, ALL_LOGITS):
                yield self._words(leg)
            elif stage == FINALE:
                continue
            elif isinstance(step.op, linear.MatMul) and step.inputs[0].endswith(".weights"):
                yield self._mixing(leg)
            elif isinstance(step.op, linear.MatMul):
                same = [one for other, one in steps.items() if self._beside(step, other)]
                done |= {one.step for one in same}
                follow = self._followers(step, steps)
                done |= {one.step for one in follow}
                yield self._product(same, follow)
            elif isinstance(step.op, SINGLE):
                continue
            else:
                yield self._by_cell(leg, steps)
        sums = [leg for leg in legs if stage == FINALE and isinstance(self._step(leg).op, SINGLE)]
        if sums:
            yield self._sum(sums)

    def _heads(self, steps: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(name.rpartition(".")[0] for name in steps))

    def _beside(self, step: Step, other: str) -> bool:
        """Whether another product starts from the same row, in the same head."""
        that = self.room.work.trace[other]
        same = isinstance(that.op, linear.MatMul) and that.inputs[0] == step.inputs[0]
        return same and that.place.head == step.place.head

    def _followers(self, step: Step, steps: dict[str, Leg]) -> list[Leg]:
        """Steps made number by number from a product, which stand below it: ReLU."""
        trace = self.room.work.trace
        return [leg for name, leg in steps.items()
                if isinstance(trace[name].op, feedforward.Activation)
                and trace[name].inputs[0] == step.name]  # fmt: skip

    def _product(self, legs: Sequence[Leg], follow: Sequence[Leg]) -> CardTable:
        """A row times given columns: the row upright on the left, the sums of the Probe right."""
        trace, row = self.room.work.trace, legs[0].row
        first = trace[legs[0].step]
        source = first.inputs[0]
        cells = [cell for leg in legs for cell in leg.cells]
        sums = [sides for leg in legs for sides in Probe(self.room.work, leg.cells).sides]
        head = [self._letter(source), *(self._label(cell) for cell in cells)]
        head += [f"Σ {self._letter_of(leg)}" for leg in legs if self._sides(leg)]
        rows: list[list[Spot]] = []
        for k in range(trace[source].shape[1]):
            spots = [self.spot(Ref(source, row, k))]
            spots += [self._weight(trace[name].inputs[1], k, j) for name, _, j in cells]
            spots += [self._of_factor(one, Ref(source, row, k)) for one in sums]
            rows.append(spots)
        if any(len(trace[leg.step].inputs) > 2 for leg in legs):
            bias = [self._bias(trace[name], j) for name, _, j in cells]
            total = [Spot("label") for _ in sums]
            rows.append([Spot("label", self._t("room.bias")), *bias, *total])
        rows.append([Spot("label", "="), *(self.box(Ref(*cell)) for cell in cells),
                     *(Spot("label") for _ in sums)])  # fmt: skip
        for leg in follow:
            own = {j for _, _, j in leg.cells}
            spots = [self.box(Ref(leg.step, row, j)) if j in own else Spot("label")
                     for _, _, j in cells]  # fmt: skip
            relu = Spot("label", self._t("room.relu"))
            rows.append([relu, *spots, *(Spot("label") for _ in sums)])
        return self._table([*legs, *follow], head, rows)

    def _weight(self, name: str, k: int, j: int) -> Spot:
        return Spot("given", self._plain(name, k, j))

    def _plain(self, name: str, i: int, j: int) -> str:
        """A weight, with as many decimals as it has itself."""
        return self.numbers.plain(float(self.room.work.trace[name].values[i, j]))

    def _bias(self, step: Step, j: int) -> Spot:
        given = len(step.inputs) > 2
        return Spot("given", self._plain(step.inputs[2], 0, j)) if given else Spot("label")

    def _sides(self, leg: Leg) -> list[Sides]:
        sides = Probe(self.room.work, leg.cells).sides
        return [one for one in sides if one.kind == "products"]

    def _of_factor(self, sides: Sides, ref: Ref) -> Spot:
        """What a factor is taken by on the second way: given sums are printed, others computed."""
        found = next((other for one, other in sides.factors if one == ref), None)
        if found is None:
            return Spot("given", "0")
        parts = [part for part in inside(found) if isinstance(part, Ref)]
        if all(self.room.work.trace[part.step].kind == "given" for part in parts):
            return Spot("given", self.numbers.plain(float(evaluate(found, self._values))))
        return Spot("check", self.numbers.side(found))

    def _values(self, name: str) -> np.ndarray:
        return self.room.work.trace[name].values

    def _looking(self, head: str, row: int, steps: dict[str, Leg]) -> CardTable:
        """Keys beside their score, half of it, its power and its share."""
        trace = self.room.work.trace
        here = [s.name for s in trace if s.name.rpartition(".")[0] == head and s.name in
                self.room.work.steps and self.room.work.steps[s.name] == "look"]  # fmt: skip
        square = [name for name in here if kind_of(name).square]
        visible = [j for _, _, j in self.room.work.row_of(f"{head}.exp", row)]
        d = range(trace[f"{head}.key"].shape[1])
        heads = [self._t("room.word"), *(self._label((f"{head}.key", row, k)) for k in d)]
        heads += [self._short(name) for name in square]
        query = [Spot("label", self._t("room.query")), *(self.spot(Ref(f"{head}.query", row, k))
                 for k in d), *(Spot("label") for _ in square)]  # fmt: skip
        rows = [query]
        for j in visible:
            spots = [self.box(Ref(name, row, j)) for name in square]
            if all(spot.kind == "none" for spot in spots):
                continue
            keys = [self.spot(Ref(f"{head}.key", j, k)) for k in d]
            rows.append([Spot("label", trace.tokens[j]), *keys, *spots])
        for name in here:
            if name not in square:
                spot = self.box(Ref(name, row, 0))
                if spot.kind != "none":
                    place = next(n for n in square if n.endswith(".exp"))
                    line = [Spot("label", self._short(name)), *(Spot("label") for _ in d)]
                    line += [spot if one == place else Spot("label") for one in square]
                    rows.append(line)
        legs = [leg for name, leg in steps.items() if name in here]
        return self._table(legs, heads, rows)

    def _mixing(self, leg: Leg) -> CardTable:
        """Values beside their shares, and below them what comes out."""
        trace = self.room.work.trace
        weights, values = trace[leg.step].inputs[:2]
        sides = self._sides(leg)
        head = [self._t("room.word"), self._short(weights)]
        head += [self._label((values, 0, j)) for _, _, j in leg.cells]
        head += ["Σ v"] * len(sides)
        rows = []
        for _, _, t in self.room.work.row_of(weights, leg.row):
            spots = [self.spot(Ref(weights, leg.row, t))]
            spots += [self.spot(Ref(values, t, j)) for _, _, j in leg.cells]
            spots += [self._of_factor(one, Ref(weights, leg.row, t)) for one in sides]
            rows.append([Spot("label", trace.tokens[t]), *spots])
        rows.append([Spot("label", "="), Spot("label"), *(self.box(Ref(*c)) for c in leg.cells),
                     *(Spot("label") for _ in sides)])  # fmt: skip
        return self._table([leg], head, rows)

    def _by_cell(self, leg: Leg, steps: dict[str, Leg]) -> CardTable:
        """Number by number: what each is made from, one below the other; single ones before.

        Who computes the mean has the whole row, as far as the others' columns.
        """
        trace = self.room.work.trace
        step, row = trace[leg.step], leg.row
        own = {j for _, _, j in leg.cells}
        means = any(name in steps and trace[name].shape[1] == 1 for name in step.inputs)
        columns = range(step.shape[1]) if means else sorted(own)
        rows = []
        for name in step.inputs:
            if trace[name].shape[1] == 1:
                before = [one for one in trace[name].inputs[:1] if one in steps]
                singles = [one for one in before if trace[one].shape[1] == 1]
                rows += [self._single(one, row, steps, len(columns)) for one in (*singles, name)]
                continue
            whole = means and name == step.inputs[0]
            spots = [self.spot(self._partner(name, (leg.step, row, j))) if whole or j in own
                     else Spot("label") for j in columns]  # fmt: skip
            rows.append([Spot("label", self._row_label(name)), *spots])
        last = [self.box(Ref(leg.step, row, j)) if j in own else Spot("label") for j in columns]
        rows.append([Spot("label", "="), *last])
        head = ["", *(self._label((leg.step, row, j)) for j in columns)]
        return self._table([leg], head, rows)

    def _single(self, name: str, row: int, steps: dict[str, Leg], width: int) -> list[Spot]:
        """The line of a number that a row has once: its mean, σ², σ."""
        ref = Ref(name, 0 if self.room.work.trace[name].shape[0] == 1 else row, 0)
        spot = self.box(ref) if name in steps else self.spot(ref)
        return [Spot("label", self._short(name)), spot, *(Spot("label") for _ in range(width - 1))]

    def _partner(self, name: str, cell: Cell) -> Ref:
        """The number of a step that stands in a cell's own column, or the row's only one."""
        step = self.room.work.trace[name]
        return Ref(name, 0 if step.shape[0] == 1 else cell[1], 0 if step.shape[1] == 1 else cell[2])

    def _words(self, leg: Leg) -> CardTable:
        """Words beside their vectors, their logit, and in the finale their power and share."""
        work = self.room.work
        trace, step = work.trace, work.trace[leg.step]
        source, matrix = step.inputs[:2]
        final = leg.step == LOGITS
        own = [name for name in work.steps if work.steps[name] == FINALE and final
               and trace[name].shape[1] > 1 and name != LOGITS]  # fmt: skip
        sums = self._sides(leg)
        d = range(trace[matrix].shape[1])
        row = cell_row(trace, source, leg.row)
        bias = step.inputs[2:]
        head = [self._t("room.word"), *(self._label((source, row, k)) for k in d)]
        head += [self._t("room.bias")] * len(bias)
        head += [self._short(name) for name in (leg.step, *own)]
        vector = [self.spot(Ref(source, row, k)) for k in d]
        empty = [Spot("label") for _ in (*bias, leg.step, *own)]
        rows = [[Spot("label", self._t("room.vector")), *vector, *empty]]
        for _, _, j in leg.cells:
            further = [self.box(self._partner(name, c)) for name in own
                       for c in [(name, work.row_of_step(name), j)]]  # fmt: skip
            rows.append([Spot("label", trace["vocabulary.words"].values[j, 0]),
                         *(self._weight(matrix, j, k) for k in d),
                         *(self._bias(step, j) for _ in bias),
                         self.box(Ref(leg.step, leg.cells[0][1], j)), *further])  # fmt: skip
        for one in sums:
            rows.append([Spot("label", "Σ"),
                         *(self._of_factor(one, self._factor(one, k, source, row)) for k in d),
                         *empty])  # fmt: skip
        if final:
            rows += [line for name in work.steps for line in self._final_single(name, len(rows[0]))]
        return self._table([leg], head, rows)

    def _factor(self, sides: Sides, k: int, source: str, row: int) -> Ref:
        """The factor of a Probe that stands in a column, by whatever name it is read."""
        real = Ref(source, row, k)
        origin = self.room.work.origin(real)
        return next((one for one, _ in sides.factors if self.room.work.origin(one) == origin), real)

    def _final_single(self, name: str, width: int) -> Iterator[list[Spot]]:
        work = self.room.work
        if work.steps[name] == FINALE and work.trace[name].shape[1] == 1:
            spot = self.spot(Ref(name, work.row_of_step(name), 0))
            if spot.kind == "copy":
                yield [Spot("label", self._short(name)), *(Spot("label") for _ in range(width - 2)),
                       spot]  # fmt: skip

    def _sum(self, legs: Sequence[Leg]) -> CardTable:
        """What only some pair of the finale has: the sum of all powers."""
        work = self.room.work
        rows = []
        for leg in legs:
            for one in sorted(work.cells[leg.cells[0]]):
                word = str(work.trace["vocabulary.words"].values[one[2], 0])
                rows.append([Spot("label", word), self.spot(Ref(*one))])
            rows.append([Spot("label", self._short(leg.step)), self.box(Ref(*leg.cells[0]))])
        return self._table(legs, ["", ""], rows)

    # Words.

    def _t(self, key: str, **names: object) -> str:
        return self.catalogue.t(key, **names)

    def _table(
        self, legs: Sequence[Leg], head: Sequence[str], rows: Sequence[Sequence[Spot]]
    ) -> CardTable:
        """A table with its title and the decimals of what is computed in it."""
        steps = [leg.step for leg in legs]
        if LOGITS in steps:
            steps = [name for name, stage in self.room.work.steps.items() if stage == FINALE]
        digits = {self._short(name): shown_decimals(self.room.work.trace[name]) for name in steps}
        return CardTable(self._title(*legs), list(digits.items()), head, rows)

    def _title(self, *legs: Leg) -> str:
        steps = [leg.step for leg in legs if not isinstance(self._step(leg).op, SINGLE)]
        titles = dict.fromkeys(self.catalogue.step(name) for name in steps)
        head = self.numbers.head(self.catalogue, legs[0].step)
        return f"{head}: " * bool(head) + " · ".join(titles or [self.catalogue.step(legs[0].step)])

    def _step(self, leg: Leg) -> Step:
        return self.room.work.trace[leg.step]

    def _label(self, cell: Cell) -> str:
        label = self.room.work.trace[cell[0]].columns[cell[2]]
        return str(label).translate(SUBSCRIPTS)

    def _letter(self, name: str) -> str:
        letter = kind_of(name).letter
        return letter.plain.lower() if letter else ""

    def _letter_of(self, leg: Leg) -> str:
        return self._letter(leg.step)

    def _row_label(self, name: str) -> str:
        kind = self.room.work.trace[name].place.kind
        key = f"room.row.{kind}"
        return self._t(key) if key in self.catalogue.phrases else self._short(name)

    def _short(self, name: str) -> str:
        kind = self.room.work.trace[name].place.kind
        return self._t(f"room.short.{kind}", temperature=self.numbers.temperature)

    # What is needed and given.

    def _needs(self, legs: Sequence[Leg]) -> Iterator[tuple[str, str]]:
        """The other pairs with what is needed from each."""
        work, of = self.room.work, dict[str, dict[str, None]]()
        tables = set(self.room.pairs[self.pair].tables)
        for leg in legs:
            for cell in leg.cells:
                for one in work.cells[cell]:
                    if one not in self.cells:
                        far = tables.isdisjoint(self.room.pairs[self.room.owner(one)].tables)
                        what = self._short(one[0]) + self._t("room.needs.wall") * far
                        of.setdefault(self._of(one), {})[what] = None
        for pair in sorted(of):
            yield pair, " · ".join(sorted(of[pair]))

    def _gives(self, legs: Sequence[Leg]) -> list[str]:
        """The bands of the wall that a part fills."""
        bands = (band_of(self.room.work.trace, leg.step) for leg in legs)
        return list(dict.fromkeys(filter(None, bands)))

    def _checks(self, leg: Leg) -> Iterator[ProbeLine]:
        for one in Probe(self.room.work, leg.cells).sides:
            tolerance = self._tolerance(leg, one)
            right = Spot("check", self.numbers.side(one.right))
            if one.kind in ("one", "zero", "squares"):
                right = Spot("given", self.numbers.plain(float(evaluate(one.right, self._values))))
            left = Spot("check", self.numbers.side(one.left))
            yield ProbeLine(one.kind, self._short(leg.step), left, right, tolerance)

    def _tolerance(self, leg: Leg, sides: Sides) -> str:
        """By how much both sides may differ, never less than what roundings can do; "" for none."""
        if not sides.tolerance:
            return ""
        of_norm = sides.kind in ("zero", "squares")
        digits = 1 if of_norm else 1 + shown_decimals(self._step(leg))
        return upwards(sides.tolerance, digits, self.numbers.language)


class SecondCard(PairCard):
    """The leaf for whoever would wait: the last row and the finale once more, by no clock."""

    @property
    def name(self) -> str:
        """The table that it is compared with."""
        return str(self.room.work.last + 1)

    @cached_property
    def legs(self) -> list[Leg]:
        """The same for every pair."""
        return [*self.room.second]

    def _clock(self, legs: Sequence[Leg]) -> None:
        return None

    def _needs(self, legs: Sequence[Leg]) -> Iterator[tuple[str, str]]:
        """What of the wall, whosever it is."""
        needed = {one for leg in legs for cell in leg.cells for one in self.room.work.cells[cell]}
        names = sorted({self._short(name) for name, _, _ in needed - self.cells})
        if names:
            yield "", " · ".join(names)
