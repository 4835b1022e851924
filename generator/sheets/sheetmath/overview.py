"""The steps of a model in order, as the reference sheets list them: formula, shape, lane."""

from typing import NamedTuple

import numpy as np

from generator.engine.preset import Preset
from generator.engine.trace import Trace

LANES = ("input", "attention", "feedforward", "output")
BLOCK = "block1"
HEAD = f"{BLOCK}.head1"
WAVES = (("2k", "sin"), ("2k+1", "cos"))
ACTIVATIONS = {
    "relu": r"G = \max(0{;}\, F)",
    "gelu": r"G = F \cdot \Phi(F)",
    "gelu_tanh": r"G \approx F \cdot \Phi(F)",
}


class Entry(NamedTuple):
    """One step: its phrases (`sheetmath.step.<key>` …), LaTeX, names for `spoken.math.<key>`.

    `step` is the step whose shape is meant, `form` that shape in letters, `lane` the part of the
    model it belongs to.
    """

    key: str
    lane: str
    step: str
    form: tuple[str, str]
    latex: str
    names: dict[str, str]

    @property
    def plain(self) -> str:
        """The key of its name and its words: a bias or another base changes neither."""
        return self.key.removesuffix(".bias").removesuffix(".base")


def overview(trace: Trace) -> list[Entry]:
    """The steps of this Trace's model, in order; what its preset lacks is not there."""
    return _Listing(trace).entries()


class _Listing:
    """Writes the entries in order and remembers the letter of what flows on."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.preset: Preset = trace.preset
        self.x = "X"
        self.found: list[Entry] = []

    def entries(self) -> list[Entry]:
        if self.preset.start == "vector":
            self._add("last.given", "output", "last", ("1", "d"), "x")
        else:
            self._input()
            self._block()
            if self.preset.final_norm:
                self._norm("final", "output", "X''")
        self._output()
        return self.found

    def _add(
        self,
        key: str,
        lane: str,
        step: str,
        form: tuple[str, str],
        latex: str,
        **names: str,
    ) -> None:
        self.found.append(Entry(key, lane, step, form, latex, names))

    def _input(self) -> None:
        preset = self.preset
        if preset.start == "matrix":
            self._add("input.given", "input", "input", ("n", "d"), "X")
            return
        self._add("ids", "input", "ids", ("n", "1"), r"t_i \in \{0{;}\, 1{;}\, \dots\}")
        self._add("embedding", "input", "embedding", ("n", "d"), r"E_i = W_{\mathrm{E}}[t_i]")
        if preset.positions == "none":
            self._add("input.copied", "input", "input", ("n", "d"), "X = E")
            return
        if preset.positions == "sinusoidal":
            angle = r"\alpha_k = \frac{p}{10000^{\frac{2k}{d}}}"
            self._add("angle", "input", "position.angle", ("n", "d : 2"), angle)
            even, odd = (rf"\mathrm{{PE}}_{{{k}}} = \{f} \alpha_k" for k, f in WAVES)
            latex = rf"\begin{{array}}{{l}} {even} \\ {odd} \end{{array}}"
            self._add("position", "input", "position", ("n", "d"), latex)
        else:
            latex = r"\mathrm{PE}_i = W_{\mathrm{P}}[i]"
            self._add("position.learned", "input", "position", ("n", "d"), latex)
        self._add("input", "input", "input", ("n", "d"), r"X = E + \mathrm{PE}")

    def _block(self) -> None:
        for part, number in (("attention", "1"), ("feedforward", "2")):
            if part not in self.preset.parts:
                continue
            inner = self._attention if part == "attention" else self._feedforward
            before = self.x
            if self.preset.norm == "pre":
                self._norm(number, part, "N" if number == "1" else "N'")
            new = inner(self.x)
            self._around(before, new, number)

    def _around(self, old: str, new: str, number: str) -> None:
        """Residual connection, then the norm where it comes after."""
        result = "Z" if number == "1" else "X'"
        self.x = new
        post = self.preset.norm == "post"
        if "residual" in self.preset.parts:
            total = ("R" if number == "1" else "R'") if post else result
            latex = f"{total} = {old} + {new}"
            names = {"sum": total, "old": old, "new": new}
            step = f"{BLOCK}.residual{number}"
            self._add(f"residual{number}", "feedforward", step, ("n", "d"), latex, **names)
            self.x = total
        if post:
            self._norm(number, "feedforward", result)

    def _norm(self, number: str, lane: str, result: str) -> None:
        at = f"{BLOCK}.normalised{number}" if number != "final" else "final.normalised"
        key = "norm.final" if number == "final" else f"norm{number}"
        latex = rf"{result} = \mathrm{{LN}}({self.x})"
        names = {"result": result, "x": self.x}
        self._add(key, lane, at, ("n", "d"), latex, **names)
        self.x = result

    def _attention(self, x: str) -> str:
        bias = f"{HEAD}.bias.query" in self.trace
        for name in ("query", "key", "value"):
            letter = name[0].upper()
            latex = rf"{letter} = {x}\, W_{{\mathrm{{{letter}}}}}"
            latex += rf" + b_{{\mathrm{{{letter}}}}}" if bias else ""
            said = {"letter": letter, "x": x}
            key = f"{name}.bias" if bias else name
            self._add(key, "attention", f"{HEAD}.{name}", ("n", "d_k"), latex, **said)
        scores = r"S = \frac{Q\, K^{\top}}{\sqrt{d_k}}"
        self._square("scores", "scaled", scores)
        if self.preset.mask != "none":
            sign = ">" if self.preset.mask == "causal" else r"\ge"
            hidden = rf"S_{{ij}} = -\infty \quad (j {sign} i)"
            self._square(f"mask.{self.preset.mask}", "masked", hidden)
        base = "e" if self.preset.softmax_base is None else f"{self.preset.softmax_base:g}"
        share = rf"A_{{ij}} = \frac{{{base}^{{S_{{ij}}}}}}{{\sum_{{m}} {base}^{{S_{{im}}}}}}"
        self._square("weights" if base == "e" else "weights.base", "weights", share)
        self._add("head", "attention", f"{HEAD}.output", ("n", "d_k"), r"H = A\, V")
        return self._joined()

    def _square(self, key: str, last: str, latex: str) -> None:
        self._add(key, "attention", f"{HEAD}.{last}", ("n", "n"), latex)

    def _joined(self) -> str:
        """The heads side by side, times W_O where there is one."""
        letter = "H"
        if self.preset.heads > 1:
            parts = r"H_1 \mid H_2" if self.preset.heads == 2 else r"H_1 \mid \dots \mid H_h"
            latex = rf"C = (\, {parts} \,)"
            self._add("concat", "attention", f"{BLOCK}.concat", ("n", "h · d_k"), latex)
            letter = "C"
        if f"{BLOCK}.weight.output" not in self.trace:
            return letter
        bias = f"{BLOCK}.bias.output" in self.trace
        latex = f"U = {letter}\\, W_{{\\mathrm{{O}}}}" + (r" + b_{\mathrm{O}}" if bias else "")
        key = "attention.bias" if bias else "attention"
        at = f"{BLOCK}.attention"
        self._add(key, "attention", at, ("n", "d"), latex, letter=letter)
        return "U"

    def _feedforward(self, x: str) -> str:
        lane, said = "feedforward", {"x": x}
        self._layer("hidden", ("n", "d_ff"), f"F = {x}\\, W_1", "b_1", said)
        latex = ACTIVATIONS[self.preset.activation]
        at = f"{BLOCK}.activation"
        self._add(f"activation.{self.preset.activation}", lane, at, ("n", "d_ff"), latex)
        self._layer("feedforward", ("n", "d"), r"B = G\, W_2", "b_2", {})
        return "B"

    def _layer(
        self, name: str, form: tuple[str, str], latex: str, bias: str, said: dict[str, str]
    ) -> None:
        has = f"{BLOCK}.bias.{name}" in self.trace
        key = f"{name}.bias" if has else name
        full = f"{latex} + {bias}" if has else latex
        self._add(key, "feedforward", f"{BLOCK}.{name}", form, full, **said)

    def _output(self) -> None:
        if "output.logits" not in self.trace:
            return
        if self.preset.start != "vector":
            latex, said = f"x = {self.x}_n", {"x": self.x}
            self._add("last", "output", "last", ("1", "d"), latex, **said)
        tied = self.preset.output == "tied"
        bias = "output.bias" in self.trace
        matrix = r"W_{\mathrm{E}}" if tied else r"W_{\mathrm{A}}"
        latex = rf"\ell = x\, {matrix}^{{\top}}" + (r" + b_{\mathrm{A}}" if bias else "")
        key = ("logits" if tied else "logits.own") + (".bias" if bias else "")
        self._add(key, "output", "output.logits", ("1", "V"), latex)
        self._choice()

    def _choice(self) -> None:
        base = "e" if self.preset.softmax_base is None else f"{self.preset.softmax_base:g}"
        one, each = (rf"{base}^{{\frac{{\ell_{k}}}{{T}}}}" for k in "im")
        latex = rf"P_i = \frac{{{one}}}{{\sum_m {each}}}"
        key = "probabilities" if base == "e" else "probabilities.base"
        self._add(key, "output", "sampling.share", ("1", "V"), latex)
        greedy = "sampling.random" not in self.trace
        drawn = r"\sum_{m<i} P_m \le r < \sum_{m\le i} P_m"
        best = r"P_i = \max_m P_m"
        key, latex = ("next", best) if greedy else ("next.drawn", drawn)
        self._add(key, "output", "sampling.next", ("1", "1"), latex)


def sizes(trace: Trace) -> dict[str, int]:
    """The numbers behind the letters of the shapes, as far as this model has them."""
    preset = trace.preset
    found = {"d": preset.d_model}
    if preset.start != "vector":
        found["n"] = len(trace.tokens)
    if "attention" in preset.parts:
        found |= {"h": preset.heads, "d_k": preset.d_head}
        found["h · d_k"] = preset.heads * preset.d_head
    if "feedforward" in preset.parts:
        found["d_ff"] = preset.d_ff
    if preset.start != "vector":
        found["L"] = preset.blocks
    if "vocabulary.words" in trace:
        found["V"] = int(np.size(trace["vocabulary.words"].values))
    return found
