"""One head of a large model and its first tokens as a small preset: the same shares on paper.

n tokens span at most n directions, however wide the model is: coordinates along n axes say all
that the head can see of them. A row of scores may be moved by a constant without changing its
shares, so the scores of n tokens are products of vectors of n − 1 numbers.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.engine.vocabulary import SPACE, tokenize
from generator.errors import UserError, did_you_mean
from generator.presets.load import parse
from generator.presets.new import preset_name

HEAD = re.compile(r"block(\d+)\.head(\d+)")
DECIMALS = 2  # of the small preset's numbers
WIDEST = 3  # a head that every sheet about attention has room for


class Cut(NamedTuple):
    """The small preset's file, and what it keeps of the large model, in sentences."""

    content: bytes
    notes: tuple[str, ...]


class HeadNumbers(NamedTuple):
    """The small model: tokens [n, n], query, key and value [n, d_head], kept share of values."""

    tokens: np.ndarray
    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    kept: float


def cut(trace: Trace, head: str, count: int, out: Path) -> Cut:
    """A preset with the first `count` tokens and one head, such as "block5.head3", of a Trace.

    Under a causal mask the head's shares are those of the large model, but for the rounding to two
    decimals; of the values it keeps the directions in which these differ most. Raises `UserError`
    for a head that there is not, too few tokens, another mask.
    """
    name = preset_name(out, "head.toml")
    _require(trace, head, count)
    tokens = trace.tokens[:count]
    numbers = _numbers(trace, head, count)
    text = "\n".join(_text(name, trace, head, tokens, numbers)) + "\n"
    small = _shares(parse(text, out.name))
    wanted = trace[f"{head}.weights"].values[:count, :count]
    return Cut(text.encode("utf-8"), _notes(wanted, small, numbers))


def _require(trace: Trace, head: str, count: int) -> None:
    heads = [name.removesuffix(".scores") for name in trace.steps if name.endswith(".scores")]
    if head not in heads:
        raise UserError(
            f"preset {trace.preset.name!r} has no head {head!r}; expected one from {heads[0]} to "
            f"{heads[-1]}{did_you_mean(head, heads)}"
            if heads
            else f"preset {trace.preset.name!r} has no attention, so no head can be cut out"
        )
    if trace.preset.mask != "causal":
        raise UserError(
            f"preset {trace.preset.name!r} has the mask {trace.preset.mask!r}; only under a causal "
            "mask the first tokens compute the same without those after them"
        )
    if len(trace.tokens) < count:
        raise UserError(
            f"--tokens {count}: the sentence has {len(trace.tokens)} tokens: "
            f"{', '.join(trace.tokens)}; give a longer sentence or fewer tokens"
        )


def _numbers(trace: Trace, head: str, count: int) -> HeadNumbers:
    x = trace[trace[f"{head}.query"].inputs[0]].values[:count]  # [n, d_model]
    tokens = _rounded(_axes(x) * 2.0)  # [n, n], orthogonal: each share depends on them evenly
    scaled = trace[f"{head}.scaled"].values[:count, :count]  # [n, n]
    values = trace[f"{head}.value"].values[:count]
    width = min(WIDEST, count - 1, values.shape[1])  # scores and values span no more than d_head
    left, sizes, right = np.linalg.svd(scaled - scaled[:, :1])
    root = np.sqrt(sizes[:width])
    query, key = left[:, :width] * root * np.sqrt(width), right[:width].T * root
    across, spread, _ = np.linalg.svd(values - values.mean(axis=0), full_matrices=False)
    value = across[:, :width] * spread[:width]
    value = value / max(np.abs(value).max() / 2.0, 1e-12)
    kept = float((spread[:width] ** 2).sum() / max((spread**2).sum(), 1e-300))
    back = np.linalg.inv(tokens)
    query, key, value = (_rounded(back @ one) for one in (query, key, value))
    return HeadNumbers(tokens, query, key, value, kept)


def _axes(x: np.ndarray) -> np.ndarray:
    """Coordinates [n, n] of the rows along their own main axes, each axis as long as the others."""
    axes, _, _ = np.linalg.svd(x)
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    turned: np.ndarray = axes * signs
    return turned


def _rounded(numbers: np.ndarray) -> np.ndarray:
    rounded: np.ndarray = np.round(numbers, DECIMALS) + 0.0
    return rounded


def _shares(preset: Preset) -> np.ndarray:
    return compute(preset, rounding="exact")["block1.head1.weights"].values


def _notes(wanted: np.ndarray, small: np.ndarray, numbers: HeadNumbers) -> tuple[str, ...]:
    apart = 100 * np.abs(wanted - small).max()
    width = numbers.value.shape[1]
    kept = f"{100 * numbers.kept:.0f} % of their variance, in another unit"
    return (
        f"its shares differ from the large model's by at most {apart:.1f} points "
        f"({DECIMALS} decimals)",
        f"its values are the {width} directions in which the large model's differ most: {kept}"
        if width > 1
        else f"its value is the direction in which the large model's differ most: {kept}",
    )


def _text(
    name: str, trace: Trace, head: str, tokens: tuple[str, ...], numbers: HeadNumbers
) -> Iterator[str]:
    count, width = numbers.query.shape
    preset, language = trace.preset, trace.language
    block, number = HEAD.findall(head)[0]
    labels = [_label(token, k) for k, token in enumerate(tokens, 1)]
    yield f"# Cut from {preset.name} ({preset.sha256[:8]}): {head}, the first {count} tokens."
    yield from ("format = 1", f'name = "{name}"', f'language = "{language}"')
    yield f'title.de = "{preset.name}: Block {block}, Kopf {number}"'
    yield f'title.en = "{preset.name}: block {block}, head {number}"'
    yield f"sentence.{language} = {json.dumps(' '.join(labels), ensure_ascii=False)}"
    yield from ("meaningful = true", "", "[model]", f"d_model = {count}")
    yield from (f"d_head = {width}", 'parts = ["attention"]')
    yield from ("", "[start] # where each token stands along the axes that these tokens span")
    yield from ('kind = "matrix"', "value = [")
    for token, row in zip(tokens, numbers.tokens, strict=True):
        yield f"  {_row(row)}, # {token}"
    yield from ("]", "", "[decimals]", "exp = 3", "weights = 3", "", "[weights]")
    for part in ("query", "key", "value"):
        yield f'"block1.head1.weight.{part}" = ['
        yield from (f"  {_row(row)}," for row in getattr(numbers, part))
        yield "]"


def _label(token: str, number: int) -> str:
    """A token as a word of its own: without the space that GPT-2 keeps before it."""
    bare = token.strip(SPACE)
    whole = bool(bare) and tokenize(bare, "word", ()).tokens == (bare,)
    return bare if whole else f"t{number}"


def _row(row: np.ndarray) -> str:
    return f"[{', '.join(f'{number:.{DECIMALS}f}' for number in row.tolist())}]"
