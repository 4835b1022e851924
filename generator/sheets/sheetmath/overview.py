"""The steps of a model in order, as the reference sheets list them: formula, shape, lane."""

from typing import NamedTuple

import numpy as np

from generator.engine.place import Place
from generator.engine.trace import Step, Trace
from generator.steps import kind_of
from generator.steps.variant import variant

LANES = ("input", "attention", "feedforward", "output")


class Row(NamedTuple):
    """How a kind of step is listed: its phrases' key, its lane, its shape in letters."""

    key: str
    lane: str
    form: tuple[str, str]
    varies: bool = False  # has phrases for each variant


# Steps in between are written out where they are read; those of a norm speak for themselves.
LISTED = {
    "ids": Row("ids", "input", ("n", "1")),
    "embedding": Row("embedding", "input", ("n", "d_model")),
    "position.angle": Row("angle", "input", ("n", "d_model : 2")),
    "position": Row("position", "input", ("n", "d_model"), varies=True),
    "input": Row("input", "input", ("n", "d_model"), varies=True),
    "query": Row("query", "attention", ("n", "d_k")),
    "key": Row("key", "attention", ("n", "d_k")),
    "value": Row("value", "attention", ("n", "d_k")),
    "scaled": Row("scores", "attention", ("n", "n")),
    "masked": Row("mask", "attention", ("n", "n")),
    "weights": Row("weights", "attention", ("n", "n")),
    "output": Row("head", "attention", ("n", "d_k")),
    "concat": Row("concat", "attention", ("n", "n_heads · d_k")),
    "attention": Row("attention", "attention", ("n", "d_model")),
    "residual": Row("residual", "feedforward", ("n", "d_model")),
    "hidden": Row("hidden", "feedforward", ("n", "d_ff")),
    "activation": Row("activation", "feedforward", ("n", "d_ff"), varies=True),
    "feedforward": Row("feedforward", "feedforward", ("n", "d_model")),
    "last": Row("last", "output", ("1", "d_model"), varies=True),
    "output.logits": Row("logits", "output", ("1", "n_vocab")),
    "sampling.share": Row("probabilities", "output", ("1", "n_vocab")),
    "sampling.next": Row("next", "output", ("1", "1"), varies=True),
}
WRITTEN_OUT = {
    *("onehot", "similarity", "scores", "mask", "max", "shifted", "exp", "sum", "contribution"),
    *("position.divisor", "scale", "output.tempered", "output.max", "output.shifted"),
    *("output.exp", "output.sum", "output.probabilities", "output.all.logits"),
    *("output.all.compared", "output.all.next", "sampling.rank", "sampling.kept"),
    *("sampling.renormalised", "sampling.cumulative"),
}


class Entry(NamedTuple):
    """One step: its phrases' key (`sheetmath.short.<key>` …), its name, what it is read from.

    `form` is its shape in letters, `lane` the part of the model it belongs to.
    """

    key: str
    lane: str
    step: str
    form: tuple[str, str]
    old: str


def overview(trace: Trace) -> list[Entry]:
    """The steps of this Trace's model, in order; of several blocks and heads the first."""
    entries = [_entry(trace, step) for step in trace if _is_of_first(step.place)]
    return [entry for entry in entries if entry]


def norm_steps(trace: Trace) -> list[Step]:
    """The steps of the model's first norm that have one number for each row."""
    norms = [step for step in _of_norms(trace) if step.kind == "computed"]
    own = [step for step in norms if _same_norm(step, norms[0])]
    return [step for step in own if is_of_row(step)]


def _of_norms(trace: Trace) -> list[Step]:
    """All steps of norms, without those that training computes again."""
    return [one for one in trace if kind_of(one.name).layer_norm and not one.place.learning]


def is_of_row(step: Step) -> bool:
    """Whether a step of a norm has one number for each row, such as its mean."""
    kind = kind_of(step.name)
    return kind.layer_norm and step.kind == "computed" and len(step.columns) == 1


def _same_norm(one: Step, other: Step) -> bool:
    a, b = one.place, other.place
    return (a.block, a.number, a.final) == (b.block, b.number, b.final)


def _is_of_first(place: Place) -> bool:
    first = place.round == 1 and place.block in (None, 1) and place.head in (None, 1)
    return first and not place.learning


def _entry(trace: Trace, step: Step) -> Entry | None:
    kind = kind_of(step.name)
    if kind.layer_norm:
        return _norm(trace, step)
    row = LISTED.get(kind.name)
    if row is None:
        known = step.kind == "given" or kind.name in WRITTEN_OUT or kind.tab == "count"
        if not known and not kind.name.startswith(("loss.", "bpe.")):
            raise LookupError(f"sheet math neither lists {kind.name!r} nor writes it out")
        return None
    number = str(step.place.number or "")
    key = f"{row.key}{number}" + (variant(step) if row.varies else _ending(trace, step))
    return Entry(key, row.lane, step.name, row.form, step.inputs[0] if step.inputs else "")


def _ending(trace: Trace, step: Step) -> str:
    """Which phrase, where not the step but another one decides it."""
    match step.place.kind:
        case "masked":
            return variant(trace[step.inputs[1]])
        case "output.logits" if "output.matrix" in step.inputs:
            return ".own"
        case _:
            return ""


def _norm(trace: Trace, step: Step) -> Entry | None:
    """A norm is listed once, by its last step."""
    mine = (one for one in _of_norms(trace) if _same_norm(one, step))
    if step.kind == "given" or any(step.name in one.inputs for one in mine):
        return None
    place = step.place
    if place.final:
        return Entry("norm.final", "output", step.name, ("n", "d_model"), "")
    before = trace.preset.norm == "pre" and place.number == 1
    lane = "attention" if before else "feedforward"
    return Entry(f"norm{place.number}", lane, step.name, ("n", "d_model"), "")


def sizes(trace: Trace) -> dict[str, int]:
    """The numbers behind the letters of the shapes, as far as this model has them."""
    preset = trace.preset
    size_of = {"d_model": preset.d_model}
    if preset.start != "vector":
        size_of["n"] = len(trace.tokens)
    if "attention" in preset.parts:
        size_of |= {"n_heads": preset.heads, "d_k": preset.d_head}
        size_of["n_heads · d_k"] = preset.heads * preset.d_head
    if "feedforward" in preset.parts:
        size_of["d_ff"] = preset.d_ff
    if preset.start != "vector":
        size_of["n_blocks"] = preset.blocks
    if "vocabulary.words" in trace:
        size_of["n_vocab"] = int(np.size(trace["vocabulary.words"].values))
    return size_of
