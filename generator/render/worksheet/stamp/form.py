"""The blocks of a laid out page: which texts are put into each, and how it is set."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from generator.render.worksheet.stamp.harvest import Block
from generator.render.worksheet.stamp.html_page import HtmlPage, ends

FLOWING = frozenset({"p", "li", "div", "h1", "h2"})


@dataclass(frozen=True)
class Form:
    """One block of text that may differ from pupil to pupil.

    `parts` are the texts and tags inside it, without other blocks; `line`: it is one text, which
    can be put anywhere on its line; `nested`: another block stands in its lines; `around` are the
    start tags around it, outermost first, and its own.
    """

    block: Block
    parts: tuple[int, ...]
    line: bool
    nested: bool
    around: tuple[int, ...]

    def html(self, page: HtmlPage) -> str:
        """What the block says."""
        return "".join(page.parts[k] for k in self.parts).strip()


def forms(page: HtmlPage, blocks: dict[int, Block]) -> dict[int, Form]:
    """The blocks that can be put anew, by the places of their texts.

    A text that is split over two pages, or is mixed with others in one box, is in none of them.
    """
    inside: dict[int, list[int]] = defaultdict(list)
    chains: dict[int, tuple[int, ...]] = {}
    nested: set[int] = set()
    for k, holders, chain in _held(page.parts, blocks):
        if k in blocks:
            nested.update(holders[-2:-1])
            chains[k] = chain
        elif holders:
            inside[holders[-1]].append(k)
    movable: dict[int, Form] = {}
    for number, parts in inside.items():
        block = blocks[number]
        if block.whole and block.texts:
            texts = [k for k in parts if k % 2 == 0 and page.parts[k].strip()]
            line = len(texts) == len(block.texts) == 1
            kept = tuple(texts if line else parts)
            form = Form(block, kept, line, number in nested, chains[number])
            movable |= {k: form for k in kept if k % 2 == 0}
    return movable


def _held(
    parts: list[str], blocks: dict[int, Block]
) -> Iterator[tuple[int, list[int], tuple[int, ...]]]:
    """Each place with the blocks and the tags around it, with its own if it starts one.

    The end tags of blocks are left out: they are in none.
    """
    ending = ends(parts)
    still_open: list[int] = []
    for k in range(len(parts)):
        if still_open and k == ending[still_open[-1]]:
            if still_open.pop() in blocks:
                continue
        elif k in ending:
            still_open.append(k)
        yield k, [one for one in still_open if one in blocks], tuple(still_open)
