"""What the page can make from a teacher's answers: a look at a sheet, one set, a class's files.

No server is known here: each function takes the answers and gives bytes or writes below a folder,
by the same ways as the command line, so the same answers give the same files.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from generator.api import batch, compute, exam, grade, plan, reissue, room
from generator.classroom.desk.manifest import MANIFEST, Manifest
from generator.classroom.desk.reissue import NAMES, content_of
from generator.classroom.pupils.roster import ListSummary, read, summary
from generator.engine.trace import Trace
from generator.engine.vocabulary import refusal
from generator.errors import UserError, message, require, together
from generator.exams.run import gives_points
from generator.grading.grade import NothingMarked
from generator.grading.marking.task import batch_in
from generator.grading.reading.collect import RESULTS
from generator.grading.reading.whose import TYPED, first_box, list_rows, template
from generator.locales.catalogue import load
from generator.make import Request, exact_of, make
from generator.make.request import NOTEBOOK
from generator.output import write
from generator.planning.papers import is_taught
from generator.presets.computed import taken
from generator.presets.defaults import CLASS
from generator.presets.load import shipped
from generator.processes import Progress
from generator.render.walk.page import Page
from generator.render.walk.pages import pages, walked, walked_as
from generator.render.worksheet.worksheet import PrintedSheet, planned, unfit
from generator.room.forms import to_print
from generator.sheets.fonts import linked
from generator.sheets.options import SheetOptions
from generator.sheets.plan import MOST_SHOWN
from generator.sheets.routes import ROUTES, as_told
from generator.sheets.series import SERIES, SHEETS, in_workbook
from generator.sheets.titles import LETTERS, numbers_of
from generator.web import form
from generator.web.drawing import drawing, spoken_of
from generator.web.form import Choices, FieldProblem, RefusedAnswers, RoomWish
from generator.web.own_preset import own_preset, packed
from generator.web.packing import pack, page_count, papers

FONTS = "fonts/"  # where a sheet that is shown finds its fonts, beside it
# A model's sheet to begin with is the first that it fills; the card that has it.
MAIN = {"4a": "attention", "slide": "45", "6": form.OWN}
CORNER = 5  # lines and columns of the list for typing that are shown
UNPACKED = 20_000_000  # bytes of a class list, which comes as 1 MB at most


@dataclass(frozen=True)
class SheetSummary:
    """One sheet: its name, what its pages call it, its title, the minutes on it, none on slides."""

    name: str
    short: str
    title: str
    minutes: int


@dataclass(frozen=True)
class Overview:
    """What the answers come to: the sheets that can be made, those that cannot, what to know.

    `new` are words that the learned model does not have, so that another one was taken.
    `meaningful` says whether the numbers of the `model` mean something, `open` whether a sentence
    of one's own can be typed, `tabs` whether there is a workbook of the sheets. `plan` is told of
    the chosen route. `cards` are the minutes of each card with this sentence and amount, `levels`
    those of the chosen card with each amount, 0 where nothing of it can be made. `why` says what of
    the chosen card cannot be had, `ways` are cards like it that can be taken whole.
    """

    sheets: tuple[SheetSummary, ...]
    left_out: tuple[str, ...]
    new: tuple[str, ...]
    notices: tuple[str, ...]
    why: tuple[str, ...]
    ways: tuple[str, ...]
    meaningful: bool
    open: bool
    tabs: bool
    model: str
    sentence: str
    cards: Mapping[str, int]
    levels: Mapping[str, int]
    plan: Mapping[str, Any]

    @property
    def minutes(self) -> int:
        """The minutes that the sheets print."""
        return sum(sheet.minutes for sheet in self.sheets)


@dataclass(frozen=True)
class WebResult:
    """What was written below the folder: what to know of it, and what could not be made.

    `papers` are the files to open first, by what is done with them: "print", "keep". `glance` is
    what marks came to, or what of each room is printed how often. `pages` are those printed.
    """

    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    papers: Mapping[str, str] = field(default_factory=dict)
    glance: tuple[Any, ...] = ()
    pages: int = 0


@dataclass(frozen=True)
class WebWork:
    """What can be made of a teacher's answers; `paper` is what is printed, "pdf" or "html"."""

    choices: Choices
    paper: str = "pdf"

    def overview(self) -> Overview:
        """The sheets of the answers with their minutes; `_none_fits` where there is none.

        Raises `RefusedAnswers` for an exam that has not the time for its sheets.
        """
        choices, trace, sheets = self.choices, self._trace, self._sheets()
        shown = {name: one for name, one in sheets.items() if one}
        if not shown:
            raise self._none_fits()
        fixed, (plan, why) = form.CARDS[choices.lesson].level, self._told()
        if choices.as_exam and (needed := self._minutes()) > choices.minutes:
            phrase = f"web.error.time{'.level' * (choices.level > form.LEVELS[0] and not fixed)}"
            raise RefusedAnswers({"minutes": FieldProblem(phrase, {"needed": needed})})
        # Which words make another model be taken than the learned one, where none was named.
        named = own_preset(choices.own) if choices.own else choices.chosen_preset
        other = taken(named, choices.sentence or None, choices.words)
        cards = {name: self._minutes(lesson=name) for name in form.CARDS}
        return Overview(
            sheets=tuple(shown.values()),
            left_out=tuple(name for name in sheets if name not in shown),
            new=other.new,
            notices=tuple(one for one in trace.notices if one not in other.notices),
            why=(*why,),
            ways=self._ways(cards) if why else (),
            meaningful=trace.preset.meaningful,
            open=not ((choices.preset or choices.own) and refusal(trace.preset)),
            tabs=any(in_workbook(shown)),
            model=trace.preset.heading(trace.language),
            sentence=trace.sentence,
            cards=cards,
            levels={one: self._minutes(level=one) for one in form.LEVELS if fixed in ("", one)},
            plan=plan,
        )

    def look(self) -> str:
        """The sheet that is looked at, as HTML; the first of the set where none is named."""
        trace, sheets, shown = self._trace, self._fit(), self.choices.shown
        if not sheets:
            raise self._none_fits()
        sheet = shown if shown in sheets else sheets[0]
        both = numbers_of(sheet, sheets, trace, exact_of(trace))
        kind, wanted = SERIES[sheet].kind, self.choices.variant
        (variant,) = ("solution",) if kind.complete else kind.variants((wanted,))
        page = PrintedSheet(sheet, *both, self._options).file("html", variant)
        html = linked(page.decode(), FONTS)
        # Where a solution is opened: at the leaf that is solved.
        leaf = 'class="leaf work'
        return html.replace(leaf, f'id="work" {leaf}', 1) if variant == "solution" else html

    def drawn(self, language: str) -> dict[str, Any]:
        """The sentence as `drawing` has it, told in a language.

        As on the sheet that is looked at: its word, and its head alone where that has no mask. A
        sheet about no word, or about another text, shows the word that the next one comes from.
        A model that was chosen shows first what it can do.
        """
        trace, sheets, shown = self._trace, self._fit(), self.choices.shown
        if len(trace.tokens) > MOST_SHOWN:
            raise self._none_fits()
        if self.choices.preset and not (self.choices.sentence or shown):  # as among the models
            head, focus = spoken_of(trace)
            return {**drawing(trace, load(language), focus), "head": head}
        last, free = len(trace.tokens) - 1, False
        focus = last if "sampling.share" in trace or trace.worked is None else trace.worked
        for sheet in [one for one in sheets if one == shown] or sheets[:1]:
            numbers = numbers_of(sheet, sheets, trace, trace)[0]
            plan, own = planned(sheet, numbers, self._options), sheet != "generate"
            if own and numbers is trace and (plan.worked or plan.own):  # both are 0 without a word
                focus = plan.own if self.choices.variant == "solution" else plan.worked
                free = getattr(plan, "free", False)
        return drawing(trace, load(language), focus, free)

    def walked(self) -> tuple[list[Page], list[str]]:
        """The steps of the sheet that is looked at, else every one, as `paperformer walk` does.

        And the sheets that have steps. Those that go on from another's steps lead to that one.
        """
        shown, fit = walked_as(self.choices.shown), self._fit()
        there = [walked_as(one) for one in self.choices.chosen_sheets if walked(one)]
        there = [one for one in there if one in fit or SERIES[one].kind.steps]
        sheets = (shown,) if shown in there else ()
        trace = numbers_of(shown, fit, *2 * (self._trace,))[0] if sheets else self._trace
        return pages(trace, load(trace.language), sheets=sheets), there

    def leaves(self) -> list[list[int]]:
        """The pages of each leaf of each sheet on paper, the information first.

        `UserError` for an exam, whose papers have more around them, and where nothing is printed.
        """
        sheets = [one for one in self._fit() if SERIES[one].kind.in_booklet]
        require(self.paper == "pdf" and not self.choices.as_exam, "web.pdf")
        asked = self._options, self.choices.chosen_sheets, *self._model
        return [_leaf_pages(one, *asked) for one in sheets]

    def single(self, folder: Path, told: Progress) -> WebResult:
        """One set, blank and solved, as `paperformer make` writes it; zipped in `folder`/set.zip.

        `told` hears how many of how many sheets are made.
        """
        options = replace(self._options, route=self.choices.lesson if self._told()[0] else "")
        sheets, only = self._to_make(), self._outputs + (NOTEBOOK,) * bool(self.choices.notebook)
        request = Request(only, sheets, jobs=1, worksheet=options)
        made = make(self._trace, request, folder / "set", told)
        return self._packed(folder, made)

    def school_class(self, pupils: int | Path, folder: Path, told: Progress) -> WebResult:
        """A class's files as `paperformer batch` writes them; zipped in `folder`/set.zip.

        `told` hears how many of how many pupils' sets are made. Raises `RefusedAnswers` for a
        longer list than the page takes.
        """
        require_some(pupils)
        choices, wishes, how = self.choices, self._wishes, exam if self.choices.as_exam else batch
        require(not choices.as_exam or self.paper == "pdf", "web.pdf")
        kind: dict[str, Any] = {"vary": choices.vary}
        if choices.as_exam:  # without a story; as many versions as groups, two if none are said
            wishes.pop("story")
            groups = int(choices.vary.partition("=")[2] or "2")
            kind = kind if choices.vary == "numbers" else {"versions": LETTERS[:groups]}
            kind["minutes"] = choices.minutes
        if self._told()[0]:
            wishes |= {"route": choices.lesson}
            del wishes["level"]
        else:
            wishes |= {"sheets": self._to_make()}
        made = how(
            pupils,
            folder / "set",
            only=self._outputs,
            jobs=1,
            told=told,
            preset=own_preset(choices.own) if choices.own else choices.chosen_preset or CLASS,
            sentence=choices.sentence or None,
            language=choices.words,
            print_names=bool(choices.print_names),
            **kind,
            **wishes,
        )
        return self._packed(folder, made)

    @property
    def _model(self) -> tuple[str, str, str, str]:
        """What the computation depends on."""
        choices = self.choices
        return choices.sentence, choices.chosen_preset or "", choices.own, choices.words

    @property
    def _trace(self) -> Trace:
        return _computed(*self._model)

    @property
    def _wishes(self) -> dict[str, Any]:
        """The answers that are choices for worksheets, by their names there."""
        return {
            "level": int(self.choices.chosen_level),
            "lesson": route.minutes if (route := ROUTES.get(self.choices.lesson)) else None,
            "large_print": bool(self.choices.large),
            "story": bool(self.choices.story),
            "header": self.choices.header,
            "fillable": bool(self.choices.fillable),
        }

    @property
    def _options(self) -> SheetOptions:
        exam = {"points": True, "story": False} if self.choices.as_exam else {}
        return SheetOptions(language=self.choices.words, **{**self._wishes, **exam})

    @property
    def _outputs(self) -> tuple[str, ...]:
        return ("xlsx", self.paper) if self.choices.workbook else (self.paper,)

    def _told(self) -> tuple[dict[str, Any], list[str]]:
        """What is told of the route that was chosen, and why this computation cannot take it all.

        Of several sheets that cannot be made the first one says why.
        """
        route = None if self.choices.as_exam else ROUTES.get(self.choices.lesson)
        told = dict[str, Any]()
        reasons = (unfit(one, self._trace) for one in self.choices.chosen_sheets)
        why = list(filter(None, reasons))[:1]
        try:
            told = as_told([(route, route.plans(self._trace))]) if route else {}
        except UserError as error:
            why = why or [error.message]
        return told, why

    def _ways(self, cards: Mapping[str, int]) -> tuple[str, ...]:
        """A topic and a route that can be taken whole, of about as many minutes as this card."""
        mine, found = cards[self.choices.lesson], dict[bool, str]()
        for name in sorted(cards, key=lambda one: abs(cards[one] - mine)):
            if name not in (self.choices.lesson, form.OWN, "all") and (name in ROUTES) not in found:
                other = WebWork(replace(self.choices, lesson=name))
                found |= {} if other._told()[1] else {name in ROUTES: name}
        return tuple(found[one] for one in sorted(found))

    def _minutes(self, **other: Any) -> int:
        """The minutes of what can be made with another card or amount."""
        work = WebWork(replace(self.choices, **other))
        return sum(one.minutes for one in work._sheets().values() if one)

    def _sheets(self) -> dict[str, SheetSummary | None]:
        """What each sheet of the answers comes to; None for one that cannot be made."""
        sheets, exam = self.choices.chosen_sheets, self.choices.as_exam
        asked = [name for name in sheets if gives_points(name) or not exam] or sheets
        options = replace(self._options, lesson=None)  # which changes no minutes of a sheet
        return {name: _summary(name, options, exam, *self._model) for name in asked}

    def _fit(self) -> tuple[str, ...]:
        """Those of the sheets that this computation can fill, in an exam those with points."""
        sheets = (name for name in self.choices.chosen_sheets if not unfit(name, self._trace))
        return tuple(name for name in sheets if gives_points(name) or not self.choices.as_exam)

    def _to_make(self) -> tuple[str, ...]:
        """The sheets to make; where none can be, all of them for the tabs of a workbook."""
        chosen, sheets = self.choices.chosen_sheets, self._fit()
        if not sheets and not self.choices.workbook and unfit(chosen[0], self._trace):
            raise self._none_fits()
        return sheets or chosen

    def _packed(self, folder: Path, made: Any) -> WebResult:
        """What was made, with what `paperformer plan` writes, where that is wanted."""
        sheets = self._to_make()
        if self.choices.planning and (taught := list(filter(is_taught, sheets))):
            require(self.paper == "pdf", "web.pdf")
            plan(self._trace, folder / "set" / "planning", sheets=taught, level=self._options.level)
        tabs = not self.choices.workbook or any(in_workbook(sheets))
        notes = [*made.notes, *([] if tabs else [message("web.no-tabs")])]
        left = [SERIES[one].name for one in self.choices.chosen_sheets if one not in sheets]
        notes += [message("web.left-out", sheets=", ".join(left))] if left else []
        told = {"notes": tuple(notes), "problems": tuple(together(made.problems))}
        return _result(folder, self.choices.words, **told)

    def _none_fits(self) -> Exception:
        """Why this computation can fill none of the sheets; most often the sentence is too long."""
        if (length := len(self._trace.tokens)) > MOST_SHOWN:
            names = {"found": length, "most": MOST_SHOWN}
            return RefusedAnswers({"sentence": FieldProblem("web.error.words", names)})
        return UserError(unfit(self.choices.chosen_sheets[0], self._trace))


@lru_cache(maxsize=8)
def _computed(sentence: str, preset: str, own: str, language: str) -> Trace:
    """The computation, made once for all cards that have it in common."""
    model = own_preset(own) if own else preset or None
    return compute(sentence or None, preset=model, language=language)


@lru_cache(maxsize=64)
def _leaf_pages(name: str, options: SheetOptions, sheets: Any, *model: str) -> list[int]:
    """The pages of each leaf of a sheet, the information first, laid out once."""
    trace = _computed(*model)
    numbers = numbers_of(name, sheets, trace, exact_of(trace))
    return PrintedSheet(name, *numbers, options).leaf_pages()


@lru_cache(maxsize=64)
def _summary(name: str, options: SheetOptions, exam: bool, *model: str) -> SheetSummary | None:
    """A sheet, looked at once for all cards that have it."""
    trace = _computed(*model)
    if unfit(name, trace):
        return None
    plan, t = planned(name, trace, options), load(trace.language).t
    spent = plan.in_exam if exam else 0 if SERIES[name].kind.screen else plan.in_all
    return SheetSummary(name, t(f"sheet{name}.name"), t(SERIES[name].title), spent)


def checked(content: bytes, source: str) -> str:
    """A preset of the teacher's, packed; `PresetError` with all its problems, in its `source`."""
    code = packed(content, source)
    own_preset(code, source)
    return code


def require_some(pupils: int | Path) -> int:
    """How many they are; `RefusedAnswers` for more than the page takes, `UserError` for none."""
    count = pupils if isinstance(pupils, int) else sum(1 for _ in read(pupils, UNPACKED))
    if count > form.MOST_PUPILS:
        names = {"found": count, "most": form.MOST_PUPILS}
        raise RefusedAnswers({"list": FieldProblem("web.error.list-long", names)})
    return count


def people(path: Path) -> ListSummary:
    """Who stands on a class list that the page takes."""
    return summary(path, UNPACKED, form.MOST_PUPILS)


def reissued(folder: Path, pupil: str, language: str) -> WebResult:
    """One pupil's files of a class again, as `paperformer reissue` writes them, zipped."""
    _require_shipped(folder / MANIFEST)
    reissue(folder / MANIFEST, pupil, folder / "set")
    return _result(folder, language)


def furnished(wish: RoomWish, paper: str, folder: Path, told: Progress) -> WebResult:
    """A room's papers, as `paperformer room` writes them, zipped; as PDF or not at all."""
    require(paper == "pdf", "web.pdf")
    asked: dict[str, Any] = {"form": wish.minutes, "language": wish.words}
    room(wish.pupils, folder / "set", header=wish.header, told=told, **asked)
    return replace(_result(folder, wish.words), glance=to_print(wish.rooms()))


def _result(folder: Path, language: str, **told: tuple[str, ...]) -> WebResult:
    """What lies in the folder's set, zipped."""
    pack(folder, "set", language)
    found = papers(folder / "set")
    pages = page_count(folder / "set" / found["print"]) if "print" in found else 0
    return WebResult(papers=found, pages=pages, **told)


@cache
def pictured(language: str) -> dict[str, dict[str, Any]]:
    """Each shipped model with its own sentence as `drawing` has it, where that can be drawn.

    With the one head, and the word, that its text speaks of, and the sheet to begin with.
    """
    found = {}
    for name in shipped():
        with suppress(UserError):
            trace = compute(preset=name, language=language)
            head, focus = spoken_of(trace)
            drawn = drawing(trace, load(language), focus)
            main = next(one for one in MAIN if not unfit(one, trace))
            sheet = _summary(main, SheetOptions(language=language), False, "", name, "", language)
            work = WebWork(Choices(MAIN[main], (main,), preset=name, words=language))
            found[name] = drawn | {
                "heads": drawn["heads"][head : head + 1],
                "sheet": replace(sheet, minutes=work._minutes()) if sheet else None,
                "card": {"lesson": [MAIN[main]], "sheets": [main]},
            }
    return found


@cache
def keeping(lesson: str, language: str) -> tuple[str, ...]:
    """The shipped models that can take all sheets of a lesson; every one without a lesson."""
    sheets = form.CARDS[lesson].sheets if lesson in form.CARDS else ()
    computed = ((name, compute(preset=name, language=language)) for name in shipped())
    return tuple(name for name, it in computed if not any(unfit(one, it) for one in sheets))


def _require_shipped(manifest: Path) -> None:
    """Raise a `UserError` for an author's own sheet: its folder holds a program, never run here."""
    for name in Manifest.opened(content_of(manifest), manifest.name).settings.sheets:
        require(name in SHEETS, "web.sheet", manifest=manifest, name=name)


def _named(folder: Path) -> bool:
    return (folder / MANIFEST).with_name(NAMES).exists()


def typed_list(folder: Path, language: str) -> WebResult:
    """A class's empty list, as `paperformer grade --template` has it; the glance is its corner."""
    _require_shipped(folder / MANIFEST)
    of_class = batch_in(folder)
    rows = list_rows(of_class, of_class.names if _named(folder) else {})
    write({folder / "set" / TYPED: template(rows, of_class.lesson.teachers.language)})
    pack(folder, "set", language)
    lines = islice(zip(*rows, strict=True), first_box(rows[0]) + CORNER)
    return WebResult(papers={"typed": TYPED}, glance=tuple(line[1 : CORNER + 1] for line in lines))


def marked(folder: Path, language: str, show_answers: bool, told: Progress) -> WebResult:
    """What a class handed in, marked as `paperformer grade` does it; the marks are zipped.

    `folder` holds the batch's manifest where it was written, its names.csv too, the files in "in".
    """
    _require_shipped(folder / MANIFEST)
    asked: dict[str, Any] = {"language": language, "show_answers": show_answers, "told": told}
    try:
        graded = grade(folder / "in", folder, names=_named(folder), jobs=1, **asked)
    except NothingMarked as error:
        raise NothingMarked(error.folder, error.stray, language) from None
    pack(folder, f"in/{RESULTS}", language)
    notes, found = tuple(graded.notes_in(language)), papers(folder / "in" / RESULTS)
    return WebResult(notes, papers=found, glance=tuple(graded.glance))
