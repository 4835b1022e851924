"""What a training is about: the model of a spec, its start values, what should follow what."""

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.engine.decimals import tails
from generator.engine.masks import MASKS
from generator.engine.preset import Preset
from generator.errors import UserError
from generator.presets.load import load_preset, parse, read
from generator.presets.schema import File, PresetError, PresetProblem, Shape
from generator.training.continued import numbers_of
from generator.training.learner import LearnerInput, start_values
from generator.training.spec import Spec, wanted_shares
from generator.training.trained_preset import EMBEDDING, preset_text


class TrainingTask(NamedTuple):
    """What is to be learned: a spec and its model with numbers that are still 0.

    `numbers` are the start values, `wanted` the shares of the next tokens [b, v]; `began` is the
    preset to go on from, if any. Other files of the spec are in `folder`.
    """

    spec: Spec
    blank: Preset
    folder: Path
    numbers: dict[str, np.ndarray]
    wanted: np.ndarray
    began: Preset | None

    @property
    def given(self) -> LearnerInput:
        """What a learner is given, at the start; set numbers stay as they are."""
        training, ids = self.spec.training, {word: k for k, word in enumerate(self.spec.words)}
        prompts = [[ids[token] for token in prompt] for prompt in self.spec.prompts]
        learned = frozenset(self.numbers) - training.fixed.keys()
        return LearnerInput(self.blank, prompts, self.wanted, self.numbers, learned, training)


def task_of(spec: Spec, folder: Path, start: str | Path | None = None) -> TrainingTask:
    """What a spec wants to be learned, or to be learned on from the numbers of a preset."""
    sizes = _shapes(spec, _file(spec))
    blank = parse(preset_text(spec, _zeros(sizes), "blank"), spec.source, folder)
    _require_known_parts(blank, spec)
    began = None if start is None else load_preset(start)
    if began is None:
        numbers = start_values(sizes, spec.training)
    else:
        numbers = numbers_of(began, spec, sizes)
    numbers |= {name: blank.weights[name] for name in spec.training.fixed}
    return TrainingTask(spec, blank, folder, numbers, wanted_shares(spec), began)


def _file(spec: Spec) -> File:
    """The preset's tables, typed, with zeros where numbers will be."""
    raw = tomllib.loads(spec.head)
    problems = [
        PresetProblem(
            key, "numbers", "nothing, as they are learned; set ones go to [training.fixed]"
        )
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
    known, needed = file.shapes(v)
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
    unused = [
        (f"training.optional.{number}", repr(pattern))
        for number, pattern in enumerate(training.optional, 1)
        if not any(fnmatch(name, pattern) for name in names)
    ]
    wrong = [key for key in training.decimals if key not in known]
    unused += [(f"training.decimals.{key}", "a key that fits none") for key in wrong]
    if unused:
        expected = f"one that fits a number of the model: {', '.join(names)}"
        raise PresetError(
            spec.source, [PresetProblem(key, value, expected) for key, value in unused]
        )


def _zeros(sizes: Mapping[str, Shape]) -> dict[str, np.ndarray]:
    return {name: np.zeros(shape) for name, shape in sizes.items()}


def _require_known_parts(preset: Preset, spec: Spec) -> None:
    """Stop where the network that gives the gradients does not know a part of the model."""
    known = " or ".join(f'"{name}"' for name in (*_full_masks(), "none"))
    is_known = {
        'start.kind = "sentence"': preset.start == "sentence",
        f"mask.kind = {known}": preset.mask == "none" or not MASKS[preset.mask].empty,
        "the part output, tied or own": "output" in preset.parts and preset.output != "none",
    }
    for expected, is_so in is_known.items():
        if not is_so:
            raise UserError(f"spec {spec.source}: training needs {expected}")


def _full_masks() -> list[str]:
    """The masks under which each token sees one, so that no softmax is empty."""
    return [name for name, form in MASKS.items() if not form.empty]
