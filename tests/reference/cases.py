"""Models with drawn weights for engine against torch: every pair of options, always the same."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from tests.reference.options import Draws, Options, Pair, Value, covering, pairs, width

ROUNDS = 4  # every pair occurs at least so often
DRAWN_FILE = Path(__file__).with_name("drawn.json")  # the options of all cases
FROZEN = 24  # this many of the cases are kept as fixtures
ALPHABET = tuple("ambsoelkrt")
PARTS = {"A": "attention", "R": "residual", "F": "feedforward", "O": "output"}


@dataclass(frozen=True)
class Case:
    """A model, its words, and the options in effect from which both were drawn."""

    name: str
    options: Mapping[str, Value]
    preset: Preset
    tokens: tuple[str, ...]
    sentence: str

    def computed(self) -> Trace:
        """The engine's computation, with the contributions of the tokens that PyTorch splits."""
        n = len(self.tokens)
        first, second = (1, 2) if self.preset.mask == "none" else (n - 1, n - 2)
        worked, exercise = (k if 0 <= k < n else None for k in (first, second))
        return compute(
            self.preset, self.sentence, rounding="exact", worked=worked, exercise=exercise
        )


def weights(o: Options, sizes: Mapping[str, int], draws: Draws) -> Iterator[tuple[str, np.ndarray]]:
    """The weights that the options ask for: step name -> drawn array."""
    d_model, d_ff, words = sizes["d_model"], sizes["d_ff"], sizes["words"]
    huge = o.get("size") == "huge"
    if o.get("positions") == "learned":
        yield "position", draws.matrix(int(o["length"]) + 1, d_model)
    for b in range(1, int(o.get("blocks", 0)) + 1):
        if "mask" in o:
            yield from attention_weights(o, f"block{b}.", sizes, draws)
        if "activation" in o:
            yield f"block{b}.weight.hidden", draws.matrix(d_model, d_ff)
            yield f"block{b}.weight.feedforward", draws.matrix(d_ff, d_model)
            for name, columns in (("hidden", d_ff), ("feedforward", d_model)):
                if o[f"bias_{name}"] == "yes":
                    yield f"block{b}.bias.{name}", draws.matrix(1, columns)
        yield from scale_weights(o, f"block{b}.", d_model, draws)
    for name in ("gain", "beta"):
        if o.get("final") in (name, "both"):
            yield f"final.{name}", draws.matrix(1, d_model)
    if o.get("output") == "own":
        yield "output.matrix", draws.matrix(words, d_model, 1000.0 if huge else 1.0)
    if o.get("bias_logits") == "yes":
        yield "output.bias", draws.matrix(1, words)


def attention_weights(
    o: Options, at: str, sizes: Mapping[str, int], draws: Draws
) -> Iterator[tuple[str, np.ndarray]]:
    d_model, d_head, all_heads = sizes["d_model"], sizes["d_head"], width(o)
    for h, name in product(range(1, sizes["heads"] + 1), ("query", "key", "value")):
        size = 40.0 if o["size"] == "huge" and name != "value" else 1.0
        yield f"{at}head{h}.weight.{name}", draws.matrix(d_model, d_head, size)
        if o[f"bias_{name}"] == "yes":
            yield f"{at}head{h}.bias.{name}", draws.matrix(1, d_head)
    if o["w_o"] == "yes":
        yield f"{at}weight.output", draws.matrix(all_heads, d_model)
        if o["bias_output"] == "yes":
            yield f"{at}bias.output", draws.matrix(1, d_model)


def scale_weights(
    o: Options, at: str, d_model: int, draws: Draws
) -> Iterator[tuple[str, np.ndarray]]:
    present = [number for number, key in ((1, "mask"), (2, "activation")) if key in o]
    for name in ("gain", "beta"):
        chosen = {"all": present, "first": present[:1]}.get(str(o.get(name)), [])
        for number in chosen:
            yield f"{at}{name}{number}", draws.matrix(1, d_model)


def build(name: str, o: Options) -> Case:
    """The model that the options describe, every number drawn from the case's name."""
    draws = Draws(f"paperformer/reference/{name}")
    sizes = {
        "words": 3 + int(draws.number() * 4),
        "heads": int(o.get("heads", 1)),
        "d_head": int(o.get("d_head", 2)),
        "d_ff": 2 + int(draws.number() * 5),
        "d_model": width(o) if o.get("w_o") == "no" else 3 + int(draws.number() * 4),
    }
    words = ALPHABET[: sizes["words"]]
    tokens = tuple(draws.choice(words) for _ in range(int(o.get("length", 3))))
    sentence = (" " if o["tokenizer"] == "word" else "").join(tokens)
    table = draws.matrix(sizes["words"], sizes["d_model"])
    rows = {"matrix": len(tokens), "vector": 1}.get(str(o["start"]))
    preset = Preset(
        **named(name, sentence),
        **structure(o),
        **sampling(o, sizes["words"], draws),
        **{key: sizes[key] for key in ("heads", "d_head", "d_ff", "d_model")},
        words={word: tuple(row) for word, row in zip(words, table.tolist(), strict=True)},
        weights=dict(weights(o, sizes, draws)),
        start_value=draws.matrix(rows, sizes["d_model"]) if rows else None,
    )
    return Case(name, o, preset, tokens, sentence)


def named(name: str, sentence: str) -> dict[str, Any]:
    """What a preset says beside its model."""
    return {
        "name": name, "title": {"de": name, "en": name}, "language": "en",
        "sentences": {"de": sentence, "en": sentence}, "rounding": "exact", "meaningful": False,
        "worked": (), "exercise": (), "merges": (), "input_decimals": None,
        "decimals": {"default": 2}, "unknown": "error", "seed": 0, "translation": {},
        "sha256": hashlib.sha256(name.encode()).hexdigest(), "source": f"{name}.toml",
    }  # fmt: skip


def structure(o: Options) -> dict[str, Any]:
    """The preset's keys that follow from the options; harmless ones where they have no effect."""
    return {
        "tokenizer": o["tokenizer"],
        "parts": frozenset(PARTS[letter] for letter in str(o["parts"])),
        "blocks": o.get("blocks", 1),
        "positions": o.get("positions", "none"),
        "mask": o.get("mask", "none"),
        "norm": o.get("norm", "none"),
        "norm_form": o.get("form", "layer"),
        "epsilon": o.get("epsilon", 1e-5),
        "final_norm": o.get("final", "no") != "no",
        "softmax_base": None if o.get("base", "e") == "e" else o["base"],
        "shifted": o.get("shifted", "never"),
        "activation": o.get("activation", "relu"),
        "output": o.get("output", "none"),
        "output_positions": o.get("output_positions", "last"),
        "start": o["start"],
    }


def sampling(o: Options, vocabulary: int, draws: Draws) -> dict[str, Any]:
    strategy = str(o.get("strategy", "greedy"))
    k, p, random = 1 + int(draws.number() * vocabulary), draws.number(), draws.number()
    return {
        "temperatures": tuple(float(t) for t in str(o.get("temperatures", "1")).split()),
        "strategy": strategy,
        "k": k if strategy == "top-k" else None,
        "p": p if strategy == "top-p" else None,
        "random": None if strategy == "greedy" else random,
    }


@cache
def cases_of_round(round_: int) -> tuple[Case, ...]:
    """Models in which every possible pair of option values occurs: those kept come first."""
    options = covering(round_, kept_options().get(str(round_), []))
    return tuple(build(f"round{round_}-{i:03}", o) for i, o in enumerate(options, 1))


@cache
def kept_options() -> Mapping[str, list[Options]]:
    """The options of each round's cases, as `python -m tests.reference.freeze` wrote them."""
    table = json.loads(DRAWN_FILE.read_text(encoding="utf-8"))
    return {
        round_: [
            {name: value for name, value in zip(table["options"], row, strict=True) if value != ""}
            for row in rows
        ]
        for round_, rows in table["rounds"].items()
    }


def all_cases() -> tuple[Case, ...]:
    """Every possible pair of option values at least `ROUNDS` times, with other numbers around."""
    return tuple(case for number in range(1, ROUNDS + 1) for case in cases_of_round(number))


@cache
def frozen_cases() -> tuple[Case, ...]:
    """Some of the first round that still hold every option value and most of the pairs."""
    rest, chosen = list(cases_of_round(1)), []
    values: set[tuple[str, Value]] = set()
    seen: set[Pair] = set()
    while len(chosen) < FROZEN:
        best = max(
            rest, key=lambda c: (len(set(c.options.items()) - values), len(pairs(c.options) - seen))
        )
        values |= set(best.options.items())
        seen |= pairs(best.options)
        rest.remove(best)
        chosen.append(best)
    return tuple(chosen)
