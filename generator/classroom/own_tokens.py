"""Which tokens pupils may be given as their own: fit for the sheets, and about as much work."""

from collections.abc import Mapping
from functools import lru_cache

from generator.classroom.task import Task
from generator.classroom.workload import seconds
from generator.engine.fitness import Fitness, fit_tokens
from generator.errors import UserError
from generator.sheets.plan import Plan

TOLERANCE = 0.35  # of what the class's own token takes
FEWEST = 3  # tokens, so that neighbours differ
# Conditions of `engine.fitness` that are given up one token at a time where fewer are fit: the
# tasks can be done, but one of them shows little.
SPARED = {
    "enough": "sees only two tokens",
    "changed": "gets nearly the same weights with the mask",
    "moved": "gets only zeros from the feed-forward network",
}


@lru_cache(maxsize=16)  # sentences; each holds a whole computation
def own_tokens(task: Task) -> tuple[int | None, ...]:
    """The tokens that pupils may be given as their own, by position from 0, in order.

    Each is fit for the sheets, see `engine.fitness`, or where these are fewer than three nearly so.
    The sheets that differ by them take, all together, as many minutes as with the class's own
    token, ±35 %. Tokens that lead to the same tokens on all sheets count once. (None,), which is
    the class's own token, where there is no choice: sheets 1, bpe and 6 ask everybody for the
    same, math and formulas for nothing.
    """
    tokens = _leading(task, fit_tokens(task.base, task.sheets))
    if len(tokens) < FEWEST:
        tokens = _leading(task, (*tokens, *nearly_fit(task)))
    return tuple(sorted(tokens)) if len(tokens) > 1 else (None,)


def nearly_fit(task: Task) -> Mapping[int, str]:
    """The tokens that miss one condition that may be given up, and what each of them does."""
    fitness, worked = Fitness(task.base), task.base.worked
    spared: dict[int, str] = {}
    for token in range(len(task.base.tokens)):
        missed = fitness.unmet(token, task.sheets)
        example = worked is not None and (token == worked or fitness.copies(token, worked))
        if len(missed) == 1 and missed[0] in SPARED and not example:
            spared[token] = SPARED[missed[0]]
    return spared


def _leading(task: Task, tokens: tuple[int, ...]) -> tuple[int, ...]:
    """Of tokens and the class's own one those that lead to different sheets of equal work."""
    own = task.base.exercise
    if own is None or not task.base_plans:
        return ()
    chosen: dict[tuple[int, ...], int] = {}
    for token in dict.fromkeys([own, *tokens]):  # its own one stands for those that do the same
        plans = task.base_plans if token == own else _plans(task, token)
        if plans and _as_much(plans, task.base_plans):
            chosen.setdefault(tuple(plan.own for plan in plans.values()), token)
    return tuple(chosen.values())


def _plans(task: Task, token: int) -> Mapping[str, Plan]:
    """What the sheets ask for of a token; nothing where one cannot ask for it."""
    try:
        plans = task.plans(task.trace({}, exercise=token))
    except UserError:
        return {}
    base = task.base_plans
    if any(p.own == p.worked and base[name].own != base[name].worked for name, p in plans.items()):
        return {}
    return plans


def _as_much(plans: Mapping[str, Plan], base: Mapping[str, Plan]) -> bool:
    """Whether the sheets that differ by the token are as much work; all others count for none."""
    differ = [name for name, plan in plans.items() if plan.own != base[name].own]
    needed, wanted = (seconds(some[name] for name in differ) for some in (plans, base))
    return abs(needed - wanted) <= TOLERANCE * wanted
