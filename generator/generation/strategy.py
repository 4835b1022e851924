"""How the next token is chosen: the preset's way, or another one."""

import dataclasses

from generator.engine.preset import Preset
from generator.engine.strategies import STRATEGIES
from generator.errors import UserError, did_you_mean


def with_strategy(
    preset: Preset,
    strategy: str | None,
    temperature: float | None,
    k: int | None,
    p: float | None,
) -> Preset:
    """The preset with another strategy, temperature, k or p, where they are given.

    Raises `UserError` for an unknown strategy, and for a limit that the strategy does not use.
    """
    chosen = strategy or preset.strategy
    if chosen not in STRATEGIES:
        hint = did_you_mean(chosen, STRATEGIES)
        known = ", ".join(STRATEGIES)
        raise UserError(f"there is no strategy {chosen!r}{hint}; choose from: {known}")
    for name, value, user in (("k", k, "top-k"), ("p", p, "top-p")):
        if value is not None and chosen != user:
            raise UserError(
                f"{name} belongs to strategy {user}, and the strategy is {chosen!r}: leave it "
                f"out, or take strategy {user}"
            )
    return dataclasses.replace(
        preset,
        strategy=chosen,
        temperatures=preset.temperatures if temperature is None else (temperature,),
        k=preset.k if k is None else k,
        p=preset.p if p is None else p,
    )
