"""The letter of every step, as formulas write it: Q, K, V, α … in plain text and in LaTeX."""

import re
from typing import NamedTuple

from generator.text.catalogue import step_place


class Letter(NamedTuple):
    """One symbol in plain text and in LaTeX (math mode)."""

    plain: str
    latex: str


def _one(plain: str, latex: str | None = None) -> Letter:
    return Letter(plain, latex or plain)


LETTERS = {
    "tokens": _one("t"),
    "vocabulary.words": _one("w"),
    "vocabulary.embedding": _one("W_E", "W_{E}"),
    "onehot": _one("O"),
    "ids": _one("ID", r"\mathrm{ID}"),
    "embedding": _one("E"),
    "similarity": _one("E·Eᵀ", r"EE^{\mathsf{T}}"),
    "position.index": _one("pos", r"\mathrm{pos}"),
    "position.divisor": _one("D"),
    "position.angle": _one("φ", r"\varphi"),
    "position": _one("PE", r"\mathrm{PE}"),
    "position.new": _one("PE", r"\mathrm{PE}"),
    "position.index.new": _one("pos", r"\mathrm{pos}"),
    "input": _one("X"),
    "scale": _one("√d_k", r"\sqrt{d_{k}}"),
    "weight.query": _one("W_Q", "W_{Q}"),
    "weight.key": _one("W_K", "W_{K}"),
    "weight.value": _one("W_V", "W_{V}"),
    "bias.query": _one("b_Q", "b_{Q}"),
    "bias.key": _one("b_K", "b_{K}"),
    "bias.value": _one("b_V", "b_{V}"),
    "query": _one("Q"),
    "key": _one("K"),
    "value": _one("V"),
    "scores": _one("S"),
    "scaled": _one("Z"),
    "mask": _one("M"),
    "masked": _one("Z′", "Z'"),
    "max": _one("m"),
    "shifted": _one("Z″", "Z''"),
    "exp": _one("Exp", r"\mathrm{Exp}"),
    "sum": _one("Σ", r"\Sigma"),
    "weights": _one("α", r"\alpha"),
    "contribution": _one("B"),
    "output": _one("A"),
    "concat": _one("C"),
    "weight.output": _one("W_O", "W_{O}"),
    "bias.output": _one("b_O", "b_{O}"),
    "attention": _one("MH", r"\mathrm{MH}"),
    "residual": _one("R"),
    "mean": _one("μ", r"\mu"),
    "variance": _one("σ²", r"\sigma^{2}"),
    "deviation": _one("σ", r"\sigma"),
    "normalised": _one("N"),
    "gain": _one("γ", r"\gamma"),
    "beta": _one("β", r"\beta"),
    "norm": _one("Y"),
    "weight.hidden": _one("W₁", "W_{1}"),
    "bias.hidden": _one("b₁", "b_{1}"),
    "hidden": _one("H"),
    "activation": _one("G"),
    "weight.feedforward": _one("W₂", "W_{2}"),
    "bias.feedforward": _one("b₂", "b_{2}"),
    "feedforward": _one("F"),
    "last": _one("x"),
    "output.matrix": _one("W_U", "W_{U}"),
    "output.bias": _one("b_U", "b_{U}"),
    "output.logits": _one("L"),
    "temperature": _one("T"),
    "output.tempered": _one("Z"),
    "output.max": _one("m"),
    "output.shifted": _one("Z″", "Z''"),
    "output.exp": _one("Exp", r"\mathrm{Exp}"),
    "output.sum": _one("Σ", r"\Sigma"),
    "output.probabilities": _one("P"),
    "output.all.logits": _one("L"),
    "output.all.compared": _one("L′", "L'"),
    "output.all.next": _one("next", r"\mathrm{next}"),
    "sampling.share": _one("p"),
    "sampling.rank": _one("r"),
    "sampling.strategy": _one("s"),
    "sampling.k": _one("k"),
    "sampling.p": _one("p_min", r"p_{\min}"),
    "sampling.kept": _one("b"),
    "sampling.renormalised": _one("p′", "p'"),
    "sampling.cumulative": _one("F"),
    "sampling.from": _one("F_0", "F_{0}"),
    "sampling.digits": _one("z_00–99", r"z_{00\text{–}99}"),
    "sampling.random": _one("z"),
    "sampling.next": _one("next", r"\mathrm{next}"),
    "loss.target": _one("w"),
    "loss.onehot": _one("o"),
    "loss.id": _one("t"),
    "loss.probability": _one("P_t", "P_{t}"),
    "loss.cross_entropy": _one("H"),
    "loss.perplexity": _one("PP", r"\mathrm{PP}"),
    "switch.mask": _one("s_M", "s_{M}"),
    "switch.scale": _one("s_d", "s_{d}"),
    "switch.position": _one("s_PE", r"s_{\mathrm{PE}}"),
    "switch.heads": _one("s_h", "s_{h}"),
    "count.size": _one("n"),
    "count.query_key_value": _one("n_QKV", r"n_{QKV}"),
    "count.attention_output": _one("n_O", "n_{O}"),
    "count.feedforward": _one("n_F", "n_{F}"),
    "count.norm": _one("n_N", "n_{N}"),
    "count.bias": _one("n_b", "n_{b}"),
    "count.embedding": _one("n_E", "n_{E}"),
    "count.position": _one("n_PE", r"n_{PE}"),
    "count.output": _one("n_U", "n_{U}"),
    "count.block": _one("n_Block", r"n_{\mathrm{Block}}"),
    "count.blocks": _one("n_L", "n_{L}"),
    "count.total": _one("n_Σ", r"n_{\Sigma}"),
}

# Of two layers in a block, the second has a prime.
SECOND = {"σ²": Letter("σ′²", r"{\sigma'}^{2}")}
_NUMBERED = re.compile(r"(?:final\.)?(\w*?[a-z])(\d*)")


def kind(name: str) -> str:
    """What sort of step a name means, without block, head and number: "mean" for `block2.mean1`."""
    rest = step_place(name)[2]
    found = _NUMBERED.fullmatch(rest)
    return found[1] if found else rest


def letter(name: str) -> Letter:
    """The symbol of a step; KeyError for a step that has none."""
    rest = step_place(name)[2]
    symbol = LETTERS[kind(name)]
    found = _NUMBERED.fullmatch(rest)
    if found and found[2] == "2" and kind(name) != "contribution":
        return SECOND.get(symbol.plain) or Letter(f"{symbol.plain}′", f"{symbol.latex}'")
    return symbol
