"""An imported model as files: the preset, its numbers, its words, its merges."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.presets.foreign.config import Config
from generator.presets.foreign.gpt2_tokens import Subwords

EMBEDDING = "vocabulary.embedding"


class Imported(NamedTuple):
    """The files of an imported preset, by path, and what they hold in one line."""

    files: Mapping[Path, bytes]
    summary: str


class Written(NamedTuple):
    """What a preset's file says beside its numbers."""

    name: str
    config: Config
    words: Subwords
    sentence: str
    language: str
    own_output: bool


def files_of(place: Path, written: Written, named: Mapping[str, np.ndarray]) -> dict[Path, bytes]:
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


def _head(written: Written, numbers: Path, words: Path, merges: Path) -> Iterator[str]:
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


def _tokenizer(written: Written, merges: Path) -> Iterator[str]:
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
