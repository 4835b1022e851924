"""The tokens of a GPT-2: a tokenizer.json, or a vocab.json and its merges.txt."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from generator.engine import bpe_text
from generator.engine.bpe_text import faults
from generator.errors import UserError
from generator.presets.foreign.config import read_json
from generator.presets.schema import shown

TOKENIZER, VOCABULARY, MERGES = "tokenizer.json", "vocab.json", "merges.txt"
NUMBERED = "; without --tokens and such files beside the weights they are called t0, t1, …"
SIGNS = frozenset(bpe_text.SIGNS.values())


class Subwords(NamedTuple):
    """Tokens in order of their ids and merges, as a reader sees them; no merges: whole words."""

    tokens: tuple[str, ...]
    merges: tuple[str, ...] | None


def numbered(count: int) -> Subwords:
    """Tokens without a tokenizer: t0, t1, …"""
    return Subwords(tuple(f"t{k}" for k in range(count)), None)


def beside(weights: Path) -> Path | None:
    """The tokenizer's file in the folder of the weights, where there is one."""
    places = [weights.with_name(name) for name in (TOKENIZER, VOCABULARY)]
    return next((place for place in places if place.is_file()), None)


def read_subwords(path: Path, count: int) -> Subwords:
    """The byte-level tokens and merges in a file, `count` tokens; `UserError` for other kinds.

    A list of merges with a missing part is refused. Ids that the model has and the tokenizer not
    are called ⟨id 7⟩ without the space.
    """
    raw = read_json(path, "tokens")
    try:
        if not isinstance(raw, dict):
            raise TypeError
        ids, merges = _tokenizer(path, raw) if "model" in raw else (raw, _listed(path))
        tokens = _in_order(path, ids, count)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise UserError(
            f"tokens {path}: expected a tokenizer.json of Hugging Face, or a vocab.json (a table "
            f"of tokens and ids) with merges.txt beside it{NUMBERED}"
        ) from None
    for number, fault, expected in faults(merges, "byte"):
        raise UserError(f"tokens {path}: merge {number + 1}: found {fault}, expected {expected}")
    return Subwords(tokens, merges)


def _tokenizer(path: Path, raw: Mapping[str, Any]) -> tuple[dict[str, int], tuple[str, ...]]:
    model, cut = raw["model"], raw.get("pre_tokenizer") or {}
    compared = {
        "model.type": (model.get("type", "BPE"), "BPE"),
        "normalizer": (raw.get("normalizer"), None),
        "pre_tokenizer.type": (cut.get("type"), "ByteLevel"),
        "pre_tokenizer.add_prefix_space": (cut.get("add_prefix_space", False), False),
        "pre_tokenizer.use_regex": (cut.get("use_regex", True), True),
        "model.continuing_subword_prefix": (model.get("continuing_subword_prefix") or "", ""),
        "model.end_of_word_suffix": (model.get("end_of_word_suffix") or "", ""),
    }
    for key, (value, wanted) in compared.items():
        if value != wanted:
            raise UserError(
                f"tokens {path}: {key}: found {shown(value)}, expected {shown(wanted)}, "
                f"as in GPT-2's byte-pair encoding{NUMBERED}"
            )
    added = {one["content"]: one["id"] for one in raw.get("added_tokens", ())}
    pairs = [pair.split(" ") if isinstance(pair, str) else pair for pair in model["merges"]]
    return {**model["vocab"], **added}, _merges(pairs)


def _listed(path: Path) -> tuple[str, ...]:
    place = path.with_name(MERGES)
    try:
        lines = place.read_bytes().decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise UserError(
            f"tokens {path}: expected its {MERGES} beside it, in UTF-8{NUMBERED}"
        ) from None
    return _merges([line.split(" ") for line in lines if line and not line.startswith("#version")])


def _merges(pairs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(" ".join((_shown(first), _shown(second))) for first, second in pairs)


def _in_order(path: Path, ids: Mapping[str, int], count: int) -> tuple[str, ...]:
    names = {number: _shown(token) for token, number in ids.items()}
    outside = [n for n in names if type(n) is not int or not 0 <= n < count]
    if outside or len(names) < len(ids):
        fault = f"the id {outside[0]!r}" if outside else "one id for two tokens"
        raise UserError(
            f"tokens {path}: found {fault}, expected each id from 0 to {count - 1} once, "
            f"as the config says vocab_size = {count}{NUMBERED}"
        )
    return tuple(names.get(number, f"⟨id{number}⟩") for number in range(count))


def _shown(token: str) -> str:
    """A token as a reader sees it; one that is not spelled in bytes, such as an end mark, as is."""
    return bpe_text.shown(token) if SIGNS.issuperset(token) else token
