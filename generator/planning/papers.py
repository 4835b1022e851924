"""Papers for whoever plans: run sheets, curricula, a page for others, cards of words, "I can".

Also here:

* Which lengths of a lesson a sheet fits: it needs no longer, and leaves no more than a third.
* Which two sheets fill a double lesson (`pairs.toml`), and which of its minutes each has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from generator import output
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.errors import UserError, message, refused, require, require_known
from generator.locales.catalogue import load
from generator.locales.folders import ENGLISH, spelling
from generator.locales.locale import locale_of
from generator.make import exact_of
from generator.notation.shown import number
from generator.planning.chance import DrawVariant, variants
from generator.planning.room_run import RoomRun
from generator.planning.twin import Twin
from generator.presets.computed import computed
from generator.presets.load import load_preset
from generator.render.worksheet.binding import joined
from generator.render.worksheet.worksheet import PrintedSheet, environment, unfit
from generator.resources import table
from generator.room.forms import FORMS, class_rooms
from generator.sheets.attending import AT
from generator.sheets.context import Context, typesetting
from generator.sheets.curriculum import curriculum
from generator.sheets.geometry import on_circle
from generator.sheets.options import SheetOptions
from generator.sheets.plan import LEVELS
from generator.sheets.routes import LEAST_COMPARED, LessonPart
from generator.sheets.series import SERIES, in_order, require_sheet
from generator.sheets.sheetmath.view import ViewMath
from generator.sheets.slots import Filler
from generator.sheets.titles import numbers_of
from generator.slug import folder_name

SHORT, DOUBLE = 25, 90  # minutes of the shortest lesson, and of the one that takes two sheets
LENGTHS = (SHORT, 45, 60, DOUBLE)
SPARE = 3  # of a lesson: the share that may be left
SPARE_DOUBLE = 7  # of a double one
BOTH = 4  # minutes in which both questions of a sheet can be discussed
PHASES = ("entry", "compute", "compare", "secure")
IN_HEAD = ("1", "bpe", "code")  # sheets that ask nothing for a calculator
PAPERS = ("curriculum", "parents", "i-can", "glossary-cards", "chance")
STYLE = "planning/planning.css"


class WordCard(NamedTuple):
    """A word to cut out: its keys in the glossary's phrases, the English word, formula, sheet."""

    key: str
    also: str
    formula: Markup
    sheet: str


class LessonRun(NamedTuple):
    """A sheet's part of a lesson: how many minutes, from which on, which sheet is taught beside."""

    own: PrintedSheet
    minutes: int
    start: int = 0
    beside: str = ""

    @property
    def spent(self) -> dict[str, int]:
        """The minutes of each part, those of the teacher's page."""
        return self.own.plan.phases(self.minutes)

    @property
    def short(self) -> int:
        """By how much work stops earlier, so that a class can compare at all."""
        return max(0, LEAST_COMPARED - self.spent["compare"])

    @property
    def parts(self) -> Iterator[LessonPart]:
        """When each part begins and ends."""
        moved, end = {"compute": -self.short, "compare": self.short}, self.start
        for phase in PHASES:
            start, end = end, end + self.spent[phase] + moved.get(phase, 0)
            yield LessonPart(start, end, phase, self.own.sheet)


@dataclass(frozen=True)
class Planning:
    """The papers for sheets of one computation and lessons of so many minutes."""

    trace: Trace
    options: SheetOptions
    sheets: tuple[str, ...]
    lengths: tuple[int, ...]
    twin: Twin | None = None
    pupils: int = 0

    @classmethod
    def asked(
        cls,
        trace: Trace,
        sheets: Sequence[str] | None = None,
        minutes: int | None = None,
        header: str = "",
        twin: str | Path | Preset | None = None,
        head: str = AT,
        pupils: int = 0,
        level: int = SheetOptions.level,
    ) -> "Planning":
        """What a user's words describe; without sheets all that can be filled.

        `twin` is the preset of another model, of which a `head` is laid beside the first one.
        With `pupils` there is a run sheet of each room that so many can be. Sheets are planned at
        their `level`, or at another one where that does not fit.

        Raises `UserError` for what there is not, for sheets that this computation cannot fill, and
        where none of them fits the named minutes.
        """
        require_known("length", str(minutes or LENGTHS[0]), tuple(map(str, LENGTHS)))
        options = SheetOptions(language=trace.language, header=header, level=level)
        for name in sheets or ():
            require_sheet(name)
            own = (one for one in SERIES if is_taught(one))
            require(is_taught(name), "planning.sheet", sheet=name, having=", ".join(own))
            why = unfit(name, trace, replace(options, level=1))
            require(not why, "planning.unfit", why=why)
        every = [one for one in sheets or filter(is_taught, SERIES) if not unfit(one, trace)]
        beside = None if twin is None else Twin.of(trace, _other(trace, twin), head)
        lengths = (minutes,) if minutes else (SHORT, locale_of(trace.language).lesson, DOUBLE)
        chosen = cls(trace, options, tuple(in_order(every)), lengths, beside, pupils)
        if minutes and not pupils and not chosen.runs[minutes]:
            lost = ", ".join(chosen.left_out(minutes))
            raise refused("planning.length", lost=lost, minutes=minutes)
        return chosen

    @cached_property
    def exact(self) -> Trace:
        """The computation without rounding."""
        return exact_of(self.trace)

    @property
    def notes(self) -> list[str]:
        """For each length the sheets that have no run sheet of it, with those that they fit."""
        left = {minutes: ", ".join(self.left_out(minutes)) for minutes in self.lengths}
        lost = [message("planning.notes", minutes=k, lost=one) for k, one in left.items() if one]
        after = [message("planning.after")] if self.chances and "6" in self.sheets else []
        return [*lost, *(made for made in self._made.values() if isinstance(made, str)), *after]

    @property
    def rooms(self) -> dict[int, RoomRun]:
        """The run sheets of a room, by the lengths that so many pupils can be one in."""
        return {k: made for k, made in self._made.items() if isinstance(made, RoomRun)}

    @cached_property
    def _made(self) -> dict[int, RoomRun | str]:
        """For each length a room, or why there is none; nothing without pupils."""
        made: dict[int, RoomRun | str] = {}
        lengths = self.lengths if len(self.lengths) == 1 else map(int, FORMS)
        for minutes in lengths if self.pupils else ():
            try:
                rooms = class_rooms(self.pupils, f"{minutes}", language=self.trace.language)
                made[minutes] = RoomRun(tuple(rooms), self.trace.language)
            except UserError as error:
                made[minutes] = error.message
        return made

    def room_html(self, run: RoomRun, own: PrintedSheet) -> str:
        """The run sheet of a room."""
        return _filled("room-run.html.j2", own.view(blank=False), run=run)

    def left_out(self, minutes: int) -> list[str]:
        """The sheets that do not fit a length: "4a (45, 90)"."""
        made = {k: [run.own.sheet for run in self.runs[k]] for k in LENGTHS}
        fit = {one: [str(k) for k in LENGTHS if one in made[k]] for one in self.sheets}
        lost = (one for one in self.sheets if str(minutes) not in fit[one])
        return [f"{one} ({', '.join(fit[one]) or 'none'})" for one in lost]

    @cached_property
    def levels(self) -> list[int]:
        """The levels: that of the sheets, then the others from the largest down."""
        return sorted(LEVELS, key=lambda k: (k != self.options.level, -k))

    @cached_property
    def runs(self) -> dict[int, list[LessonRun]]:
        """For each length the sheets that fit it; a double lesson has two."""
        return {minutes: list(self._fitting_all(minutes)) for minutes in LENGTHS}

    def _fitting_all(self, minutes: int) -> Iterator[LessonRun]:
        if minutes < DOUBLE:
            yield from filter(None, (self._fitting(one, minutes) for one in self.sheets))
            return
        free = {*self.sheets}
        for pair in table("planning/pairs.toml")["pairs"]:
            if free.issuperset(pair) and (runs := self._both(*pair)):
                free -= {*pair}
                yield from runs

    def files(self) -> dict[str, bytes]:
        """All papers by name."""
        files = {}
        for minutes in self.lengths:
            if pages := [self._run(run) for run in self.runs[minutes]]:
                files[f"run-sheets-{minutes}.pdf"] = joined(pages)
        papers = PAPERS if self.chances else PAPERS[:-1]
        files |= {f"{name}.pdf": self._paper(name) for name in papers}
        own = self.whole.printed_as("pdf")
        for minutes, run in self.rooms.items():
            page = own.other_page(self.room_html(run, own), STYLE, "run sheet of a room", "pdf")
            files[f"run-sheet-room-{minutes}.pdf"] = page
        for name, blank in (("twin", True), ("twin-solution", False)) if self.twin else ():
            html = self.twin_html(own, blank=blank)
            files[f"{name}.pdf"] = own.other_page(html, STYLE, name, "pdf")
        return files

    def write(self, folder: str | Path | None) -> list[Path]:
        """All papers below a folder, without one below "outputs"; gives the paths."""
        name = f"plan-{folder_name(self.trace)}"
        place = Path("outputs", name) if folder is None else Path(folder)
        return output.write({place / name: data for name, data in self.files().items()})

    def html(self, name: str, own: PrintedSheet) -> str:
        """A paper that is about the whole series, with the overview as its `own` sheet."""
        context = own.view(blank=False)
        assert isinstance(context, ViewMath)
        cards, spelled = list(self._cards(context)), partial(number, language=self.trace.language)
        return _filled(f"{name}.html.j2", context, sheets=self.sheets, cards=cards, point=on_circle,
                       lines=curriculum(self.options.language), variants=self.chances,
                       number=lambda value: spelled(value, None))  # fmt: skip

    def run_html(self, run: LessonRun, own: PrintedSheet) -> str:
        """The run sheet of a sheet, as `own` is printed."""
        calculator = own.plan.calculator and own.sheet not in IN_HEAD
        return _filled("run.html.j2", own.view(blank=False), run=run, helps=own.has_helps,
                       calculator=calculator, ordered=self.options.level)  # fmt: skip

    def twin_html(self, own: PrintedSheet, *, blank: bool) -> str:
        """The twin leaf; in a blank the pupils' own row is empty."""
        context, twin = own.view(blank=blank), self.twin
        assert twin is not None
        t = context.catalogue.t
        captions = [" ".join(t(f"plan.twin.{key}", **one.place) for key in one.told)
                    for one in twin.pictures]  # fmt: skip
        told = {"said": twin.said(context.catalogue), "halves": twin.halves(context.catalogue)}
        return _filled("twin.html.j2", context, twin=twin, blank=blank, captions=captions, **told)

    @cached_property
    def chances(self) -> list[DrawVariant]:
        """The ways to draw the next word; none where no sheet of the plan draws one."""
        return list(variants(self.trace)) if {"6", "generate"} & {*self.sheets} else []

    @property
    def whole(self) -> PrintedSheet:
        """The overview of the whole mathematics, whose words and formulas the papers take."""
        return PrintedSheet("math", self.trace, self.exact, self.options)

    def _fitting(self, sheet: str, minutes: int) -> LessonRun | None:
        """The sheet at the usual level where that fits, else at the largest that does.

        Rather one that leaves time for both questions, and to compare.
        """
        runs = (LessonRun(own, minutes) for k in self.levels for own in self._at(sheet, k, minutes))
        fits = (run for run in runs if 0 <= run.spent["left"] <= minutes // SPARE)
        return max(fits, key=lambda run: (run.spent["secure"] >= BOTH, -run.short), default=None)

    def _at(self, sheet: str, level: int, minutes: int) -> list[PrintedSheet]:
        """The sheet at a level, with the numbers that `make` gives it; none where it is unfit."""
        options = replace(self.options, level=level, lesson=minutes)
        both = numbers_of(sheet, self.sheets, self.trace, self.exact)
        return [] if unfit(sheet, both[0], options) else [PrintedSheet(sheet, *both, options)]

    def _both(self, *pair: str) -> tuple[LessonRun, ...]:
        """Two sheets of a double lesson, at the first level that fills it; nothing for none.

        What they leave is shared, and the second begins when the first has been compared.
        """
        for level in self.levels:
            for own, other in product(*(self._at(one, level, DOUBLE) for one in pair)):
                busy = [sum(one.plan.phases(DOUBLE)[x] for x in PHASES[:2]) for one in (own, other)]
                first = min(busy[0] + (DOUBLE - sum(busy)) // 2, busy[0] * 3 // 2)
                after = LessonRun(other, DOUBLE - first, first, pair[0])
                runs = LessonRun(own, first, 0, pair[1]), after
                if all(0 <= run.spent["left"] <= DOUBLE // SPARE_DOUBLE for run in runs):
                    return runs
        return ()

    def _cards(self, c: ViewMath) -> Iterator[WordCard]:
        at = table("planning/cards.toml")
        for term in c.glossary():
            sheet, *step = at[term.key]
            found = [entry for entry in c.entries if entry.kind.rstrip("12") in step]
            formula = c.typeset(found[0]) if found else Markup("")
            yield WordCard(term.key, term.also, formula, sheet if sheet in self.sheets else "")

    def _run(self, run: LessonRun) -> bytes:
        own = run.own.printed_as("pdf")
        return own.other_page(self.run_html(run, own), STYLE, "run sheet", "pdf")

    def _paper(self, name: str) -> bytes:
        own = self.whole.printed_as("pdf")
        return own.other_page(self.html(name, own), STYLE, name, "pdf")


def _other(trace: Trace, twin: str | Path | Preset) -> Trace:
    """The same sentence in another model, without rounding."""
    preset = twin if isinstance(twin, Preset) else load_preset(twin)
    spoken = trace.language if spelling(trace.language)[0] in preset.sentences else None
    return computed(trace.sentence, preset=preset, language=spoken, rounding="exact")


def is_taught(sheet: str) -> bool:
    """Whether it is taught, so that there is a run sheet of it."""
    return f"sheet{sheet}.phase.entry" in load(ENGLISH).phrases


def _filled(name: str, c: Context, **content: Any) -> str:
    page = environment().get_template(f"planning/{name}")
    html = page.render(c=c, t=typesetting(c.catalogue), **content)
    return Filler(c.trace, c.plan.asked, c.options.language, c.blank).fill(html)
