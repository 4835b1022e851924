"""The wordings of a template: known ones are put in at once, new ones are set by WeasyPrint.

Also here:

* Texts as glyphs: a wording is set once with zeros, then any digits are put into it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from generator.render.worksheet.stamp.harvest import Font, Glyph, GlyphText, Harvest
from generator.render.worksheet.stamp.html_page import (
    DIGITS,
    NUMBER,
    DoesNotFit,
    HtmlPage,
    name_of,
    plain,
    zeros,
)
from generator.render.worksheet.stamp.layout import SIMPLE, css, laid_out
from generator.render.worksheet.stamp.page import FLOWING, BlockForm, Key, Put
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions

SLACK = 0.5  # CSS pixels: what rounding adds to a width
SHARE = {"left": 0.0, "start": 0.0, "justify": 0.0, "center": 0.5, "right": 1.0, "end": 1.0}
ALONE = ".leaf { break-before: auto !important } .leaf, .keep { margin: 0 0 4mm }"
Name = tuple[str, ...]


class ReadyRun(NamedTuple):
    """The operators of a run for one gap; the digits from `start` to `end` are put into it."""

    gap: Key
    pattern: bytes
    start: int
    end: int
    glyphs: dict[str, bytes]


@dataclass(frozen=True)
class GlyphRun:
    """Glyphs in one font at a place relative to their block, with the places of their digits."""

    x: float
    y: float
    font: str
    size: float
    group: int
    shown: tuple[str, ...]
    digits: tuple[int, ...]
    width: float

    def pattern(self, x: float, y: float) -> bytes:
        """The operators that draw it with the block at x, y; a `%b` for each digit's glyph."""
        places = set(self.digits)
        text = "".join(f"%b{one[4:]}" if k in places else one for k, one in enumerate(self.shown))
        return (
            f"BT\n1 0 0 -1 {x + self.x:.6f} {y + self.y:.6f} Tm\n"
            f"/{self.font} {self.size:.6g} Tf\n[<{text}>] TJ\nET"
        ).encode()


@dataclass(frozen=True)
class Wording:
    """What a block says, set with zeros."""

    runs: tuple[GlyphRun, ...]
    height: float

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """The inline elements in order, each once."""
        return tuple(dict.fromkeys(run.group for run in self.runs))


class Wordings:
    """All wordings of a template's blocks that were set so far; digits count as zeros in them."""

    def __init__(
        self,
        sheet: str,
        options: SheetOptions,
        formulas: Formulas,
        page: HtmlPage,
        fonts: dict[str, Font],
    ) -> None:
        self._sheet, self._options, self._formulas = sheet, options, formulas
        self._page, self._fonts = page, fonts
        self._known: dict[Name, Wording | DoesNotFit] = {}
        self._ready: dict[tuple[int, str], tuple[ReadyRun, ...]] = {}
        self._digits = {name: digit_glyphs(font) for name, font in fonts.items()}
        self._expected: dict[Name, tuple[BlockForm, str]] = {}

    def expect(self, form: BlockForm, html: str) -> None:
        """Note what a block says, to be set with others where its wording is not known."""
        html = zeros(html)
        if (form.block.number, html) in self._ready or html == zeros(form.html(self._page)):
            return
        if not self._is_simple(form, html) and (key := _key(form, html)) not in self._known:
            self._expected[key] = form, html

    def set_expected(self) -> None:
        """Sets all that were noted, in one document."""
        waiting, self._expected = self._expected, {}
        if not waiting:
            return
        html = "".join(self._alone(k, *one) for k, one in enumerate(waiting.values()))
        sheets = (*css(self._sheet, self._options), ALONE)
        page = f'<html lang="{self._options.language}"><body class="solution">{html}</body></html>'

        def take(harvest: Harvest, _: Any) -> None:
            for k, key in enumerate(waiting):
                self._known[key] = self._set(harvest, k)

        laid_out(page, sheets, self._formulas, self._options, "wordings", take, tagged=False)

    def drawn(self, form: BlockForm, html: str) -> Put:
        """The operators for all gaps of a block and its copies."""
        blocks = (form.block, *form.block.copies)
        put = {(one.number, one.page, spot.mcid): b"" for one in blocks for spot in one.spots}
        if not html:
            return put
        place = form.block.number, zeros(html)
        if place not in self._ready:
            self._ready[place] = self._made_ready(form, self._wording(form, place[1]))
        digits, ready = DIGITS.findall(plain(html)), self._ready[place]
        for gap, pattern, start, end, glyphs in ready:
            run = pattern % tuple([glyphs[digit] for digit in digits[start:end]])
            put[gap] = b"\n".join((put[gap], run)) if put[gap] else run
        return put

    def _made_ready(self, form: BlockForm, set_: Wording) -> tuple[ReadyRun, ...]:
        gaps = []
        for block in (form.block, *form.block.copies):
            spots: dict[int, list[int]] = defaultdict(list)
            for spot, text in zip(block.spots, block.texts, strict=True):
                spots[text.group].append(spot.mcid)
            at = 0
            for run in set_.runs:
                here, end = spots[run.group], at + len(run.digits)
                gap = block.number, block.page, here.pop(0) if len(here) > 1 else here[0]
                pattern = run.pattern(block.x, block.y)
                gaps.append(ReadyRun(gap, pattern, at, end, self._digits[run.font]))
                at = end
        return tuple(gaps)

    def _wording(self, form: BlockForm, html: str) -> Wording:
        """What a block says, set with zeros where the block stands."""
        first = wording(form.block.texts, form.block.height, self._fonts)
        if html == zeros(form.html(self._page)):
            return first
        if form.line:
            run = first.runs[0]
            if self._is_simple(form, html):
                new = simple(plain(html), run, self._fonts)
            else:
                new = self._learnt(form, html, first).runs[0]
            return Wording((_moved(form, run, new),), first.height)
        learnt = self._learnt(form, html, first)
        if not form.block.loose and abs(learnt.height - first.height) > SLACK:
            raise DoesNotFit(f"{html!r} needs another number of lines")
        return learnt

    def _learnt(self, form: BlockForm, html: str, first: Wording) -> Wording:
        key = _key(form, html)
        if key not in self._known:
            self._expected[key] = form, html
            self.set_expected()
        wording = self._known[key]
        if isinstance(wording, DoesNotFit):
            raise wording
        if wording.groups != first.groups:
            raise DoesNotFit(f"{html!r} is built of other elements")
        return wording

    def _is_simple(self, form: BlockForm, html: str) -> bool:
        """Whether it is one line of characters that are set without kerning."""
        font = self._fonts[form.block.texts[0].font]
        return form.line and all(one in SIMPLE and one in font.glyphs for one in plain(html))

    def _alone(self, k: int, form: BlockForm, html: str) -> str:
        """A block without its neighbours, as wide as it is on its page."""
        if form.line:
            style = f"white-space: pre; width: 900mm; {form.block.texts[0].style}"
            return f'<div {NUMBER}="{k}" style="{style}">{html}</div>'
        chain = [self._page.parts[n] for n in form.around]
        chain = [tag for tag in chain if name_of(tag) not in ("html", "body")]
        own = f'{chain[-1][:-1]} {NUMBER}="{k}" style="width: {form.block.width}px">'
        ends = "".join(f"</{name_of(tag)}>" for tag in reversed(chain))
        return f"{''.join(chain[:-1])}{own}{html}{ends}"

    def _set(self, harvest: Harvest, k: int) -> Wording | DoesNotFit:
        block = harvest.blocks[k]
        if not block.whole:
            return DoesNotFit(f"wording {k} is laid out in several parts")
        for text in block.texts:
            font = self._fonts.get(text.font)
            if font is None or not all(glyph in font.widths for glyph, _ in text.glyphs):
                return DoesNotFit(f"the fonts of the template lack a character of wording {k}")
        return wording(block.texts, block.height, self._fonts)


def _key(form: BlockForm, html: str) -> Name:
    if form.line:
        return "line", form.block.texts[0].style, html
    if form.nested or form.block.tag not in FLOWING:
        raise DoesNotFit(f"a text in <{form.block.tag}> reads differently: {html!r}")
    return "flow", str(form.block.number), html


def _moved(form: BlockForm, first: GlyphRun, new: GlyphRun) -> GlyphRun:
    """The run where the block's alignment puts it."""
    block = form.block
    if new.width > block.width + SLACK or (
        block.width - first.width < SLACK and abs(new.width - first.width) > SLACK
    ):
        raise DoesNotFit(f"a text of {new.width:.1f} px stands in {block.width:.1f} px")
    share = SHARE[block.align]
    return replace(new, x=first.x + share * (first.width - new.width), y=first.y, group=first.group)


GRID = 4096  # to a px
Fonts = dict[str, Font]


def wording(texts: Sequence[GlyphText], height: float, fonts: Fonts) -> Wording:
    """A wording as it was laid out."""
    return Wording(tuple(_run(text, fonts) for text in texts), height)


def _run(text: GlyphText, fonts: Fonts) -> GlyphRun:
    font = fonts[text.font]
    shown = tuple(f"{glyph:04x}{f'>{kern:g}<' if kern else ''}" for glyph, kern in text.glyphs)
    digits = tuple(k for k, one in enumerate(text.glyphs) if _is_digit(one, font))
    x, y, width = map(snapped, (text.x, text.y, text.width(fonts)))
    return GlyphRun(x, y, text.font, text.size, text.group, shown, digits, width)


def snapped(length: float) -> float:
    """The length in px on a grid that holds Pango's units (1/1024 px).

    A wording's place in its block is a difference of two places on a page: its last bits depend on
    what else was laid out on that page, and must not reach the file.
    """
    return round(length * GRID) / GRID


def _is_digit(glyph: Glyph, font: Font) -> bool:
    return bool(DIGITS.fullmatch(font.characters.get(glyph[0], "")))


def simple(text: str, like: GlyphRun, fonts: Fonts) -> GlyphRun:
    """A text without kerning, set in the font of another."""
    glyphs = tuple((fonts[like.font].glyphs[one], 0.0) for one in text)
    return _run(GlyphText(like.x, like.y, like.font, like.size, glyphs, like.group), fonts)


def digit_glyphs(font: Font) -> dict[str, bytes]:
    """The glyphs of the digits as they stand in a text's operators."""
    return {one: b"%04x" % font.glyphs[one] for one in "0123456789" if one in font.glyphs}
