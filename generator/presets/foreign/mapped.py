"""From a PyTorch program's weights and a mapping file to a preset's files."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from generator.errors import UserError, did_you_mean
from generator.presets.foreign.mapping import Mapped, Piece, read_mapping
from generator.presets.foreign.model_files import EMBEDDING, Imported
from generator.presets.foreign.tensors import listed, numbers_of, opened
from generator.presets.load import load_preset
from generator.presets.new import preset_name

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
    numbers = _numbers(weights, mapped)
    files = _files(place, mapped, numbers)
    _check(place, files)
    count = sum(array.size for array in numbers.values())
    return Imported(files, f"{len(mapped.words)} words, {count:,} parameters")


def _numbers(weights: Path, mapped: Mapped) -> dict[str, np.ndarray]:
    """The weights under the names of the engine's steps, matrices [in, out]."""
    with opened(weights) as tensors:
        names = list(tensors.keys())
        wanted = dict.fromkeys(piece.tensor for piece in mapped.pieces.values())
        missing = [f"{name}{did_you_mean(name, names)}" for name in wanted if name not in names]
        if missing:
            raise UserError(f"weights {weights}: missing: {listed(missing, '; ')}")
        if unused := mapped.unused(names):
            raise UserError(
                f"weights {weights}: the mapping says nothing of {listed(unused)}; name them, or "
                f'leave them out with ignore = ["{unused[0]}"]'
            )
        arrays = numbers_of(weights, tensors, {name: name for name in wanted})
    return {
        name: _cut(name, arrays[piece.tensor], piece, mapped)
        for name, piece in mapped.pieces.items()
    }


def _cut(name: str, array: np.ndarray, piece: Piece, mapped: Mapped) -> np.ndarray:
    """A weight's own part of its tensor as [in, out]; `UserError` for another shape."""
    turned = mapped.turned and array.ndim == 2 and name not in UPRIGHT
    matrix = np.atleast_2d(array.T if turned else array)
    height, width = mapped.shapes[name]
    whole = (height or matrix.shape[0], width * piece.parts)
    if matrix.shape != whole:
        file = "×".join(map(str, array.shape))
        other = matrix.shape == whole[::-1]
        hint = " (transposed: see layout)" if other else ""
        raise UserError(
            f"tensor {piece.tensor} is {file}; {name} takes {whole[0]}×{whole[1]} of it as "
            f"[in, out]{hint}"
        )
    return matrix[:, piece.part * width : (piece.part + 1) * width]


def _files(place: Path, mapped: Mapped, numbers: Mapping[str, np.ndarray]) -> dict[Path, bytes]:
    from safetensors.numpy import save

    stored = place.with_name(f"{place.stem}-weights.safetensors")
    words = place.with_name(f"{place.stem}-words.txt")
    lines = [mapped.head, "", "[vocabulary]", 'unknown = "error"']
    lines.append(
        f'table = {{ words = "{words.name}", file = "{stored.name}", key = "{EMBEDDING}" }}'
    )
    lines += ["", "[weights]"]
    for name in numbers:
        if name != EMBEDDING:
            lines.append(f'"{name}" = {{ file = "{stored.name}", key = "{name}" }}')
    return {
        place: ("\n".join(lines) + "\n").encode(),
        stored: save({name: np.ascontiguousarray(array) for name, array in numbers.items()}),
        words: "".join(f"{word}\n" for word in mapped.words).encode(),
    }


def _check(place: Path, files: Mapping[Path, bytes]) -> None:
    """Raise a `PresetError` where the files together are no preset that loads."""
    with TemporaryDirectory() as folder:
        for path, content in files.items():
            Path(folder, path.name).write_bytes(content)
        load_preset(Path(folder, place.name))
