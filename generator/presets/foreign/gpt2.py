"""From the files of a GPT-2 (Radford et al. 2019) to a preset's files.

Also here:

* Its config.json: its sizes, or every problem of it.
* Its tokens: a tokenizer.json, or a vocab.json and its merges.txt.
* Its tensors: names, shapes and numbers checked.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from generator.engine import bpe_text
from generator.engine.bpe import pair_of
from generator.engine.bpe_text import faults
from generator.engine.vocabulary import listed as named
from generator.engine.vocabulary import tokenize
from generator.errors import UserError, did_you_mean, message, refused, require
from generator.files import LARGEST_LIST, require_file
from generator.locales.folders import ENGLISH, require_language
from generator.locales.locale import locale_of
from generator.presets.foreign.tensors import (
    EMBEDDING,
    HALVED,
    Imported,
    ImportedModel,
    TensorFile,
    lines_of,
    listed,
    opened,
    size_of,
)
from generator.presets.new import preset_name, preset_text
from generator.presets.schema import GPT2, PresetError, PresetProblem, problem, shown

PARTS = ("query", "key", "value")
OTHERS = {"output": "attn.c_proj", "hidden": "mlp.c_fc", "feedforward": "mlp.c_proj"}
Shape = tuple[int, ...]
PREFIX = "transformer."
HEAD = "lm_head.weight"
BUFFERS = re.compile(r"h\.\d+\.attn\.(bias|masked_bias)")  # the mask, which the engine has itself
DTYPES = ("F16", HALVED, "F32", "F64")
ACTIVATIONS = {
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu": "gelu",
    "relu": "relu",
}
# What the engine computes; a key that is left out has this value in the family.
ONLY: Mapping[str, tuple[object, str]] = {
    "model_type": ("gpt2", "the only family that is read"),
    "scale_attn_weights": (True, "scores are always divided by √d_head"),
    "scale_attn_by_inverse_layer_idx": (False, "no block divides its scores by its number"),
    "add_cross_attention": (False, "there is no encoder to look at"),
    "quantization_config": (None, "numbers that are stored as such"),
}
MOST_WIDE, MOST = 4096, 128  # of the preset's keys, see `schema`
MOST_WORDS = 1_000_000
WHOLE = "a whole number from 1 to"


class Config(NamedTuple):
    """Sizes and choices of a GPT-2; `tied` is None where the file does not say."""

    d_model: int
    heads: int
    blocks: int
    d_ff: int
    positions: int
    words: int
    epsilon: float
    activation: str
    tied: bool | None

    def tensors(self) -> dict[str, Shape]:
        """The tensors that a GPT-2 of this config has, with their shapes; the output's not."""
        d, f = self.d_model, self.d_ff
        shapes: dict[str, Shape] = {
            "wte.weight": (self.words, d),
            "wpe.weight": (self.positions, d),
        }
        for block in range(self.blocks):
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

    def weights(self, tensors: Mapping[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
        """The tensors under the names of the engine's steps, matrices [in, out].

        The fused c_attn [d_model, 3·d_model] holds all queries, then all keys, then all values,
        each head by head.
        """
        d_head = self.d_model // self.heads
        yield EMBEDDING, tensors["wte.weight"]
        yield "position", tensors["wpe.weight"]
        for block in range(self.blocks):
            own, at = f"h.{block}", f"block{block + 1}"
            fused, bias = tensors[f"{own}.attn.c_attn.weight"], tensors[f"{own}.attn.c_attn.bias"]
            for head, (part, kind) in product(range(self.heads), enumerate(PARTS)):
                start = part * self.d_model + head * d_head
                yield f"{at}.head{head + 1}.weight.{kind}", fused[:, start : start + d_head]
                yield f"{at}.head{head + 1}.bias.{kind}", bias[start : start + d_head]
            for name, other in OTHERS.items():
                yield f"{at}.weight.{name}", tensors[f"{own}.{other}.weight"]
                yield f"{at}.bias.{name}", tensors[f"{own}.{other}.bias"]
            for number in (1, 2):
                yield f"{at}.gain{number}", tensors[f"{own}.ln_{number}.weight"]
                yield f"{at}.beta{number}", tensors[f"{own}.ln_{number}.bias"]
        yield "final.gain", tensors["ln_f.weight"]
        yield "final.beta", tensors["ln_f.bias"]
        if HEAD in tensors:
            yield "output.matrix", tensors[HEAD]


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
    plain = re.sub("[^a-z0-9]+", "-", weights.stem.lower()).strip("-") or "imported"
    place = out if out is not None else Path(f"{plain}.toml")
    name = preset_name(place, "mine.toml")
    require_language(language)
    sizes = read_config(config)
    places = [tokens] if tokens else [weights.with_name(one) for one in (TOKENIZER, VOCABULARY)]
    place_of = next((one for one in places if tokens or one.is_file()), None)
    words = read_subwords(place_of, sizes.words) if place_of else numbered(sizes.words)
    tensors = read_tensors(weights, sizes)
    if sentence is None and words.merges is None:
        sentence = " ".join(words.tokens[: min(4, sizes.positions)])
    elif sentence is None:
        sentence = locale_of(language).sentence
    words.require(sentence, sizes.positions)
    model = ImportedModel(place, words.tokens, dict(sizes.weights(tensors)))
    merges = model.beside("merges.txt")
    names = {"name": name, "language": language, "sizes": sizes}
    head = preset_text(
        "imported",
        **names,
        sentence=json.dumps(sentence, ensure_ascii=False),
        merges=words.merges and merges.name,
        output="own" if HEAD in tensors else "tied",
    ).rstrip("\n")
    files = model.files(head, ' # "zero" in the place of a head\'s value switches the head off')
    if words.merges is not None:
        files[merges] = lines_of(words.merges)
    return Imported(files, message("foreign.sizes", sizes=sizes, model=model))


def read_config(path: Path) -> Config:
    """The config in a JSON file.

    Raises `UserError` for a file that cannot be read, `PresetError` with every key that is
    missing, wrong, or asks for what the engine does not compute.
    """
    raw = read_json(path, "config")
    if not isinstance(raw, dict):
        raise refused("foreign.config", path=path, found=shown(raw))
    positions = "n_positions" if "n_positions" in raw or "n_ctx" not in raw else "n_ctx"
    if problems := list(_problems(raw, positions)):
        raise PresetError(path.name, problems)
    return Config(
        d_model=raw["n_embd"],
        heads=raw["n_head"],
        blocks=raw["n_layer"],
        d_ff=raw.get("n_inner") or 4 * raw["n_embd"],
        positions=raw[positions],
        words=raw["vocab_size"],
        epsilon=float(raw["layer_norm_epsilon"]),
        activation=ACTIVATIONS[raw["activation_function"]],
        tied=raw.get("tie_word_embeddings"),
    )


def _problems(raw: Mapping[str, Any], positions: str) -> Iterator[PresetProblem]:
    width, heads, inner = (raw.get(key) for key in ("n_embd", "n_head", "n_inner"))
    limits = {"n_embd": MOST_WIDE, "n_head": MOST, "n_layer": MOST, positions: MOST_WORDS}
    limits |= {"vocab_size": MOST_WORDS} | ({} if inner is None else {"n_inner": MOST_WIDE})
    is_good = {
        key: (type(raw.get(key)) is int and 1 <= raw[key] <= most, f"{WHOLE} {most}")
        for key, most in limits.items()
    }
    epsilon, tied = raw.get("layer_norm_epsilon"), raw.get("tie_word_embeddings")
    is_number = isinstance(epsilon, int | float) and not isinstance(epsilon, bool)
    is_small = is_number and 0 <= raw["layer_norm_epsilon"] < 1
    is_known = raw.get("activation_function") in tuple(ACTIVATIONS)
    is_good |= {
        "layer_norm_epsilon": (is_small, "a number from 0 to below 1, such as 1e-05"),
        "activation_function": (is_known, f"one of {', '.join(ACTIVATIONS)}"),
        "tie_word_embeddings": (tied is None or isinstance(tied, bool), "true or false"),
    }
    for key, (value, reason) in ONLY.items():
        is_good[key] = raw.get(key, value) == value, f"{shown(value)}: {reason}"
    for key, (good, expected) in is_good.items():
        if not good:
            yield PresetProblem(key, shown(raw[key]) if key in raw else "nothing", expected)
    if inner is None and type(width) is int and MOST_WIDE < 4 * width <= 4 * MOST_WIDE:
        yield problem("preset.n_inner", found=4 * width, most=MOST_WIDE)
    if type(width) is int and type(heads) is int and heads > 0 and width % heads:
        yield problem("preset.n_head", heads=heads, width=width)


def read_json(path: Path, what: str) -> Any:
    """What a JSON file holds; `UserError` where there is none or it is not JSON."""
    require_file(path, what, LARGEST_LIST)
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise refused("file.missing", what=what, path=path) from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{what} {path}: this is not JSON: {error}") from None
    except OSError as error:
        raise refused("file.unread", what=what, path=path, error=error) from None


TOKENIZER, VOCABULARY, MERGES = "tokenizer.json", "vocab.json", "merges.txt"
NUMBERED = message("foreign.numbered")
SIGNS = frozenset(bpe_text.SIGNS.values())


class Subwords(NamedTuple):
    """Tokens in order of their ids and merges, as a reader sees them; no merges: whole words."""

    tokens: tuple[str, ...]
    merges: tuple[str, ...] | None

    def require(self, sentence: str, positions: int) -> None:
        """Raise `UserError` for a sentence that the model could not read."""
        pairs, known = tuple(map(pair_of, self.merges or ())), dict.fromkeys(self.tokens)
        tokens = tokenize(
            sentence, GPT2 if self.merges is not None else "word", known, pairs
        ).tokens
        for token in tokens:
            if token not in known:
                hint, has = did_you_mean(token, self.tokens), named(self.tokens)
                raise refused("foreign.token", sentence=sentence, token=token, hint=hint, has=has)
        count, most = len(tokens), positions
        require(count <= most, "foreign.positions", sentence=sentence, count=count, most=most)


def numbered(count: int) -> Subwords:
    """Tokens without a tokenizer: t0, t1, …"""
    return Subwords(tuple(f"t{k}" for k in range(count)), None)


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
        raise refused("foreign.tokenizer", path=path, way_out=NUMBERED) from None
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
            names = {"found": shown(value), "expected": shown(wanted), "way_out": NUMBERED}
            raise refused("foreign.encoding", path=path, key=key, **names)
    added = {one["content"]: one["id"] for one in raw.get("added_tokens", ())}
    pairs = [pair.split(" ") if isinstance(pair, str) else pair for pair in model["merges"]]
    return {**model["vocab"], **added}, _merges(pairs)


def _listed(path: Path) -> tuple[str, ...]:
    try:
        lines = path.with_name(MERGES).read_bytes().decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise refused("foreign.merges", path=path, way_out=NUMBERED) from None
    return _merges([line.split(" ") for line in lines if line and not line.startswith("#version")])


def _merges(pairs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(" ".join((_shown(first), _shown(second))) for first, second in pairs)


def _in_order(path: Path, ids: Mapping[str, int], count: int) -> tuple[str, ...]:
    names = {number: _shown(token) for token, number in ids.items()}
    outside = [n for n in names if type(n) is not int or not 0 <= n < count]
    if outside or len(names) < len(ids):
        fault = f"the id {outside[0]!r}" if outside else "one id for two tokens"
        said = {"last": count - 1, "count": count, "way_out": NUMBERED}
        raise refused("foreign.ids", path=path, fault=fault, **said)
    return tuple(names.get(number, f"⟨id{number}⟩") for number in range(count))


def _shown(token: str) -> str:
    """A token as a reader sees it; one that is not spelled in bytes, such as an end mark, as is."""
    return bpe_text.shown(token) if SIGNS.issuperset(token) else token


def read_tensors(path: Path, config: Config) -> dict[str, np.ndarray]:
    """The tensors by name without "transformer.": those of the config's shape, all numbers finite.

    Matrices are [in, out], as the family's Conv1D keeps them. `lm_head.weight` is among them only
    where it differs from `wte.weight`. Raises `UserError`: no safetensors file, one cut short,
    missing or surplus tensors, other shapes, NaN or infinity, an output tied in the config only.
    """
    with opened(path) as tensors:
        short = {name.removeprefix(PREFIX): name for name in tensors.names()}
        names = {name: full for name, full in short.items() if not BUFFERS.fullmatch(name)}
        _require(tensors, names, config)
        read = tensors.numbers_of(names)
    if HEAD in read and np.array_equal(read[HEAD], read["wte.weight"]):
        return {name: numbers for name, numbers in read.items() if name != HEAD}
    require(HEAD not in read or not config.tied, "foreign.tied", path=path, head=HEAD)
    return read


def _require(file: TensorFile, names: Mapping[str, str], config: Config) -> None:
    known = config.tensors()
    missing = [PREFIX + name for name in known if name not in names]
    missing += [HEAD] if config.tied is False and HEAD not in names else []
    surplus = [full for name, full in names.items() if name not in known and name != HEAD]
    if missing or surplus:
        lost, more = listed(missing), listed(surplus)
        raise refused("foreign.names", file=file, config=config, missing=lost, surplus=more)
    known[HEAD], wrong = known["wte.weight"], []
    for name, full in names.items():
        (own, dtype), shape = file.about(full), known[name]
        if dtype not in DTYPES:
            one_of = ", ".join(DTYPES)
            wrong.append(
                f"{full} holds {dtype} numbers, expected one of {one_of}: convert it first"
            )
        if own != shape:
            turned = len(shape) == 2 and own == shape[::-1]
            hint = " (transposed: GPT-2 keeps Conv1D weights as [in, out])" if turned else ""
            wrong.append(f"{full} is {size_of(own)}, the config says {size_of(shape)}{hint}")
    require(not wrong, "foreign.shapes", file=file, wrong=listed(wrong, "; "))
