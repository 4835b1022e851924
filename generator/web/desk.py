"""What the page can make from a teacher's answers: a look at a sheet, one set, a class's files.

No server is known here: each function takes the answers and gives bytes or writes below a folder,
by the same ways as the command line, so the same answers give the same files.
"""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from generator.api import batch, compute, exam, grade, reissue
from generator.classroom.desk.manifest import MANIFEST, opened
from generator.classroom.desk.reissue import NAMES, content_of
from generator.classroom.pupils.roster import read
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.engine.vocabulary import refusal
from generator.errors import UserError
from generator.exams.run import gives_points
from generator.grading.reading.collect import RESULTS
from generator.locales.catalogue import load
from generator.make import Request, exact_of, make, unfit
from generator.presets.computed import taken
from generator.presets.defaults import CLASS
from generator.presets.usual import Usual
from generator.processes import Progress
from generator.render.walk.page import Page
from generator.render.walk.pages import pages
from generator.render.worksheet.worksheet import planned, render
from generator.sheets.fonts import linked
from generator.sheets.options import SheetOptions
from generator.sheets.plan import MOST_SHOWN
from generator.sheets.series import SERIES, SHEETS
from generator.sheets.titles import numbers_of
from generator.web.form import CARDS, LEVELS, MOST_PUPILS, Choices, FieldProblem, RefusedAnswers
from generator.web.own_preset import own_preset, packed
from generator.web.packing import pack, papers
from generator.web.status import Overview, SheetSummary, WebResult

FONTS = "fonts/"  # where a sheet that is shown finds its fonts, beside it
NO_PDF = (
    "this needs PDF files, which a browser cannot make: exams, marks, and sheets of a class that "
    "has PDFs; take the page of a server (`paperformer serve`) or the command `paperformer`"
)
VERSIONS = "ABCDEF"  # of an exam
UNPACKED = 20_000_000  # bytes of a class list, which comes as 1 MB at most


def overview(choices: Choices) -> Overview:
    """The sheets of the answers with their minutes; `_none_fits` where there is none."""
    trace, sheets = _computed(choices), _sheets(choices)
    shown = {name: one for name, one in sheets.items() if one}
    if not shown:
        raise _none_fits(choices, trace)
    other = _other_model(choices)
    return Overview(
        sheets=tuple(shown.values()),
        left_out=tuple(name for name in sheets if name not in shown),
        new=other.new,
        notices=tuple(one for one in trace.notices if one not in other.notices),
        meaningful=trace.preset.meaningful,
        open=not ((choices.preset or choices.own) and refusal(trace.preset)),
        model=trace.preset.heading(trace.language),
        cards={name: _minutes(replace(choices, lesson=name)) for name in CARDS},
        levels={level: _minutes(replace(choices, level=level)) for level in LEVELS},
    )


def _other_model(choices: Choices) -> Usual:
    """Which words make another model be taken than the learned one, where none was named."""
    named = own_preset(choices.own) if choices.own else choices.chosen_preset
    return taken(named, choices.sentence or None, choices.words)


def _minutes(choices: Choices) -> int:
    """The minutes of what can be made of a card."""
    return sum(one.minutes for one in _sheets(choices).values() if one)


def _sheets(choices: Choices) -> dict[str, SheetSummary | None]:
    """What each sheet of the answers comes to; None for one that cannot be made."""
    model, options = _asked(choices), _options(choices)
    sheets = choices.chosen_sheets
    asked = [name for name in sheets if gives_points(name) or not choices.as_exam] or sheets
    return {name: _shown(name, options, *model) for name in asked}


@lru_cache(maxsize=64)
def _shown(name: str, options: SheetOptions, *model: str) -> SheetSummary | None:
    """A sheet, looked at once for all cards that have it."""
    trace = _trace(*model)
    if unfit(name, trace):
        return None
    minutes, t = planned(name, trace, options).minutes, load(trace.language).t
    return SheetSummary(name, t(f"sheet{name}.name"), t(SERIES[name].title), round(minutes))


def look(choices: Choices) -> str:
    """The sheet that is looked at, as HTML; the first of the set where none is named."""
    trace = _computed(choices)
    sheets = _fit(choices, trace)
    if not sheets:
        raise _none_fits(choices, trace)
    sheet = choices.shown if choices.shown in sheets else sheets[0]
    both = numbers_of(sheet, sheets, trace, exact_of(trace))
    kind = SERIES[sheet].kind
    (variant,) = ("solution",) if kind.complete else kind.variants((choices.variant,))
    page = render(sheet, *both, _options(choices), kind="html", variant=variant)
    return linked(page.decode(), FONTS)


def checked(content: bytes) -> str:
    """A preset of the teacher's, packed; `PresetError` with all its problems."""
    code = packed(content)
    own_preset(code)
    return code


def walked(choices: Choices) -> list[Page]:
    """Every step of the computation, as `paperformer walk` shows them."""
    trace = _computed(choices)
    return pages(trace, load(trace.language))


def single(choices: Choices, folder: Path, told: Progress, paper: str = "pdf") -> WebResult:
    """One set, blank and solved, as `paperformer make` writes it; zipped in `folder`/set.zip.

    `told` hears how many of how many sheets are made; `paper` is the kind of what is printed, "pdf"
    or "html".
    """
    trace = _computed(choices)
    sheets, only = _to_make(choices, trace), _outputs(choices, paper)
    request = Request(only, sheets, jobs=1, worksheet=_options(choices))
    made = make(trace, request, folder / "set", told)
    pack(folder, "set")
    return WebResult(tuple(made.notes), tuple(made.problems), papers(folder / "set"))


def school_class(
    choices: Choices, pupils: int | Path, folder: Path, told: Progress, paper: str = "pdf"
) -> WebResult:
    """A class's files as `paperformer batch` writes them; zipped in `folder`/set.zip.

    `told` hears how many of how many pupils' sets are made. Raises `RefusedAnswers` for a
    longer list than the page takes.
    """
    require_some(pupils)
    if choices.as_exam and paper != "pdf":
        raise UserError(NO_PDF)
    how = exam if choices.as_exam else batch
    made = how(
        pupils,
        folder / "set",
        only=_outputs(choices, paper),
        jobs=1,
        told=told,
        preset=_model(choices),
        sheets=_to_make(choices, _computed(choices)),
        sentence=choices.sentence or None,
        language=choices.words,
        print_names=bool(choices.print_names),
        **(_exam(choices) if choices.as_exam else {"vary": choices.vary, **_wishes(choices)}),
    )
    pack(folder, "set")
    return WebResult(tuple(made.notes), tuple(made.problems), papers(folder / "set"))


def _exam(choices: Choices) -> dict[str, Any]:
    """What an exam is told in place of a batch: as many versions as groups, two if none are said.

    An exam has no story.
    """
    wishes = {name: value for name, value in _wishes(choices).items() if name != "story"}
    groups = choices.vary.partition("=")[2] or "2"
    who = (
        {"vary": "numbers"} if choices.vary == "numbers" else {"versions": VERSIONS[: int(groups)]}
    )
    return {"minutes": choices.minutes, **who, **wishes}


def require_some(pupils: int | Path) -> None:
    """Raise `RefusedAnswers` for a longer list than the page takes, `UserError` for none."""
    count = pupils if isinstance(pupils, int) else sum(1 for _ in read(pupils, UNPACKED))
    if count > MOST_PUPILS:
        names = {"found": count, "most": MOST_PUPILS}
        raise RefusedAnswers({"list": FieldProblem("web.error.list-long", names)})


def reissued(manifest: Path, pupil: str, folder: Path) -> WebResult:
    """One pupil's files of a class again, as `paperformer reissue` writes them, zipped."""
    _require_shipped(manifest)
    reissue(manifest, pupil, folder / "set")
    pack(folder, "set")
    return WebResult()


def _require_shipped(manifest: Path) -> None:
    """Raise a `UserError` for an author's own sheet: its folder holds a program, never run here."""
    for name in opened(content_of(manifest), manifest.name)["settings"]["sheets"]:
        if name not in SHEETS:
            raise UserError(
                f"{manifest.name}: the batch has {name!r}, a sheet of an author's own, and this "
                "page reads none; expected shipped sheets; take the command `paperformer`"
            )


def marked(folder: Path, language: str, show_answers: bool, told: Progress) -> WebResult:
    """What a class handed in, marked as `paperformer grade` does it; the marks are zipped.

    `folder` holds the batch's manifest where the batch wrote it, and the files below "in". With the
    batch's names.csv beside the manifest the results have names, too.
    """
    _require_shipped(folder / MANIFEST)
    graded = grade(
        folder / "in",
        folder,
        names=(folder / MANIFEST).with_name(NAMES).exists(),
        language=language,
        show_answers=show_answers,
        jobs=1,
        told=told,
    )
    pack(folder, f"in/{RESULTS}")
    return WebResult(tuple(graded.notes), papers=papers(folder / "in" / RESULTS))


def _computed(choices: Choices) -> Trace:
    return _trace(*_asked(choices))


def _asked(choices: Choices) -> tuple[str, str, str, str]:
    """What the computation depends on."""
    return choices.sentence, choices.chosen_preset or "", choices.own, choices.words


@lru_cache(maxsize=8)
def _trace(sentence: str, preset: str, own: str, language: str) -> Trace:
    """The computation, made once for all cards that have it in common."""
    model = own_preset(own) if own else preset or None
    return compute(sentence or None, preset=model, language=language)


def _model(choices: Choices) -> str | Preset:
    """The model of a class."""
    return own_preset(choices.own) if choices.own else choices.chosen_preset or CLASS


def _fit(choices: Choices, trace: Trace) -> tuple[str, ...]:
    """Those of the sheets that this computation can fill, in an exam those with points."""
    sheets = (name for name in choices.chosen_sheets if not unfit(name, trace))
    return tuple(name for name in sheets if gives_points(name) or not choices.as_exam)


def _to_make(choices: Choices, trace: Trace) -> tuple[str, ...]:
    """The sheets to make; where none can be, all of them for the tabs of a workbook."""
    sheets = _fit(choices, trace)
    if not sheets and not choices.workbook and unfit(choices.chosen_sheets[0], trace):
        raise _none_fits(choices, trace)
    return sheets or choices.chosen_sheets


def _none_fits(choices: Choices, trace: Trace) -> Exception:
    """Why this computation can fill none of the sheets; most often the sentence is too long."""
    if len(trace.tokens) > MOST_SHOWN:
        names = {"found": len(trace.tokens), "most": MOST_SHOWN}
        return RefusedAnswers({"sentence": FieldProblem("web.error.words", names)})
    return UserError(unfit(choices.chosen_sheets[0], trace))


def _outputs(choices: Choices, paper: str) -> tuple[str, ...]:
    return ("xlsx", paper) if choices.workbook else (paper,)


def _wishes(choices: Choices) -> dict[str, Any]:
    """The answers that are choices for worksheets, by their names there."""
    return {
        "level": int(choices.level),
        "large_print": bool(choices.large),
        "story": bool(choices.story),
        "header": choices.header,
        "fillable": bool(choices.fillable),
    }


def _options(choices: Choices) -> SheetOptions:
    exam = {"points": True, "story": False} if choices.as_exam else {}
    return SheetOptions(language=choices.words, **{**_wishes(choices), **exam})
