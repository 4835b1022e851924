"""From a spec to a trained preset: learned, rounded, and proved by the engine."""

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator import output
from generator.engine.decimals import tails
from generator.engine.preset import Preset
from generator.errors import UserError
from generator.presets.load import parse
from generator.presets.problems import PresetError, Problem
from generator.presets.read import read
from generator.presets.schema import File
from generator.presets.shapes import Shape, shapes
from generator.training.curve import Curve, Told, untold
from generator.training.proof import answers, failures, require_same_model
from generator.training.spec import Spec, read_spec
from generator.training.trained_preset import EMBEDDING, preset_text

INSTALL = "pip install 'paperformer[train]'"
ALL = 100  # points
SHOWN = 5  # failed prompts that a message names


class Trained(NamedTuple):
    """A trained preset's file, its text, and by how many points the worst prompt is ahead."""

    path: Path
    text: str
    margin: float


def train(
    spec_path: str | Path,
    out_path: str | Path | None = None,
    *,
    curve: str | Path | None = None,
    told: Told = untold,
) -> Trained:
    """Train a spec's numbers and write the preset; by default `<name>.toml` in this folder.

    `curve` is a CSV to write with the loss of every step; `told` hears it while it lasts.

    The same spec gives the same bytes with the same version of PyTorch, on one kind of processor.
    Raises `UserError` for a spec with mistakes, where PyTorch is missing, where the spec does not
    converge (what was reached, which prompts fail, what to try), and where the file exists.
    """
    path = Path(spec_path)
    spec = read_spec(path)
    file = _file(spec)
    target = Path(out_path) if out_path is not None else Path(f"{file.name}.toml")
    taken = (target,) if curve is None else (target, Path(curve))
    if len(set(taken)) < len(taken):
        raise UserError(f"{target}: found as preset and as curve, expected two files")
    output.require_new(taken)
    losses = Curve(told)
    text, margin = trained_text(spec, file, path.parent, losses)
    contents = (text.encode("utf-8"), losses.csv().encode("utf-8"))
    output.write_all_new(dict(zip(taken, contents, strict=False)))
    return Trained(target, text, margin)


def trained_text(spec: Spec, file: File, folder: Path, told: Told = untold) -> tuple[str, float]:
    """The trained preset's text and its margin in points; nothing is written."""
    version = _torch_version()
    from generator.training.fitting import fitted, shares_wanted, start_values
    from generator.training.network import Network

    sizes = _shapes(spec, file)
    blank = parse(preset_text(spec, _zeros(sizes), "blank"), spec.source, folder)
    _require_known_parts(blank, spec)
    start = start_values(sizes, spec.training) | {n: blank.weights[n] for n in spec.training.fixed}
    ids = {word: number for number, word in enumerate(spec.words)}
    network = Network(blank, [[ids[token] for token in prompt] for prompt in spec.prompts])
    learned = frozenset(start) - spec.training.fixed.keys()
    try:
        best = fitted(network, shares_wanted(spec), start, learned, spec.training, told)
    except FloatingPointError as error:
        raise UserError(f"spec {spec.source}: {error}: take a smaller learning_rate") from None
    made = f"Trained from the spec with SHA-256 {spec.sha256[:16]}, with PyTorch {version}."
    text = preset_text(spec, best.numbers, made)
    preset = parse(text, spec.source, folder)
    margin = _require_right(preset, spec)
    require_same_model(preset, spec.prompts, network.values(best.numbers))
    return text, margin


def _torch_version() -> str:
    try:
        import torch
    except ImportError:
        raise UserError(f"training needs PyTorch, which is not installed: {INSTALL}") from None
    version: str = torch.__version__
    return version.partition("+")[0]


def _file(spec: Spec) -> File:
    """The preset's tables, typed, with zeros where numbers will be."""
    raw = tomllib.loads(spec.head)
    problems = [
        Problem(key, "numbers", "nothing, as they are learned; set ones go to [training.fixed]")
        for key, table in (("weights", raw), ("vocabulary.words", raw.get("vocabulary", {})))
        if key.rpartition(".")[2] in table
    ]
    if problems:
        raise PresetError(spec.source, problems)
    file, problems = read(raw | {"vocabulary": raw.get("vocabulary", {}) | {"words": {}}})
    if file is None:
        raise PresetError(spec.source, problems)
    return file


def _shapes(spec: Spec, file: File) -> dict[str, Shape]:
    """The shapes of all numbers of the model: embeddings, then its weights in their order."""
    training, v = spec.training, len(spec.words)
    longest = max(map(len, spec.prompts))
    known, needed = shapes(file, v)
    _require_used(spec, [EMBEDDING, *known])
    chosen = {
        name: shape if shape[0] else (training.positions or longest, shape[1])
        for name, shape in known.items()
        if name in needed
        or name in training.fixed
        or any(fnmatch(name, pattern) for pattern in training.optional)
    }
    return {EMBEDDING: (v, file.model.d_model)} | chosen


def _require_used(spec: Spec, names: list[str]) -> None:
    """Stop where a pattern or a number of decimals is for none of the model's numbers."""
    training, known = spec.training, {"default", *(tail for name in names for tail in tails(name))}
    found = [
        (f"training.optional.{number}", repr(pattern))
        for number, pattern in enumerate(training.optional, 1)
        if not any(fnmatch(name, pattern) for name in names)
    ]
    wrong = [key for key in training.decimals if key not in known]
    found += [(f"training.decimals.{key}", "a key that fits none") for key in wrong]
    if found:
        expected = f"one that fits a number of the model: {', '.join(names)}"
        raise PresetError(spec.source, [Problem(key, value, expected) for key, value in found])


def _zeros(sizes: Mapping[str, Shape]) -> dict[str, np.ndarray]:
    return {name: np.zeros(shape) for name, shape in sizes.items()}


def _require_known_parts(preset: Preset, spec: Spec) -> None:
    """Stop where the network that gives the gradients does not know a part of the model."""
    found = {
        'start.kind = "sentence"': preset.start == "sentence",
        'mask.kind = "causal" or "none"': preset.mask != "strict",
        "the part output, tied or own": "output" in preset.parts and preset.output != "none",
    }
    for expected, is_so in found.items():
        if not is_so:
            raise UserError(f"spec {spec.source}: training needs {expected}")


def _require_right(preset: Preset, spec: Spec) -> float:
    """The margin of the worst prompt, in both arithmetics; stop where it is too small."""
    training, n = spec.training, len(spec.prompts)
    found = list(answers(preset, spec.prompts, spec.counts))
    failed = failures(found, training.margin, training.outside)
    if not failed:
        return min(answer.margin for answer in found)
    right = n - len({answer.number for answer in failed})
    lines = [f"\n  {answer}" for answer in failed[:SHOWN]]
    most = f", with at most {training.outside:g} outside" if training.outside < ALL else ""
    more = f"\n  and {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
    raise UserError(
        f"spec {spec.source} does not converge: after {training.steps} steps and "
        f"{training.rounding_steps} with rounded numbers {right} of {n} prompts are right and "
        f"ahead by {training.margin:g} points{most}; the worst:{''.join(lines)}{more}\n"
        "try more steps, another seed, more [training.decimals], less smoothing, a smaller margin"
    )
