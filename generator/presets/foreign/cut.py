"""One head of a large model and its first tokens as a small preset: the same shares on paper.

n tokens span at most n directions, however wide the model is: coordinates along n axes say all
that the head can see of them. A row of scores may be moved by a constant without changing its
shares, so the scores of n tokens are products of vectors of n − 1 numbers.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.engine.vocabulary import SPACE, tokenize
from generator.errors import did_you_mean, message, require
from generator.presets.load import parse
from generator.presets.new import preset_name, preset_text

HEAD = re.compile(r"block(\d+)\.head(\d+)")
DECIMALS = 2  # of the small preset's numbers
WIDEST = 3  # a head that every sheet about attention has room for


class Cut(NamedTuple):
    """The small preset's file, and what it keeps of the large model, in sentences."""

    content: bytes
    notes: tuple[str, ...]


def cut(trace: Trace, head: str, count: int, out: Path) -> Cut:
    """A preset with the first `count` tokens and one head, such as "block5.head3", of a Trace.

    Under a causal mask the head's shares are those of the large model, but for the rounding to two
    decimals; of the values it keeps the directions in which these differ most. Raises `UserError`
    for a head that there is not, too few tokens, another mask.
    """
    name = preset_name(out, "head.toml")
    _require(trace, head, count)
    small = SmallHead(trace, head, count)
    text = small.text(name)
    shares = compute(parse(text, out.name), rounding="exact")["block1.head1.weights"].values
    return Cut(text.encode("utf-8"), small.notes(shares))


def _require(trace: Trace, head: str, count: int) -> None:
    heads = [name.removesuffix(".scores") for name in trace.steps if name.endswith(".scores")]
    preset, tokens = trace.preset, trace.tokens
    require(heads, "foreign.attention", preset=preset)
    last, hint = heads[-1], did_you_mean(head, heads)
    is_there = head in heads
    require(is_there, "foreign.head", preset=preset, head=head, heads=heads, last=last, hint=hint)
    require(preset.mask == "causal", "foreign.mask", preset=preset)
    has, named = len(tokens), ", ".join(tokens)
    require(has >= count, "foreign.tokens", count=count, has=has, tokens=named)


class SmallHead:
    """The small model: tokens [n, n], query, key and value [n, d_head], kept share of values."""

    def __init__(self, trace: Trace, head: str, count: int) -> None:
        self.trace, self.head, self.names = trace, head, trace.tokens[:count]
        x = trace[trace[f"{head}.query"].inputs[0]].values[:count]  # [n, d_model]
        # Coordinates [n, n] of the rows along their own main axes, each axis as long as the others:
        # each share depends on them evenly.
        axes, _, _ = np.linalg.svd(x)
        axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
        self.tokens = _rounded(axes * 2.0)  # [n, n], orthogonal
        scaled = trace[f"{head}.scaled"].values[:count, :count]  # [n, n]
        values = trace[f"{head}.value"].values[:count]
        width = min(WIDEST, count - 1, values.shape[1])  # scores, values span no more than d_head
        left, sizes, right = np.linalg.svd(scaled - scaled[:, :1])
        root = np.sqrt(sizes[:width])
        query, key = left[:, :width] * root * np.sqrt(width), right[:width].T * root
        across, spread, _ = np.linalg.svd(values - values.mean(axis=0), full_matrices=False)
        value = across[:, :width] * spread[:width]
        value = value / max(np.abs(value).max() / 2.0, 1e-12)
        self.kept = float((spread[:width] ** 2).sum() / max((spread**2).sum(), 1e-300))
        back, both = np.linalg.inv(self.tokens), {"query": query, "key": key, "value": value}
        self.weights = {part: _rounded(back @ one) for part, one in both.items()}

    def notes(self, shares: np.ndarray) -> tuple[str, ...]:
        """What it keeps of the large model; `shares` are its own."""
        count, width = self.weights["value"].shape
        wanted = self.trace[f"{self.head}.weights"].values[:count, :count]
        apart = 100 * np.abs(wanted - shares).max()
        several, one = message("foreign.directions", width=width), message("foreign.direction")
        return (
            message("foreign.shares", apart=apart, decimals=DECIMALS),
            message("foreign.kept", said=several if width > 1 else one, percent=100 * self.kept),
        )

    def text(self, name: str) -> str:
        """The preset of that name as text."""
        preset, language = self.trace.preset, self.trace.language
        block, number = HEAD.findall(self.head)[0]
        labels = " ".join(_label(token, k) for k, token in enumerate(self.names, 1))
        sentence = json.dumps(labels, ensure_ascii=False)
        known = {"preset": preset, "language": language, "block": block, "number": number}
        return preset_text("cut", name=name, small=self, sentence=sentence, row_of=_row, **known)


def _rounded(numbers: np.ndarray) -> np.ndarray:
    rounded: np.ndarray = np.round(numbers, DECIMALS) + 0.0
    return rounded


def _label(token: str, number: int) -> str:
    """A token as a word of its own: without the space that GPT-2 keeps before it."""
    bare = token.strip(SPACE)
    whole = bool(bare) and tokenize(bare, "word", ()).tokens == (bare,)
    return bare if whole else f"t{number}"


def _row(row: np.ndarray) -> str:
    return f"[{', '.join(f'{number:.{DECIMALS}f}' for number in row.tolist())}]"
