"""Where each number of the source documents stands in the engine: run, step, rows, columns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from generator import compute, load_preset
from generator.engine.expr import Area, Dot, Expr, Round
from generator.engine.preset import Preset
from generator.engine.trace import Trace

Reader = Callable[[Trace], np.ndarray]

DIE, KATZE, SITZT, AUF, DER, MATTE = range(6)
SIZE_ROWS = ("d_model", "heads", "d_head", "d_ff", "blocks", "vocabulary", "context")
COUNTS = (
    "embedding",
    "position",
    "query_key_value",
    "attention_output",
    "feedforward",
    "norm",
    "block",
    "blocks",
    "total",
)
OURS, GPT2 = 0, 1


@dataclass(frozen=True)
class Place:
    """The numbers of one quantity: the run that computes them and how to read them there.

    `exact_run` differs from `run` where the source's exact numbers belong to a variant of the
    model. `shown` marks displays that round a step's numbers once more.
    """

    run: str
    read: Reader
    exact_run: str = ""
    shown: bool = False

    def run_of(self, rounding: str) -> str:
        """The run to read in paper or in exact arithmetic."""
        return self.exact_run if rounding == "exact" and self.exact_run else self.run


@cache
def trace_of(run: str, rounding: str) -> Trace:
    """The Trace of a named run in paper or exact arithmetic, computed once."""
    return compute(preset=RUNS[run](), rounding=rounding)


def _variant(name: str, **changes: object) -> Callable[[], Preset]:
    return lambda: replace(load_preset(name), **changes)  # type: ignore[arg-type]


RUNS: Mapping[str, Callable[[], Preset]] = {
    "katze": _variant("katze"),
    "katze, input not rounded": _variant("katze", input_decimals=None),
    "brille": _variant("brille"),
    "brille, causal": _variant("brille", mask="causal"),
    "ausgabe": _variant("ausgabe"),
    "ausgabe, top-p 0.6": _variant("ausgabe", strategy="top-p", p=0.6, random=0.37),
    "paris": _variant("paris"),
    "paris, causal": _variant("paris", mask="causal"),
}


def step(name: str, row: int | None = None, columns: list[int] | None = None) -> Reader:
    """Reads a step, or one of its rows, or some columns of that row."""

    def read(trace: Trace) -> np.ndarray:
        values = trace[name].values if row is None else trace[name].values[row]
        return values if columns is None else values[..., columns]

    return read


def at_temperature(name: str, label: str, columns: list[int] | None = None) -> Reader:
    """Reads the row of an output step that belongs to a temperature, such as "T=0.5"."""

    def read(trace: Trace) -> np.ndarray:
        values = trace[name].values[trace[name].rows.index(label)]
        return values if columns is None else values[columns]

    return read


def times(factor: float, read: Reader) -> Reader:
    """Reads in another unit: 100 for per cent, 1e-6 for millions."""
    return lambda trace: read(trace) * factor


def upright(read: Reader) -> Reader:
    """Reads with rows and columns exchanged."""
    return lambda trace: read(trace).T


def down_columns(read: Reader) -> Reader:
    """Reads the sum of each column."""
    return lambda trace: read(trace).sum(axis=0)


def total(read: Reader) -> Reader:
    """Reads the sum of all cells."""
    return lambda trace: read(trace).sum()


def products(name: str, cells: list[tuple[int, int]]) -> Reader:
    """Reads the terms inside the sums of products of a step's cells, a row for each cell."""
    return lambda trace: np.array([_terms(trace, trace.cell(name, i, j)) for i, j in cells])


def _terms(trace: Trace, cell: Expr) -> np.ndarray:
    inner = cell.inner if isinstance(cell, Round) else cell
    assert isinstance(inner, Dot), f"expected a sum of products, found {inner}"
    return _area(trace, inner.left) * _area(trace, inner.right)


def _area(trace: Trace, area: Area) -> np.ndarray:
    return trace[area.step].values[area.r0 : area.r1, area.c0 : area.c1].ravel()


def hidden_cells(trace: Trace) -> np.ndarray:
    """1 where the mask hides a cell, 0 where it is visible: source 000's notation."""
    return np.isneginf(trace["block1.head1.mask"].values).astype(float)


def sizes(column: int) -> Reader:
    """Reads the configuration table in the source's order."""

    def read(trace: Trace) -> np.ndarray:
        given = trace["count.size"]
        return given.values[[given.rows.index(word) for word in SIZE_ROWS], column]

    return read


def counts(column: int, *names: str) -> Reader:
    """Reads parameter counts, one number for each name."""
    return lambda trace: np.array([trace[f"count.{name}"].values[0, column] for name in names])


def kept_share(trace: Trace) -> np.ndarray:
    """The joint probability of the words that top-p keeps, in per cent."""
    share = at_temperature("output.probabilities", "T=1")(trace)
    return (share * trace["sampling.kept"].values[0]).sum() * 100


def _katze() -> dict[str, Place]:
    head = {
        "Q": "query",
        "K": "key",
        "V": "value",
        "raw_scores": "scores",
        "scaled_scores": "scaled",
        "weights": "weights",
        "output": "output",
    }
    steps = {
        "token_ids": "ids",
        "embedding_table": "vocabulary.embedding",
        "concat": "block1.attention",
        "residual_sum": "block1.residual1",
        "ln1.mu": "block1.mean1",
        "ln1.sigma": "block1.deviation1",
        "ln1.out": "block1.normalised1",
        "W1": "block1.weight.hidden",
        "W2": "block1.weight.feedforward",
        "block_output": "block1.output",
        "last_vector": "last",
        "logits": "output.logits",
    }
    steps |= {f"head{h}.{k}": f"block1.head{h}.{v}" for h in (1, 2) for k, v in head.items()}
    del steps["head2.raw_scores"]  # not printed
    row = {
        "ln1.katze.sum": "residual1",
        "ln1.katze.mu": "mean1",
        "ln1.katze.var": "variance1",
        "ln1.katze.sigma": "deviation1",
        "ln1.katze.z": "normalised1",
        "ffn.katze.input": "normalised1",
        "ffn.katze.hidden": "hidden",
        "ffn.katze.relu": "activation",
        "ffn.katze.out": "feedforward",
        "residual2.katze": "residual2",
        "ln2.katze.mu": "mean2",
        "ln2.katze.sigma": "deviation2",
        "ln2.katze.out": "normalised2",
    }
    read = {name: step(where) for name, where in steps.items()}
    read |= {name: step(f"block1.{where}", KATZE) for name, where in row.items()}
    read |= {
        "causal_mask": hidden_cells,
        "exp_logits": at_temperature("output.exp", "T=1"),
        "exp_sum": at_temperature("output.sum", "T=1"),
        "probabilities": times(100, at_temperature("output.probabilities", "T=1")),
        "temperature_table": times(100, upright(step("output.probabilities"))),
        "config.our_model": sizes(OURS),
        "config.gpt2_small": sizes(GPT2),
        "our_model": counts(OURS, *COUNTS),
    }
    places = {name: Place("katze", reader) for name, reader in read.items()}
    places["PE"] = Place("katze", step("position"), "katze, input not rounded")
    places["X"] = Place("katze", step("input"), "katze, input not rounded")
    weights = step("block1.head1.weights")
    places["head1.output.weights_2dec"] = Place(
        "katze", lambda trace: weights(trace)[:4, :4], shown=True
    )
    return places | _gpt2()


def _gpt2() -> dict[str, Place]:
    millions = {
        "embedding": ("embedding",),
        "PE": ("position",),
        "W_QKV": ("query_key_value",),
        "W_O": ("attention_output",),
        "FFN": ("feedforward",),
        "per_block": ("block",),
        "x12": ("blocks",),
        "plus_embedding": ("embedding", "position"),
        "total": ("total",),
    }
    places = {
        f"gpt2.{name}": Place("katze", times(1e-6, total(counts(GPT2, *steps))), shown=True)
        for name, steps in millions.items()
    }
    norm = times(1e-3, counts(GPT2, "norm"))
    return {**places, "gpt2.LayerNorm_K": Place("katze", norm, shown=True)}


def _brille() -> dict[str, Place]:
    head = "block1.head1"
    katze = {
        "katze.scores_worked": "scores",
        "katze.raw_scores": "scores",
        "katze.scaled": "scaled",
        "katze.exp": "exp",
        "katze.exp_sum": "sum",
        "katze.weights": "weights",
        "katze.output": "output",
        "katze.row": "weights",
    }
    read = {name: step(f"{head}.{where}", KATZE) for name, where in katze.items()}
    for letter, kind in (("Q", "query"), ("K", "key"), ("V", "value")):
        read[letter] = step(f"{head}.{kind}")
        read[f"W_{letter}"] = step(f"{head}.weight.{kind}")
    read |= {
        "katze_example": lambda trace: np.array(
            [trace[f"{head}.{kind}"].values[KATZE] for kind in ("query", "key", "value")]
        ),
        "katze.products": products(f"{head}.scores", [(KATZE, j) for j in range(6)]),
        "katze.weight_sum": total(step(f"{head}.weights", KATZE)),
        "katze.contributions": step(f"{head}.contribution{KATZE + 1}"),
        "katze.output_3dec": down_columns(step(f"{head}.contribution{KATZE + 1}")),
    }
    places = {name: Place("brille", reader) for name, reader in read.items()}
    percent = times(100, step(f"{head}.weights", KATZE))
    places["katze.weights_percent"] = Place("brille", percent)
    places["X"] = Place("brille", step("input"), "katze, input not rounded")
    return places


def _ausgabe() -> dict[str, Place]:
    named = [MATTE, SITZT, DIE]
    share = at_temperature("output.probabilities", "T=1")
    at_two = times(100, at_temperature("output.probabilities", "T=2", [MATTE]))
    read = {
        "vector": step("last"),
        "embedding_table": step("vocabulary.embedding"),
        "logit_terms": products("output.logits", [(0, j) for j in range(6)]),
        "logits": step("output.logits"),
        "logits_table": step("output.logits"),
        "exp_logits": at_temperature("output.exp", "T=1"),
        "exp_sum": at_temperature("output.sum", "T=1"),
        "probabilities": share,
        "probabilities_percent": times(100, share),
        "scaled_logits_T0.5": at_temperature("output.tempered", "T=0.5", named),
        "scaled_logits_T2": at_temperature("output.tempered", "T=2", named),
    }
    places = {name: Place("ausgabe", reader) for name, reader in read.items()}
    places["matte_T2"] = Place("ausgabe", at_two, shown=True)
    places["top_p_sum"] = Place("ausgabe, top-p 0.6", kept_share)
    return places


PARIS = {
    "X": Place("paris", step("input")),
    "slide_output": Place("paris", step("block1.head1.output", 4)),
}

PLACES: Mapping[str, Mapping[str, Place]] = {
    "000": _katze(),
    "001": _brille(),
    "003": _ausgabe(),
    "004": PARIS,
}


def _chain(percent: float) -> dict[str, Reader]:
    head = {"Q": "query", "K": "key", "V": "value", "raw": "scores", "sc": "scaled"}
    head |= {"A": "weights", "O": "output"}
    block = {
        "mh": "attention",
        "S1": "residual1",
        "mu1": "mean1",
        "var1": "variance1",
        "sg1": "deviation1",
        "Z": "normalised1",
        "H": "hidden",
        "R": "activation",
        "F": "feedforward",
        "S2": "residual2",
        "mu2": "mean2",
        "var2": "variance2",
        "sg2": "deviation2",
        "B": "normalised2",
    }
    read = {f"{k}{h}": step(f"block1.head{h}.{v}") for h in (1, 2) for k, v in head.items()}
    read |= {key: step(f"block1.{where}") for key, where in block.items()}
    read |= {"last": step("last"), "logit": step("output.logits")}
    for key, label in (("0.5", "T=0.5"), ("1.0", "T=1"), ("2.0", "T=2")):
        read[f"e{key}"] = at_temperature("output.exp", label)
        read[f"sum{key}"] = at_temperature("output.sum", label)
        read[f"P{key}"] = times(percent, at_temperature("output.probabilities", label))
    return read


# The paper chain notes probabilities in per cent, the exact one as fractions.
CHAINS: Mapping[str, Mapping[str, Reader]] = {"paper": _chain(100), "exact": _chain(1)}

CONSTANTS_KATZE: Mapping[str, Place] = {
    "token_ids": Place("katze", step("ids")),
    "E": Place("katze", step("vocabulary.embedding")),
    "X": Place("katze", step("input")),
    "PE_full": Place("katze, input not rounded", step("position")),
    "X_unrounded": Place("katze, input not rounded", step("input")),
    "W_Q1": Place("katze", step("block1.head1.weight.query")),
    "W_K1": Place("katze", step("block1.head1.weight.key")),
    "W_V1": Place("katze", step("block1.head1.weight.value")),
    "W_Q2": Place("katze", step("block1.head2.weight.query")),
    "W_K2": Place("katze", step("block1.head2.weight.key")),
    "W_V2": Place("katze", step("block1.head2.weight.value")),
    "W_O": Place("katze", step("block1.weight.output")),
    "W1": Place("katze", step("block1.weight.hidden")),
    "W2": Place("katze", step("block1.weight.feedforward")),
}
CONSTANTS_PARIS: Mapping[str, Place] = {
    "X": Place("paris", step("input")),
    "W_Q": Place("paris", step("block1.head1.weight.query")),
    "W_K": Place("paris", step("block1.head1.weight.key")),
    "W_V": Place("paris", step("block1.head1.weight.value")),
    "sqrt_d": Place("paris", step("scale")),
}
