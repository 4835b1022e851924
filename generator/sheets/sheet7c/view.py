"""What the template of sheet 7c may ask: where gradients stand, widths, slips.

Also here:

* What sheet 7c says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Iterator

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.slips import Slip
from generator.insight.tolerances import Rounding, allowed, half
from generator.insight.way_back import WayBack
from generator.notation.shown import shown_value
from generator.sheets.geometry import Mm
from generator.sheets.sheet6.view import NextToken
from generator.sheets.sheet7a.view import BOOK
from generator.sheets.sheet7c.plan import Plan7c

SCRATCH_ROWS = {1: (17, 13), 2: (10, 10), 3: (10, 9)}  # of 5 mm: on either page, less one a token
PAPER_MM, GRADIENT_MM, SHARE_MM = 170.0, 25.0, 14.0
WIDEST_WORD_MM, VECTOR_MM = 34.0, 14.0


def most_wanted(trace: Trace, plan: Plan7c) -> int | None:
    """The token whose larger score makes the loss fall most, as printed; None for none or a tie."""
    way, step = plan.way, trace[plan.way.of("scores")]
    slopes = {j: shown_value(step, way.row, j) for j in way.looked_at}
    least = min(slopes.values())
    steepest = [j for j, slope in slopes.items() if slope == least]
    return steepest[0] if least < 0 and len(steepest) == 1 else None


def slope(trace: Trace, plan: Plan7c) -> float:
    """The gradient of the asked entry of the weight matrix, as printed: never 0, see `tells`."""
    return shown_value(trace[plan.way.of("weight.query")], plan.way.line, plan.way.column)


CLAIMS = {
    **BOOK,
    "sheet7c.answer.wanted": Claim(
        lambda trace, plan: most_wanted(trace, plan) is not None, "sheet7c.answer.wanted.general"
    ),
    "sheet7c.finding": Claim(lambda trace, plan: slope(trace, plan) > 0, "sheet7c.finding.larger"),
    "sheet7c.finding.larger": Claim(lambda trace, plan: slope(trace, plan) < 0),
    "sheet7c.answer.wiggle": Claim(lambda _, plan: bool(plan.wiggles)),  # it is then confirmed
}


class View7c(NextToken):
    """The view of sheet 7c that its template has."""

    claims = CLAIMS

    plan: Plan7c

    @property
    def right(self) -> str:
        """The word that really comes next."""
        return self.words[self.plan.right]

    @property
    def slope(self) -> str:
        """The step with the gradients of the scaled scores."""
        return WayBack(self.trace, self.plan.way).slope

    def vectors(self) -> range:
        """The places of the numbers of a value."""
        return range(self.size(f"{self.plan.way.at}.value")[1])

    def widths(self) -> dict[str, Mm]:
        """The widths of the columns of the table of attention, and its own."""
        vector = min(VECTOR_MM, 44.0 / len(self.vectors()))
        others = SHARE_MM + 3 * GRADIENT_MM + (len(self.vectors()) + 1) * vector
        word = min(WIDEST_WORD_MM, PAPER_MM - others)
        widths = {"word": word, "share": SHARE_MM, "vector": vector, "gradient": GRADIENT_MM}
        return {name: Mm(mm) for name, mm in {**widths, "total": word + others}.items()}

    def tolerance(self) -> str:
        """By how much the rounded gradients of the scaled scores may miss 0.

        Their average was rounded, and counts as often as the shares miss 1. How large it is, the
        gradients of the output and the values tell, which are given.
        """
        way, seen, trace = self.plan.way, list(self.plan.way.looked_at), self.trace
        roundings: list[Rounding] = [(len(seen), self.slope)]
        if trace.rounding == "paper":
            average, shares = way.of("weights.average"), trace[f"{way.at}.weights"].values
            row, values = shares[way.row, seen], trace[f"{way.at}.value"].values[seen]
            size = abs(float(row @ values @ trace[way.of("output")].values[way.row]))
            size += allowed(trace, (float(row.sum()), way.of("weights")), (1, average))
            missing = abs(1 - float(row.sum()))
            roundings += [(1, average), (-(-missing * size // half(trace, average)), average)]
        return self.telling_slack(*roundings)

    @property
    def scratch_rows(self) -> tuple[int, int]:
        """How many rows of squares there are for working, on the first page and below the table."""
        first, most = SCRATCH_ROWS[self.plan.level]
        return first, max(0, most - len(self.plan.way.looked_at))

    def slips(self) -> list[Slip]:
        return WayBack(self.trace, self.plan.way).slips(self.plan.gates)

    def named(self, slip: Slip) -> dict[str, str]:
        column = self.trace[slip.step].columns[slip.j]
        tokens = slip.step.rpartition(".")[2] in ("masked", "scaled", "scores")
        label = self.indexed(column[0], int(column[1:]) - 1) if column[1:].isdecimal() else column
        return {"token": self.tokens[slip.j] if tokens else label}

    def hints(self) -> tuple[str, ...]:
        return ("softmax", "sums")[: self.plan.level]

    def telling(self) -> dict[str, str]:
        wanted, way, row = most_wanted(self.trace, self.plan), self.plan.way, self.plan.way.row
        texts = {"right": self.right, "last": self.tokens[row]}
        texts["query"] = self.columns(f"{way.at}.query")[way.column]
        texts["weight"] = self.shown(way.of("weight.query"), way.line, way.column)
        if wanted is not None:
            texts["wanted"] = self.tokens[wanted]
            texts["slope"] = self.shown(way.of("scores"), row, wanted)
        return texts

    def ends(self) -> Iterator[tuple[str, Cell]]:
        way = self.plan.way
        yield from ((f"∂s {self.tokens[j]}", (way.of("scores"), way.row, j)) for j in way.telling)
        yield "∂W", (way.of("weight.query"), way.line, way.column)
