"""The output layer: check of the logits, effect of temperature, savings of a KV cache, slips."""

from typing import NamedTuple

import numpy as np

from generator.engine.ops import MatMul, OverEach, Power, RowShare, RowSum
from generator.engine.rounding import GUARD, guarded
from generator.engine.trace import Step, Trace
from generator.insight.choosing import added_up
from generator.insight.slips import Slip, changing
from generator.notation.shown import shown_decimals

LOGITS, TEMPERED, EXP, TOTAL, SHARES = (
    f"output.{name}" for name in ("logits", "tempered", "exp", "sum", "probabilities")
)


def matrix(trace: Trace) -> str:
    """The step whose rows the last vector is multiplied with."""
    return "output.matrix" if "output.matrix" in trace else "vocabulary.embedding"


def check_steps(trace: Trace) -> tuple[Step, ...]:
    """The sum of the logits two ways: `check.sum` of them, `check.logits` = x · column sums.

    Also what pupils find when they check: `check.exponents` and `check.shares` [temperatures, 1].
    """
    chain = trace.scratch()
    table = trace[matrix(trace)]
    turned = chain.give("check.turned", table.values.T.copy())
    columns = chain.apply("check.columns", RowSum(), turned, decimals=shown_decimals(table))
    inputs = ["last", columns]
    decimals = shown_decimals(trace[LOGITS])
    if "output.bias" in trace:
        bias = shown_decimals(trace["output.bias"])
        inputs.append(chain.apply("check.bias", RowSum(), "output.bias", decimals=bias))
    chain.apply("check.logits", MatMul(), *inputs, decimals=decimals)
    chain.apply("check.sum", RowSum(), LOGITS, decimals=decimals)
    for name, step in (("exponents", TEMPERED), ("shares", SHARES)):
        chain.apply(f"check.{name}", RowSum(), step, decimals=shown_decimals(trace[step]))
    return chain.new


def by_logit(trace: Trace) -> list[int]:
    """All words, the likeliest first: the order of the logits, which every temperature keeps."""
    logits = trace[LOGITS].values[0].tolist()
    return sorted(range(len(logits)), key=lambda j: (-logits[j], j))


class Heat(NamedTuple):
    """The likeliest word, and the rows of the lowest and the highest temperature."""

    best: int
    low: int
    high: int


def heat(trace: Trace, row: int) -> Heat:
    """What the temperatures do to the word that is likeliest in a row of probabilities."""
    shares = guarded(trace[SHARES].values[row], GUARD)
    temperatures = trace["temperature"].values[:, 0]
    return Heat(int(shares.argmax()), int(temperatures.argmin()), int(temperatures.argmax()))


def cached_products(trace: Trace) -> tuple[int, ...]:
    """The factors of the products that a KV cache saves at the next token, for K and V alone.

    Tokens, 2, d_model, width of all heads, blocks; empty where nothing may be kept, because there
    is no attention or earlier tokens see later ones.
    """
    preset = trace.preset
    if "attention" not in preset.parts or preset.mask != "causal" or preset.start == "vector":
        return ()
    return len(trace.tokens), 2, preset.d_model, preset.heads * preset.d_head, preset.blocks


def slips(trace: Trace, row: int, words: tuple[int, ...], *, ends: bool) -> list[Slip]:
    """The usual slips at one temperature, seen in the likeliest of the words asked.

    Not divided by T, multiplied by T, Σ replaced by the largest power, the sign of an exponent
    lost, rounded shares added up to interval ends. A slip that changes nothing is left out.
    """
    temperature = float(trace["temperature"].values[row, 0])
    best = max(words, key=lambda j: (trace[SHARES].values[row, j], -j))
    powers = trace[EXP].values[row]
    candidates = [
        Slip("not_divided", SHARES, row, best, _share(trace, 1.0, best)),
        Slip("multiplied", SHARES, row, best, _share(trace, 1 / temperature, best)),
        Slip("largest", SHARES, row, best, float(powers[best] / powers.max())),
        *_lost_sign(trace, row, words),
        *(added_up(trace, "draw") if ends else ()),
    ]
    return changing(trace, candidates)


def _share(trace: Trace, temperature: float, word: int) -> float:
    """The share of a word where all logits are divided by another temperature."""
    chain = trace.scratch()
    by = chain.give("other.temperature", np.array([[temperature]]))
    tempered = chain.apply("other.output.tempered", OverEach(), LOGITS, by)
    power = Power(trace.preset.softmax_base, masked=False)
    exp = chain.apply("other.output.exp", power, tempered)
    total = chain.apply("other.output.sum", RowSum(), exp)
    shares = chain.apply("other.output.probabilities", RowShare(), exp, total)
    return float(chain[shares].values[0, word])


def _lost_sign(trace: Trace, row: int, words: tuple[int, ...]) -> list[Slip]:
    lowest = min(words, key=lambda j: (trace[TEMPERED].values[row, j], j))
    exponent = trace[TEMPERED].values[row : row + 1, lowest : lowest + 1]
    if exponent[0, 0] >= 0:
        return []
    wrong = Power(trace.preset.softmax_base, masked=False).value(-exponent)
    return [Slip("negative", EXP, row, lowest, float(wrong[0, 0]))]
