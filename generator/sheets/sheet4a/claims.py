"""What sheet 4a says of its own result, each sentence with what must be true of it."""

from dataclasses import replace

import numpy as np

from generator.engine.rounding import rounded_number
from generator.engine.trace import Trace
from generator.insight.attention_facts import Attention, attention
from generator.insight.claims import Claim, Predicate
from generator.insight.leading import leaders
from generator.insight.sight import Sight, sight
from generator.notation.shown import shown_decimals
from generator.sheets.attending import attended
from generator.sheets.filling import fills
from generator.sheets.sheet4a.plan import Plan4a


def sees(*kinds: Sight) -> Predicate:
    """Whether the sheet's head has a mask of one of these kinds."""

    def holds(trace: Trace, plan: Plan4a) -> bool:
        return sight(trace, plan.at) in kinds

    return holds


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


def rows_differ(trace: Trace, plan: Plan4a) -> bool:
    """Whether no two tokens have the same row x."""
    rows = trace[attended(trace)].values
    return len(np.unique(rows, axis=0)) == len(rows)


def one_leads(trace: Trace, plan: Plan4a) -> bool:
    """Whether one token alone gets most of the own token's attention, as printed."""
    return len(leaders(trace, plan.head.step("weights"), plan.own, plan.visible)) == 1


def one_decides(trace: Trace, plan: Plan4a) -> bool:
    """Whether one token leads, by one product that lies above the average more than others."""
    return one_leads(trace, plan) and facts(trace, plan).decisive


def largest_decides(trace: Trace, plan: Plan4a) -> bool:
    """Whether that product is larger than those of all other tokens, or as large."""
    return one_decides(trace, plan) and facts(trace, plan).largest


def all_alike(trace: Trace, plan: Plan4a) -> bool:
    """Whether all tokens get the same, as printed, and have the same score."""
    return all(
        len(leaders(trace, plan.head.step(name), plan.own, plan.visible)) == len(plan.visible) > 1
        for name in ("weights", "scores")
    )


def several_lead(trace: Trace, plan: Plan4a) -> bool:
    """Whether several tokens get most, as printed."""
    return not one_leads(trace, plan)


def spreads(trace: Trace, plan: Plan4a) -> bool:
    """Whether the largest share is larger, as printed, where nobody divides by √d_k."""
    attention = facts(trace, plan)
    decimals = shown_decimals(trace[plan.head.step("weights")])
    return rounded_number(attention.unscaled, decimals) > rounded_number(attention.share, decimals)


def facts(trace: Trace, plan: Plan4a) -> Attention:
    """Who gets most of the own token's attention, and why."""
    return attention(trace, plan.head, plan.own, plan.visible)


def second_head(trace: Trace, plan: Plan4a) -> bool:
    """Whether sheet 4b can be filled and shows another head."""
    return trace.preset.heads > 1 and fills("4b")(trace, plan)


def of_answers(sheet: str) -> dict[str, Claim]:
    """The claims in the answers that sheet 4a and the hand-out to the slides have in common."""
    return {
        f"{sheet}.discuss.2.answer": Claim(spreads, f"{sheet}.discuss.2.answer.general"),
        f"{sheet}.reality.masked": Claim(shows_all),
    }


WHY = "sheet4a.answer.why"
CLAIMS = {
    **of_answers("sheet4a"),
    "sheet4a.same_weights.differ": Claim(rows_differ, "sheet4a.same_weights.alike"),
    "sheet4a.example.later": Claim(leaves_mask, "sheet4a.example.unmasked"),
    "sheet4a.example.unmasked": Claim(shows_all),
    f"{WHY}.largest": Claim(largest_decides, f"{WHY}.above"),
    f"{WHY}.above": Claim(one_decides, f"{WHY}.score"),
    f"{WHY}.score": Claim(one_leads, f"{WHY}.equal"),
    f"{WHY}.equal": Claim(all_alike, f"{WHY}.even"),
    f"{WHY}.even": Claim(several_lead),
    "sheet4a.answer.unscaled": Claim(spreads, "sheet4a.answer.unscaled.alike"),
    "sheet4a.next": Claim(second_head, "sheet4a.next.mask"),
    "sheet4a.next.mask": Claim(fills("4b"), "sheet4a.next.general"),
}
