"""What a training is about: the model of a spec, its start values, what should follow what.

Also here:

* A trained preset as its file: the spec's own part, then the numbers in a readable layout.
* Going on from a preset that has learned already: its numbers are the start, for some steps.
"""

import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import numpy as np

from generator.engine.decimals import tails
from generator.engine.draws import draw
from generator.engine.masks import MASKS
from generator.engine.preset import Preset
from generator.errors import UserError, require
from generator.presets.load import FOLDER, load_preset, parse, read
from generator.presets.schema import File, PresetError, Shape, problem
from generator.training.spec import Spec

EMBEDDING = "vocabulary.embedding"
SPECS = FOLDER / "specs"
UNITS = 1_000_000  # steps of the uniform draw that start values come from


@dataclass(frozen=True)
class TrainingTask:
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
    def prompts(self) -> list[list[int]]:
        """The ids of each prompt's tokens."""
        ids = {word: k for k, word in enumerate(self.spec.words)}
        return [[ids[token] for token in prompt] for prompt in self.spec.counts]

    @property
    def learned(self) -> list[str]:
        """The names of the numbers that change; set numbers stay as they are."""
        return [name for name in self.numbers if name not in self.spec.training.fixed]

    def preset(self, numbers: Mapping[str, np.ndarray]) -> tuple[str, Preset]:
        """The trained preset's text and itself; a line says where its numbers come from."""
        spec, began = self.spec, self.began
        of = f"the spec with SHA-256 {spec.sha256[:16]}, with {MADE}."
        steps = f"{spec.training.all_steps} steps, from {of}"
        on = began and f"Trained on from {began.name} ({began.sha256[:16]}), {steps}"
        text = preset_text(spec, numbers, on or f"Trained from {of}")
        return text, parse(text, spec.source, self.folder)


MADE = "Paperformer's own gradients"


def spec_path(spec: str | Path | None, start: str | Path | None) -> Path:
    """The spec that is named, or that of the shipped preset to go on from; else a `UserError`."""
    if spec is not None:
        return Path(spec)
    if start is None:
        raise UserError("presets train: name a spec, or with --from the preset to go on from")
    own = SPECS / f"{start}.toml"
    shipped = ", ".join(sorted(path.stem for path in SPECS.glob("*.toml")))
    require(own.is_file(), "training.spec", start=start, shipped=shipped)
    return own


def task_of(spec: Spec, folder: Path, start: str | Path | None = None) -> TrainingTask:
    """What a spec wants to be learned, or to be learned on from the numbers of a preset."""
    sizes = _shapes(spec, _file(spec))
    zeros = {name: np.zeros(shape) for name, shape in sizes.items()}
    blank = parse(preset_text(spec, zeros, "blank"), spec.source, folder)
    _require_known_parts(blank, spec.source)
    began = None if start is None else load_preset(start)
    if began is None:
        numbers = {name: _drawn(name, shape, spec) for name, shape in sizes.items()}
    else:
        numbers = numbers_of(began, spec, sizes)
    numbers |= {name: blank.weights[name] for name in spec.training.fixed}
    return TrainingTask(spec, blank, folder, numbers, spec.wanted(), began)


def _file(spec: Spec) -> File:
    """The preset's tables, typed, with zeros where numbers will be."""
    raw = tomllib.loads(spec.head)
    vocabulary = raw.get("vocabulary", {})
    learned = {"weights": raw, "vocabulary.words": vocabulary}
    given = [key for key, table in learned.items() if key.rpartition(".")[2] in table]
    if given:
        raise PresetError(spec.source, [problem("preset.learned", key=key) for key in given])
    file, problems = read(raw | {"vocabulary": vocabulary | {"words": {}}})
    if file is None:
        raise PresetError(spec.source, problems)
    return file


def _shapes(spec: Spec, file: File) -> dict[str, Shape]:
    """The shapes of all numbers of the model: embeddings, then its weights in their order."""
    training, v = spec.training, len(spec.words)
    known, needed = file.shapes(v)
    _require_used(spec, [EMBEDDING, *known])
    rows = training.positions or max(map(len, spec.counts))
    chosen = {
        name: (height or rows, width)
        for name, (height, width) in known.items()
        if name in needed
        or name in training.fixed
        or any(fnmatch(name, pattern) for pattern in training.optional)
    }
    return {EMBEDDING: (v, file.model.d_model)} | chosen


def _require_used(spec: Spec, names: list[str]) -> None:
    """Stop where a pattern or a number of decimals is for none of the model's numbers."""
    training, known = spec.training, {"default", *(tail for name in names for tail in tails(name))}
    unused = {
        f"training.optional[{number}]": repr(pattern)
        for number, pattern in enumerate(training.optional, 1)
        if not any(fnmatch(name, pattern) for name in names)
    }
    wrong = [key for key in training.decimals if key not in known]
    unused |= {f"training.decimals.{key}": "a key that fits none" for key in wrong}
    if unused:
        named = {"names": ", ".join(names)}
        fits_none = (problem("preset.unused", key=k, found=x, **named) for k, x in unused.items())
        raise PresetError(spec.source, fits_none)


def _require_known_parts(preset: Preset, source: str) -> None:
    """Stop where the network that gives the gradients does not know a part of the model."""
    full = [name for name, form in MASKS.items() if not form.empty]  # no softmax is empty
    known = " or ".join(f'"{name}"' for name in (*full, "none"))
    is_known = {
        'start.kind = "sentence"': preset.start == "sentence",
        f"mask.kind = {known}": preset.mask in (*full, "none"),
        "the part output, tied or own": "output" in preset.parts and preset.output != "none",
    }
    for expected, is_so in is_known.items():
        require(is_so, "training.needs", source=source, expected=expected)


def _drawn(name: str, shape: Shape, spec: Spec) -> np.ndarray:
    """Start values, drawn from the seed; gains begin at 1, shifts and biases at 0."""
    last = name.rpartition(".")[2].rstrip("0123456789")
    if last in ("gain", "beta") or ".bias." in f".{name}.":
        return np.full(shape, float(last == "gain"))
    seed, cells = spec.training.seed, range(shape[0] * shape[1])
    drawn = [draw("training", seed, name, cell, UNITS) for cell in cells]
    spread = 2.0 * math.sqrt(3.0) * spec.training.start  # of a uniform draw with that deviation
    return ((np.array(drawn) + 0.5) / UNITS - 0.5).reshape(shape) * spread


def numbers_of(preset: Preset, spec: Spec, sizes: Mapping[str, Shape]) -> dict[str, np.ndarray]:
    """A preset's numbers as start values for a spec; `UserError` where they do not fit it."""
    words, weights = (list(preset.words), spec.words), (list(preset.weights), [*sizes][1:])
    both = {"preset": preset, "spec": spec}
    for what, (own, expected) in {"word": words, "weight": weights}.items():
        sides = {"the spec": (own, expected), "the preset": (expected, own)}
        for where, (one, other) in sides.items():
            more = [name for name in one if name not in other]
            require(not more, "training.fit", where=where, what=what, more=more, **both)
    table = np.array([preset.words[word] for word in spec.words], dtype=np.float64)
    start_values = {name: preset.weights.get(name, table) for name in sizes}
    for name, shape in sizes.items():
        has, wants = (" × ".join(map(str, one)) for one in (start_values[name].shape, shape))
        require(has == wants, "training.shape", name=name, has=has, wants=wants, **both)
    return start_values


def preset_text(spec: Spec, numbers: Mapping[str, np.ndarray], made: str) -> str:
    """The preset file with these numbers; `made`, one line, says what made them.

    `numbers` holds [words, d_model] under "vocabulary.embedding" and the weights by step name.
    """
    return "".join(f"{line}\n" for line in _lines(spec, numbers, made))


def _lines(spec: Spec, numbers: Mapping[str, np.ndarray], made: str) -> Iterator[str]:
    first, _, rest = spec.head.partition("\n")
    yield from (first, f"# {made}", rest, "", "[vocabulary.words] # learned")
    rows = {name: _rows(x, spec.training.decimals_of(name)) for name, x in numbers.items()}
    for word, row in zip(spec.words, rows.pop(EMBEDDING), strict=True):
        is_bare = re.fullmatch("[A-Za-z0-9_-]+", word)  # as a key of TOML, else escaped as in JSON
        yield f"{word if is_bare else json.dumps(word, ensure_ascii=False)} = {row}"
    yield from ("", "[weights] # learned, for row vectors: x · W")
    for name, form in spec.training.fixed.items():
        yield f'"{name}" = {json.dumps(form)} # set by hand'
    for name, texts in rows.items():
        if name not in spec.training.fixed:
            several = ["[", *(f"  {text}," for text in texts), "]"]
            head, *more = texts if len(texts) == 1 else several
            yield from (f'"{name}" = {head}', *more)


def _rows(matrix: np.ndarray, decimals: int) -> list[str]:
    texts = ([f"{number + 0.0:.{decimals}f}" for number in row] for row in matrix.tolist())
    return [f"[{', '.join(row)}]" for row in texts]
