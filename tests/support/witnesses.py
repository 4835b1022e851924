"""Second witnesses of the claims: what each sentence says, looked up in the numbers anew.

A witness takes a computation made afresh, with the sheet's own steps, the plan and the numbers
without rounding. None of them calls the predicate of the claim or what that predicate is made of:
they read values, round them as a reader sees them (Decimal, half away from zero) and compare.
"""

import math
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

import numpy as np

import generator
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions


class Seen(NamedTuple):
    """What a witness looks at."""

    trace: Trace
    plan: Any

    def row(self, step: str, i: int, columns: tuple[int, ...]) -> list[Decimal]:
        """Numbers of a row as printed."""
        return [printed(self.trace, step, float(self.trace[step].values[i, j])) for j in columns]

    def all(self) -> tuple[int, ...]:
        """The places of all tokens."""
        return tuple(range(len(self.trace.tokens)))


Witness = Callable[[Seen], bool]


def printed(trace: Trace, step: str, value: float) -> Decimal:
    """A number as a step of that name shows it."""
    decimals = trace[step].decimals
    digits = 10 if decimals is None else decimals
    quick = Decimal(repr(round(value, 10)))
    return quick.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP) + 0


def alone(numbers: list[Decimal]) -> bool:
    """Whether the largest number stands there once."""
    return numbers.count(max(numbers)) == 1


def strangers(seen: Seen) -> set[str]:
    """The words of the vocabulary that the preset's file does not give numbers of."""
    if seen.trace.preset.start != "sentence":
        return set()
    table = seen.trace["vocabulary.embedding"]
    known = {(word, tuple(row)) for word, row in seen.trace.preset.words.items()}
    rows = zip(table.rows, table.values.tolist(), strict=True)
    return {word for word, row in rows if (word, tuple(row)) not in known}


# What everything has in common -----------------------------------------------------------------


def promise(trace: Trace, rule: Any) -> bool:
    """Whether a computation has a case of a promise, and keeps it in every one."""
    tokens = trace.tokens
    if rule.rule in ("predicts", "continues", "repeats"):
        return _predicts(trace, rule)
    shares = trace[f"{rule.head}.weights"].values
    mask = f"{rule.head}.mask"
    visible = trace[mask].values == 0 if mask in trace else np.ones(shares.shape, bool)
    cases = []
    for i in range(len(tokens)):
        at = [j for j in _wanted(trace, rule, i) if visible[i, j]]
        if at:
            got = [float(shares[i, j]) for j in at]
            cases.append(min(got) * len(got) if rule.rule == "same" else sum(got))
    return bool(cases) and min(cases) >= rule.least


def _wanted(trace: Trace, rule: Any, i: int) -> list[int]:
    tokens = trace.tokens
    earlier = [j for j in range(i) if tokens[j] == tokens[i]]
    names = trace.preset.dimensions

    def kind(k: int) -> str:
        row = trace["embedding"].values[k].tolist()
        return names[row.index(max(row))]

    everywhere = range(len(tokens))
    return {
        "previous": lambda: [i - 1] if i else [],
        "same": lambda: earlier,
        "after-same": lambda: [j + 1 for j in earlier],
        "words": lambda: [j for j in everywhere if tokens[j] in rule.at] * (tokens[i] in rule.who),
        "kinds": lambda: [j for j in everywhere if kind(j) in rule.at] * (kind(i) in rule.who),
    }[rule.rule]()


def _predicts(trace: Trace, rule: Any) -> bool:
    tokens = trace.tokens
    if rule.rule == "predicts":
        other = generator.compute(
            rule.sentence or None, preset=trace.preset, rounding=trace.rounding
        )
        return other["sampling.next"].values[0, 0] in rule.at and not drawn(trace)
    found = str(trace["sampling.next"].values[0, 0])
    if rule.rule == "repeats":
        return found in tokens
    after = [tokens[j + 1] for j in range(len(tokens) - 1) if tokens[j] == tokens[-1]]
    return len(set(after)) == 1 and after[0] != tokens[-1] and found == after[0]


def drawn(trace: Trace) -> bool:
    """Whether a word of the sentence has numbers that nobody chose or learned."""
    return trace.preset.start == "sentence" and not set(trace.tokens) <= set(trace.preset.words)


def meant(seen: Seen) -> bool:
    """Whether the preset calls its numbers meaningful and nothing here speaks against it."""
    preset = seen.trace.preset
    broken = [
        one
        for one in preset.behaviour
        if one.rule in ("previous", "same", "after-same", "kinds", "words")
        and not promise(seen.trace, one)
        and any(_wanted(seen.trace, one, i) for i in seen.all())
        and not _no_case(seen.trace, one)
    ]
    return preset.meaningful and not drawn(seen.trace) and not broken


def _no_case(trace: Trace, rule: Any) -> bool:
    """Whether all that a token ought to look at is masked for it."""
    mask = f"{rule.head}.mask"
    if mask not in trace:
        return False
    visible = trace[mask].values == 0
    return not any(visible[i, j] for i in range(len(trace.tokens)) for j in _wanted(trace, rule, i))


def chosen(seen: Seen) -> bool:
    """Whether the preset says that its numbers are made up."""
    return not seen.trace.preset.meaningful


def shows(seen: Seen) -> bool:
    """Whether all that the preset promises is to be seen."""
    return all(promise(seen.trace, one) for one in seen.trace.preset.behaviour)


def on_paper(seen: Seen) -> bool:
    """Whether what is printed is what is computed with: each step rounded."""
    return seen.trace.rounding == "paper"


# Attention ---------------------------------------------------------------------------------------


def sight(kind: str) -> Witness:
    """Whether each token sees all ("none"), itself and earlier ones, or only earlier ones."""

    def holds(seen: Seen) -> bool:
        mask = f"{seen.plan.at}.mask"
        for i in seen.all():
            for j in seen.all():
                open_ = mask not in seen.trace or seen.trace[mask].values[i, j] == 0
                wanted = {"none": True, "causal": j <= i, "strict": j < i}[kind]
                if open_ != wanted:
                    return False
        return True

    return holds


def rows_differ(seen: Seen) -> bool:
    """Whether no two rows x that are multiplied by W are the same."""
    x = seen.trace[seen.trace[f"{seen.plan.at}.query"].inputs[0]].values
    return len({tuple(row) for row in x.tolist()}) == len(x)


def way(seen: Seen, name: str) -> str:
    """A step of the sheet's head: on sheet 4a what follows the mask is as without it."""
    free = seen.plan.sheet == "4a" and f"{seen.plan.at}.mask" in seen.trace
    masked = name in ("exp", "sum", "weights", "output")
    return f"unmasked.{seen.plan.at}.{name}" if free and masked else f"{seen.plan.at}.{name}"


def everyone_seen(seen: Seen) -> bool:
    """Whether the example's and the own token's shares are those over all tokens."""
    trace, base = seen.trace, seen.trace.preset.softmax_base or math.e
    for row in (seen.plan.worked, seen.plan.own):
        powers = [base**score for score in trace[f"{seen.plan.at}.scaled"].values[row].tolist()]
        shares = trace[way(seen, "weights")].values[row].tolist()
        near = (abs(x - y / sum(powers)) < 0.02 for x, y in zip(shares, powers, strict=True))
        if not all(near):
            return False
    return True


def own_leads(seen: Seen) -> bool:
    """Whether one token gets more than any other of the own token's attention."""
    plan = seen.plan
    return alone(seen.row(way(seen, "weights"), plan.own, plan.visible))


def product_decides(seen: Seen) -> bool:
    """Whether one product q·k of the leader lies furthest above the mean of that product."""
    plan, trace = seen.plan, seen.trace
    shares = seen.row(way(seen, "weights"), plan.own, plan.visible)
    if shares.count(max(shares)) != 1:
        return False
    best = plan.visible[shares.index(max(shares))]
    q, keys = trace[f"{plan.at}.query"].values[plan.own], trace[f"{plan.at}.key"].values
    means = [
        sum(q[d] * keys[j, d] for j in plan.visible) / len(plan.visible) for d in range(len(q))
    ]
    above = [round(float(q[d] * keys[best, d] - means[d]), 9) for d in range(len(q))]
    return max(above) > 0 and above.count(max(above)) == 1


def product_largest(seen: Seen) -> bool:
    """Whether no other token has a larger product in the leader's decisive dimension."""
    plan, trace = seen.plan, seen.trace
    shares = seen.row(way(seen, "weights"), plan.own, plan.visible)
    best = plan.visible[shares.index(max(shares))]
    products = trace[f"{plan.at}.query"].values[plan.own] * trace[f"{plan.at}.key"].values
    mine = products[list(plan.visible)]
    d = int(np.argmax(np.round(products[best] - mine.mean(axis=0), 9)))
    return (
        round(products[best, d] - mine[:, d].max(), 9) >= 0 and mine[:, d].max() > mine[:, d].min()
    )


def all_alike(seen: Seen) -> bool:
    """Whether shares and scores of the own row are all the same."""
    plan = seen.plan
    rows = [seen.row(way(seen, name), plan.own, plan.visible) for name in ("weights", "scores")]
    return all(len(set(row)) == 1 < len(row) for row in rows)


def unscaled_larger(seen: Seen) -> bool:
    """Whether the largest share grows without the division by √d_k, as printed."""
    plan, trace = seen.plan, seen.trace
    weights, step = way(seen, "weights"), f"{plan.at}.scores"
    shares = [float(trace[weights].values[plan.own, j]) for j in plan.visible]
    scores = [float(trace[step].values[plan.own, j]) for j in plan.visible]
    base = trace.preset.softmax_base or math.e
    digits = trace[way(seen, "exp")].decimals if trace.rounding == "paper" else None
    powers = [base**s for s in scores]
    if digits is not None:
        powers = [float(printed(trace, way(seen, "exp"), p)) for p in powers]
    place = shares.index(max(shares))
    new, old = powers[place] / sum(powers), shares[place]
    return printed(trace, weights, new) > printed(trace, weights, old)


def masked_row(seen: Seen, row: int, visible: tuple[int, ...]) -> tuple[bool, bool, bool]:
    """Whether Σ falls, each share grows, and all stays as it is, as printed."""
    free, at = "unmasked.block1.head1", "block1.head1"
    (old,), (new,) = seen.row(f"{free}.sum", row, (0,)), seen.row(f"{at}.sum", row, (0,))
    before, after = (seen.row(f"{one}.weights", row, visible) for one in (free, at))
    grows = all(b > a for a, b in zip(before, after, strict=True))
    return new < old, new < old and grows, (new, after) == (old, before)


def two_leaders(seen: Seen, row: int, visible: tuple[int, ...]) -> list[set[int]]:
    """The tokens that get most in heads 1 and 2."""
    found = []
    for head in (1, 2):
        shares = seen.row(f"block1.head{head}.weights", row, visible)
        found.append({j for j, s in zip(visible, shares, strict=True) if s == max(shares)})
    return found


def heads_look_apart(seen: Seen) -> bool:
    """Whether the example's token looks most at others with its second head."""
    one, other = two_leaders(seen, seen.plan.worked, seen.plan.worked_visible)
    return not one & other


def each_head_leads(seen: Seen) -> bool:
    """Whether in either head one token gets most."""
    return all(len(s) == 1 for s in two_leaders(seen, seen.plan.own, seen.plan.visible))


def heads_mix(seen: Seen) -> bool:
    """Whether a column of W_O takes numbers from the outputs of two heads."""
    weight, heads = seen.trace["block1.weight.output"].values, seen.trace.preset.heads
    width = len(weight) // heads
    return any(
        sum(any(weight[h * width + k, c] != 0 for k in range(width)) for h in range(heads)) > 1
        for c in range(weight.shape[1])
    )


# Other sheets ------------------------------------------------------------------------------------


def fills(sheet: str) -> Witness:
    """Whether another sheet can be filled."""

    def holds(seen: Seen) -> bool:
        try:
            planned(sheet, seen.trace, SheetOptions(level=seen.plan.level))
        except UserError:
            return False
        return True

    return holds


def of_similarity(check: Callable[[Decimal, list[Decimal], np.ndarray, int], bool]) -> Witness:
    """A witness that gets the own similarity, the others', all rows and the own place."""

    def holds(seen: Seen) -> bool:
        own, step = seen.plan.x, "chosen.similarity"
        count = seen.trace[step].shape[0]
        others = seen.row(step, own, tuple(j for j in range(count) if j != own))
        (itself,) = seen.row(step, own, (own,))
        return check(itself, others, seen.trace["chosen.embedding"].values, own)

    return holds


def adds_most(several: bool) -> Witness:
    """Whether one product adds most to the similarity with the (first) most similar word."""

    def check(itself: Decimal, others: list[Decimal], rows: np.ndarray, own: int) -> bool:
        best = others.index(max(others))
        best += best >= own
        products = [round(float(a * b), 9) for a, b in zip(rows[own], rows[best], strict=True)]
        leads = max(products) > 0 and products.count(max(products)) == 1
        return leads and (others.count(max(others)) > 1) == several

    return of_similarity(check)


def twin(itself: Decimal, others: list[Decimal], rows: np.ndarray, own: int) -> bool:
    """Whether the first word that is as similar as the own one has its very row."""
    best = others.index(max(others))
    best += best >= own
    return itself == max(others) and rows[best].tolist() == rows[own].tolist()


def doubling(sign: int) -> Witness:
    """Whether the similarity that is doubled is above, below or at 0."""

    def holds(seen: Seen) -> bool:
        value = float(seen.trace["chosen.similarity"].values[seen.plan.x, seen.plan.second])
        return (value > 0) - (value < 0) == sign

    return holds


def inputs_differ(seen: Seen) -> bool:
    """Whether the two tokens with one embedding have other inputs, as printed."""
    if seen.plan.equal is None:
        return True
    columns = tuple(range(seen.trace["input"].shape[1]))
    one, other = (seen.row("input", k, columns) for k in seen.plan.equal)
    return one != other


def places_differ(seen: Seen) -> bool:
    """Whether the own word at two places has other codes and other inputs, as printed."""
    columns = tuple(range(seen.trace["input"].shape[1]))
    for name in ("position", "input"):
        one, other = (
            seen.row(f"{place.prefix}{name}", place.row, columns) for place in seen.plan.places[:2]
        )
        if one == other:
            return False
    return True


def zeros(*steps: str) -> Witness:
    """Whether a weight of these matrices of block 1 is 0."""

    def holds(seen: Seen) -> bool:
        return any(0.0 in seen.trace[f"block1.weight.{s}"].values for s in steps)

    return holds


def old_row_counts(seen: Seen) -> bool:
    """Whether the norm of the new row alone gives another number than that of the sum."""
    first, own = seen.plan.first, seen.plan.own
    right = seen.trace[first.normalised].values[own]
    alone_ = seen.trace[first.new].values[own]
    spread = alone_ - (alone_.mean() if first.mean else 0.0)
    if not spread.any():
        return False
    root = math.sqrt(float((spread**2).mean()) + seen.trace.preset.epsilon)
    # The sheet rounds at each step; far from a tie that makes no difference to being another one.
    j = int(np.argmax(np.abs(right)))
    return abs(spread[j] / root - right[j]) > -1.0 and not np.allclose(
        alone_, seen.trace[first.total].values[own]
    )


def crossed_otherwise(seen: Seen) -> bool:
    """Whether another token has other negative hidden values."""
    hidden = seen.trace[seen.plan.hidden].values
    patterns = {tuple((row < 0).tolist()) for row in hidden}
    return len(patterns) > 1


def listened(seen: Seen) -> bool:
    """Whether the last of several tokens sees all others in the first head."""
    last = len(seen.trace.tokens) - 1
    mask = "block1.head1.mask"
    sees = mask not in seen.trace or all(seen.trace[mask].values[last, j] == 0 for j in range(last))
    return last > 0 and "block1.head1.weights" in seen.trace and sees


def likeliest(seen: Seen) -> bool:
    """Whether one word alone is the likeliest at the drawn temperature."""
    return alone(_shares(seen, seen.plan.drawn))


def hotter(seen: Seen) -> bool:
    """Whether the likeliest word gets more at the least temperature than at the greatest."""
    heats = seen.trace["temperature"].values[:, 0].tolist()
    drawn_ = _shares(seen, seen.plan.drawn)
    best = drawn_.index(max(drawn_))
    low, high = (_shares(seen, heats.index(t))[best] for t in (min(heats), max(heats)))
    return alone(drawn_) and low > high


def one_logit(seen: Seen) -> bool:
    """Whether one word alone has the largest logit."""
    return alone(seen.row("output.logits", 0, tuple(range(seen.trace["output.logits"].shape[1]))))


def rounds_differ(seen: Seen) -> bool:
    """Whether the shares of rounds 1 and 2 differ in a model with attention."""
    columns = tuple(range(seen.trace["draw1.share"].shape[1]))
    one, two = (seen.row(f"draw{n}.share", 0, columns) for n in (1, 2))
    return one != two and any(".head1.weights" in name for name in seen.trace.steps)


def _shares(seen: Seen, row: int) -> list[Decimal]:
    step = "output.probabilities"
    return seen.row(step, row, tuple(range(seen.trace[step].shape[1])))


def both(*witnesses: Witness) -> Witness:
    """Whether all of them hold."""
    return lambda seen: all(one(seen) for one in witnesses)


def attends(seen: Seen) -> bool:
    """Whether there is attention."""
    return "block1.head1.scores" in seen.trace


def example(place: int) -> Witness:
    """What the mask does to the row of the example."""
    return lambda s: masked_row(s, s.plan.worked, s.plan.worked_visible)[place]


def unlike(several: bool | None) -> Witness:
    """Whether no other word is like the own one; how many are the least unlike."""

    def check(itself: Decimal, others: list[Decimal], rows: np.ndarray, own: int) -> bool:
        count = others.count(max(others))
        wanted = count == len(others) if several is None else (count > 1) == several
        return max(others) <= 0 and wanted

    return of_similarity(check)


def alike(several: bool) -> Witness:
    """Whether one other word is the most similar, or several."""
    return of_similarity(
        lambda itself, others, rows, own: (
            max(others) > 0 and (others.count(max(others)) > 1) == several
        )
    )


OWN_GROWS: Witness = lambda s: masked_row(s, s.plan.row, s.plan.row_visible)[1]  # noqa: E731
ANSWER = "sheet2.answer"
WITNESSES: Mapping[str, Witness] = {
    "preset.shows": shows,
    "sheet.meaningful": meant,
    "sheet.chosen": chosen,
    "sheet.unmeant": lambda s: not meant(s),
    "sheet.rounding.text": on_paper,
    "sheet.drawn": lambda s: bool(strangers(s)),
    "sheet.drawn.all": lambda s: strangers(s) == set(s.trace["vocabulary.words"].values[:, 0]),
    "sheet1.next": both(fills("bpe"), fills("2")),
    "sheet2.plane": lambda s: s.trace.preset.d_model > 2,
    f"{ANSWER}.why.one": alike(False),
    f"{ANSWER}.why.several": alike(True),
    f"{ANSWER}.why.all.none": unlike(None),
    f"{ANSWER}.why.one.none": unlike(False),
    f"{ANSWER}.why.several.none": unlike(True),
    f"{ANSWER}.why.product": adds_most(False),
    f"{ANSWER}.why.product.of": adds_most(True),
    f"{ANSWER}.self.more": of_similarity(lambda itself, others, *_: itself > max(others)),
    f"{ANSWER}.self.twin": of_similarity(twin),
    f"{ANSWER}.self.same": of_similarity(lambda itself, others, *_: itself == max(others)),
    f"{ANSWER}.self.less": of_similarity(lambda itself, others, *_: itself < max(others)),
    f"{ANSWER}.double.more": doubling(1),
    f"{ANSWER}.double.less": doubling(-1),
    f"{ANSWER}.double.zero": doubling(0),
    "sheet2.next": both(attends, fills("3"), lambda s: "position.angle" in s.trace),
    "sheet2.next.places": both(attends, fills("4a"), lambda s: "position" in s.trace),
    "sheet3.made_up": chosen,
    "sheet3.answer.equal.again": places_differ,
    "sheet3.answer.equal": inputs_differ,
    "sheet3.next": both(fills("4a"), lambda s: s.trace["block1.head1.query"].inputs[0] == "input"),
    "sheet4a.same_weights.differ": rows_differ,
    "sheet4a.example.unmasked": everyone_seen,
    "sheet4a.example.later": both(everyone_seen, fills("4b")),
    "sheet4a.reality.masked": everyone_seen,
    "sheet4a.answer.why.largest": both(product_decides, product_largest),
    "sheet4a.answer.why.above": product_decides,
    "sheet4a.answer.why.score": own_leads,
    "sheet4a.answer.why.equal": all_alike,
    "sheet4a.answer.why.even": lambda s: not own_leads(s),
    "sheet4a.answer.unscaled": unscaled_larger,
    "sheet4a.discuss.2.answer": unscaled_larger,
    "sheet4a.next": both(fills("4b"), lambda s: "block1.head2.scores" in s.trace),
    "sheet4a.next.mask": fills("4b"),
    "sheet4b.story.open.heads": heads_look_apart,
    "sheet4b.mask.causal": sight("causal"),
    "sheet4b.mask.strict": sight("strict"),
    "sheet4b.triangle.causal": sight("causal"),
    "sheet4b.triangle.strict": sight("strict"),
    "sheet4b.example.rounded": example(0),
    "sheet4b.example.grow": example(1),
    "sheet4b.example.all": lambda s: set(s.plan.worked_visible) == set(s.all()),
    "sheet4b.example.alike": example(2),
    "sheet4b.closing.other": heads_mix,
    "sheet4b.after.other": heads_mix,
    "sheet4b.answer.compare": each_head_leads,
    "sheet4b.discuss.1": OWN_GROWS,
    "sheet4b.discuss.1.answer": OWN_GROWS,
    "sheet4b.board": sight("causal"),
    "sheet4b.next": fills("5"),
    "sheet5.network.zeros": zeros("hidden", "feedforward"),
    "sheet5.task.hidden": zeros("hidden"),
    "sheet5.answer.why": both(old_row_counts, lambda s: "position" in s.trace),
    "sheet5.answer.why.word": old_row_counts,
    "sheet5.discuss.2.answer": crossed_otherwise,
    "sheet5.reality": lambda s: s.trace["block1.hidden"].inputs[0] != "block1.norm2",
    "sheet5.reality.pre": lambda s: "block1.gain1" in s.trace,
    "sheet5.next": fills("6"),
    "sheet6.story.open": listened,
    "sheet6.origin.last": listened,
    "sheet6.choice.greedy.how": likeliest,
    "sheet6.answer.low": hotter,
    "sheet6.discuss.1.answer": one_logit,
    "sheet6.next": lambda s: "embedding" in s.trace,
    "sheetgenerate.answer.why": rounds_differ,
    "sheetmath.words.hidden": lambda s: (
        s.trace["block1.hidden"].shape[1] > s.trace["input"].shape[1]
    ),
    "sheetmath.counts.note": lambda s: not any("gain" in n or "beta" in n for n in s.trace.steps),
    "sheetslide.sees.none": sight("none"),
    "sheetslide.sees.causal": sight("causal"),
    "sheetslide.sees.strict": sight("strict"),
    "sheetslide.reality.masked": sight("none"),
    "sheetslide.reality.strict": sight("strict"),
    "sheetslide.first_row": sight("strict"),
    "sheetslide.answer.why": own_leads,
    "sheetslide.answer.even": lambda s: not own_leads(s),
    "sheetslide.answer.factor": product_decides,
    "sheetslide.discuss.2.answer": unscaled_larger,
    "sheetslide.next": fills("4a"),
    "sheetslides.meaningful": meant,
    "sheetslides.chosen": chosen,
    "sheetslides.sees.none": sight("none"),
    "sheetslides.sees.causal": sight("causal"),
    "sheetslides.sees.strict": sight("strict"),
    "sheetslides.first_row": sight("strict"),
}
