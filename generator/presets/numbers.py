"""Checks of a preset's numbers: weights, the given start, how many decimals they have."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np

from generator.engine.copyable import MOST_DECIMALS
from generator.engine.norms import FORMS
from generator.engine.place import place_of
from generator.engine.vary import Range
from generator.errors import did_you_mean
from generator.presets.forms import Form, FormError, resolve
from generator.presets.problems import Problem
from generator.presets.schema import File
from generator.presets.shapes import Shape, shapes
from generator.steps import KINDS

STEP_TAILS = sorted(
    {"default"} | {name.rpartition(".")[2] for name, kind in KINDS.items() if kind.in_decimals}
)
MOST_NUMBERS = 10_000  # in a range of [vary]
_BEFORE = re.compile(r"(?:block\d+|head\d+|output|all|final|sampling|position)(?:\.|$)")


def weights_in(file: File, tokens: Sequence[str], folder: Path | None) -> Iterator[Problem]:
    """The problems of start.value and of all weights; `tokens` are those of the own sentence."""
    if file.start.value is not None and file.start.kind != "sentence":
        rows = 1 if file.start.kind == "vector" else len(tokens)
        if rows:
            yield from _number_problems(
                file, "start.value", file.start.value, (rows, file.model.d_model), folder
            )
    known, needed = shapes(file, len(file.vocabulary.words))
    for name in sorted(needed - file.weights.keys()):
        yield Problem(f"weights.{name}", "nothing", f"a {_size(known[name])} matrix")
    for name, form in file.weights.items():
        if name in known:
            yield from _number_problems(file, f"weights.{name}", form, known[name], folder)
        else:
            yield _unknown(file, name, known)
    yield from _positions(file, tokens, known, folder)


def _unknown(file: File, name: str, known: Mapping[str, Shape]) -> Problem:
    if place_of(name).kind == "beta" and "beta" not in FORMS[file.norm.form].learned:
        shift = f'no shift: norm.form "{file.norm.form}" has a gain alone, "layer" has both'
        return Problem(f"weights.{name}", "a shift", shift)
    expected = f"one of its weights{did_you_mean(name, known)}"
    return Problem(f"weights.{name}", "a weight that this model does not have", expected)


def decimals_in(file: File) -> Iterator[Problem]:
    """The keys of [decimals] that no step's name ends with."""
    for key in file.decimals:
        before, _, last = key.rpartition(".")
        if _BEFORE.sub("", before) or last.rstrip("0123456789") not in STEP_TAILS:
            hint = did_you_mean(last, STEP_TAILS)
            expected = f'the last name of a rounded step, such as "exp" or "output.exp"{hint}'
            yield Problem(f"decimals.{key}", "a name that no rounded step ends with", expected)


def long_numbers(key: str, numbers: Sequence[float] | np.ndarray) -> Iterator[Problem]:
    """The first number, if any, with more decimals than paper arithmetic can print in full."""
    for value in np.ravel(np.asarray(numbers, dtype=np.float64)).tolist():
        exponent = Decimal(repr(value)).normalize().as_tuple().exponent
        if isinstance(exponent, int) and -exponent > MOST_DECIMALS:
            most = f"at most {MOST_DECIMALS} decimals for paper arithmetic"
            yield Problem(key, repr(value), f'{most}, or rounding = "exact"')
            return


def ranges_in(file: File) -> Iterator[Problem]:
    """The problems of [vary]: unknown steps, ranges without a number or with too many."""
    given = ["vocabulary.embedding", *file.weights]
    if file.start.kind != "sentence":
        given.append({"matrix": "input", "vector": "last"}[file.start.kind])
    for name, vary in file.vary.items():
        key = f"vary.{name}"
        if name not in given:
            expected = f"one of {', '.join(given)}{did_you_mean(name, given)}"
            yield Problem(key, "a step that the preset does not give", expected)
        if vary.to < vary.start:
            yield Problem(f"{key}.to", repr(vary.to), f"at least from = {vary.start!r}")
        elif (vary.to - vary.start) / vary.step > MOST_NUMBERS:
            yield Problem(f"{key}.step", repr(vary.step), f"at most {MOST_NUMBERS} steps")
        elif not Range(vary.start, vary.to, vary.step).numbers():
            yield Problem(f"{key}.to", repr(vary.to), "another number than 0 in the range")
        if file.rounding == "paper":
            yield from long_numbers(key, [vary.start, vary.to, vary.step])


def _number_problems(
    file: File, key: str, form: Form, shape: Shape, folder: Path | None
) -> Iterator[Problem]:
    name = key.removeprefix("weights.")
    try:
        matrix = resolve(form, shape, name, file.vocabulary.seed, folder)
    except FormError as error:
        yield Problem(key, error.found, error.expected)
        return
    if file.rounding == "paper":
        yield from long_numbers(key, matrix)


def _positions(
    file: File, tokens: Sequence[str], known: dict[str, Shape], folder: Path | None
) -> Iterator[Problem]:
    form = file.weights.get("position")
    if form is None or "position" not in known:
        return
    try:
        rows = len(resolve(form, known["position"], "position", file.vocabulary.seed, folder))
    except FormError:
        return  # told already
    if rows < len(tokens):
        expected = f"at least {len(tokens)}, as the sentence has so many tokens"
        yield Problem("weights.position", f"{rows} positions", expected)


def _size(shape: Shape) -> str:
    return f"{shape[0] or 'n'}×{shape[1]}"
