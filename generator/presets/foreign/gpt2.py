"""From the files of a GPT-2 (Radford et al. 2019) to a preset's files."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from generator.engine.bpe import pair_of
from generator.engine.vocabulary import listed, tokenize
from generator.errors import UserError, did_you_mean
from generator.locales.folders import ENGLISH, require_language
from generator.locales.locale import locale_of
from generator.presets.foreign.config import Config, read_config
from generator.presets.foreign.gpt2_tokens import Subwords, beside, numbered, read_subwords
from generator.presets.foreign.tensors import (
    EMBEDDING,
    HEAD,
    Imported,
    PresetHead,
    files_of,
    read_tensors,
)
from generator.presets.new import preset_name
from generator.presets.subwords import GPT2

PARTS = ("query", "key", "value")


def import_gpt2(
    weights: Path,
    config: Path,
    out: Path | None = None,
    *,
    tokens: Path | None = None,
    sentence: str | None = None,
    language: str = ENGLISH,
) -> Imported:
    """The preset of a GPT-2's safetensors file and its config.json; nothing is written.

    `out` is the preset's file, by default named after the weights. Its words come from `tokens`
    (a tokenizer.json, or a vocab.json with its merges.txt beside it), by default from such files
    beside the weights; without any they are t0, t1, … Raises `UserError` for whatever cannot be
    read or is not computed by the engine.
    """
    place = out if out is not None else Path(f"{_plain(weights.stem)}.toml")
    name = preset_name(place, "mine.toml")
    require_language(language)
    sizes = read_config(config)
    token_file = tokens if tokens is not None else beside(weights)
    words = (
        read_subwords(token_file, sizes.words) if token_file is not None else numbered(sizes.words)
    )
    tensors = read_tensors(weights, sizes)
    text = sentence if sentence is not None else _sentence(words, sizes, language)
    _require_sentence(text, words, sizes)
    own_output = HEAD in tensors
    named = {EMBEDDING: tensors["wte.weight"], **dict(weights_of(tensors, sizes))}
    written = PresetHead(name, sizes, words, text, language, own_output)
    return Imported(files_of(place, written, named), _summary(sizes, named))


def weights_of(
    tensors: Mapping[str, np.ndarray], config: Config
) -> Iterator[tuple[str, np.ndarray]]:
    """The tensors under the names of the engine's steps, matrices [in, out].

    The fused c_attn [d_model, 3·d_model] holds all queries, then all keys, then all values, each
    head by head.
    """
    yield "position", tensors["wpe.weight"]
    for block in range(config.blocks):
        yield from _block(tensors, f"h.{block}", f"block{block + 1}", config)
    yield "final.gain", tensors["ln_f.weight"]
    yield "final.beta", tensors["ln_f.bias"]
    if HEAD in tensors:
        yield "output.matrix", tensors[HEAD]


def _block(
    tensors: Mapping[str, np.ndarray], own: str, at: str, config: Config
) -> Iterator[tuple[str, np.ndarray]]:
    d_head = config.d_model // config.heads
    fused, bias = tensors[f"{own}.attn.c_attn.weight"], tensors[f"{own}.attn.c_attn.bias"]
    for head in range(config.heads):
        for part, kind in enumerate(PARTS):
            start = part * config.d_model + head * d_head
            yield f"{at}.head{head + 1}.weight.{kind}", fused[:, start : start + d_head]
            yield f"{at}.head{head + 1}.bias.{kind}", bias[start : start + d_head]
    for name, other in (
        ("output", "attn.c_proj"), ("hidden", "mlp.c_fc"), ("feedforward", "mlp.c_proj")
    ):  # fmt: skip
        yield f"{at}.weight.{name}", tensors[f"{own}.{other}.weight"]
        yield f"{at}.bias.{name}", tensors[f"{own}.{other}.bias"]
    for number in (1, 2):
        yield f"{at}.gain{number}", tensors[f"{own}.ln_{number}.weight"]
        yield f"{at}.beta{number}", tensors[f"{own}.ln_{number}.bias"]


def _plain(stem: str) -> str:
    return re.sub("[^a-z0-9]+", "-", stem.lower()).strip("-") or "imported"


def _sentence(words: Subwords, config: Config, language: str) -> str:
    if words.merges is None:
        return " ".join(words.tokens[: min(4, config.positions)])
    return locale_of(language).sentence


def _require_sentence(sentence: str, words: Subwords, config: Config) -> None:
    """Raise `UserError` for a sentence that the model could not read."""
    pairs = tuple(map(pair_of, words.merges or ()))
    known = dict.fromkeys(words.tokens)
    own_tokens = tokenize(sentence, "word" if words.merges is None else GPT2, known, pairs).tokens
    for token in own_tokens:
        if token not in known:
            raise UserError(
                f"the sentence {sentence!r} has the token {token!r}, which the model does not "
                f"know{did_you_mean(token, words.tokens)}; known: {listed(words.tokens)}: give "
                "another --sentence"
            )
    if len(own_tokens) > config.positions:
        raise UserError(
            f"the sentence {sentence!r} has {len(own_tokens)} tokens; the model has learned "
            f"{config.positions} positions: give a shorter --sentence"
        )


def _summary(config: Config, named: Mapping[str, np.ndarray]) -> str:
    count = sum(numbers.size for numbers in named.values())
    return (
        f"{config.blocks} blocks of {config.heads} heads, d_model {config.d_model}, "
        f"{config.words} words, {count:,} parameters"
    )
