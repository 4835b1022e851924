"""A mapping file: which tensor of a PyTorch program is which weight of the model.

Also here:

* From a PyTorch program's weights and a mapping file to a preset's files.
"""

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from generator.errors import did_you_mean, refused, require
from generator.files import tables_of, text_of
from generator.output import write_scratch
from generator.presets.foreign.tensors import (
    EMBEDDING,
    Imported,
    ImportedModel,
    listed,
    opened,
    size_of,
)
from generator.presets.load import load_preset, read
from generator.presets.new import preset_name
from generator.presets.schema import File, PresetError, PresetProblem, problem, shown

TABLE = "tensors"
LAYOUTS = ("out, in", "in, out")
OWN = ("words", "layout", "ignore")  # keys of [tensors] that name no weight
PARTS = ("query", "key", "value")
FUSED = "query_key_value"
_HEADER = re.compile(r"^\[tensors\][ \t]*(#.*)?$", re.MULTILINE)
_LATER = re.compile(r"^\[.*\][ \t]*(#.*)?$", re.MULTILINE)


class TensorPiece(NamedTuple):
    """Where a weight's numbers are: a tensor, and which of its equal parts along the outputs."""

    tensor: str
    part: int = 0
    parts: int = 1


class Mapped(NamedTuple):
    """A mapping file read: the preset's own part, its words, and the place of each weight.

    `shapes` are the weights that the model may have; `turned` says that the file's matrices are
    [out, in], as `torch.nn.Linear` keeps them; tensors that match `ignore` are no weights.
    """

    head: str
    file: File
    words: tuple[str, ...]
    pieces: Mapping[str, TensorPiece]
    shapes: Mapping[str, tuple[int, int]]
    turned: bool
    ignore: tuple[str, ...]

    def numbers(self, weights: Path) -> dict[str, np.ndarray]:
        """The weights under the names of the engine's steps, matrices [in, out]."""
        with opened(weights) as tensors:
            names = tensors.names()
            wanted = dict.fromkeys(piece.tensor for piece in self.pieces.values())
            missing = [f"{name}{did_you_mean(name, names)}" for name in wanted if name not in names]
            require(not missing, "foreign.missing", path=weights, names=listed(missing, "; "))
            left = [name for name in names if name not in wanted]
            unused = [
                name for name in left if not any(fnmatchcase(name, one) for one in self.ignore)
            ]
            require(not unused, "foreign.unused", path=weights, names=listed(unused), unused=unused)
            arrays = tensors.numbers_of({name: name for name in wanted})
        return {
            name: self._cut(name, piece, arrays[piece.tensor])
            for name, piece in self.pieces.items()
        }

    def _cut(self, name: str, piece: TensorPiece, array: np.ndarray) -> np.ndarray:
        """A weight's own part of its tensor as [in, out]; `UserError` for another shape."""
        turned = self.turned and array.ndim == 2 and name not in UPRIGHT
        matrix = np.atleast_2d(array.T if turned else array)
        height, width = self.shapes[name]
        whole = (height or matrix.shape[0], width * piece.parts)
        if matrix.shape != whole:
            hint = " (transposed: see layout)" if matrix.shape == whole[::-1] else ""
            has, takes = size_of(array.shape), size_of(whole)
            raise refused("foreign.piece", piece=piece, has=has, name=name, takes=takes, hint=hint)
        return matrix[:, piece.part * width : (piece.part + 1) * width]


def read_mapping(path: Path) -> Mapped:
    """The mapping in a TOML file: a preset without its numbers, and the table [tensors] at its end.

    Raises `UserError` for a file that is not TOML or has no such table, `PresetError` with every
    problem of its content.
    """
    text = text_of(path, "mapping")
    raw = tables_of(text, path.name)
    tensors = raw.pop(TABLE, None)
    header = _HEADER.search(text)
    if not isinstance(tensors, dict) or header is None or _LATER.search(text, header.end()):
        raise refused("foreign.mapping", path=path)
    for key in ("weights", "vocabulary"):
        if key in raw:
            raise PresetError(path.name, [problem("preset.mapped", key=key)])
    words, problems = _words(tensors.get("words"), path)
    file, more = read({**raw, "vocabulary": {"words": {word: [0.0] for word in words}}})
    if file is None or problems or more:
        raise PresetError(path.name, [*problems, *more])
    known, needed = file.shapes(len(words))
    known = {EMBEDDING: (len(words), file.model.d_model), **known}
    pieces: dict[str, TensorPiece] = {}
    for key, value in tensors.items():
        if key not in OWN and not isinstance(value, str):
            problems.append(problem("preset.tensor", key=key, found=shown(value)))
        elif key not in OWN:
            named = dict(_spread(key, value, file))
            if unknown := next((name for name in named if name not in known), None):
                hint = did_you_mean(unknown, known)
                problems.append(problem("preset.tensor_weight", key=key, hint=hint))
            pieces |= named
    for name in (EMBEDDING, *sorted(needed)):
        if name not in pieces:
            problems.append(problem("preset.no_tensor", name=name))
    layout, ignore = tensors.get("layout", LAYOUTS[0]), tensors.get("ignore", [])
    if layout not in LAYOUTS:
        problems.append(problem("preset.layout", found=shown(layout)))
    if not (isinstance(ignore, list) and all(isinstance(one, str) for one in ignore)):
        problems.append(problem("preset.ignore", found=shown(ignore)))
    if problems:
        raise PresetError(path.name, problems)
    head = text[: header.start()].rstrip()
    return Mapped(head, file, words, pieces, known, layout == LAYOUTS[0], tuple(ignore))


def _words(words: Any, path: Path) -> tuple[tuple[str, ...], list[PresetProblem]]:
    """The words in order of their ids: a list, or the name of a text file, one word per line."""
    if isinstance(words, str):
        return tuple(text_of(path.with_name(words), "words").splitlines()), []
    if not (isinstance(words, list) and words and all(isinstance(word, str) for word in words)):
        found = "nothing" if words is None else shown(words)
        return (), [problem("preset.mapped_words", found=found)]
    twice = next((word for word in words if words.count(word) > 1), None)
    return tuple(words), [] if twice is None else [problem("preset.mapped_twice", word=twice)]


def _spread(key: str, value: str, file: File) -> Iterator[tuple[str, TensorPiece]]:
    """Each weight that a line names, of each block and head; numbers in the name count from 1 or 0.

    A line without {head} is about all heads: their numbers follow each other, head by head, of
    `query_key_value` first all queries, then all keys, then all values.
    """
    blocks = range(file.model.blocks) if "{block" in key else range(1)
    heads = range(file.model.heads)
    for block, head in product(blocks, heads if "{head" in key else range(1)):
        places = {"block": block + 1, "block0": block, "head": head + 1, "head0": head}
        name, tensor = _filled(key, places), _filled(value, places)
        at, dot, kind = name.rpartition(".")
        place, _, what = at.rpartition(".")
        shared = what in ("weight", "bias") and ".head" not in f".{place}"
        if shared and kind == FUSED:
            for k, part in product(heads, enumerate(PARTS)):
                piece = TensorPiece(tensor, part[0] * len(heads) + k, len(PARTS) * len(heads))
                yield f"{place}.head{k + 1}.{what}{dot}{part[1]}", piece
        elif shared and kind in PARTS:
            for k in heads:
                yield f"{place}.head{k + 1}.{what}{dot}{kind}", TensorPiece(tensor, k, len(heads))
        else:
            yield name, TensorPiece(tensor)


def _filled(text: str, places: Mapping[str, int]) -> str:
    for name, number in places.items():
        text = text.replace(f"{{{name}}}", str(number))
    return text


UPRIGHT = (EMBEDDING, "position", "output.matrix")  # a row for each word or position already


def import_mapped(weights: Path, mapping: Path, out: Path | None = None) -> Imported:
    """The preset of any program's safetensors file and its mapping file; nothing is written.

    `out` is the preset's file, by default named after the mapping's name. Raises `UserError` for
    files that cannot be read, tensors that are missing, left over or of other shapes, and
    whatever `presets check` would say of the preset.
    """
    mapped = read_mapping(mapping)
    place = out if out is not None else Path(f"{mapped.file.name}.toml")
    preset_name(place, "mine.toml")
    model = ImportedModel(place, mapped.words, mapped.numbers(weights))
    files = model.files(mapped.head)
    with TemporaryDirectory() as folder:  # a `PresetError` where they are no preset that loads
        for path, content in files.items():
            write_scratch(Path(folder, path.name), content)
        load_preset(Path(folder, place.name))
    return Imported(files, f"{len(mapped.words)} words, {model.parameters}")
