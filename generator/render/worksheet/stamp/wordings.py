"""The wordings of a template: known ones are put in at once, new ones are set by WeasyPrint."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from generator.render.worksheet.stamp.draft import PLACE, Draft, zeros
from generator.render.worksheet.stamp.fit import DoesNotFit
from generator.render.worksheet.stamp.form import FLOWING, Form, around
from generator.render.worksheet.stamp.harvest import Harvest
from generator.render.worksheet.stamp.layout import SIMPLE, css, laid_out
from generator.render.worksheet.stamp.page import Key
from generator.render.worksheet.stamp.wording import (
    DIGITS,
    Run,
    Wording,
    digit_glyphs,
    simple,
    wording,
)

SLACK = 0.5  # CSS pixels: what rounding adds to a width
SHARE = {"left": 0.0, "start": 0.0, "justify": 0.0, "center": 0.5, "right": 1.0, "end": 1.0}
ALONE = ".leaf { break-before: auto !important } .leaf, .keep { margin: 0 0 4mm }"
Name = tuple[str, ...]


class Said(NamedTuple):
    """What a block says: as HTML with zeros, as text with the pupil's digits."""

    html: str
    text: str


class Ready(NamedTuple):
    """The operators of a run for one gap; the digits from `start` to `end` are put into it."""

    gap: Key
    pattern: bytes
    start: int
    end: int
    glyphs: dict[str, bytes]


class Wordings:
    """All wordings of a template's blocks that were set so far."""

    def __init__(self, draft: Draft, found: Harvest) -> None:
        self._draft, self._found = draft, found
        self._first: dict[int, Wording] = {}
        self._known: dict[Name, Wording | DoesNotFit] = {}
        self._placed: dict[tuple[int, str], Wording] = {}
        self._ready: dict[tuple[int, str], tuple[Ready, ...]] = {}
        self._digits: dict[str, dict[str, bytes]] = {}
        self._expected: dict[Name, tuple[Form, str]] = {}

    def keep(self, form: Form, html: str) -> None:
        """The wording with which the template was laid out."""
        block = form.block
        first = wording(block.texts, block.height, self._found.fonts)
        self._first[block.number] = self._placed[block.number, html] = first

    def expect(self, form: Form, said: Said) -> None:
        """Notes a wording that is not known, to be set with others."""
        place = form.block.number, said.html
        if place in self._ready or place in self._placed or self._is_simple(form, said):
            return
        key = self._key(form, said.html)
        if key not in self._known:
            self._expected[key] = form, said.html

    def set_expected(self) -> None:
        """Sets all that were noted, in one document."""
        waiting, self._expected = self._expected, {}
        if not waiting:
            return
        texts = dict(enumerate(waiting.items()))
        html = "".join(self._alone(k, *one[1]) for k, one in texts.items())
        sheets = (*css(self._draft.sheet, self._draft.options), ALONE)
        language = self._draft.options.language
        page = f'<html lang="{language}"><body class="solution">{html}</body></html>'

        def take(found: Harvest, _: Any) -> None:
            for k, (key, _form) in texts.items():
                self._known[key] = self._set(found, k)

        laid_out(
            page, sheets, self._draft.formulas, self._draft.options, "wordings", take, tagged=False
        )

    def drawn(self, form: Form, said: Said) -> Iterator[tuple[Key, bytes]]:
        """The operators of a block and its copies, each with its gap."""
        place = form.block.number, said.html
        if place not in self._ready:
            self._ready[place] = self._made_ready(form, self._wording(form, said))
        digits, ready = DIGITS.findall(said.text), self._ready[place]
        if len(digits) != ready[-1].end:
            raise DoesNotFit(f"{said.text!r} has {len(digits)} digits, set were {ready[-1].end}")
        for gap, pattern, start, end, glyphs in ready:
            yield gap, pattern % tuple([glyphs[digit] for digit in digits[start:end]])

    def _made_ready(self, form: Form, set_: Wording) -> tuple[Ready, ...]:
        found = []
        for block in (form.block, *form.block.copies):
            spots: dict[int, list[int]] = {}
            for spot, text in zip(block.spots, block.texts, strict=True):
                spots.setdefault(text.group, []).append(spot.mcid)
            at = 0
            for run in set_.runs:
                here, end = spots[run.group], at + len(run.digits)
                gap = block.number, block.page, here.pop(0) if len(here) > 1 else here[0]
                pattern = run.pattern(block.x, block.y)
                glyphs = self._digits.setdefault(
                    run.font, digit_glyphs(self._found.fonts[run.font])
                )
                found.append(Ready(gap, pattern, at, end, glyphs))
                at = end
        return tuple(found)

    def _wording(self, form: Form, said: Said) -> Wording:
        place = form.block.number, said.html
        if place not in self._placed:
            self._placed[place] = self._new(form, said)
        return self._placed[place]

    def _new(self, form: Form, said: Said) -> Wording:
        first = self._first[form.block.number]
        if form.line is not None:
            run = first.runs[0]
            if self._is_simple(form, said):
                new = simple(zeros(said.text), run, self._found.fonts)
            else:
                new = self._learnt(form, said).runs[0]
            return Wording((_moved(form, run, new),), first.height)
        found = self._learnt(form, said)
        if not form.block.loose and abs(found.height - first.height) > SLACK:
            raise DoesNotFit(f"{said.text!r} needs another number of lines")
        return found

    def _learnt(self, form: Form, said: Said) -> Wording:
        key = self._key(form, said.html)
        if key not in self._known:
            self._expected[key] = form, said.html
            self.set_expected()
        found = self._known[key]
        if isinstance(found, DoesNotFit):
            raise found
        if found.groups != self._first[form.block.number].groups:
            raise DoesNotFit(f"{said.text!r} is built of other elements")
        return found

    def _is_simple(self, form: Form, said: Said) -> bool:
        """Whether it is one line of characters that are set without kerning."""
        if form.line is None:
            return False
        font = self._found.fonts[self._first[form.block.number].runs[0].font]
        return all(one in SIMPLE and one in font.glyphs for one in said.text)

    def _key(self, form: Form, html: str) -> Name:
        if form.line is not None and "<" in html:
            raise DoesNotFit(f"a text is built of elements now: {html!r}")
        if form.line is not None:
            return "line", form.block.texts[0].style, html
        if form.nested or form.block.tag not in FLOWING:
            raise DoesNotFit(f"a text in <{form.block.tag}> reads differently: {html!r}")
        return "flow", str(form.block.number), html

    def _alone(self, k: int, form: Form, html: str) -> str:
        """A block without its neighbours, as wide as it is on its page."""
        if form.line is not None:
            style = f"white-space: pre; width: 900mm; {form.block.texts[0].style}"
            return f'<div {PLACE}="{k}" style="{style}">{html}</div>'
        chain = [self._draft.tokens[n].text for n in around(self._draft, form.block.number)]
        chain = [tag for tag in chain if not tag.startswith(("<html", "<body"))]
        own = f'{chain[-1][:-1]} {PLACE}="{k}" style="width: {form.block.width}px">'
        names = [tag[1:-1].split()[0] for tag in chain]
        ends = "".join(f"</{name}>" for name in reversed(names))
        return f"{''.join(chain[:-1])}{own}{html}{ends}"

    def _set(self, found: Harvest, k: int) -> Wording | DoesNotFit:
        block = found.blocks[k]
        if not block.whole:
            return DoesNotFit(f"wording {k} is laid out in several parts")
        for text in block.texts:
            font = self._found.fonts.get(text.font)
            if font is None or not all(glyph in font.widths for glyph, _ in text.glyphs):
                return DoesNotFit(f"the fonts of the template lack a character of wording {k}")
        return wording(block.texts, block.height, self._found.fonts)


def _moved(form: Form, first: Run, new: Run) -> Run:
    """The run where the block's alignment puts it."""
    block = form.block
    if new.width > block.width + SLACK or (
        block.width - first.width < SLACK and abs(new.width - first.width) > SLACK
    ):
        raise DoesNotFit(f"a text of {new.width:.1f} px stands in {block.width:.1f} px")
    share = SHARE[block.align]
    return replace(new, x=first.x + share * (first.width - new.width), y=first.y, group=first.group)
