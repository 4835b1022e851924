"""Rounds after the first: the whole computation again, with the chosen token appended."""

from generator.engine.draws import draw
from generator.engine.preset import Preset
from generator.errors import UserError

HUNDREDTHS = 100


def random_of(seed: int, prefix: str, parts: int = HUNDREDTHS) -> float:
    """The random number of a round (its names' prefix, "" for the first): k ÷ parts, below 1.

    It depends on the seed and the round only.
    """
    return draw("sampling.random", seed, prefix, 0, parts) / parts


def require_rounds(preset: Preset, rounds: int, *, predicts: bool) -> None:
    """Raise a `UserError` for a number of rounds that a computation cannot have.

    `predicts`: whether it computes a next token.
    """
    if rounds < 1:
        raise UserError(f"rounds: found {rounds}, expected a whole number from 1")
    if rounds > 1 and not (predicts and preset.start == "sentence"):
        raise UserError(
            f"preset {preset.name!r} cannot go on after its first round, because it "
            "computes no next token from a sentence; take one that does, such as 'katze'"
        )
