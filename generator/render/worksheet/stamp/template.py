"""A sheet laid out once for all pupils of a shape, and one pupil's PDF stamped from it."""

import contextlib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from generator.engine.trace import Trace
from generator.errors import require_known
from generator.render.worksheet.sheet import planned, render
from generator.render.worksheet.stamp.draft import BLANK, NOTHING, SOLUTION, Draft, draft
from generator.render.worksheet.stamp.fit import DoesNotFit
from generator.render.worksheet.stamp.form import Form, forms
from generator.render.worksheet.stamp.harvest import Block, Harvest
from generator.render.worksheet.stamp.layout import css, laid_out, primer
from generator.render.worksheet.stamp.marks import bar_drawn, bar_width, square_drawn
from generator.render.worksheet.stamp.objects import Shared, shared, stream
from generator.render.worksheet.stamp.page import BAR, Key, Page, Square, pages
from generator.render.worksheet.stamp.pupil import Pupil, require_met
from generator.render.worksheet.stamp.structure import Structure, pages_of
from generator.render.worksheet.stamp.wordings import Said, Wordings
from generator.sheets.codes import squares
from generator.sheets.options import VARIANTS, SheetOptions
from generator.sheets.plan import Plan

Put = dict[Key, bytes]


class Seat(NamedTuple):
    """One pupil's computation, as on paper and without rounding, code on each page, and name."""

    trace: Trace
    exact: Trace
    code: str = ""
    name: str = ""


def shape(sheet: str, trace: Trace, exact: Trace, options: SheetOptions) -> Hashable:
    """What pupils share who are stamped from one template: everything but their numbers.

    Equal shapes do not promise a fit: `Template.stamp` tells where a number decides more.
    """
    plan = planned(sheet, trace, options).bare
    steps = tuple((step.name, step.shape, step.decimals) for step in trace)
    preset = trace.preset
    return (
        sheet,
        replace(options, code="", pupil="x" if options.pupil else ""),
        plan,
        trace.sentence,
        trace.tokens,
        preset.sha256,
        steps,
    )


class Told(NamedTuple):
    """What each block of the page says for one pupil of a variant; bars and QR code as drawn."""

    texts: tuple[tuple[Form, Said], ...]
    beside: Put


class Frame(NamedTuple):
    """A page's size in points and the number of its resources."""

    size: bytes
    resources: int


@dataclass(frozen=True)
class Template:
    """A laid out work leaf; make it with `Template.lay_out`."""

    draft: Draft
    forms: tuple[Form, ...]
    found: Harvest
    pages: tuple[Page, ...]
    contents: tuple[int, ...]
    frames: tuple[Frame, ...]
    files: dict[str, Shared]
    spoken: dict[str, dict[int, tuple[int, bytes]]]
    wordings: Wordings
    square: Square
    blank: "Template | None" = None
    told: dict[tuple[Seat, str], Told] = field(default_factory=dict)

    @classmethod
    def lay_out(
        cls,
        sheet: str,
        trace: Trace,
        exact: Trace,
        options: SheetOptions,
        plan: Plan | None = None,
    ) -> "Template":
        """The template for all pupils of this one's shape, for blank and solution.

        `options` are those of the pupils; only their code and name may differ. `plan` says what
        is asked where it is not what this one would be; the sheet's own steps stay this one's.
        Raises `DoesNotFit` where the sheet cannot be stamped, and what `render` raises.
        """
        if options.part != "work" or options.teacher:
            raise DoesNotFit("only work leaves without the teacher's page are stamped")
        seat = Seat(trace, exact, options.code, options.pupil)
        own = planned(sheet, trace, options)
        asked = own if plan is None else replace(plan, extra=own.extra)
        try:
            layout = _Layout(draft(asked, trace, exact, options), seat)
            both = layout.template()
            for variant, pupil in layout.pupils.items():
                both._drawn(both._tell(pupil, variant), variant)
        except DoesNotFit:
            halves = (
                _Layout(draft(asked, trace, exact, options, (one,)), seat).template()
                for one in (SOLUTION, BLANK)
            )
            return replace(next(halves), blank=next(halves))
        return both

    def of(self, variant: str) -> "Template":
        """The template of a variant: mostly one for both, as the blank lacks the answers only."""
        return self.blank if self.blank is not None and variant == BLANK else self

    def learn(self, seats: Iterable[Seat], variants: Sequence[str] = VARIANTS) -> None:
        """Sets at once what these pupils' texts say and no earlier one's; speed, not need.

        The texts are kept until they are stamped, or until others are learned.
        """
        both = [one for one in (self, self.blank) if one is not None]
        for one in both:
            one.told.clear()
        for seat in seats:
            for variant in variants:
                with contextlib.suppress(DoesNotFit):  # what does not fit is rendered later
                    here = self.of(variant)
                    here.told[seat, variant] = here._tell(here.pupil(seat, variant), variant)
        for one in both:
            one.wordings.set_expected()

    def _tell(self, pupil: Pupil, variant: str) -> Told:
        """A pupil's texts, noted to be set with others where their wording is new."""
        texts, beside = tuple(self._said(pupil, variant)), dict[Key, bytes]()
        for form, said in texts:
            self.wordings.expect(form, said)
        for number in self.draft.bars:
            if variant == SOLUTION or self.draft.tokens[number].kept:
                width = bar_width(self.draft, number, pupil)
                bar = self.found.bars[number]
                beside[number, bar.page, BAR] = bar_drawn(bar, width)
        for k in range(len(self.pages)):
            beside |= square_drawn(pupil, k, self.square)
        return Told(texts, beside)

    def stamp(self, seat: Seat, variant: str) -> bytes:
        """The pupil's PDF, tagged; `variant` "blank" or "solution".

        Raises `DoesNotFit` where this pupil's sheet differs in more than its slots.
        """
        require_known("variant", variant, VARIANTS)
        if self.of(variant) is not self:
            return self.of(variant).stamp(seat, variant)
        put = self.put(seat, variant)
        own = {
            number: stream(page.filled(put))
            for number, page in zip(self.contents, self.pages, strict=True)
        }
        drawn = {number for number, _, _ in put}
        for number, (element, without) in self.spoken[variant].items():
            if number not in drawn:
                own[element] = without
        return self.files[variant].file(own)

    def put(self, seat: Seat, variant: str) -> Put:
        """What is drawn for a pupil, by block and mark of content."""
        if (key := (seat, variant)) in self.told:
            return self._drawn(self.told.pop(key), variant)
        return self._drawn(self._tell(self.pupil(seat, variant), variant), variant)

    def _drawn(self, told: Told, variant: str) -> Put:
        found = dict(told.beside)
        self.wordings.set_expected()
        for form, said in told.texts:
            for gap, operators in self.wordings.drawn(form, said):
                found[gap] = b"\n".join((found[gap], operators)) if gap in found else operators
        for page in self.pages if variant == SOLUTION else ():
            found |= page.frames
        return found

    def planned(self, trace: Trace) -> Plan:
        """What a pupil is asked on this sheet."""
        return _planned(self.draft.sheet, trace, self.draft.options)

    def pupil(self, seat: Seat, variant: str) -> Pupil:
        """The pupil's texts; raises `DoesNotFit` for one that the template is not for."""
        pupil = self.draft.pupil(self.planned(seat.trace), *seat, blank=variant == BLANK)
        require_met(pupil, self.draft.conditions[variant])
        return pupil

    def _said(self, pupil: Pupil, variant: str) -> Iterable[tuple[Form, Said]]:
        for form in self.forms:
            html, text = form.written(self.draft, pupil, variant)
            if text:
                yield form, Said(html, text)


class _Layout:
    """Turns a draft into a template."""

    def __init__(self, made: Draft, seat: Seat) -> None:
        self.draft = made
        self.pupils = {
            name: made.pupil(made.plan, *seat, blank=name == BLANK) for name in made.conditions
        }
        self.main = next(iter(made.conditions))
        self.where = f"sheet {made.sheet}, {seat.trace.sentence!r}"
        self.made: list[Template] = []

    def template(self) -> Template:
        """The template."""
        html = self.draft.html(self.pupils[self.main])
        sheets = (*css(self.draft.sheet, self.draft.options), primer())
        laid_out(
            html,
            sheets,
            self.draft.formulas,
            self.draft.options,
            self.where,
            self._take,
            tagged=True,
        )
        return self.made[0]

    def _take(self, found: Harvest, pdf: Any) -> None:
        kept = forms(self.draft, found.blocks)
        live = frozenset({form.block.number for form in kept} | set(self.draft.bars))
        own = [int(page["Contents"].split()[0]) for page in pages_of(pdf)]
        frames = tuple(
            Frame(page["MediaBox"].data, int(page["Resources"].split()[0]))
            for page in pages_of(pdf)
        )
        wordings = Wordings(self.draft, found)
        for form in kept:
            html, _ = form.written(self.draft, self.pupils[self.main], self.main)
            wordings.keep(form, html or NOTHING)
        files, spoken = self._files(found, kept, pdf, frozenset(own))
        tokens = self.draft.tokens
        framed = frozenset(n for form in kept if not tokens[n := form.block.number].kept)
        text = self.pupils[self.main].view.in_square()
        square = squares(text)[0] if self.draft.options.qr else ()
        drawn = pages(found, live, framed - set(self.draft.bars), square)
        self.made.append(
            Template(
                self.draft, kept, found, drawn, tuple(own), frames, files, spoken, wordings, square
            )
        )

    def _files(
        self, found: Harvest, kept: tuple[Form, ...], pdf: Any, own: frozenset[int]
    ) -> tuple[dict[str, Shared], dict[str, dict[int, tuple[int, bytes]]]]:
        """For each variant the shared objects, and how its structure is without a block's text."""
        structure = Structure(pdf)
        dots = [
            (spot.page, spot.mcid, 0)
            for number in self.draft.bars
            for spot in found.blocks[number].spots
        ]
        structure.removed(dots)
        alone = [form.block for form in kept if form.line is not None]
        files, spoken = {}, {}
        if SOLUTION in self.pupils:
            files[SOLUTION] = shared(pdf, own)
            spoken[SOLUTION] = _spoken(structure, alone)
        if BLANK not in self.pupils:
            return files, spoken
        structure.removed(self._only_solution(found, kept))
        silent = {form.block.number for form in self._silent(kept)}
        files[BLANK] = shared(pdf, own, files.get(SOLUTION))
        spoken[BLANK] = _spoken(structure, [one for one in alone if one.number not in silent])
        return files, spoken

    def _silent(self, kept: tuple[Form, ...]) -> Iterable[Form]:
        """The blocks that say nothing in a blank."""
        pupil = self.pupils[BLANK]
        return (form for form in kept if not form.written(self.draft, pupil, BLANK)[1])

    def _only_solution(
        self, found: Harvest, kept: tuple[Form, ...]
    ) -> Iterable[tuple[int, int, int]]:
        for form in self._silent(kept):
            levels = max(self.draft.tokens[k].only for k in form.tokens)
            yield from ((spot.page, spot.mcid, levels) for spot in form.block.spots)
        for number in self.draft.bars:
            if not self.draft.tokens[number].kept:
                yield from ((one.page, one.mcid, 1) for one in found.blocks[number].spots)


@lru_cache(maxsize=4)
def _planned(sheet: str, trace: Trace, options: SheetOptions) -> Plan:
    """The plan, which a pupil's blank and solution share."""
    return planned(sheet, trace, options)


def _spoken(structure: Structure, blocks: Iterable[Block]) -> dict[int, tuple[int, bytes]]:
    return {block.number: structure.without(block.page, block.spots[0].mcid) for block in blocks}


def stamped_or_rendered(
    template: Template | None, sheet: str, seat: Seat, options: SheetOptions, variant: str
) -> bytes:
    """The pupil's PDF: stamped where it fits the template, else rendered in full."""
    if template is not None:
        try:
            return template.stamp(seat, variant)
        except DoesNotFit:
            pass
    own = replace(options, code=seat.code, pupil=seat.name)
    return render(sheet, seat.trace, seat.exact, own, kind="pdf", variant=variant)
