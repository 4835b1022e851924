"""The tensors of a GPT-2 in a safetensors file: names, shapes and numbers checked.

Also here:

* An imported model as files: the preset, its numbers, its words, its merges.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from generator.errors import UserError
from generator.files import require_file
from generator.presets.foreign.config import Config
from generator.presets.foreign.gpt2_tokens import Subwords

Shape = tuple[int, ...]

PREFIX = "transformer."
HEAD = "lm_head.weight"
BUFFERS = re.compile(r"h\.\d+\.attn\.(bias|masked_bias)")  # the mask, which the engine has itself
HALVED = "BF16"  # the upper halves of 32-bit numbers; NumPy has no such type
DTYPES = ("F16", HALVED, "F32", "F64")
MOST_NAMED = 6


def read_tensors(path: Path, config: Config) -> dict[str, np.ndarray]:
    """The tensors by name without "transformer.": those of the config's shape, all numbers finite.

    Matrices are [in, out], as the family's Conv1D keeps them. `lm_head.weight` is among them only
    where it differs from `wte.weight`. Raises `UserError`: no safetensors file, one cut short,
    missing or surplus tensors, other shapes, NaN or infinity, an output tied in the config only.
    """
    with opened(path) as tensors:
        names = _names(tensors.keys())
        _require(path, tensors, names, expected(config), config)
        read = numbers_of(path, tensors, names)
    return _untied(path, read, config)


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """A safetensors file, open; `UserError` where it is none, cut short, or cannot be read."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise UserError(
            "weights are read with the package safetensors, which is not installed: "
            "pip install 'paperformer[safetensors]'"
        ) from None
    require_file(path, "weights")
    try:
        with safe_open(path, framework="numpy") as tensors:
            yield tensors
    except FileNotFoundError:
        raise UserError(f"weights {path}: there is no such file") from None
    except (OSError, SafetensorError) as error:
        reason = str(error).splitlines()[0] if str(error) else "unreadable"
        raise UserError(
            f"weights {path}: this is no whole safetensors file ({reason}); "
            "expected one such as model.safetensors: was it downloaded to its end?"
        ) from None


def expected(config: Config) -> dict[str, Shape]:
    """The tensors that a GPT-2 of this config has, with their shapes; the output's not."""
    d, f = config.d_model, config.d_ff
    shapes: dict[str, Shape] = {
        "wte.weight": (config.words, d),
        "wpe.weight": (config.positions, d),
    }
    for block in range(config.blocks):
        own: dict[str, Shape] = {
            "ln_1.weight": (d,), "ln_1.bias": (d,),
            "attn.c_attn.weight": (d, 3 * d), "attn.c_attn.bias": (3 * d,),
            "attn.c_proj.weight": (d, d), "attn.c_proj.bias": (d,),
            "ln_2.weight": (d,), "ln_2.bias": (d,),
            "mlp.c_fc.weight": (d, f), "mlp.c_fc.bias": (f,),
            "mlp.c_proj.weight": (f, d), "mlp.c_proj.bias": (d,),
        }  # fmt: skip
        shapes |= {f"h.{block}.{name}": shape for name, shape in own.items()}
    return shapes | {"ln_f.weight": (d,), "ln_f.bias": (d,)}


def _names(names: list[str]) -> dict[str, str]:
    """The file's own names by those without the prefix; buffers left out."""
    short = {name.removeprefix(PREFIX): name for name in names}
    return {name: full for name, full in short.items() if not BUFFERS.fullmatch(name)}


def _require(
    path: Path, tensors: Any, names: Mapping[str, str], known: Mapping[str, Shape], config: Config
) -> None:
    missing = [PREFIX + name for name in known if name not in names]
    if config.tied is False and HEAD not in names:
        missing.append(HEAD)
    surplus = [full for name, full in names.items() if name not in known and name != HEAD]
    if missing or surplus:
        raise UserError(
            f"weights {path}: these are not the tensors of a GPT-2 with {config.blocks} blocks; "
            f"missing: {listed(missing)}; surplus: {listed(surplus)}"
        )
    shapes = {**known, HEAD: known["wte.weight"]}
    wrong = [line for name, full in names.items()
             for line in _mismatch(tensors.get_slice(full), full, shapes[name])]  # fmt: skip
    if wrong:
        raise UserError(f"weights {path} and its config do not fit together: {listed(wrong, '; ')}")


def numbers_of(path: Path, tensors: Any, names: Mapping[str, str]) -> dict[str, np.ndarray]:
    """The arrays under other names: `names` has the file's own ones; all numbers are finite."""
    halved = {n for n in names.values() if tensors.get_slice(n).get_dtype() == HALVED}
    widened = _widened(path, halved) if halved else {}
    return {
        name: _finite(path, widened[full] if full in halved else tensors.get_tensor(full), full)
        for name, full in names.items()
    }


def _widened(path: Path, names: Collection[str]) -> dict[str, np.ndarray]:
    """The bfloat16 tensors of these names as float32: the same numbers, their lower half zero."""
    import safetensors

    deserialize: Callable[[bytes], list[tuple[str, Any]]] = safetensors.deserialize
    arrays = {}
    for name, tensor in deserialize(path.read_bytes()):
        if name in names:
            halves = np.frombuffer(tensor["data"], dtype="<u2").astype(np.uint32)
            arrays[name] = (halves << 16).view(np.float32).reshape(tensor["shape"])
    return arrays


def _mismatch(tensor: Any, name: str, shape: Shape) -> Iterator[str]:
    own_shape, dtype = tuple(tensor.get_shape()), tensor.get_dtype()
    if dtype not in DTYPES:
        yield f"{name} holds {dtype} numbers, expected one of {', '.join(DTYPES)}: convert it first"
    if own_shape != shape:
        turned = len(shape) == 2 and own_shape == shape[::-1]
        hint = " (transposed: GPT-2 keeps Conv1D weights as [in, out])" if turned else ""
        yield f"{name} is {_size(own_shape)}, the config says {_size(shape)}{hint}"


def _finite(path: Path, numbers: np.ndarray, name: str) -> np.ndarray:
    good = np.isfinite(numbers)
    if not good.all():
        place = [int(k) + 1 for k in np.argwhere(~good)[0]]
        value = numbers[tuple(k - 1 for k in place)]
        raise UserError(
            f"weights {path}: {name}{place} is {value}, expected a finite number "
            f"({np.count_nonzero(~good)} such of {good.size}; counted from 1)"
        )
    return numbers


def _untied(path: Path, read: dict[str, np.ndarray], config: Config) -> dict[str, np.ndarray]:
    if HEAD in read and np.array_equal(read[HEAD], read["wte.weight"]):
        return {name: numbers for name, numbers in read.items() if name != HEAD}
    if HEAD in read and config.tied:
        raise UserError(
            f"weights {path}: {HEAD} differs from wte.weight, but the config says "
            "tie_word_embeddings = true; set it to false if the output has its own matrix"
        )
    return read


def listed(names: list[str], between: str = ", ") -> str:
    """The first names of a list, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return between.join(names[:MOST_NAMED]) + more if names else "none"


def _size(shape: Shape) -> str:
    return "×".join(map(str, shape)) or "a single number"


EMBEDDING = "vocabulary.embedding"


class Imported(NamedTuple):
    """The files of an imported preset, by path, and what they hold in one line."""

    files: Mapping[Path, bytes]
    summary: str


class PresetHead(NamedTuple):
    """What a preset's file says beside its numbers."""

    name: str
    config: Config
    words: Subwords
    sentence: str
    language: str
    own_output: bool


def files_of(
    place: Path, written: PresetHead, named: Mapping[str, np.ndarray]
) -> dict[Path, bytes]:
    """The preset's file and those that it takes its numbers, words and merges from."""
    from safetensors.numpy import save

    numbers = place.with_name(f"{place.stem}-weights.safetensors")
    words = place.with_name(f"{place.stem}-words.txt")
    merges = place.with_name(f"{place.stem}-merges.txt")
    copied = {name: np.ascontiguousarray(array) for name, array in named.items()}
    weights = [name for name in named if name != EMBEDDING]
    text = "\n".join([*_head(written, numbers, words, merges), *_weights(weights, numbers)])
    files = {
        place: f"{text}\n".encode(),
        numbers: save(copied),
        words: _lines(written.words.tokens),
    }
    if written.words.merges is not None:
        files[merges] = _lines(written.words.merges)
    return files


def _head(written: PresetHead, numbers: Path, words: Path, merges: Path) -> Iterator[str]:
    config, name = written.config, written.name
    sizes = f"{config.blocks} blocks, {config.heads} heads"
    yield f"# Imported by `paperformer presets import`: {sizes}."
    yield "format = 1"
    yield f'name = "{name}"'
    yield f'language = "{written.language}"'
    yield f'title = {{ de = "{name}", en = "{name}" }}'
    yield f"sentence.{written.language} = {_text(written.sentence)}"
    yield 'rounding = "exact"'
    yield "meaningful = true # false if these numbers were never trained"
    yield from _tokenizer(written, merges)
    yield from ("", "[model]", f"d_model = {config.d_model}", f"heads = {config.heads}")
    yield from (f"d_ff = {config.d_ff}", f"blocks = {config.blocks}")
    yield from ("", "[positions]", 'kind = "learned"')
    yield from ("", "[norm]", 'kind = "pre"', f"epsilon = {config.epsilon!r}", "final = true")
    yield from ("", "[activation]", f'kind = "{config.activation}"')
    yield from ("", "[output]", f'kind = "{"own" if written.own_output else "tied"}"')
    yield 'positions = "last" # "all": the logits of every token'
    yield from ("", "[decimals]", "default = 4", "probabilities = 5")
    yield from ("", "[vocabulary]", 'unknown = "error"')
    yield f'table = {{ words = "{words.name}", file = "{numbers.name}", key = "{EMBEDDING}" }}'


def _tokenizer(written: PresetHead, merges: Path) -> Iterator[str]:
    yield from ("", "[tokenizer]")
    if written.words.merges is None:
        yield 'kind = "word"'
        return
    yield from ('kind = "bpe"', 'level = "byte"', 'split = "gpt2"')
    yield f'merges = {{ file = "{merges.name}" }}'


def _weights(names: list[str], numbers: Path) -> Iterator[str]:
    yield ""
    yield '[weights] # "zero" in the place of a head\'s value switches the head off'
    for name in names:
        yield f'"{name}" = {{ file = "{numbers.name}", key = "{name}" }}'


def _lines(texts: tuple[str, ...]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode("utf-8")


def _text(sentence: str) -> str:
    return json.dumps(sentence, ensure_ascii=False)
