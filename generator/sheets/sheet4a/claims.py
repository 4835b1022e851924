"""What sheet 4a says of its own result, each sentence with what must be true of it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from generator.engine.rounding import GUARD, guarded, guarded_number
from generator.engine.trace import Trace
from generator.insight.attention import AttentionRow, Sight, adds_most, heaviest, sight
from generator.insight.behaviour import drawn_words, to_see
from generator.insight.claims import SHOWS, Claim, Predicate, in_turn, of_trace, or_plain
from generator.notation.shown import shown_decimals, shown_value, shown_values
from generator.sheets.attending import AT, attended
from generator.sheets.sheet4a.plan import EXAMPLE, OWN, Plan4a
from generator.sheets.slots import fills


def sees(*kinds: Sight) -> Predicate:
    """Whether the sheet's head has a mask of one of these kinds."""
    return lambda trace, plan: sight(trace, plan.at) in kinds


def shows_all(trace: Trace, plan: Plan4a) -> bool:
    """Whether the sheet shows its head without a mask, because it has none or comes later."""
    return plan.free or sees("none")(trace, plan)


def leaves_mask(trace: Trace, plan: Plan4a) -> bool:
    """Whether the model has a mask that sheet 4b brings, for this token or for another one.

    So the info leaf says the same to the whole class.
    """
    tokens = sorted(range(len(trace.tokens)), key=lambda k: k != plan.own)
    takes = fills("4b")
    return plan.free and any(takes(replace(trace, exercise=k), plan) for k in tokens)


def rows_differ(trace: Trace) -> bool:
    """Whether no two tokens have the same row x."""
    rows = trace[attended(trace)].values
    return len(np.unique(rows, axis=0)) == len(rows)


def from_places(trace: Trace) -> bool:
    """Whether queries and keys read only dimensions in which words have nothing but their place.

    And values others, in which some words have drawn numbers.
    """
    if not drawn_words(trace) or attended(trace) != "input" or "position" not in trace:
        return False

    def read(step: str, name: str) -> bool:
        numbers, weights = trace[step].values, trace[f"{AT}.weight.{name}"].values
        return bool((np.abs(numbers) @ np.abs(weights)).any())

    asked = (read("position", name) and not read("embedding", name) for name in ("query", "key"))
    return all(asked) and read("embedding", "value")


READABLE = 100_000  # a ratio of powers, at most


def of_own(holds: Callable[[AttentionRow], bool]) -> Predicate:
    """Whether that is true of the own token's row of attention."""
    return lambda trace, plan: holds(plan.own_row(trace))


def decided(row: AttentionRow) -> bool:
    """Whether one token leads, by one product that lies above the average more than others."""
    return row.leads and row.facts.decisive


def helps(row: AttentionRow) -> list[int]:
    """The dimensions whose product adds to the score of the token that gets most."""
    products = guarded(row.own("query")[0] * row["key"].values[row.facts.best], GUARD)
    found: list[int] = np.flatnonzero(products > 0).tolist()
    return found


def all_alike(row: AttentionRow) -> bool:
    """Whether all tokens get the same, as printed, and have the same score."""
    alike = all(row.leaders(name) == row.visible for name in ("weights", "scores"))
    return alike and len(row.visible) > 1


def together(row: AttentionRow) -> bool:
    """Whether those that get most, and only they, have the largest product in one dimension."""
    factor, best = row.facts.factor, row.leaders("weights")
    products = guarded(row.own("query")[0, factor] * row.seen("key")[:, factor], GUARD)
    most = [j for j, one in zip(row.visible, products, strict=True) if one == products.max()]
    return products.max() > 0 and most == list(best) != list(row.visible)


def spreads(row: AttentionRow) -> bool:
    """Whether the largest share is larger, as printed, where nobody divides by √d_k."""
    decimals = shown_decimals(row["weights"])
    unscaled, share = (guarded_number(x, decimals) for x in (row.facts.unscaled, row.facts.share))
    return unscaled > share


def ratio_grows(trace: Trace, plan: Plan4a) -> bool:
    """Whether the largest power leads the smallest by more where nobody divides by √d_k."""
    scaled, plain = plan.own_row(trace).contrasts()
    if not (scaled.low and plain.low):
        return False
    return 1.1 * scaled.ratio < plain.ratio < READABLE  # seen in two digits


def shares_told(trace: Trace, plan: Plan4a) -> bool:
    """Whether a share without √d_k is told: one who compares powers has their ratio alone."""
    return spreads(plan.own_row(trace)) and not (plan.compares and ratio_grows(trace, plan))


def exchanged(trace: Trace, plan: Plan4a) -> bool:
    """Whether the own token's score with the worked one is another one the other way round."""
    scores = shown_values(trace[plan.head.step("scores")])
    return bool(scores[plan.own, plan.worked] != scores[plan.worked, plan.own])


def of_answers(sheet: str) -> dict[str, Claim]:
    """The claims in the answers that sheet 4a and the hand-out to the slides have in common."""
    return {
        f"{sheet}.discuss.2.answer": Claim(of_own(spreads), f"{sheet}.discuss.2.answer.general"),
        f"{sheet}.reality.masked": Claim(shows_all),
    }


def cuts_sums(trace: Trace, plan: Plan4a) -> bool:
    """Whether an output is asked that is rounded, so that nobody rounds its products before."""
    return plan.mind.rounded and any(step.endswith(".output") for step, _, _ in plan.asked)


def strongest(holds: Callable[[list[int]], bool]) -> Predicate:
    """Whether that is true of the tokens that add most to the own first output."""
    return lambda trace, plan: holds(heaviest(trace[f"{OWN}.product"]))


def most_of_output(trace: Trace) -> tuple[int, int] | None:
    """Which product of the example adds most to an output, see `adds_most`."""
    return adds_most(trace[f"{EXAMPLE}.product"], trace[f"{EXAMPLE}.output"])


def mixed(row: AttentionRow) -> bool:
    """Whether the output's first number lies between two of the values seen, as printed."""
    _, (low, _), (high, _) = between(row)
    return low < shown_value(row["output"], row.token, 0) < high


def between(row: AttentionRow) -> list[tuple[float, int]]:
    """The output's first number with its token, the smallest and the largest of the values."""
    values = [(shown_value(row["value"], j, 0), j) for j in row.visible]
    return [(shown_value(row["output"], row.token, 0), row.token), min(values), max(values)]


SIGNED = ("sheet4a.calculator", "sheet4a.hint.power")
CLAIMS = {
    **of_answers("sheet4a"),
    SHOWS: Claim(lambda trace, plan: plan.seen and to_see(trace)),
    "sheet4a.shows.masked": Claim(lambda trace, plan: not plan.seen and to_see(trace)),
    "sheet.rounding.text": Claim(
        lambda trace, plan: trace.rounding == "paper" and plan.mind.rounded, "sheet.rounding.none"
    ),
    "sheet.rounding.none": Claim(
        lambda trace, plan: trace.rounding == "paper", "sheet.rounding.exact"
    ),
    **or_plain(lambda _, plan: plan.mind.negative, *SIGNED),
    **or_plain(
        lambda trace, plan: trace.rounding == "exact" or plan.mind.rounded,
        *("sheet4a.probe.shares", "sheet4a.hint.output", "sheet4a.output.sum"),
    ),
    "sheet4a.places.products": Claim(cuts_sums),
    "sheet4a.hint.score": Claim(lambda _, plan: plan.mind.against, "sheet4a.hint.score.signed"),
    "sheet4a.hint.score.signed": Claim(
        lambda _, plan: plan.mind.negative, "sheet4a.hint.score.plain"
    ),
    "sheet4a.calculator.base": Claim(lambda _, plan: plan.mind.near),
    "sheet4a.help.power.keys": Claim(
        lambda _, plan: plan.mind.near, "sheet4a.help.power.keys.only"
    ),
    "sheet4a.example.most": of_trace(lambda trace: most_of_output(trace) is not None),
    "sheet4a.simplified.text": Claim(
        lambda trace, plan: plan.mind.looked_up, "sheet4a.simplified.text.calculator"
    ),
    "sheet4a.drawn": of_trace(from_places, "sheet.drawn.some"),
    "sheet4a.same_weights.differ": of_trace(rows_differ, "sheet4a.same_weights.alike"),
    "sheet4a.example.later": Claim(leaves_mask, "sheet4a.example.unmasked"),
    "sheet4a.example.unmasked": Claim(shows_all),
    "sheet4a.task.unscaled": Claim(lambda _, plan: plan.compares, "sheet4a.task.unscaled.open"),
    "sheet4a.discuss.2": Claim(exchanged, "sheet4a.discuss.2.root"),
    "sheet4a.discuss.2.answer": Claim(exchanged, "sheet4a.discuss.2.answer.root"),
    "sheet4a.answer.unscaled": Claim(shares_told, "sheet4a.answer.unscaled.ratio"),
    "sheet4a.answer.unscaled.ratio": Claim(ratio_grows, "sheet4a.answer.unscaled.alike"),
    "sheet4a.discuss.2.answer.root": Claim(of_own(spreads), "sheet4a.discuss.2.answer.general"),
    "sheet4a.finding": Claim(of_own(mixed), "sheet4a.finding.general"),
    # sheet 4b can be filled and shows another head
    "sheet4a.next": Claim(
        lambda trace, plan: trace.preset.heads > 1 and fills("4b")(trace, plan), "sheet4a.next.mask"
    ),
    "sheet4a.next.mask": Claim(fills("4b"), "sheet4a.next.general"),
} | in_turn(
    {
        "sheet4a.answer.why": {
            ".largest": of_own(lambda row: decided(row) and row.facts.largest),
            ".needed": of_own(decided),
            ".carried": of_own(lambda row: row.leads and helps(row) == [row.facts.factor]),
            ".score": of_own(lambda row: row.leads and len(helps(row)) > 1),
            ".top": of_own(lambda row: row.leads),
            ".equal": of_own(all_alike),
            ".together": of_own(together),
            ".even": of_own(lambda row: not row.leads),
        },
        "sheet4a.answer.strongest": {
            "": strongest(lambda found: len(found) == 1),
            ".two": strongest(lambda found: len(found) == 2),
            ".several": strongest(lambda found: len(found) > 2),
            ".none": strongest(lambda found: not found),
        },
    }
)
