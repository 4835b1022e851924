"""The blocks of a draft after it was laid out: what is put into each, and how it is set."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from generator.render.worksheet.stamp.draft import SOLUTION, Draft, plain, zeros
from generator.render.worksheet.stamp.fit import DoesNotFit
from generator.render.worksheet.stamp.harvest import Block
from generator.render.worksheet.stamp.pupil import Pupil

FLOWING = frozenset({"p", "li", "div", "h1", "h2"})


@dataclass(frozen=True)
class Form:
    """One block that differs from pupil to pupil, or is missing in the blank.

    `tokens` are those of the draft inside it, without other blocks; `line`: it is one text, which
    can be put anywhere on its line; `nested`: another block stands in its lines.
    """

    block: Block
    tokens: tuple[int, ...]
    line: int | None
    nested: bool

    def written(self, draft: Draft, pupil: Pupil, variant: str) -> tuple[str, str]:
        """What the block says as HTML with zeros, and as text."""
        if self.line is not None:
            if variant != SOLUTION and not draft.tokens[self.line].kept:
                return "", ""
            html = _text(draft, self.line, pupil)
            return zeros(html), (unescape(html) if "&" in html else html).strip()
        out, text = [], []
        for k in self.tokens:
            if variant != SOLUTION and not draft.tokens[k].kept:
                continue
            html = _text(draft, k, pupil)
            out.append(zeros(html) if k in draft.spoken else html)
            text.append(html)
        return "".join(out), plain("".join(text)).strip()


def _text(draft: Draft, k: int, pupil: Pupil) -> str:
    return draft.written(k, pupil) if k in draft.spoken else draft.tokens[k].text


def forms(draft: Draft, blocks: dict[int, Block]) -> tuple[Form, ...]:
    """The blocks with something live, or with text that only the solution has."""
    inside: dict[int, list[int]] = defaultdict(list)
    nested: set[int] = set()
    wanted: dict[int, None] = {}
    for k, holders in _holders(draft, blocks):
        token = draft.tokens[k]
        if k in blocks:
            nested.update(holders[-1:])
            continue
        if not holders:
            if k in draft.spoken:
                raise DoesNotFit(f"the live text {token.text!r} is not laid out as a block")
            continue
        inside[holders[-1]].append(k)
        if not token.is_tag and token.text.strip() and (k in draft.spoken or not token.kept):
            wanted.setdefault(holders[-1])
    return tuple(_form(draft, blocks[n], tuple(inside[n]), n in nested) for n in wanted)


def _form(draft: Draft, block: Block, tokens: tuple[int, ...], nested: bool) -> Form:
    if not block.whole or not block.texts:
        raise DoesNotFit(f"the live text of element {block.number} is not laid out as one block")
    texts = [k for k in tokens if not draft.tokens[k].is_tag and draft.tokens[k].text.strip()]
    alone = len(texts) == 1 and len(block.texts) == 1
    return Form(block, tokens, texts[0] if alone else None, nested)


def _holders(draft: Draft, blocks: dict[int, Block]) -> Iterator[tuple[int, list[int]]]:
    """The number of each token, with the blocks around it."""
    holders: list[int] = []
    ends: list[int] = []
    for k in range(len(draft.tokens)):
        if ends and k == ends[-1]:
            ends.pop()
            holders.pop()
            continue
        yield k, holders
        if k in blocks and draft.ends[k] != k:
            holders.append(k)
            ends.append(draft.ends[k])


def around(draft: Draft, number: int) -> list[int]:
    """The start tags around an element, outermost first, and its own."""
    return [k for k, end in sorted(draft.ends.items()) if k <= number and end >= draft.ends[number]]
