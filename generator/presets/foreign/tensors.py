"""Tensors of a safetensors file, their numbers checked; an imported model as a preset's files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from generator.errors import refused
from generator.files import require_file

EMBEDDING = "vocabulary.embedding"
HALVED = "BF16"  # the upper halves of 32-bit numbers; NumPy has no such type
MOST_NAMED = 6


@dataclass(frozen=True)
class TensorFile:
    """An open safetensors file."""

    path: Path
    tensors: Any

    def names(self) -> list[str]:
        """The names of its tensors."""
        return list(self.tensors.keys())

    def about(self, name: str) -> tuple[tuple[int, ...], str]:
        """A tensor's shape and the kind of its numbers, such as F32."""
        tensor = self.tensors.get_slice(name)
        return tuple(tensor.get_shape()), tensor.get_dtype()

    def numbers_of(self, names: Mapping[str, str]) -> dict[str, np.ndarray]:
        """The arrays under other names: `names` has the file's own ones; all numbers are finite."""
        halved = {name for name in names.values() if self.about(name)[1] == HALVED}
        widened: dict[str, np.ndarray] = {}
        if halved:
            import safetensors

            deserialize: Callable[[bytes], list[tuple[str, Any]]] = safetensors.deserialize
            for name, tensor in deserialize(self.path.read_bytes()):
                if name in halved:  # as float32: the same numbers, their lower half zero
                    halves = np.frombuffer(tensor["data"], dtype="<u2").astype(np.uint32)
                    widened[name] = (halves << 16).view(np.float32).reshape(tensor["shape"])
        arrays = {}
        for name, own in names.items():
            arrays[name] = widened[own] if own in halved else self.tensors.get_tensor(own)
            self._require_finite(own, arrays[name])
        return arrays

    def _require_finite(self, name: str, numbers: np.ndarray) -> None:
        good = np.isfinite(numbers)
        if not good.all():
            bad = np.argwhere(~good)
            at, found = [int(k) + 1 for k in bad[0]], numbers[tuple(bad[0])]
            raise refused(
                "foreign.finite", file=self, name=name, at=at, found=found, bad=bad, numbers=numbers
            )


@contextmanager
def opened(path: Path) -> Iterator[TensorFile]:
    """A safetensors file, open; `UserError` where it is none, cut short, or cannot be read."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise refused("foreign.package") from None
    require_file(path, "weights")
    try:
        with safe_open(path, framework="numpy") as tensors:
            yield TensorFile(path, tensors)
    except FileNotFoundError:
        raise refused("file.missing", what="weights", path=path) from None
    except (OSError, SafetensorError) as error:
        reason = str(error).splitlines()[0] if str(error) else "unreadable"
        raise refused("foreign.whole", path=path, fault=reason) from None


def listed(names: list[str], between: str = ", ") -> str:
    """The first names of a list, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return between.join(names[:MOST_NAMED]) + more if names else "none"


def size_of(shape: tuple[int, ...]) -> str:
    """A shape as it is said: 2×3."""
    return "×".join(map(str, shape)) or "a single number"


class Imported(NamedTuple):
    """The files of an imported preset, by path, and what they hold in one line."""

    files: Mapping[Path, bytes]
    summary: str


@dataclass(frozen=True)
class ImportedModel:
    """A preset's name as a file, its words in order of their ids, its numbers [in, out] by name."""

    place: Path
    words: Sequence[str]
    numbers: Mapping[str, np.ndarray]

    @property
    def parameters(self) -> str:
        """How many numbers there are."""
        return f"{sum(array.size for array in self.numbers.values()):,} parameters"

    def beside(self, ending: str) -> Path:
        """A further file of the preset."""
        return self.place.with_name(f"{self.place.stem}-{ending}")

    def files(self, head: str, remark: str = "") -> dict[Path, bytes]:
        """The preset, which begins with `head`, and the files of its numbers and words.

        `remark` stands beside the table of weights.
        """
        from safetensors.numpy import save

        stored, words = self.beside("weights.safetensors"), self.beside("words.txt")
        weights = [name for name in self.numbers if name != EMBEDDING]
        lines = [
            head,
            "",
            "[vocabulary]",
            'unknown = "error"',
            f'table = {{ words = "{words.name}", file = "{stored.name}", key = "{EMBEDDING}" }}',
            "",
            f"[weights]{remark}",
            *(f'"{name}" = {{ file = "{stored.name}", key = "{name}" }}' for name in weights),
        ]
        arrays = {name: np.ascontiguousarray(array) for name, array in self.numbers.items()}
        return {self.place: lines_of(lines), stored: save(arrays), words: lines_of(self.words)}


def lines_of(texts: Sequence[str]) -> bytes:
    """A file with a line for each text."""
    return "".join(f"{text}\n" for text in texts).encode("utf-8")
