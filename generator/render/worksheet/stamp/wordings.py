"""The wordings of a template: known ones are put in at once, new ones are set by WeasyPrint.

A wording is set once with zeros, then any digits are put into its glyphs.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import lxml.html
from lxml.html import HtmlElement

from generator.render.worksheet.pdf import PdfDocument
from generator.render.worksheet.stamp.difference import (
    DIGITS,
    NUMBER,
    DoesNotFit,
    Said,
    StampTree,
    slots,
    zeros,
)
from generator.render.worksheet.stamp.laid_out import (
    Font,
    GlyphRun,
    Key,
    LaidOut,
    Put,
    TextBlock,
    snapped,
)

SIMPLE = "0123456789−,.–%()∞:ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # set without kerning
SLACK = 0.5  # CSS pixels: what rounding adds to a width
SHARE = {"left": 0.0, "start": 0.0, "justify": 0.0, "center": 0.5, "right": 1.0, "end": 1.0}
ALONE = ".leaf { break-before: auto !important } .leaf, .keep { margin: 0 0 4mm }"
FLOWING = frozenset({"p", "li", "div", "h1", "h2"})
Name = tuple[str, Said]


class ReadyRun(NamedTuple):
    """The operators of a run for one gap; the digits from `start` to `end` are put into it."""

    gap: Key
    pattern: bytes
    start: int
    end: int
    glyphs: dict[str, bytes]


@dataclass
class Wordings:
    """All wordings of a template's blocks that were set so far; digits count as zeros in them.

    `document` is what the template was laid out from.
    """

    page: StampTree
    fonts: dict[str, Font]
    document: PdfDocument
    known: dict[Name, TextBlock | DoesNotFit] = field(default_factory=dict)
    ready: dict[tuple[int, Said], list[ReadyRun]] = field(default_factory=dict)
    expected: dict[Name, tuple[TextBlock, Said]] = field(default_factory=dict)

    def expect(self, block: TextBlock, said: Said) -> None:
        """Note what a block says, to be set with others where its wording is not known."""
        said = zeros(said)
        if (block.number, said) in self.ready or said == block.zeros:
            return
        if not _is_simple(block, said) and (name := _name(block, said)) not in self.known:
            self.expected[name] = block, said

    def set_expected(self) -> None:
        """Sets all that were noted, in one document."""
        waiting, self.expected = self.expected, {}
        if not waiting:
            return
        html = ""
        for k, one in enumerate(waiting.values()):
            html += lxml.html.tostring(self._alone(str(k), *one), encoding="unicode")
        language, seen = self.page.root.get("lang"), LaidOut()
        page = f'<html lang="{language}"><body class="solution">{html}'
        html, css = f"{page}</body></html>", (*self.document.css, ALONE)
        document = replace(self.document, html=html, css=css, where="wordings")
        replace(document, tagged=False, watch=seen.look).to_pdf()
        for k, name in enumerate(waiting):
            self.known[name] = self._in_own_fonts(seen.blocks[k])

    def drawn(self, block: TextBlock, said: Said) -> Put:
        """The operators for all gaps of a block and its copies."""
        put = {(one.number, one.page, spot.mcid): b"" for one in block.every for spot in one.spots}
        if said == ("",):
            return put
        place = block.number, zeros(said)
        if place not in self.ready:
            self.ready[place] = list(self._ready_runs(block, self._runs(block, place[1])))
        digits = DIGITS.findall("".join(said))
        for gap, pattern, start, end, glyphs in self.ready[place]:
            run = pattern % tuple([glyphs[digit] for digit in digits[start:end]])
            put[gap] = b"\n".join((put[gap], run)) if put[gap] else run
        return put

    def _ready_runs(self, block: TextBlock, runs: Sequence[GlyphRun]) -> Iterator[ReadyRun]:
        for same in block.every:
            spots: dict[int, list[int]] = defaultdict(list)
            for spot, first in zip(same.spots, same.runs, strict=True):
                spots[first.group].append(spot.mcid)
            at = 0
            for run in runs:
                here = spots[run.group]
                gap = same.number, same.page, here.pop(0) if len(here) > 1 else here[0]
                pattern, count = _pattern(run, same)
                glyphs = {one: b"%04x" % run.font.glyphs[one] for one in "0123456789"
                          if one in run.font.glyphs}  # fmt: skip
                yield ReadyRun(gap, pattern, at, at + count, glyphs)
                at += count

    def _runs(self, block: TextBlock, said: Said) -> Sequence[GlyphRun]:
        """What a block says, set with zeros where the block stands."""
        if said == block.zeros:
            return block.runs
        if _is_simple(block, said):
            return [_moved(block, block.runs[0].saying(said[0]))]
        learnt = self._learnt(block, said)
        if block.line:
            return [_moved(block, learnt.runs[0])]
        if not block.loose and abs(learnt.height - block.height) > SLACK:
            raise DoesNotFit(f"{said!r} needs another number of lines")
        return learnt.runs

    def _learnt(self, block: TextBlock, said: Said) -> TextBlock:
        name = _name(block, said)
        if name not in self.known:
            self.expected[name] = block, said
            self.set_expected()
        wording = self.known[name]
        if isinstance(wording, DoesNotFit):
            raise wording
        if _groups(wording) != _groups(block):
            raise DoesNotFit(f"{said!r} is built of other elements")
        return wording

    def _alone(self, number: str, block: TextBlock, said: Said) -> HtmlElement:
        """A block without its neighbours, as wide as it is on its page."""
        if block.line:
            style = f"white-space: pre; width: 900mm; {block.runs[0].style}"
            alone = lxml.html.Element("div", {NUMBER: number, "style": style})
            alone.text = said[0]
            return alone
        element = self.page.elements[block.number]
        alone = deepcopy(element)
        alone.tail = None
        alone.set(NUMBER, number)
        alone.set("style", alone.get("style", f"width: {block.width}px"))
        for (one, where), text in zip(list(slots(alone)), said, strict=True):
            setattr(one, where, text)
        for outer in element.iterancestors():
            if outer.tag not in ("html", "body"):
                inside, alone = alone, lxml.html.Element(outer.tag, dict(outer.attrib))
                alone.append(inside)
        return alone

    def _in_own_fonts(self, block: TextBlock) -> TextBlock | DoesNotFit:
        """A wording with the template's fonts."""
        if not block.whole:
            return DoesNotFit(f"wording {block.number} is laid out in several parts")
        for k, run in enumerate(block.runs):
            font = self.fonts.get(run.font.name)
            if font is None or not all(glyph in font.widths for glyph, _ in run.glyphs):
                return DoesNotFit(f"the fonts of the template lack a character of {block.number}")
            block.runs[k] = run._replace(font=font)
        return block


def _is_simple(block: TextBlock, said: Said) -> bool:
    """Whether it is one line of characters that are set without kerning."""
    glyphs = block.runs[0].font.glyphs
    return block.line and all(one in SIMPLE and one in glyphs for one in said[0])


def _name(block: TextBlock, said: Said) -> Name:
    if block.line:
        return block.runs[0].style, said
    if block.nested or block.tag not in FLOWING:
        raise DoesNotFit(f"a text in <{block.tag}> reads differently: {said!r}")
    return str(block.number), said


def _groups(block: TextBlock) -> list[int]:
    """The inline elements in order, each once."""
    return list(dict.fromkeys(run.group for run in block.runs))


def _pattern(run: GlyphRun, block: TextBlock) -> tuple[bytes, int]:
    """The operators that draw a run in its block; a `%b` for each digit's glyph, how many."""
    shown, count = "", 0
    for glyph, kern in run.glyphs:
        is_digit = DIGITS.fullmatch(run.font.characters.get(glyph, ""))
        shown += ("%b" if is_digit else f"{glyph:04x}") + (f">{kern:g}<" if kern else "")
        count += bool(is_digit)
    place = f"{block.x + run.x:.6f} {block.y + run.y:.6f}"
    drawn = f"1 0 0 -1 {place} Tm\n/{run.font.name} {run.size:.6g} Tf\n[<{shown}>] TJ"
    return f"BT\n{drawn}\nET".encode(), count


def _moved(block: TextBlock, new: GlyphRun) -> GlyphRun:
    """The run where the block's alignment puts it."""
    first = block.runs[0]
    before, now = snapped(first.width), snapped(new.width)
    stretched = block.width - before < SLACK and abs(now - before) > SLACK
    if now > block.width + SLACK or stretched:
        raise DoesNotFit(f"a text of {now:.1f} px stands in {block.width:.1f} px")
    x = first.x + SHARE[block.align] * (before - now)
    return new._replace(x=x, y=first.y, group=first.group)
