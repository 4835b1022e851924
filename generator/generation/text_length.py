"""How long a text may become."""

from generator.engine.preset import Preset
from generator.engine.vocabulary import MAX_TOKENS
from generator.errors import UserError


def most_tokens(preset: Preset) -> int:
    """How many tokens a preset can read."""
    learned = preset.positions == "learned"
    return min(MAX_TOKENS, len(preset.weights["position"])) if learned else MAX_TOKENS


def require_room(preset: Preset, now: int, more: int) -> None:
    """Raise a `UserError` where a text of `now` tokens cannot take in `more` and be computed."""
    most, why = most_tokens(preset), f"preset {preset.name!r} has learned {{}} positions"
    if most == MAX_TOKENS:
        why = "the engine computes at most {} tokens"
    if now + more <= most:
        return
    left = most - now
    raise UserError(
        f"{why.format(most)}; the text has {now} tokens and {more} more {_are(more)} to be read "
        "again: "
        + (f"ask for --tokens {left + 1} at most" if left >= 0 else "shorten the sentence")
    )


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
