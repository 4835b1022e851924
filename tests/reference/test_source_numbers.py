"""Every number of the source documents against the engine, cell by cell.

The paper engine must equal the paper chain, the exact engine the exact chain, and both the
printed number where the reference says that it follows that chain. `STATED` counts the cells.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from generator import compute, load_preset
from generator.engine.trace import Trace
from tests.reference import mapping
from tests.reference.mapping import CHAINS, CONSTANTS, LISTED, PLACES, Place, trace_of

REFERENCE = json.loads(Path(__file__).with_name("source_numbers.json").read_text("utf-8"))
DOCUMENTS = REFERENCE["documents"]
TOLERANCE = 1e-9
NIHAO = ("Q", "K", "V", "scores", "scores_scaled", "alpha")


class Counts(NamedTuple):
    """How many cells were compared: printed numbers, paper chain, exact chain."""

    printed: int
    paper: int
    exact: int


# 000 prints 623 numbers; 7 of them are the "GPT-4" column, which no engine can compute.
STATED = {
    "000": Counts(616, 453, 453),
    "001": Counts(162, 138, 138),
    "003": Counts(91, 63, 63),
    "004": Counts(24, 4, 4),
}
STATED_CHAINS = {"paper": 547, "exact": 625}
STATED_NIHAO = {"given": 768, "printed": 36}


class Cell(NamedTuple):
    """One compared number: where it stands, what was expected, what the engine gives."""

    where: str
    kind: str
    expected: float
    found: float
    right: bool


def quantities(document: str) -> dict[str, dict[str, object]]:
    """All quantities of a document by name; a name stands in one section only."""
    sections = DOCUMENTS[document].values()
    together = [name for section in sections for name in section]
    assert len(together) == len(set(together)), f"{document}: a name stands in two sections"
    return {name: entry for section in sections for name, entry in section.items()}


def half_away(x: float, decimals: int) -> float:
    """The number rounded half away from zero after a first rounding to ten decimals."""
    first = Decimal(x).quantize(Decimal("1e-10"), ROUND_HALF_UP)
    return float(first.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)) + 0.0


def table(values: object) -> np.ndarray:
    """A JSON table as an array; masked cells (null) as NaN."""
    return np.array(values, dtype=float)


def near(found: float, expected: float) -> bool:
    """Whether a number is the expected one, but for the noise of its last digits."""
    return abs(found - expected) <= TOLERANCE * max(1.0, abs(expected))


def found_in(place: Place, rounding: str, shape: tuple[int, ...]) -> np.ndarray:
    """The engine's numbers of a place in the shape of the reference's table."""
    return np.asarray(place.read(trace_of(place.run_of(rounding), rounding))).reshape(shape)


def compared(document: str, name: str) -> Iterator[Cell]:
    """Every comparison of one quantity."""
    entry, place = quantities(document)[name], PLACES[document][name]
    printed = table(entry["printed"])
    marks = np.array(entry["match_cells"], dtype=object)
    engine = {mode: found_in(place, mode, printed.shape) for mode in ("paper", "exact")}
    chains = {
        "paper": entry.get("recomputed_paper_chain"),
        "exact": entry.get("recomputed_full_precision_chain"),
    }
    for index in np.ndindex(printed.shape):
        if np.isnan(printed[index]):
            continue
        where = f"{document} {name} {list(index)} {place.run}"
        here = {mode: float(engine[mode][index]) for mode in engine}
        rounded = {mode: half_away(here[mode], entry["decimals"]) for mode in here}
        modes = {"paper": "P", "exact": "F"} if chains["paper"] is not None else {}
        yield _printed(where, printed[index], marks[index], modes, rounded)
        for mode in modes:
            wanted = float(table(chains[mode])[index])
            value = rounded[mode] if mode == "paper" and place.shown else here[mode]
            yield Cell(where, mode, wanted, value, near(value, wanted))


def _printed(
    where: str, printed: float, mark: str, modes: dict[str, str], rounded: dict[str, float]
) -> Cell:
    """The printed number: equal where its chain says so, different where no chain does."""
    follows = [mode for mode, letter in modes.items() if letter in mark] if modes else [*rounded]
    found = [rounded[mode] for mode in follows or rounded]
    right = all(near(value, printed) for value in found)
    if not follows:  # a number that is wrong in the source stays different in both arithmetics
        right = not any(near(value, printed) for value in found)
    shown = next((value for value in found if not near(value, printed)), found[0])
    return Cell(where, "printed", float(printed), shown, right)


@cache
def cells(document: str) -> tuple[Cell, ...]:
    """Every comparison of a document."""
    return tuple(cell for name in PLACES[document] for cell in compared(document, name))


def report(wrong: list[Cell]) -> str:
    """The wrong cells, one a line."""
    lines = [f"{c.where} {c.kind}: expected {c.expected!r}, found {c.found!r}" for c in wrong]
    return f"{len(wrong)} cells differ\n" + "\n".join(lines)


@pytest.mark.parametrize("document", PLACES)
def test_every_number_of_a_document_is_the_engines(document):
    wrong = [cell for cell in cells(document) if not cell.right]
    assert not wrong, report(wrong)


@pytest.mark.parametrize("document", STATED)
def test_the_stated_number_of_cells_was_compared(document):
    kinds = [cell.kind for cell in cells(document)]
    assert Counts(*(kinds.count(kind) for kind in Counts._fields)) == STATED[document]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_quantity_is_compared_or_listed_with_its_reason(document):
    placed = set(NIHAO) if document == "002" else set(PLACES[document])
    listed = set(LISTED[document])
    assert not placed & listed
    assert placed | listed == set(quantities(document))
    assert all(LISTED[document].values())


@pytest.mark.parametrize("document", DOCUMENTS)
def test_no_printed_number_is_left_out_but_the_guess_about_gpt4(document):
    entries = quantities(document)
    left_out = [name for name in LISTED[document] if "printed" in entries[name]]
    assert left_out == (["config.gpt4_estimate"] if document == "000" else [])


@pytest.mark.parametrize(("rounding", "key"), [("paper", "paper_1.41"), ("exact", "full")])
def test_the_complete_run_of_document_000(rounding, key):
    chain, trace = REFERENCE["reference_chains"][key], trace_of("katze", rounding)
    assert set(chain) <= set(CHAINS[rounding])
    seen = []
    for name, values in chain.items():
        wanted = table(values)
        found = np.asarray(CHAINS[rounding][name](trace)).reshape(wanted.shape)
        for index in np.argwhere(~np.isnan(wanted)).tolist():
            expected, value = float(wanted[tuple(index)]), float(found[tuple(index)])
            right = near(value, expected)
            seen.append(Cell(f"chain {key} {name} {index}", rounding, expected, value, right))
    wrong = [cell for cell in seen if not cell.right]
    assert not wrong, report(wrong)
    assert len(seen) == STATED_CHAINS[rounding]


def test_a_chain_that_lacks_a_step_is_known():
    paper, exact = (REFERENCE["reference_chains"][key] for key in ("paper_1.41", "full"))
    assert set(paper) - set(exact) == {"var1", "var2"}
    assert set(CHAINS["paper"]) == set(paper)


@pytest.mark.parametrize("seed", CONSTANTS)
def test_the_constants_of_the_documents(seed):
    close = {"seed_000_001_003": TOLERANCE, "seed_004": 0}[seed]
    for name, place in CONSTANTS[seed].items():
        wanted = table(REFERENCE["constants"][seed][name])
        found = found_in(place, "exact", wanted.shape)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=close, err_msg=name)


def test_the_input_is_the_same_in_both_arithmetics():
    wanted = table(REFERENCE["constants"]["seed_000_001_003"]["X"])
    for run in ("katze", "brille"):
        for rounding in ("paper", "exact"):
            np.testing.assert_array_equal(trace_of(run, rounding)["input"].values, wanted)


def test_what_the_models_are_made_of():
    constants = REFERENCE["constants"]["seed_000_001_003"]
    katze, paris = trace_of("katze", "paper"), trace_of("paris", "exact")
    assert list(katze.tokens) == constants["tokens"]
    assert list(paris.tokens) == REFERENCE["constants"]["seed_004"]["tokens"]
    preset = katze.preset
    sizes = [preset.d_model, preset.heads, preset.d_head, preset.d_ff, preset.blocks]
    assert sizes == [constants[key] for key in ("d_model", "heads", "d_k", "d_ff", "layers")]
    assert preset.epsilon == constants["ln"]["eps"]
    absent = ["bias.hidden", "bias.feedforward", "gain1", "beta1", "gain2", "beta2"]
    assert not [name for name in absent if f"block1.{name}" in katze]
    last = trace_of("ausgabe", "paper")["last"].values[0].tolist()
    assert last == REFERENCE["constants"]["seed_003_vector"]


# Solutions of exercises that the sources leave blank.


def _shown(trace: Trace, name: str, row: int, decimals: int) -> list[float]:
    return [half_away(value, decimals) for value in trace[name].values[row].tolist()]


def test_the_exercise_of_document_001_sitzt():
    wanted = REFERENCE["solutions"]["001 sitzt, all visible"]
    paper, exact = trace_of("brille", "paper"), trace_of("brille", "exact")
    for step in ("scores", "scaled", "exp", "sum", "weights", "output"):
        assert paper[f"block1.head1.{step}"].values[mapping.SITZT].tolist() == wanted[step], step
    assert _shown(exact, "block1.head1.output", mapping.SITZT, 3) == wanted["output_exact"]
    masked = trace_of("brille, causal", "paper")["block1.head1.output"].values[mapping.SITZT]
    assert masked.tolist() == REFERENCE["solutions"]["001 sitzt, causal mask"]["output"]


def test_the_exercise_of_document_003_half_the_temperature():
    wanted, trace = REFERENCE["solutions"]["003 T=0.5"], trace_of("ausgabe", "paper")
    row = trace["output.probabilities"].rows.index("T=0.5")
    for step in ("tempered", "exp", "sum"):
        assert trace[f"output.{step}"].values[row].tolist() == wanted[step], step
    percent = trace["output.probabilities"].values[row] * 100
    assert [half_away(value, 1) for value in percent.tolist()] == wanted["percent"]


def test_the_live_demo_of_document_004():
    total = REFERENCE["solutions"]["004 sum of powers"]
    assert trace_of("paris", "paper")["block1.head1.sum"].values[4].tolist() == total["paper"]
    exact = trace_of("paris", "exact")
    assert _shown(exact, "block1.head1.sum", 4, 3) == total["exact"]
    wanted = REFERENCE["solutions"]["004 von, itself visible"]
    itself = trace_of("paris, causal", "exact")
    assert _shown(itself, "block1.head1.weights", 4, 3) == wanted["weights_exact"]
    assert _shown(itself, "block1.head1.output", 4, 3) == wanted["output_exact"]


def test_document_000_predicts_matte():
    for rounding, percent in (("paper", 36.6), ("exact", 36.7)):
        trace = trace_of("katze", rounding)
        share = mapping.at_temperature("output.probabilities", "T=1")(trace)
        assert int(share.argmax()) == mapping.MATTE
        assert half_away(float(share[mapping.MATTE]) * 100, 1) == percent
        assert trace["sampling.next"].values[0, 0] == "Matte"
        die, katze, sitzt, auf, der, matte = share
        assert die == der
        assert matte > katze > sitzt > auf


# Document 002 prints one head of a model trained without a seed: queries, keys and values are
# given, scores, scaled scores and weights follow from them.


def nihao(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> Trace:
    """One head of width 64 under the causal mask; each [4, 64] table is the input's own third."""
    width, start = query.shape[1], np.hstack([query, key, value])
    parts = zip(("query", "key", "value"), np.hsplit(np.eye(3 * width), 3), strict=True)
    weights = {f"block1.head1.weight.{kind}": picked for kind, picked in parts}
    sizes = {"d_model": 3 * width, "heads": 1, "d_head": width}
    given = {"start": "matrix", "start_value": start, "worked": (), "exercise": ()}
    sentences = dict.fromkeys(("de", "en"), "你 好 世 界")
    named = replace(load_preset("paris"), name="nihao", sentences=sentences, weights=weights)
    preset = replace(named, mask="causal", **sizes, **given)
    return compute(preset=preset, rounding="exact")


def from_scores(scores: np.ndarray) -> Trace:
    """A run whose scores are the given ones: query = the scores, key = the identity."""
    wide = np.zeros((4, 60))
    query = np.hstack([scores, wide])
    return nihao(query, np.hstack([np.eye(4), wide]), np.zeros((4, 64)))


def _agreeing(found: np.ndarray, name: str, tolerance: float) -> int:
    entry = quantities("002")[name]
    printed, marks = table(entry["printed"]), np.array(entry["match_cells"], dtype=object)
    seen = 0
    for index in np.argwhere(~np.isnan(printed)).tolist():
        i, j = index
        value, expected = float(found[i, j]), float(printed[i, j])
        assert abs(value - expected) <= tolerance, f"002 {name} [{i},{j}]: {value}, {expected}"
        if "L" in marks[i, j]:
            assert near(half_away(value, 3), expected), f"002 {name} [{i},{j}]: {value}, {expected}"
        seen += 1
    return seen


def test_document_002_each_step_from_the_printed_numbers():
    given = {name: table(quantities("002")[name]["printed"]) for name in ("Q", "K", "V")}
    trace = nihao(given["Q"], given["K"], given["V"])
    for name, step in (("Q", "query"), ("K", "key"), ("V", "value")):
        np.testing.assert_array_equal(trace[f"block1.head1.{step}"].values, given[name])
    assert sum(values.size for values in given.values()) == STATED_NIHAO["given"]
    seen = _agreeing(trace["block1.head1.scores"].values, "scores", 0.0051)
    printed = from_scores(table(quantities("002")["scores"]["printed"]))
    seen += _agreeing(printed["block1.head1.scaled"].values, "scores_scaled", 0.0005 + TOLERANCE)
    scaled = np.nan_to_num(table(quantities("002")["scores_scaled"]["printed"]))
    weighed = from_scores(scaled * 8)
    seen += _agreeing(weighed["block1.head1.weights"].values, "alpha", 0.0005 + TOLERANCE)
    assert seen == STATED_NIHAO["printed"]


def test_document_002_from_queries_and_keys_to_weights():
    given = {name: table(quantities("002")[name]["printed"]) for name in ("Q", "K", "V")}
    trace = nihao(given["Q"], given["K"], given["V"])
    assert trace["scale"].values.tolist() == [[8.0]]
    # 0.0051 of the scores over 8, and half a unit of the last printed place
    loose = 0.0051 / 8 + 0.0005
    for name, step in (("scores_scaled", "scaled"), ("alpha", "weights")):
        printed = table(quantities("002")[name]["printed"])
        found = trace[f"block1.head1.{step}"].values
        visible = ~np.isnan(printed)
        assert np.abs(found - printed)[visible].max() <= loose
        assert visible.sum() == 10
