"""What sheet 2 says of its own result, each sentence with what must be true of it."""

import numpy as np

from generator.engine.rounding import GUARD, guarded
from generator.engine.trace import Trace
from generator.insight.claims import Claim, Predicate
from generator.insight.leading import leaders
from generator.insight.similarity import ROWS, SIMILARITY, TABLE, nearest
from generator.sheets.filling import fills
from generator.sheets.sheet2.plan import Plan2


def most(several: bool, alike: bool) -> Predicate:
    """Whether one other word is the most similar, or `several`; whether it is `alike` at all."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        nearest_words = nearest(trace, plan.x)
        counts = (len(nearest_words.best) > 1) == several and nearest_words.best == _printed(
            trace, plan
        )
        return counts and (nearest_words.value > 0) == alike

    return holds


def none_is(trace: Trace, plan: Plan2) -> bool:
    """Whether all other words are as unlike."""
    nearest_words = nearest(trace, plan.x)
    return nearest_words.value <= 0 and len(nearest_words.best) == len(trace[ROWS].rows) - 1


def product_leads(several: bool) -> Predicate:
    """Whether one product adds more to the greatest similarity than any other, and something."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        nearest_words = nearest(trace, plan.x)
        rows = trace[ROWS].values
        products = guarded(rows[plan.x] * rows[nearest_words.best[0]], GUARD)
        leads = products[nearest_words.factor] > 0 and (products == products.max()).sum() == 1
        return bool(leads) and nearest_words.value > 0 and (len(nearest_words.best) > 1) == several

    return holds


def itself(sign: int, twin: bool | None = None) -> Predicate:
    """Whether the own similarity is greater (1), less (-1) than the best other one, or equal."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        nearest_words, rows = nearest(trace, plan.x), trace[ROWS].values
        same = bool((rows[plan.x] == rows[nearest_words.best[0]]).all())
        wanted = twin is None or same == twin
        return wanted and np.sign(round(nearest_words.own - nearest_words.value, GUARD)) == sign

    return holds


def second(sign: int) -> Predicate:
    """Whether the similarity with the word to double is positive, negative or 0."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        value = trace[SIMILARITY].values[plan.x, plan.second or 0]
        return bool(np.sign(value) == sign)

    return holds


def many_dimensions(trace: Trace, plan: Plan2) -> bool:
    """Whether the figure leaves dimensions out."""
    return trace[TABLE].shape[1] > 2


def placed(kind: str, then: str) -> Predicate:
    """Whether positions are of that kind, attention follows and the sheet `then` can be filled."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        attends = "block1.head1.scores" in trace and trace.preset.positions == kind
        return attends and fills(then)(trace, plan)

    return holds


def _printed(trace: Trace, plan: Plan2) -> tuple[int, ...]:
    others = (j for j in range(trace[SIMILARITY].shape[0]) if j != plan.x)
    return leaders(trace, SIMILARITY, plan.x, others)


ANSWER = "sheet2.answer"
CLAIMS = {
    "sheet2.plane": Claim(many_dimensions, "sheet2.plane.flat"),
    f"{ANSWER}.why.one": Claim(most(False, True), f"{ANSWER}.why.several"),
    f"{ANSWER}.why.several": Claim(most(True, True), f"{ANSWER}.why.all.none"),
    f"{ANSWER}.why.all.none": Claim(none_is, f"{ANSWER}.why.one.none"),
    f"{ANSWER}.why.one.none": Claim(most(False, False), f"{ANSWER}.why.several.none"),
    f"{ANSWER}.why.several.none": Claim(most(True, False)),
    f"{ANSWER}.why.product": Claim(product_leads(False), f"{ANSWER}.why.product.of"),
    f"{ANSWER}.why.product.of": Claim(product_leads(True)),
    f"{ANSWER}.self.more": Claim(itself(1), f"{ANSWER}.self.twin"),
    f"{ANSWER}.self.twin": Claim(itself(0, twin=True), f"{ANSWER}.self.same"),
    f"{ANSWER}.self.same": Claim(itself(0, twin=False), f"{ANSWER}.self.less"),
    f"{ANSWER}.self.less": Claim(itself(-1)),
    f"{ANSWER}.double.more": Claim(second(1), f"{ANSWER}.double.less"),
    f"{ANSWER}.double.less": Claim(second(-1), f"{ANSWER}.double.zero"),
    f"{ANSWER}.double.zero": Claim(second(0)),
    "sheet2.next": Claim(placed("sinusoidal", "3"), "sheet2.next.places"),
    "sheet2.next.places": Claim(placed("learned", "4a"), "sheet2.next.further"),
}
