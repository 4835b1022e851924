"""Replaces how the next token is chosen: strategy, temperature, k or p other than the preset's."""

import dataclasses

from generator.engine.choices import STRATEGIES
from generator.engine.preset import Preset
from generator.errors import UserError, require_known


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
    require_known("strategy", strategy or preset.strategy, STRATEGIES)
    chosen = next((one for one in STRATEGIES if one == strategy), preset.strategy)
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
