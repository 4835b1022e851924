"""Why an entry is wrong: the slips that give just this number from the pupil's own ones.

A cause is told only where a slip leads to the number that was typed, within the tolerance: at most
three, as possible ones. It is probable where hardly any other error would give that number by
chance, counting all slips that are as usual or more so; or where the same slip gives the numbers of
several boxes, which chance would hardly do: then it is a habit, and told of all of them.

Also here:

* Boxes for which something was supposed that a slip of their row explains better.
* Usual slips as changes of a cell's own expression: a term dropped, an operator exchanged.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from generator.checks.usual_slips import TABLE, Changes, Mutations
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, total
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.marking.question import NOISE, AskedBox, PaperNumbers
from generator.grading.marking.rule import BoxMark, Paper
from generator.grading.marking.scheme import How
from generator.insight.slips import Slip

MOST: Final = 3  # causes that are told where several lead to the number
BY_CHANCE: Final = 0.01  # how often another error may give the number of a probable cause
NEAR: Final = 14.0  # twice ln 1000: errors of any size up to 1,000 units, each as likely as another
SLIPS: Final = 50  # that are tried in all
FEWEST_UNITS: Final = 2  # tolerances by which a number must differ from 0 to tell its digits
UNROUNDED: Final = "unrounded"  # a cause that only the whole paper tells
WRITING: Final = {"sign", "comma", "neighbour", "rounded_early", "digits", UNROUNDED}
SUPPOSED: Final = {How.MENDED, How.MISPLACED}  # credited for what is nowhere seen on the paper
LISTED: Final = "slip."  # how the key of a cause begins that a sheet's page for teachers lists


RANKS: Final = {key: rank for rank, key in enumerate(TABLE["usual"])}


class Hit(NamedTuple):
    """A slip that gives the number of an entry, or one within the tolerance where not `exact`.

    `chance` is how often another error would give that number or one of a slip that is more usual,
    `own` how often any number of this slip. `listed` is its name on a page for teachers.
    """

    key: str
    exact: bool = True
    chance: float = 1.0
    own: float = 1.0
    listed: str = ""

    @property
    def name(self) -> str:
        """The key by which it is told."""
        return self.listed or self.key


class Told(NamedTuple):
    """The keys of the slips that are told of a box; `probable` for one that is hardly chance."""

    causes: tuple[str, ...] = ()
    probable: bool = False


def told(paper: Paper, marks: Collection[BoxMark], listed: Iterable[Slip] = ()) -> dict[Cell, Told]:
    """What is told of the wrong boxes of a paper.

    `listed` are the slips that the sheet's page for teachers lists: one of them gives its name
    (`slip.<key>`) to a change of the expression that leads to the same number.
    """
    slips = tuple(listed)
    wrong = [one for mark in marks if (one := WrongEntry(paper, mark, slips)).tells]
    hits = {one.mark.cell: one.hits() for one in wrong}
    habits = _habits(hits.values())
    digits = {one.cell: Told((UNROUNDED,), True) for one in marks if one.how is How.UNROUNDED}
    return digits | {cell: _told(some, habits) for cell, some in hits.items()}


def outweighed(paper: Paper, marks: Collection[BoxMark]) -> list[BoxMark]:
    """The marks, with those wrong that a slip explains better than what was supposed for them.

    Somebody may have gone on with another number than was written down, or exchanged two. But if a
    slip of computing gives such a number, and wrong ones beside it in the row, then it was made.
    """
    slips, doubted = set[Cell](), {m.cell for m in marks if m.how in SUPPOSED or paper.unseen(m)}
    for row in {cell[:2] for cell in doubted}:
        here = [mark for mark in marks if mark.cell[:2] == row]
        asked = [replace(m, how=How.WRONG) if m.cell in doubted else m for m in here]
        wrong = [one for mark in asked if (one := WrongEntry(paper, mark, ())).tells]
        hits = {one.mark.cell: [x for x in one.hits() if x.key not in WRITING] for one in wrong}
        sure = {hit.key for cell in hits.keys() - doubted for hit in hits[cell]}
        made = sure & _habits(hits.values()).keys()
        slips.update(cell for cell, some in hits.items() if made & {hit.key for hit in some})
    return [replace(m, how=How.WRONG, remark="") if m.cell in slips & doubted else m for m in marks]


def _habits(entries: Collection[Sequence[Hit]]) -> dict[str, int]:
    """How often a pupil made each slip that several wrong entries tell."""
    by_key = defaultdict[str, list[Hit]](list)
    for hits in entries:
        for one in {hit.key: hit for hit in sorted(hits, key=lambda hit: -hit.own)}.values():
            by_key[one.key].append(one)
    found: dict[str, int] = {}
    for key, some in by_key.items():
        chance = SLIPS * math.comb(len(entries), len(some)) * math.prod(hit.own for hit in some)
        if len(some) > 1 and chance < BY_CHANCE:
            found[key] = len(some)
    return found


def _told(hits: Sequence[Hit], habits: Mapping[str, int]) -> Told:
    """What is told of a box: its habit, else the slips that give the very number, else all."""
    known = {hit.key: habits[hit.key] for hit in hits if hit.key in habits}
    most = [key for key, count in known.items() if count == max(known.values())]
    exact = [hit for hit in hits if hit.exact]
    names = tuple(dict.fromkeys(most or [hit.name for hit in exact or hits]))
    if len(names) > MOST:
        return Told()
    likely = most or any(hit.chance < BY_CHANCE for hit in exact)
    return Told(names, len(names) == 1 and bool(likely))


class WrongEntry:
    """An entry of a paper that is perhaps wrong, and the slips that were listed for its box."""

    def __init__(self, paper: Paper, mark: BoxMark, listed: Iterable[Slip]) -> None:
        self.paper = paper
        self.mark = mark
        self.box = paper.question.boxes[mark.cell]
        self.listed = [one for one in listed if (one.step, one.i, one.j) == mark.cell]
        self.tried = defaultdict[str, dict[float, float]](dict)  # by slip and number, how likely

    @property
    def tells(self) -> bool:
        """Whether it tells anything; a row with one entry in all boxes was filled, not computed."""
        mark, constant = self.mark, self.paper.constant
        wrong = mark.how in (How.WRONG, How.IDLE, How.OTHER_ROW) and mark.value is not None
        return wrong and mark.cell not in constant

    def hits(self) -> list[Hit]:
        """The slips that lead to it: from own numbers, or where none does from right ones."""
        listed = {LISTED + one.key: one.wrong for one in self.listed}
        if self.box.step.text:
            value = self.mark.value
            return [Hit(key) for key, wrong in listed.items() if self.box.read(wrong) == value]
        for numbers in (self.paper.filled, self.paper.question.all_right):
            expected = numbers.value(self.box)
            whole = self.box.right if expected is None else expected
            if isinstance(whole, float):
                every = Slips(numbers, self.box).of(whole)
                usual = sorted(every, key=lambda slip: RANKS.get(slip[0], len(RANKS)))
                # What is listed was computed from right numbers.
                known = listed.items() if self.box.is_right(whole) else ()
                if found := [*self._found([*known, *usual], whole)]:
                    return found
        return [Hit(UNROUNDED, exact=False)] * (self.mark.cell in self.paper.unrounded)

    def _found(self, slips: Iterable[tuple[str, float]], whole: float) -> Iterator[Hit]:
        """The slips that lead to it; `whole` is what stands there without a slip."""
        value, found = float(self.mark.value or 0), list[tuple[float, Hit]]()
        slack, unit = self.box.slack + NOISE, 10.0**-self.box.decimals
        near, decimals = 2 * self.box.question.scheme.tolerance + 1, self.box.decimals
        shown = next((n for n in range(decimals) if guarded_number(value, n) == value), decimals)
        # Who miswrites, or adds up wrongly, often misses one digit.
        one_digit = len(f"{abs(value - whole) / unit:.0f}".strip("0")) < 2
        for key, number in slips:
            wrong = self._written(number)
            if wrong is None or abs(wrong - whole) <= slack:
                continue  # a slip that changes nothing here is none
            chance = 1 / self._numbers(whole) + unit / (NEAR * abs(wrong - whole))
            self.tried[key][wrong] = chance
            if chance < BY_CHANCE:  # others are never probable
                self.tried[""][wrong] = chance
            gap, exact = abs(wrong - value), abs(wrong - value) <= NOISE
            # Who rounds too coarsely does so after another slip, too.
            coarse = bool(value) and abs(guarded_number(number, shown) - value) <= NOISE
            if exact or ((coarse or gap <= slack) and key != "rounded_early"):
                likely = one_digit or not value or chance >= BY_CHANCE  # many a slip gives 0
                reached = 1.0 if likely else sum(self.tried[""].values())
                numbers = 1 if exact else 10 ** (decimals - shown) if coarse else near
                found.append((wrong, Hit(key, exact, reached, numbers)))
        listed = {wrong: hit.key for wrong, hit in found if hit.key.startswith(LISTED)}
        for wrong, hit in found:
            own = hit.own * sum(self.tried[hit.key].values()) if value else 1.0
            yield hit._replace(own=own, listed=listed.get(wrong, ""))

    def _numbers(self, whole: float) -> float:
        """How many numbers may well stand in the box."""
        if self.box.is_share:
            return 10.0**self.box.decimals
        row: list[float] = [whole, *self.box.step.values[self.mark.cell[1]].tolist()]
        most = max(abs(x) for x in row if math.isfinite(x)) * (2 if min(row) < 0 else 1)
        return max(1.0, most * 10.0**self.box.decimals)

    def _written(self, wrong: float) -> float | None:
        """A wrong result as a pupil writes it; None for one that nobody can write."""
        if not np.isfinite(wrong):
            return None
        return guarded_number(wrong, self.box.decimals if self.box.unit else 9)


TWO = Num(2)


class Slips:
    """The slips of a box over some numbers, by keys (`grading.cause.<key>`)."""

    def __init__(self, numbers: PaperNumbers, box: AskedBox) -> None:
        self.numbers = numbers
        self.box = box
        self.changes = Changes(box.question.exercise, box.step, self._branch)

    def of(self, whole: float) -> Iterator[tuple[str, float]]:
        """What each slip gives in place of the whole: those of writing, then of computing."""
        yield from self._of_writing(whole)
        for key, e in self._changes(self.box.meaning) if self.box.is_computed else ():
            value = self.numbers.computed(e)
            if isinstance(value, float):
                yield key, value

    def _of_writing(self, whole: float) -> Iterator[tuple[str, float]]:
        """Slips of writing that any number may suffer.

        A comma shifted, or digits exchanged, to next to 0 is none: any small entry would fit.
        """
        e = self.changes.taken(self.box.meaning) if self.box.is_computed else Num(0)
        if not isinstance(e, Bin) or e.op != "-" or e.left == Num(0):  # that is "reversed"
            yield "sign", -whole
        decimals, least = self.box.decimals, FEWEST_UNITS * self.box.slack + NOISE
        for by in (10.0, 0.1, 100.0, 0.01):
            if abs(whole * by) > least:
                yield "comma", whole * by
        for other in self.box.question.rows.get(self.box.cell[:2], ()):
            value = self.numbers.value(other) if other is not self.box else None
            if isinstance(value, float) and value:
                yield "neighbour", value
        for fewer in range(decimals):
            if coarse := guarded_number(whole, fewer):  # to 0 any small number would be
                yield "rounded_early", coarse
        digits = f"{abs(whole):.{decimals}f}"
        for k in range(len(digits) - 1) if self.box.unit else ():
            a, b = digits[k], digits[k + 1]
            if a != b and "." not in (a, b):
                turned = float(digits[:k] + b + a + digits[k + 2 :])
                if turned > least:
                    yield "digits", turned if whole >= 0 else -turned

    def _changes(self, expression: Expr) -> Mutations:
        """All slips of an expression without its rounding; of a condition the branch taken."""
        e = self.changes.taken(expression)
        yield from self._own(e)
        match e:  # its parts
            case Bin(_, left, right):
                yield from ((key, replace(e, left=part)) for key, part in self._changes(left))
                yield from ((key, replace(e, right=part)) for key, part in self._changes(right))
            case Call(_, (Bin() | Call() as only,)):
                yield from ((key, replace(e, args=(part,))) for key, part in self._changes(only))

    def _branch(self, e: If) -> Expr:
        return e.yes if self.numbers.computed(e.condition) else e.no

    def _own(self, e: Expr) -> Mutations:
        yield from self.changes.others(e)
        match e:
            case Dot():
                yield from self._of_dot(e)
            case Call(Fn.SUM, (Area() as area,)):
                cells = area.cells() if len(area) > 1 else []
                yield from _of_terms(e, cells)
                yield "mean", e / len(area)
                yield "largest", Fn.MAX(area)
            case Call(Fn.SQUARES, (Area() as area, middle)):
                yield "mean_kept", Fn.SQUARES(area, Num(0))
                yield "not_squared", Fn.SUM(area) - Num(len(area)) * middle
            case Call(Fn.INDEX, (Area() as area, place)):
                for by in (1, -1):
                    yield "next_row", Fn.INDEX(area, place + by)
            case _:
                yield from self.changes.operations(e)

    # Sums of products and quotients -------------------------------------------------------------

    def _of_dot(self, e: Dot) -> Mutations:
        pairs = list(zip(e.left.cells(), e.right.cells(), strict=True))
        products: list[Expr] = [a * b for a, b in pairs]
        values = [self.numbers.computed(one) for one in products]
        counting = [p for p, x in zip(products, values, strict=True) if isinstance(x, float) and x]
        yield from _of_terms(total(products), counting if len(counting) > 1 else [])
        yield "added", total([a + b for a, b in pairs])
        yield "minus_lost", total([Fn.ABS(p) for p in products])
        if len(pairs) > 1:
            crossed = zip(e.left.cells(), reversed(e.right.cells()), strict=True)
            yield "crossed", total([a * b for a, b in crossed])
            yield "not_weighted", Fn.SUM(e.right)
        # The row or column beside the one that is multiplied with.
        yield from (("next_own", replace(e, left=moved)) for moved in self._moved(e.left))
        yield from (("next_row", replace(e, right=moved)) for moved in self._moved(e.right))
        one, other = e.left, e.right
        n, (_, width) = len(pairs), self._shape(other)
        if other.r0 == 0 and n > 1 and width % n == 0:  # a column of a matrix, or of a half of it
            block, row = divmod(other.c0, n)
            yield "transposed", Dot(one, Area(other.step, row, row + 1, block * n, block * n + n))
        alike = self._shape(one) == self._shape(other) and (one.c0, one.c1) == (other.c0, other.c1)
        if alike and one.step != other.step:  # both steps exchanged, as query and key
            yield "roles", Dot(replace(one, step=other.step), replace(other, step=one.step))

    def _shape(self, area: Area | Ref) -> tuple[int, int]:
        """The size of a step, so that no slip reads beside it."""
        return self.numbers.question.trace[area.step].shape

    def _moved(self, area: Area) -> Iterator[Area]:
        height, width = self._shape(area)
        for by in (1, -1):
            if area.r1 - area.r0 == 1 and 0 <= area.r0 + by < height:
                yield replace(area, r0=area.r0 + by, r1=area.r1 + by)
            elif area.c1 - area.c0 == 1 and 0 <= area.c0 + by < width:
                yield replace(area, c0=area.c0 + by, c1=area.c1 + by)


def _of_terms(whole: Expr, terms: Iterable[Expr]) -> Mutations:
    """The slips with a term of a sum; the sign of a product is easily lost."""
    for term in terms:
        yield "term_dropped", whole - term
        yield "term_twice", whole + term
        if isinstance(term, Bin):
            yield "term_sign", whole - TWO * term
