"""What sheet 6 says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.leading import leaders
from generator.insight.output_layer import LOGITS, SHARES, heat
from generator.notation.shown import shown_value
from generator.sheets.filling import fills
from generator.sheets.sheet6.plan import Plan6


def heard_all(trace: Trace, plan: Plan6) -> bool:
    """Whether the last token sees all that come before it, and there are some."""
    weights, last = "block1.head1.weights", len(trace.tokens) - 1
    if weights not in trace or not last:
        return False
    mask = "block1.head1.mask"
    return mask not in trace or bool((trace[mask].values[last, :last] == 0.0).all())


def one_leads(trace: Trace, plan: Plan6) -> bool:
    """Whether one word alone is the likeliest, as printed for the given temperature."""
    return len(leaders(trace, SHARES, plan.drawn, _words(trace))) == 1


def one_logit_leads(trace: Trace, plan: Plan6) -> bool:
    """Whether one word alone has the largest logit, as printed, and is the likeliest."""
    return leaders(trace, LOGITS, 0, _words(trace)) == (heat(trace, plan.drawn).best,)


def heat_counts(trace: Trace, plan: Plan6) -> bool:
    """Whether the likeliest word gets more at the lowest temperature than at the highest."""
    best, low, high = heat(trace, plan.drawn)
    at_low, at_high = (shown_value(trace[SHARES], row, best) for row in (low, high))
    return one_leads(trace, plan) and at_low > at_high


def used_again(trace: Trace, plan: Plan6) -> bool:
    """Whether the embeddings are those of sheet 2 and the input has been made of them."""
    return whole_way(trace, plan) and fills("2")(trace, plan)


def whole_way(trace: Trace, plan: Plan6) -> bool:
    """Whether the series begins with the sentence and not with given vectors."""
    return trace.preset.start == "sentence"


def _words(trace: Trace) -> range:
    return range(trace[SHARES].shape[1])


CLAIMS = {
    "sheet6.story.open": Claim(heard_all, "sheet6.story.open.alone"),
    "sheet6.origin.block": Claim(fills("5"), "sheet6.origin.block.bare"),
    "sheet6.tied": Claim(used_again, "sheet6.tied.rows"),
    "sheet6.origin.last": Claim(heard_all),
    "sheet6.choice.greedy.how": Claim(one_leads, "sheet6.choice.greedy.how.general"),
    "sheet6.answer.low": Claim(heat_counts, "sheet6.answer.low.general"),
    "sheet6.discuss.1.answer": Claim(one_logit_leads, "sheet6.discuss.1.answer.general"),
    "sheet6.next.learning": Claim(fills("7a")),
    "sheet6.next": Claim(whole_way, "sheet6.next.map"),
}
