"""What the template of sheet generate may ask: words, rounds, the figure's places, slips.

Also here:

* What sheet generate says of its own result, each sentence with what must be true of it.
"""

import math

from generator.engine.masks import MASKS
from generator.engine.predict import drawing_row
from generator.engine.rounding import GUARD
from generator.engine.trace import Step, Trace
from generator.engine.vocabulary import joined, readable
from generator.insight.claims import Claim
from generator.insight.output_layer import added_up
from generator.insight.slips import Slip
from generator.notation.shown import number, shown_values
from generator.sheets.sheet6.view import NextToken
from generator.sheets.sheetgenerate import plan as generate
from generator.sheets.sheetgenerate.plan import COSTS, DRAWS, PATH, ROUNDS, START, PlanGenerate
from generator.sheets.slots import fills

STATIONS = ("text", "model", "shares", "draw", "append")
POWERS = ("exp", "sum", "share")
MOST_TOGETHER = 8  # words of tables that stand on a page with others


def leaves_out(trace: Trace, plan: PlanGenerate) -> bool:
    """Whether a word of the example has no random number, as its interval is empty."""
    starts, ends = (trace[f"example.{name}"].values for name in ("from", "cumulative"))
    return bool((starts == ends).any())


def shares_change(trace: Trace, plan: PlanGenerate) -> bool:
    """Whether attention sees more tokens in round 2, and probabilities differ as printed."""
    if "block1.head1.weights" not in trace:
        return False
    if mask := MASKS.get(trace.preset.mask):
        before, after = (int(mask.visible(n)[-1].sum()) for n in (START, START + 1))
        if after <= before:
            return False
    one, two = (_shares(trace[f"draw{n}.share"]) for n in (1, 2))
    return one != two


CLAIMS = {
    "sheetgenerate.next.learning": Claim(fills("7a")),
    "sheetgenerate.example.dash": Claim(leaves_out),
    "sheetgenerate.answer.why": Claim(shares_change, "sheetgenerate.answer.why.general"),
}


class ViewGenerate(NextToken):
    """The view of sheet generate that its template has."""

    claims = CLAIMS

    plan: PlanGenerate
    rounds = range(1, ROUNDS + 1)
    stations = STATIONS  # boxes of the loop, as ends of keys

    @property
    def begun(self) -> tuple[str, ...]:
        """The tokens that the text begins with."""
        return self.tokens[:START]

    def listed(self, at: str) -> tuple[str, ...]:
        """The words of an interval table: those of a round, or of the example."""
        return self.trace[f"{at}.share"].columns

    def never(self, at: str) -> str:
        """What is said of the words that a table leaves out, as their P is 0; empty for none."""
        t, shown = self.catalogue.t, self.listed(at)
        left = [t("sheet.quoted", text=word) for word in self.words if word not in shown]
        zero = self.show(f"{at}.share", 0.0)
        words = self.in_a_row(left)
        return t("sheetgenerate.never", zero=zero, words=words) if left else ""

    @property
    def many(self) -> bool:
        """Whether a page has room for one table only."""
        return max(len(self.listed(f"draw{n}")) for n in self.rounds) > MOST_TOGETHER

    def start(self, drawn: int = 0) -> str:
        """The text that the rounds begin with, with so many tokens `drawn`. Only for solutions."""
        return readable((*self.begun, *self.plan.drawn[:drawn]), self.trace.preset.tokenizer)

    def temperature(self) -> str:
        """The temperature that is drawn with."""
        drawn = self.trace["temperature"].values[drawing_row(self.trace.preset), 0]
        return self.plain(float(drawn))

    def hit(self) -> str:
        """The word that the example's number hits."""
        name = str(self.trace["example.token"].values[0, 0])
        return self.words[int(name)] if self.plan.by_number else name

    def limit(self) -> tuple[str, str]:
        """Where an interval of the example ends, the first below 1, and the last number in it."""
        ends, numbers = (self.trace[f"example.{k}"].values[0] for k in ("cumulative", "digits"))
        held = [j for j in range(len(ends)) if numbers[j][-1].isdigit()]
        j = next((j for j in held if ends[j] < 1), held[0])
        return number(float(ends[j]), 2, self.options.language), numbers[j][-2:]

    def slips(self) -> list[Slip]:
        """The usual slips, of those that change a number.

        Rounded shares added up to ends, the table of the round before used again, probabilities
        added instead of multiplied, one row only counted for the first round with a cache.
        """
        plan, trace = self.plan, self.trace
        slips = added_up(trace, DRAWS[0]) + (self._old() if plan.rounds > 1 else [])
        if plan.path:
            total = math.fsum(float(trace[f"{draw}.chance"].values[0, 0]) for draw in DRAWS)
            slips.append(Slip("summed", PATH, 0, 0, total))
        if plan.costs:  # as if round 1 computed only one row, too
            slips.append(Slip("first", COSTS[1], 0, 0, float(ROUNDS)))
        return slips

    def _old(self) -> list[Slip]:
        """The first end of round 2 that the table of round 1 would give otherwise."""
        old, new = (self.trace[f"{draw}.cumulative"] for draw in DRAWS[:2])
        before = dict(zip(old.columns, old.values[0].tolist(), strict=True))
        ends = [before.get(word, new.values[0, j]) for j, word in enumerate(new.columns)]
        other = [j for j in range(len(ends)) if abs(new.values[0, j] - ends[j]) > 10.0**-GUARD]
        return [Slip("old", new.name, 0, j, ends[j]) for j in other[:1]]

    def named(self, slip: Slip) -> dict[str, str]:
        if slip.step in (PATH, *COSTS):
            return {}
        return {"token": self.trace[slip.step].columns[slip.j], "round": slip.step[len("draw")]}

    def telling(self) -> dict[str, str]:
        """The names in the answers: what is drawn here, and what greedy decoding appends."""
        kind, own, drawn = self.trace.preset.tokenizer, self.begun, self.plan.drawn
        j, at = self.listed(DRAWS[0]).index(drawn[0]), self.trace
        ends, starts = (at[f"{DRAWS[0]}.{k}"].values[0, j] for k in ("cumulative", "from"))
        names = {"digits": str(at[f"{DRAWS[0]}.digits"].values[0, j]), "token": drawn[0]}
        one, two = (_shares(at[f"{draw}.share"]) for draw in DRAWS[:2])
        words = one | two or drawn[:1]  # where every share is printed as 0
        moves = sorted(words, key=lambda word: two.get(word, 0.0) - one.get(word, 0.0))
        for way, word in (("down", moves[0]), ("up", moves[-1])):
            names |= {way: word, f"{way}1": self.show(f"{DRAWS[0]}.share", one.get(word, 0.0))}
            names[f"{way}2"] = self.show(f"{DRAWS[1]}.share", two.get(word, 0.0))
        return names | {
            "others": str(100 - round(100 * float(ends - starts))),
            "greedy": readable((*own, *generate.greedy_tokens(self.trace)), kind),
            "text": readable((*own, *drawn), kind),
            "sentence": joined(own, kind),
            "preset": self.trace.preset.name,
            "language": self.options.language,
            "seed": str(self.plan.seed),
        }

    def decimals(self) -> str:
        """To how many decimals pupils round powers and shares, said below that task."""
        return self.rounded(POWERS)

    def hints(self) -> tuple[str, ...]:
        return ("ends", "draw", *(("path",) if self.plan.path else ()))

    def tolerance(self) -> str:
        """By how much the rounded shares of a round may miss 1."""
        return self.share_slack("draw3.share", "draw3.exp", "draw3.sum", len(self.words))


def _shares(step: Step) -> dict[str, float]:
    """The shares of a table by word, as printed, but those of 0: a table may leave them out."""
    shares = shown_values(step)[0].tolist()
    return {word: share for word, share in zip(step.columns, shares, strict=True) if share}
