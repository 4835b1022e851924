"""What the template of sheet bpe may ask: pieces as tiles, pairs, counting lines, trees, slips.

Also here:

* What sheet bpe says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from generator.engine.bpe import Pair, encode, joins, letters, pair_of
from generator.engine.ops.linear import Over
from generator.engine.ops.pieces import BETWEEN
from generator.engine.rounding import guarded
from generator.engine.trace import Trace
from generator.insight.claims import Claim, of_trace
from generator.insight.slips import Slip, changing
from generator.sheets.context import Context
from generator.sheets.sheetbpe.plan import FIGURE, PIECES, RATIO, PlanBpe

ROOM_MM = 4.5  # more for a tree that pupils draw
LETTER_MM, LEVEL_MM, BOX_MM = 9.0, 6.6, 5.0  # of a tree: a letter's width, a level, a box's height
EDGE_MM = 0.4


@dataclass
class Node:
    """A piece of a word, from letter `start` to before `stop`, and the two it was made of: a box.

    `rule` counts from 1 and is 0 for a letter; `level` says how many merges lie below at most. The
    box is at `x`, `y`, in millimetres; `middle` is that of its top.
    """

    text: str
    start: int
    stop: int
    rule: int = 0
    level: int = 0
    parts: tuple["Node", ...] = ()
    y: float = 0.0

    def all(self) -> Iterator["Node"]:
        """This piece and all that are in it."""
        yield self
        for part in self.parts:
            yield from part.all()

    @property
    def width(self) -> float:
        """The width of its box."""
        return 3.6 + 2.2 * len(self.text)

    @property
    def x(self) -> float:
        """The left edge of its box."""
        return EDGE_MM + (self.start + self.stop) / 2 * LETTER_MM - self.width / 2

    @property
    def middle(self) -> float:
        """The middle of its box."""
        return self.x + self.width / 2


def forest(word: str, rules: Sequence[Pair]) -> tuple[Node, ...]:
    """The trees of a word's pieces, in order, as the rules make them."""
    nodes = [Node(letter, k, k + 1) for k, letter in enumerate(letters(word))]
    for rule, k in joins(word, rules):
        left, right = nodes[k : k + 2]
        level = 1 + max(left.level, right.level)
        text = left.text + right.text
        nodes[k : k + 2] = [Node(text, left.start, right.stop, rule + 1, level, (left, right))]
    return tuple(nodes)


def rules(trace: Trace, count: int, prefix: str = "") -> list[Pair]:
    """The winners of the first rounds of a training."""
    return [pair_of(text(trace, f"{prefix}bpe.merge{m}.winner")) for m in range(1, count + 1)]


def text(trace: Trace, name: str, row: int = 0) -> str:
    """A word or pair, or several in letters, of a step."""
    return str(trace[name].values[row, 0])


class Tile(NamedTuple):
    """One piece of a word; `side` is "left" or "right" where it is half of the winner."""

    text: str
    side: str


class Tree(NamedTuple):
    """A word's letters and the boxes above them, in millimetres."""

    letters: tuple[Node, ...]
    joined: tuple[Node, ...]
    width: float
    height: float

    @classmethod
    def of(
        cls, word: str, rules: Sequence[Pair], levels: int = 0, level_mm: float = LEVEL_MM
    ) -> "Tree":
        """The drawing of a word's trees: letters in one line, each merge above what it joins."""
        pieces = forest(word, rules)
        nodes = [node for piece in pieces for node in piece.all()]
        top = max(levels, *(node.level for node in nodes))
        for node in nodes:
            node.y = EDGE_MM + (top - node.level) * level_mm
        letters, joined = (
            tuple(n for n in nodes if bool(n.rule) == made) for made in (False, True)
        )
        width = pieces[-1].stop * LETTER_MM + 2 * EDGE_MM
        return cls(letters, joined, width, top * level_mm + BOX_MM + 2 * EDGE_MM)


def merges(trace: Trace) -> bool:
    """Whether the asked rounds merge some letters of the new word."""
    return any(len(piece) > 1 for piece in text(trace, PIECES).split(BETWEEN))


def grows(trace: Trace, plan: PlanBpe) -> bool:
    """Whether the figure's word has become a single token."""
    word = text(trace, f"{FIGURE}bpe.encoding.word")
    return len(forest(word, rules(trace, plan.figure_rounds, FIGURE))) == 1


CLAIMS = {
    "sheetbpe.tree.text": Claim(grows),
    # these letters are of the corpus that the language's own file was written with
    "sheetbpe.discuss.1.answer": of_trace(
        lambda trace: merges(trace) and trace.preset.corpus is None,
        "sheetbpe.discuss.1.answer.general",
    ),
}


class ViewBpe(Context):
    """The view of sheet bpe that its template has."""

    claims = CLAIMS

    plan: PlanBpe

    def words(self) -> tuple[str, ...]:
        """The words of the corpus."""
        return self.trace["bpe.words"].rows

    def tiles(self, after: int, word: int) -> list[Tile]:
        """A word's pieces after so many rounds, marked where the next winner stands."""
        pieces = text(self.trace, self.after(after, "corpus"), word).split(BETWEEN)
        winner = self.winner(after + 1) if f"bpe.merge{after + 1}.winner" in self.trace else None
        sides = [""] * len(pieces)
        for k in range(len(pieces) - 1):
            if not sides[k] and (pieces[k], pieces[k + 1]) == winner:
                sides[k : k + 2] = ["left", "right"]
        return [Tile(piece, side) for piece, side in zip(pieces, sides, strict=True)]

    def after(self, rounds: int, name: str) -> str:
        """The step that holds the corpus, or its length, after so many rounds."""
        return f"bpe.merge{rounds}.{name}" if rounds else f"bpe.{name}"

    def pairs(self, m: int) -> list[tuple[str, str]]:
        """The pairs of a round in the order in which they are met."""
        return [pair_of(text) for text in self.trace[f"bpe.merge{m}.pairs"].rows]

    def winner(self, m: int) -> tuple[str, str]:
        """The pair that wins a round."""
        return self.pairs(m)[self.winning(m)]

    def winning(self, m: int) -> int:
        """The row of a round's winner."""
        return self.pairs(m).index(pair_of(text(self.trace, f"bpe.merge{m}.winner")))

    def counting(self, m: int, i: int) -> Markup:
        """How a pair is counted: how often each word that holds it occurs, added up."""
        occurrences = self.trace[f"bpe.merge{m}.occurrences"]
        terms, times = [], self.catalogue.t("sheet.times")
        for word in np.flatnonzero(occurrences.values[i]).tolist():
            count, often = self.cell("bpe.counts", 0, word), occurrences.values[i, word]
            more = self.cell(occurrences.name, i, word) + f" {times} "
            terms.append(count if often == 1 else more + count)
        return Markup(" + ").join(terms)

    def vocabulary(self, after: int) -> int:
        """How many tokens there are after so many rounds: all letters, and what was merged."""
        merged = {"".join(self.winner(m)) for m in range(1, after + 1)}
        return len(merged.union(*map(letters, self.words())))

    def rounds(self) -> range:
        """All rounds, the worked one too."""
        return range(1, self.plan.rounds[-1] + 1)

    def new(self) -> str:
        """The new word that pupils cut."""
        return text(self.trace, "bpe.encoding.word")

    def grown(self) -> str:
        """The word of the figure."""
        return text(self.trace, f"{FIGURE}bpe.encoding.word")

    def figure(self) -> Tree:
        """The tree of the figure's word."""
        return Tree.of(self.grown(), rules(self.trace, self.plan.figure_rounds, FIGURE))

    def own_tree(self, count: int) -> Tree:
        """The new word's tree after so many rules, as high as with all: height tells nothing."""
        levels = self.plan.rounds[-1]
        more = 0.0 if self.options.points else ROOM_MM / levels  # their boxes take the room
        return Tree.of(self.new(), rules(self.trace, count), levels, LEVEL_MM + more)

    def slips(self) -> list[Slip]:
        """The usual slips of the asked rounds, each where it shows first.

        Words counted once whatever their number, only the first word looked at, letters counted
        that a merge has used up, the new length too short or unchanged, the quotient turned over,
        only the first rule used. A slip that changes nothing here is left out.
        """
        m, trace = self.plan.rounds[0], self.trace
        pairs, best = f"bpe.merge{m}.pairs", self.winning(m)
        occurrences, counts = trace[f"bpe.merge{m}.occurrences"].values[best], trace["bpe.counts"]
        once, length = float(occurrences.sum()), self.after(m, "length")
        before = float(trace[self.after(m - 1, "length")].values[0, 0])
        first = int(np.flatnonzero(occurrences)[0])
        tokens, size = (trace[f"bpe.encoding.{name}"].values for name in ("tokens", "letters"))
        early = np.array([[float(len(encode(self.new(), rules(trace, m - 1))))]])
        ratios = {"turned": Over().value(tokens, size), "first_rule": Over().value(size, early)}
        digits = trace[RATIO].decimals or 0
        candidates = [
            Slip("once", pairs, best, 0, once),
            Slip("first", pairs, best, 0, float(counts.values[0, first] * occurrences[first])),
            *self._used_up(),
            Slip("types", length, 0, 0, before - once),
            Slip("unchanged", length, 0, 0, before),
            *(Slip(k, RATIO, 0, 0, float(guarded(v, digits)[0, 0])) for k, v in ratios.items()),
        ]
        return changing(trace, candidates)

    def _used_up(self) -> list[Slip]:
        """The first pair that lost some of its places to the last merge, counted as before it."""
        for m in self.plan.rounds:
            now, before = (self.trace[f"bpe.merge{k}.pairs"] for k in (m, m - 1))
            old = dict(zip(before.rows, before.values[:, 0].tolist(), strict=True))
            for i, pair in enumerate(now.rows):
                if old.get(pair, 0.0) > now.values[i, 0]:
                    return [Slip("used_up", now.name, i, 0, old[pair])]
        return []

    def named(self, slip: Slip) -> dict[str, str]:
        if slip.step == RATIO:
            return {"word": self.new()}
        m = int(slip.step.removeprefix("bpe.merge").partition(".")[0])
        return {"round": str(m), "pair": " + ".join(self.pairs(m)[slip.i])}

    def telling(self) -> dict[str, str]:
        steps = (self.after(m, "length") for m in (0, self.plan.rounds[-1]))
        before, after = (self.shown(step, 0, 0) for step in steps)
        piece = max(text(self.trace, PIECES).split(BETWEEN), key=len)
        return {"piece": piece, "word": self.new(), "before": before, "after": after}

    def hints(self) -> tuple[str, ...]:
        return ("length", "encode")
