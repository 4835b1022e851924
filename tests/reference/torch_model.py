"""A second reading of the model, in PyTorch float64 and not from the engine: names to arrays."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from generator.engine.preset import Preset

COMPARED = 10  # decimals of numbers that are compared
OVERFLOW = 700.0  # e^709.8 is infinite; the margin is for the sum of a row


def reference(preset: Preset, tokens: Sequence[str]) -> dict[str, np.ndarray]:
    """Every step that torch can compute, in exact arithmetic: name -> [rows, columns].

    Numbers are float64 (masked cells -inf), words are object arrays of str. `tokens` are the
    sentence's words as they stand in the preset's vocabulary: nothing is tokenized or drawn here.
    """
    return Model(preset, tokens).run()


ACTIVE: Mapping[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": lambda hidden: F.gelu(hidden, approximate="tanh"),
}


HIDDEN: Mapping[str, Callable[[Tensor], Tensor]] = {
    "causal": lambda ones: ones.triu(1),
    "strict": lambda ones: ones.triu(),  # hides the word itself too
}


class Model:
    """One run: `steps` collects what each stage `put` there under the design's step names."""

    def __init__(self, preset: Preset, tokens: Sequence[str]) -> None:
        self.preset = preset
        self.tokens = tuple(tokens)
        self.words = list(preset.words)
        self.table = torch.tensor(list(preset.words.values()), dtype=torch.float64)
        self.steps: dict[str, np.ndarray] = {}
        self.put("vocabulary.embedding", self.table)

    def run(self) -> dict[str, np.ndarray]:
        if self.preset.start == "vector":
            self.predict(self.put("last", self.given_start().reshape(1, -1)))
            return self.steps
        x = self.blocks(self.stream())
        if self.preset.final_norm:
            x = self.norm(x, "final.", "")
        if "output" in self.preset.parts:
            last = self.put("last", x[-1:])
            if self.preset.output != "none":
                self.predict(last)
                self.predict_all(x)
        return self.steps

    # ---- helpers -------------------------------------------------------------------------

    def put(self, name: str, x: Tensor) -> Tensor:
        assert name not in self.steps, name
        assert x.ndim == 2, (name, x.shape)
        assert x.dtype in (torch.float64, torch.int64), (name, x.dtype)
        self.steps[name] = x.to(torch.float64).numpy().copy()
        return x

    def put_words(self, name: str, indices: Sequence[int]) -> None:
        column = np.empty((len(indices), 1), dtype=object)
        column[:, 0] = [self.words[i] for i in indices]
        self.steps[name] = column

    def weight(self, name: str) -> Tensor | None:
        found = self.preset.weights.get(name)
        return None if found is None else torch.tensor(np.asarray(found), dtype=torch.float64)

    def row(self, name: str) -> Tensor | None:
        found = self.weight(name)
        return None if found is None else found.reshape(-1)

    def linear(self, x: Tensor, weight: str, bias: str) -> Tensor:
        """Torch keeps weights as [out, in]; the design multiplies row vectors, [in, out]."""
        w = self.weight(weight)
        assert w is not None, weight
        return F.linear(x, w.T, self.row(bias))

    # ---- from words to the stream --------------------------------------------------------

    def given_start(self) -> Tensor:
        return torch.tensor(np.asarray(self.preset.start_value), dtype=torch.float64)

    def stream(self) -> Tensor:  # [tokens, d_model]
        if self.preset.start == "matrix":
            return self.put("input", self.given_start())
        ids = torch.tensor([self.words.index(token) for token in self.tokens])
        self.put("ids", ids[:, None])
        self.put("onehot", F.one_hot(ids, len(self.words)))
        x = self.put("embedding", F.embedding(ids, self.table))
        self.put("similarity", x @ x.T)
        if self.preset.positions == "none":
            return self.put("input", x)
        return self.put("input", x + self.positions(len(ids)))

    def positions(self, n: int) -> Tensor:  # [tokens, d_model]
        if self.preset.positions == "learned":
            table = self.weight("position")
            assert table is not None
            return self.put("position", F.embedding(torch.arange(n), table))
        d = self.preset.d_model
        index = self.put("position.index", torch.arange(n, dtype=torch.float64)[:, None])
        pairs = torch.arange(0, d, 2, dtype=torch.float64)[None, :]
        divisor = self.put("position.divisor", torch.pow(10000.0, pairs / d))
        angle = self.put("position.angle", index / divisor)
        waves = torch.stack([torch.sin(angle), torch.cos(angle)], dim=2)
        return self.put("position", waves.reshape(n, -1)[:, :d])

    # ---- blocks --------------------------------------------------------------------------

    def blocks(self, x: Tensor) -> Tensor:
        if "attention" in self.preset.parts:
            self.put("scale", torch.full((1, 1), self.preset.d_head, dtype=torch.float64).sqrt())
        if not {"attention", "feedforward"} & self.preset.parts:
            return x
        for number in range(1, self.preset.blocks + 1):
            at = f"block{number}."
            if "attention" in self.preset.parts:
                x = self.sublayer(x, at, 1)
            if "feedforward" in self.preset.parts:
                x = self.sublayer(x, at, 2)
            self.put(f"{at}output", x)
        return x

    def sublayer(self, x: Tensor, at: str, number: int) -> Tensor:
        compute = self.attention if number == 1 else self.feedforward
        y = compute(self.norm(x, at, number) if self.preset.norm == "pre" else x, at)
        if "residual" in self.preset.parts:
            y = self.put(f"{at}residual{number}", x + y)
        return self.norm(y, at, number) if self.preset.norm == "post" else y

    def norm(self, x: Tensor, at: str, number: int | str) -> Tensor:
        if self.preset.norm_form == "rms":
            return self.rms_norm(x, at, number)
        width, epsilon = (x.shape[1],), self.preset.epsilon
        self.put(f"{at}mean{number}", x.mean(1, keepdim=True))
        variance = self.put(f"{at}variance{number}", x.var(1, correction=0, keepdim=True))
        self.put(f"{at}deviation{number}", torch.sqrt(variance + epsilon))
        plain = self.put(f"{at}normalised{number}", F.layer_norm(x, width, eps=epsilon))
        gain, beta = self.row(f"{at}gain{number}"), self.row(f"{at}beta{number}")
        if gain is None and beta is None:
            return plain
        return self.put(f"{at}norm{number}", F.layer_norm(x, width, gain, beta, epsilon))

    def rms_norm(self, x: Tensor, at: str, number: int | str) -> Tensor:
        """Zhang and Sennrich 2019, "Root Mean Square Layer Normalization", equation 4."""
        width, epsilon = (x.shape[1],), self.preset.epsilon
        square = self.put(f"{at}square{number}", x.square().mean(1, keepdim=True))
        self.put(f"{at}rms{number}", torch.sqrt(square + epsilon))
        plain = self.put(f"{at}normalised{number}", F.rms_norm(x, width, eps=epsilon))
        gain = self.row(f"{at}gain{number}")
        if gain is None:
            return plain
        return self.put(f"{at}norm{number}", F.rms_norm(x, width, gain, epsilon))

    def attention(self, x: Tensor, at: str) -> Tensor:
        heads = [self.head(x, f"{at}head{h}.") for h in range(1, self.preset.heads + 1)]
        together = self.put(f"{at}concat", torch.cat(heads, dim=1))
        if self.weight(f"{at}weight.output") is None:
            return self.put(f"{at}attention", together)
        mixed = self.linear(together, f"{at}weight.output", f"{at}bias.output")
        return self.put(f"{at}attention", mixed)

    def head(self, x: Tensor, at: str) -> Tensor:  # [tokens, d_head]
        query, key, value = (
            self.put(f"{at}{name}", self.linear(x, f"{at}weight.{name}", f"{at}bias.{name}"))
            for name in ("query", "key", "value")
        )
        scores = self.put(f"{at}scores", torch.einsum("id,jd->ij", query, key))
        scaled = self.put(f"{at}scaled", scores / math.sqrt(query.shape[1]))
        weights = self.softmax(self.masked(scaled, at), at, "weights")
        for token in self.focus(len(x)):
            self.put(f"{at}contribution{token + 1}", torch.diag(weights[token]) @ value)
        return self.put(f"{at}output", torch.einsum("ij,jd->id", weights, value))

    def focus(self, n: int) -> list[int]:
        """The tokens that a worksheet works through and asks where the preset names none."""
        assert not self.preset.worked
        assert not self.preset.exercise
        wanted = (1, 2) if self.preset.mask == "none" else (n - 1, n - 2)
        return [token for token in wanted if 0 <= token < n]

    def masked(self, scaled: Tensor, at: str) -> Tensor:
        if self.preset.mask == "none":
            return scaled
        n = len(scaled)
        hidden = HIDDEN[self.preset.mask](torch.ones(n, n, dtype=torch.bool))
        closed = torch.zeros(n, n, dtype=torch.float64).masked_fill(hidden, -math.inf)
        self.put(f"{at}mask", closed)
        return self.put(f"{at}masked", scaled + closed)

    def feedforward(self, x: Tensor, at: str) -> Tensor:
        hidden = self.linear(x, f"{at}weight.hidden", f"{at}bias.hidden")
        self.put(f"{at}hidden", hidden)
        active = self.put(f"{at}activation", ACTIVE[self.preset.activation](hidden))
        y = self.linear(active, f"{at}weight.feedforward", f"{at}bias.feedforward")
        return self.put(f"{at}feedforward", y)

    # ---- shares --------------------------------------------------------------------------

    def softmax(self, x: Tensor, at: str, shares: str) -> Tensor:
        """The shares by torch's own softmax; exp and sum beside it, as the design has them."""
        base = self.preset.softmax_base or math.e
        natural = x * math.log(base)  # b^x = e^(x ln b)
        if self.is_shifted(natural):
            top = x.max(1, keepdim=True).values
            top = self.put(f"{at}max", torch.where(top.isinf(), 0.0, top))
            x = self.put(f"{at}shifted", x - top)
        powers = torch.pow(base, x) if self.preset.softmax_base else torch.exp(x)
        self.put(f"{at}exp", powers)
        self.put(f"{at}sum", powers.sum(1, keepdim=True))
        empty = natural.isinf().all(1, keepdim=True)  # softmax over nothing is nan in torch
        return self.put(f"{at}{shares}", F.softmax(natural, 1).masked_fill(empty, 0.0))

    def is_shifted(self, natural: Tensor) -> bool:
        if self.preset.shifted != "auto":
            return self.preset.shifted == "always"
        lost = (torch.exp(natural).sum(1) == 0) & ~natural.isinf().all(1)
        return bool((natural > OVERFLOW).any() or lost.any())

    # ---- prediction ----------------------------------------------------------------------

    def logits(self, x: Tensor) -> Tensor:  # [rows, vocabulary]
        matrix = self.table if self.preset.output == "tied" else self.weight("output.matrix")
        assert matrix is not None
        return F.linear(x, matrix, self.row("output.bias"))

    def predict_all(self, x: Tensor) -> None:
        if self.preset.output_positions == "all":
            every = self.put("output.all.logits", self.logits(x))
            compared = self.put("output.all.compared", torch.round(every, decimals=COMPARED))
            self.put_words("output.all.next", compared.argmax(1).tolist())

    def predict(self, last: Tensor) -> None:
        logits = self.put("output.logits", self.logits(last))
        temperature = torch.tensor(self.preset.temperatures, dtype=torch.float64)[:, None]
        self.put("temperature", temperature)
        tempered = self.put("output.tempered", logits / temperature)
        shares = self.softmax(tempered, "output.", "probabilities")
        temperatures = list(self.preset.temperatures)
        drawn = temperatures.index(1.0) if 1.0 in temperatures else 0
        self.sample(torch.round(shares[drawn], decimals=COMPARED))

    def sample(self, share: Tensor) -> None:  # [vocabulary]
        self.put("sampling.share", share[None])
        kept = self.keep(share)
        if self.preset.strategy == "greedy":
            self.put_words("sampling.next", [int(share.argmax())])
            return
        self.put("sampling.kept", kept[None])
        even = self.put("sampling.renormalised", (share * kept / (share * kept).sum())[None])[0]
        bounds = even.cumsum(0)
        bounds[int(kept.nonzero().max()) :] = 1.0  # the last word that can be drawn ends at 1
        self.put("sampling.cumulative", bounds[None])
        assert self.preset.random is not None
        number = torch.tensor([[self.preset.random]], dtype=torch.float64)
        self.put("sampling.random", number)
        chosen = torch.searchsorted(bounds, number.reshape(1), right=True)
        self.put_words("sampling.next", chosen.tolist())

    def keep(self, share: Tensor) -> Tensor:  # [vocabulary]
        """1 for the words that stay: the k greatest, or the fewest whose sum reaches p, or all."""
        order = share.argsort(descending=True, stable=True)
        rank = torch.empty_like(order)
        rank[order] = torch.arange(1, len(order) + 1)
        self.put("sampling.rank", rank[None])
        size = self.preset.k or len(order)
        if self.preset.p is not None:
            size = 1 + int((share[order].cumsum(0) < self.preset.p).sum())
        return (rank <= size).to(torch.float64)
