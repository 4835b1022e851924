"""How many decimals a step has on paper: the most specific key of the preset wins."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from generator.engine.ops.base import Op
from generator.engine.place import place_of
from generator.engine.step import Step

BUILT_IN: Final = {
    "position.angle": 4,
    "position.divisor": 4,
    "loss.cross_entropy": 3,
    "loss.perplexity": 3,
    "loss.all.cross_entropy": 3,
    "grad": 3,
    "update": 4,  # as many as a given number has on paper
}
DEFAULT: Final = 2
_FAMILY = re.compile(r"(?:step\d+\.)?(grad|update)\.")


def decimals_for(decimals: Mapping[str, int], step_name: str) -> int:
    """The decimals of a step by its name, from keys such as "exp", "output.exp", "residual".

    A key is the last name of a step or a longer tail of it, in whole dotted segments; a number at
    its end may be left out ("residual" stands for "residual1" too). The longest tail wins. Below
    the user's keys come the built-in ones (angle and divisor of positions 4, losses and gradients
    3, new weights 4, counts 0), then the user's "default", then 2. All gradients go by the key
    "grad", all new weights by "update".
    """
    if family := _FAMILY.match(step_name):
        step_name = family[1]
    for table in (decimals, BUILT_IN):
        for tail in tails(step_name):
            if tail in table:
                return table[tail]
    return 0 if step_name.startswith("count.") else decimals.get("default", DEFAULT)


def decimals_rule(decimals: Mapping[str, int]) -> Callable[[str], int]:
    """`decimals_for` under these keys, each name looked up once."""
    return _remembered(tuple(decimals.items()))


@lru_cache(maxsize=64)
def _remembered(keys: tuple[tuple[str, int], ...]) -> Callable[[str], int]:
    decimals = dict(keys)
    return cache(lambda name: decimals_for(decimals, name))


def tails(step_name: str) -> Iterator[str]:
    """The keys that fit a step, most specific first: each tail, then it without a last number."""
    segments = step_name.split(".")
    for start in range(len(segments)):
        tail = ".".join(segments[start:])
        yield tail
        yield tail.rstrip("0123456789")


def inherited(op: Op, inputs: Iterable[Step], paper: bool) -> int | None:
    """The decimals of unrounded numbers: those of the inputs, for products their sum."""
    if op.precision == "whole":
        return 0
    most = total = 0
    for step in inputs:
        if place_of(step.name).switch:  # decides, and adds no decimals
            continue
        if step.decimals is None:
            return None
        most, total = max(most, step.decimals), total + step.decimals
    return total if paper and op.precision == "added" else most
