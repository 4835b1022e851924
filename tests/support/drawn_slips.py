"""Slips that real pupils make: what a row becomes by each, and which words name it rightly.

A *habit* is made wherever it fits, an *accident* in one box. `NAMED` says for each by which words
of a marker it is hit, as a person would judge who watched the pupil; words, not the program's keys.
A slip that is not in it has no cause that anybody could name: who names one "probably" is wrong.
"""

import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.support.drawn_sheets import Printed, Row, Work

Lines = dict[str, Work]

NAMED = tomllib.loads(Path(__file__).with_name("slips.toml").read_text("utf-8"))


def habits(g: Printed) -> dict[str, Lines]:
    """By the habit's name: how the lines that it touches are computed instead."""
    return _attention(g) | _masked(g) | _norms(g) | _network(g) | _output(g) | _learning(g)


def _of(work: Callable[..., Row], *which: object) -> Work:
    """How one of several like lines is computed: `which` tells it from the others."""
    return lambda held: work(held, *which)


def _attention(g: Printed) -> dict[str, Lines]:
    heads = {"4a.": (g.key[1], g.value[1]), "4b.": (g.key[2][: g.own + 1], g.value[2][: g.own + 1])}

    def each(letter: str, work: Callable[..., Row]) -> Lines:
        return {p + letter: _of(work, p, *kv) for p, kv in heads.items()}

    return {
        "e^score": each("e", lambda h, p, k, v: np.exp(h[p + "s"])),
        "root forgotten": each("z", lambda h, p, k, v: h[p + "s"]),
        "divided by d": each("z", lambda h, p, k, v: h[p + "s"] / 2),
        "times the root": each("z", lambda h, p, k, v: h[p + "s"] * g.root),
        "keys for values": each("o", lambda h, p, k, v: h[p + "w"] @ k),
        "values for keys": each("s", lambda h, p, k, v: v @ h[p + "q"]),
        "key for query": each("s", lambda h, p, k, v: k @ k[g.own]),
        "first product only": each("s", lambda h, p, k, v: k[:, 0] * h[p + "q"][0]),
        "k crossed": each("s", lambda h, p, k, v: k[:, ::-1] @ h[p + "q"]),
        "no power": each("e", lambda h, p, k, v: h[p + "z"]),
        "10^x": each("e", lambda h, p, k, v: 10 ** h[p + "z"]),
        "minus of the exponent lost": each("e", lambda h, p, k, v: np.exp(abs(h[p + "z"]))),
        "e times x": each("e", lambda h, p, k, v: np.e * h[p + "z"]),
        "by the largest": each("w", lambda h, p, k, v: h[p + "e"] / max(h[p + "e"])),
        "divided by n": each("w", lambda h, p, k, v: h[p + "e"] / len(k)),
        "shares turned": each("w", lambda h, p, k, v: h[p + "S"] / h[p + "e"]),
        "shares from scores": each("w", lambda h, p, k, v: h[p + "z"] / sum(h[p + "z"])),
        "shares not used": each("o", lambda h, p, k, v: v.sum(axis=0)),
        "powers for shares": each("o", lambda h, p, k, v: h[p + "e"] @ v),
        "without the first": each("S", lambda h, p, k, v: h[p + "e"][1:].sum(keepdims=True)),
        "mean of powers": each("S", lambda h, p, k, v: h[p + "e"].mean(keepdims=True)),
    }


def _masked(g: Printed) -> dict[str, Lines]:
    seen = g.own + 1
    return {
        "mask forgotten": {"4b.S1": lambda h: g.powers(h).sum(keepdims=True)},
        "old sum": {"4b.w1": lambda h: g.powers(h)[:seen] / g.powers(h).sum()},
        "query of head 1": {"4b.s": lambda h: g.key[2][: g.own + 1] @ g.query[1]},
        "heads added": {"4b.c": lambda h: np.r_[h["4b.o1"] + h["4b.o"], h["4b.o1"] + h["4b.o"]]},
        "heads turned": {"4b.c": lambda h: np.r_[h["4b.o"], h["4b.o1"]]},
    }


def _norms(g: Printed) -> dict[str, Lines]:
    n, last, old = len(g.x), "y" if g.gain is None else "n", "5.1r" if g.before else "5.1y"

    def both(letter: str, work: Callable[..., Row]) -> Lines:
        return {f"5.{k}{letter}": _of(work, f"5.{k}") for k in (1, 2)}

    return {
        "mean not divided": both("m", lambda h, p: h[p + "r"].sum(keepdims=True)),
        "mean by n-1": both("m", lambda h, p: h[p + "r"].sum(keepdims=True) / (n - 1)),
        "variance by n-1": both("v", lambda h, p: h[p + "q"].sum(keepdims=True) / (n - 1)),
        "variance not divided": both("v", lambda h, p: h[p + "q"].sum(keepdims=True)),
        "mean minus r": both("d", lambda h, p: h[p + "m"] - h[p + "r"]),
        "mean added": both("d", lambda h, p: h[p + "m"] + h[p + "r"]),
        "squares doubled": both("q", lambda h, p: 2 * h[p + "d"]),
        "squares negative": both("q", lambda h, p: h[p + "d"] * abs(h[p + "d"])),
        "not squared": both("q", lambda h, p: abs(h[p + "d"])),
        "squares of r": both("q", lambda h, p: h[p + "r"] ** 2),
        "root of variance forgotten": both("s", lambda h, p: h[p + "v"]),
        "halved for root": both("s", lambda h, p: h[p + "v"] / 2),
        "divided by variance": both(last, lambda h, p: h[p + "d"] / h[p + "v"]),
        "times sigma": both(last, lambda h, p: h[p + "d"] * h[p + "s"]),
        "r divided by sigma": both(last, lambda h, p: h[p + "r"] / h[p + "s"]),
        "not normalised": both(last, lambda h, p: h[p + "d"]),
        "skip forgotten": {"5.1r": lambda h: g.new(h), "5.2r": lambda h: h["5.f"]},
        "new forgotten": {"5.1r": lambda h: g.x, "5.2r": lambda h: h[old]},
        "skip minus": {"5.1r": lambda h: g.x - g.new(h), "5.2r": lambda h: h[old] - h["5.f"]},
        "skip times": {"5.1r": lambda h: g.x * g.new(h), "5.2r": lambda h: h[old] * h["5.f"]},
        "x in the second skip": {"5.2r": lambda h: g.x + h["5.f"]},
    } | (_plain(g) if g.gain is None else _stretched(g, g.gain))


def _plain(g: Printed) -> dict[str, Lines]:
    return {"r in the second skip": {"5.2r": lambda h: h["5.1r"] + h["5.f"]}}


def _stretched(g: Printed, gain: Row) -> dict[str, Lines]:
    """With γ and β and biases, and r, not y, as what is old in the second skip."""
    return {
        "y in the second skip": {"5.2r": lambda h: h["5.1y"] + h["5.f"]},
        "gain forgotten": {"5.1y": lambda h: h["5.1n"] + g.shift},
        "gain added": {"5.1y": lambda h: h["5.1n"] + gain + g.shift},
        "shift forgotten": {"5.1y": lambda h: gain * h["5.1n"]},
        "shift first": {"5.1y": lambda h: gain * (h["5.1n"] + g.shift)},
        "bias forgotten": {"5.h": lambda h: h["5.1y"] @ g.w1, "5.f": lambda h: h["5.a"] @ g.w2},
        "norm before W1 forgotten": {"5.h": lambda h: h["5.1r"] @ g.w1 + g.b1[0]},
    }


def _network(g: Printed) -> dict[str, Lines]:
    wide = g.w1.shape[1] // 2  # W₁ is printed in two halves, one above the other
    halves = g.w1[:, :wide], g.w1[:, wide:]
    turned = {"5.h": lambda h: np.concatenate([half @ h["5.1y"] for half in halves])}
    return {
        "ReLU forgotten": {"5.a": lambda h: h["5.h"]},
        "ReLU as absolute value": {"5.a": lambda h: abs(h["5.h"])},
        "ReLU turned round": {"5.a": lambda h: np.minimum(h["5.h"], 0)},
        "r for y in W1": {"5.h": lambda h: h["5.1r"] @ g.w1 + g.b1[0]},
        "x for y in W1": {"5.h": lambda h: g.x @ g.w1 + g.b1[0]},
        "deviations for y in W1": {"5.h": lambda h: h["5.1d"] @ g.w1 + g.b1[0]},
        "h for a in W2": {"5.f": lambda h: h["5.h"] @ g.w2 + g.b2[0]},
    } | ({"W transposed": turned} if wide == len(g.x) and not g.before else {})


def _output(g: Printed) -> dict[str, Lines]:
    heat = {1: g.temperatures[0], 3: g.temperatures[2]}

    def each(letter: str, work: Callable[..., Row]) -> Lines:
        return {f"6.{k}{letter}": _of(work, f"6.{k}", heat[k]) for k in heat}

    return {
        "times T": each("z", lambda h, p, t: g.logits * t),
        "minus T": each("z", lambda h, p, t: g.logits - t),
        "T forgotten": each("z", lambda h, p, t: g.logits),
        "T turned": each("z", lambda h, p, t: t / np.where(g.logits, g.logits, 1)),
        "e^logit": each("e", lambda h, p, t: np.exp(g.logits)),
        "minus of logits lost": each("z", lambda h, p, t: abs(g.logits) / t),
        "10^x on 6": each("e", lambda h, p, t: 10 ** h[p + "z"]),
        "2^x on 6": each("e", lambda h, p, t: 2 ** h[p + "z"]),
        "no power on 6": each("e", lambda h, p, t: h[p + "z"]),
        "e times x on 6": each("e", lambda h, p, t: np.e * h[p + "z"]),
        "by the largest on 6": each("p", lambda h, p, t: h[p + "e"] / max(h[p + "e"])),
        "divided by n on 6": each("p", lambda h, p, t: h[p + "e"] / len(g.logits)),
        "sum of exponents": each("S", lambda h, p, t: h[p + "z"].sum(keepdims=True)),
    }


def _learning(g: Printed) -> dict[str, Lines]:
    wanted, share = np.eye(len(g.words))[g.target], g.shares[[g.target]]

    def each(letter: str, work: Callable[..., Row]) -> Lines:
        return {f"7a.{letter}{k}": _of(work, k, w) for k, w in enumerate(g.learned)}

    return {
        "decimal logarithm": {"7a.l": lambda h: -np.log10(share)},
        "minus of the loss lost": {"7a.l": lambda h: np.log(share)},
        "1 minus P": {"7a.l": lambda h: 1 - share},
        "loss of the likeliest": {"7a.l": lambda h: -np.log(g.shares[[g.order[0]]])},
        "target minus P": {"7a.d": lambda h: wanted - g.shares},
        "target not subtracted": {"7a.d": lambda h: g.shares},
        "target everywhere": {"7a.d": lambda h: g.shares - 1},
        "gradient with w": each("g", lambda h, k, w: h["7a.d"][w] * g.old[w]),
        "gradient with P": each("g", lambda h, k, w: g.shares[w] * g.last),
        "error of the target for all": each("g", lambda h, k, w: h["7a.d"][g.target] * g.last),
        "plus the gradient": each("u", lambda h, k, w: g.old[w] + 0.5 * h[f"7a.g{k}"]),
        "rate forgotten": each("u", lambda h, k, w: g.old[w] - h[f"7a.g{k}"]),
        "rate 0.05": each("u", lambda h, k, w: g.old[w] - 0.05 * h[f"7a.g{k}"]),
        "old row forgotten": each("u", lambda h, k, w: -0.5 * h[f"7a.g{k}"]),
    }
