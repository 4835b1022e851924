"""Where each number of the source documents stands in the engine: run, step, rows, columns.

What is a step as it is, or a row of one, stands in `places.toml`; and what is not compared, why.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from generator import compute, load_preset
from generator.engine.expr import Area, Dot, Expr, Round
from generator.engine.preset import Preset
from generator.engine.trace import Trace

Reader = Callable[[Trace], np.ndarray]
TABLES = tomllib.loads(Path(__file__).with_name("places.toml").read_text("utf-8"))

DIE, KATZE, SITZT, AUF, DER, MATTE = range(6)
SIZE_ROWS = ("d_model", "heads", "d_head", "d_ff", "blocks", "vocabulary", "context")
COUNTS = (
    *("embedding", "position", "query_key_value", "attention_output", "feedforward"),
    *("norm", "block", "blocks", "total"),
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
    **{name: _variant(name) for name in ("katze", "brille", "ausgabe", "paris")},
    "katze, input not rounded": _variant("katze", input_decimals=None),
    "brille, causal": _variant("brille", mask="causal"),
    "ausgabe, top-p 0.6": _variant("ausgabe", strategy="top-p", p=0.6, random=0.37),
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


def listed(name: str) -> dict[str, Reader]:
    """The readers of a table in the file."""
    places = (where.partition("@") for where in TABLES["places"][name].values())
    readers = [step(where, int(row) if row else None) for where, _, row in places]
    return dict(zip(TABLES["places"][name], readers, strict=True))


def _katze() -> dict[str, Place]:
    share = at_temperature("output.probabilities", "T=1")
    read = listed("000") | {
        "causal_mask": hidden_cells,
        "exp_logits": at_temperature("output.exp", "T=1"),
        "exp_sum": at_temperature("output.sum", "T=1"),
        "probabilities": times(100, share),
        "temperature_table": times(100, upright(step("output.probabilities"))),
        "config.our_model": sizes(OURS),
        "config.gpt2_small": sizes(GPT2),
        "our_model": counts(OURS, *COUNTS),
    }
    places = {name: Place("katze", reader) for name, reader in read.items()}
    for name, where in (("PE", "position"), ("X", "input")):
        places[name] = Place("katze", step(where), "katze, input not rounded")
    millions = TABLES["millions"].items()
    shown = {f"gpt2.{name}": times(1e-6, total(counts(GPT2, *some))) for name, some in millions}
    shown["gpt2.LayerNorm_K"] = times(1e-3, counts(GPT2, "norm"))
    weights = step("block1.head1.weights")
    shown["head1.output.weights_2dec"] = lambda trace: weights(trace)[:4, :4]
    return places | {name: Place("katze", reader, shown=True) for name, reader in shown.items()}


def _brille() -> dict[str, Place]:
    head = "block1.head1"
    read = listed("001") | {
        "katze_example": lambda trace: np.array(
            [trace[f"{head}.{kind}"].values[KATZE] for kind in ("query", "key", "value")]
        ),
        "katze.products": products(f"{head}.scores", [(KATZE, j) for j in range(6)]),
        "katze.weight_sum": total(step(f"{head}.weights", KATZE)),
        "katze.contributions": step(f"{head}.contribution{KATZE + 1}"),
        "katze.output_3dec": down_columns(step(f"{head}.contribution{KATZE + 1}")),
        "katze.weights_percent": times(100, step(f"{head}.weights", KATZE)),
    }
    places = {name: Place("brille", reader) for name, reader in read.items()}
    return places | {"X": Place("brille", step("input"), "katze, input not rounded")}


def _ausgabe() -> dict[str, Place]:
    named, share = [MATTE, SITZT, DIE], at_temperature("output.probabilities", "T=1")
    read = listed("003") | {
        "logit_terms": products("output.logits", [(0, j) for j in range(6)]),
        "exp_logits": at_temperature("output.exp", "T=1"),
        "exp_sum": at_temperature("output.sum", "T=1"),
        "probabilities": share,
        "probabilities_percent": times(100, share),
        "scaled_logits_T0.5": at_temperature("output.tempered", "T=0.5", named),
        "scaled_logits_T2": at_temperature("output.tempered", "T=2", named),
    }
    places = {name: Place("ausgabe", reader) for name, reader in read.items()}
    at_two = times(100, at_temperature("output.probabilities", "T=2", [MATTE]))
    places["matte_T2"] = Place("ausgabe", at_two, shown=True)
    return places | {"top_p_sum": Place("ausgabe, top-p 0.6", kept_share)}


def _of(run: str, name: str) -> dict[str, Place]:
    return {key: Place(run, reader) for key, reader in listed(name).items()}


PLACES: Mapping[str, Mapping[str, Place]] = {
    "000": _katze(),
    "001": _brille(),
    "003": _ausgabe(),
    "004": _of("paris", "004"),
}
LISTED = {
    document: {name: reason for reason, names in reasons.items() for name in names}
    for document, reasons in TABLES["listed"].items()
}


def _chain(percent: float) -> dict[str, Reader]:
    read = listed("chains")
    for key, label in (("0.5", "T=0.5"), ("1.0", "T=1"), ("2.0", "T=2")):
        read[f"e{key}"] = at_temperature("output.exp", label)
        read[f"sum{key}"] = at_temperature("output.sum", label)
        read[f"P{key}"] = times(percent, at_temperature("output.probabilities", label))
    return read


# The paper chain notes probabilities in per cent, the exact one as fractions.
CHAINS: Mapping[str, Mapping[str, Reader]] = {"paper": _chain(100), "exact": _chain(1)}
CONSTANTS = {
    "seed_000_001_003": _of("katze", "constants of katze")
    | {
        name: Place("katze, input not rounded", step(where))
        for name, where in (("PE_full", "position"), ("X_unrounded", "input"))
    },
    "seed_004": _of("paris", "constants of paris"),
}
