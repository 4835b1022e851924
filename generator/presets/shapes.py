"""Which weights a model has, and their shapes."""

from collections.abc import Iterator

from generator.engine.norms import FORMS
from generator.presets.schema import File

Shape = tuple[int, int]


def shapes(file: File, words: int) -> tuple[dict[str, Shape], set[str]]:
    """The shapes of all weights that the model may have, by step name, and the compulsory ones.

    A learned `position` has as many rows as the file gives it: its height is 0 here.
    """
    known: dict[str, Shape] = {}
    needed: set[str] = set()
    for name, shape, compulsory in _weights(file, words):
        known[name] = shape
        if compulsory:
            needed.add(name)
    return known, needed


def sizes(file: File) -> tuple[int, int, int]:
    """d_model, d_head and d_ff, with what is left out filled in."""
    model = file.model
    d_head = model.d_head or max(1, model.d_model // model.heads)
    return model.d_model, d_head, model.d_ff or 4 * model.d_model


def _weights(file: File, words: int) -> Iterator[tuple[str, Shape, bool]]:
    d = file.model.d_model
    inside = file.start.kind != "vector"
    if file.positions.kind == "learned" and file.start.kind == "sentence":
        yield "position", (0, d), True
    for block in range(1, file.model.blocks + 1) if inside else ():
        yield from _block(file, f"block{block}")
    if inside and file.norm.final:
        yield from _gain_and_shift(file, "final", "")
    if "output" in file.model.parts:
        if file.output.kind == "own":
            yield "output.matrix", (words, d), True
        if file.output.kind != "none":
            yield "output.bias", (1, words), False


def _block(file: File, at: str) -> Iterator[tuple[str, Shape, bool]]:
    d, d_head, d_ff = sizes(file)
    if "attention" in file.model.parts:
        for head in range(1, file.model.heads + 1):
            for name in ("query", "key", "value"):
                yield f"{at}.head{head}.weight.{name}", (d, d_head), True
                yield f"{at}.head{head}.bias.{name}", (1, d_head), False
        joined = file.model.heads * d_head
        bias = f"{at}.bias.output"
        needed = bias in file.weights or (joined != d and _goes_on(file))
        yield f"{at}.weight.output", (joined, d), needed
        yield bias, (1, d), False
        yield from _norm(file, at, "1")
    if "feedforward" in file.model.parts:
        yield f"{at}.weight.hidden", (d, d_ff), True
        yield f"{at}.bias.hidden", (1, d_ff), False
        yield f"{at}.weight.feedforward", (d_ff, d), True
        yield f"{at}.bias.feedforward", (1, d), False
        yield from _norm(file, at, "2")


def _goes_on(file: File) -> bool:
    """Whether something that takes d_model numbers comes after an attention."""
    model, norm = file.model, file.norm
    return model.blocks > 1 or len(set(model.parts)) > 1 or norm.final or norm.kind != "none"


def _norm(file: File, at: str, number: str) -> Iterator[tuple[str, Shape, bool]]:
    if file.norm.kind != "none":
        yield from _gain_and_shift(file, at, number)


def _gain_and_shift(file: File, at: str, number: str) -> Iterator[tuple[str, Shape, bool]]:
    for name in FORMS[file.norm.form].learned:
        yield f"{at}.{name}{number}", (1, file.model.d_model), False
