"""What the page can make from a teacher's answers: a look at a sheet, one set, a class's files.

No server is known here: each function takes the answers and gives bytes or writes below a folder,
by the same ways as the command line, so the same answers give the same files.
"""

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from generator.api import batch, compute, grade, reissue
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.make import Request, exact_of, make, unfit
from generator.output import write
from generator.render.walk.page import Page
from generator.render.walk.pages import pages
from generator.render.worksheet.worksheet import planned, render
from generator.sheets.cut_fonts import linked
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.sheets.small_numbers import numbers_of
from generator.web.form import CARDS, Choices

FONTS = "/fonts/"  # where a sheet that is shown finds its fonts
NO_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold: same files, same bytes
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Shown:
    """One sheet of the set: its name, its title, and the minutes that it prints."""

    name: str
    title: str
    minutes: int


@dataclass(frozen=True)
class Overview:
    """What the answers come to: the sheets that can be made, those that cannot, what to know.

    `meaningful` says whether the model's numbers mean something; `cards` are the minutes of each
    card with this sentence and amount, 0 where nothing of it can be made.
    """

    sheets: tuple[Shown, ...]
    left_out: tuple[str, ...]
    notices: tuple[str, ...]
    meaningful: bool
    cards: Mapping[str, int]

    @property
    def minutes(self) -> int:
        """The minutes of all sheets."""
        return sum(sheet.minutes for sheet in self.sheets)


@dataclass(frozen=True)
class Made:
    """What was written below the folder: what to know of it, and what could not be made."""

    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def overview(choices: Choices) -> Overview:
    """The sheets of the answers with their minutes; `UserError` where there is none."""
    trace = _computed(choices)
    reasons = {name: unfit(name, trace) for name in choices.chosen_sheets}
    if all(reasons.values()):
        raise UserError(next(iter(reasons.values())))
    return Overview(
        sheets=tuple(_shown(name, trace, choices) for name, why in reasons.items() if not why),
        left_out=tuple(name for name, why in reasons.items() if why),
        notices=trace.notices,
        meaningful=trace.preset.meaningful,
        cards={name: _minutes(replace(choices, lesson=name)) for name in CARDS},
    )


def _shown(name: str, trace: Trace, choices: Choices) -> Shown:
    minutes = planned(name, trace, _options(choices)).minutes
    return Shown(name, load(trace.language).t(SERIES[name].title), round(minutes))


def _minutes(choices: Choices) -> int:
    """The minutes of what can be made of a card."""
    trace = _computed(choices)
    fit = (name for name in choices.chosen_sheets if not unfit(name, trace))
    return sum(_shown(name, trace, choices).minutes for name in fit)


def look(choices: Choices) -> str:
    """The sheet that is looked at, as HTML; the first of the set where none is named."""
    trace = _computed(choices)
    fit = [name for name in choices.chosen_sheets if not unfit(name, trace)]
    sheet = choices.shown if choices.shown in fit else next(iter(fit), "")
    if not sheet:
        raise UserError(unfit(choices.chosen_sheets[0], trace))
    both = numbers_of(sheet, tuple(fit), trace, exact_of(trace))
    (variant,) = SERIES[sheet].kind.variants((choices.variant,)) or (choices.variant,)
    page = render(sheet, *both, _options(choices), kind="html", variant=variant)
    return linked(page.decode(), FONTS)


def walked(choices: Choices) -> list[Page]:
    """Every step of the computation, as `paperformer walk` shows them."""
    trace = _computed(choices)
    return pages(trace, load(trace.language))


def single(choices: Choices, folder: Path) -> Made:
    """One set, blank and solved, as `paperformer make` writes it; zipped in `folder`/set.zip."""
    trace, only = _computed(choices), ("xlsx", "pdf") if choices.workbook else ("pdf",)
    fit = tuple(name for name in choices.chosen_sheets if not unfit(name, trace))
    request = Request(only, fit or choices.chosen_sheets, jobs=1, worksheet=_options(choices))
    made = make(trace, request, folder / "set")
    write({folder / "set.zip": zipped(folder / "set")})
    return Made(tuple(made.notes), tuple(made.problems))


def school_class(choices: Choices, pupils: int | Path, folder: Path, told: Told) -> Made:
    """A class's files as `paperformer batch` writes them; zipped in `folder`/set.zip.

    `told` hears how many of how many pupils' sets are made.
    """
    made = batch(
        pupils,
        folder / "set",
        only=("xlsx", "pdf") if choices.workbook else ("pdf",),
        jobs=1,
        told=told,
        preset=choices.chosen_preset,
        sheets=choices.chosen_sheets,
        sentence=choices.sentence or None,
        language=choices.words,
        vary=choices.vary,
        print_names=bool(choices.print_names),
        **_wishes(choices),
    )
    write({folder / "set.zip": zipped(folder / "set")})
    return Made(tuple(made.notes), tuple(made.problems))


def reissued(manifest: Path, pupil: str, folder: Path) -> Made:
    """One pupil's files of a class again, as `paperformer reissue` writes them, zipped."""
    reissue(manifest, pupil, folder / "set")
    write({folder / "set.zip": zipped(folder / "set")})
    return Made()


def marked(folder: Path, language: str, show_answers: bool, told: Told) -> Made:
    """What a class handed in, marked as `paperformer grade` does it; the marks are zipped.

    `folder` holds the batch's manifest where the batch wrote it, and the files below "in".
    """
    found = grade(
        folder / "in", folder, language=language, show_answers=show_answers, jobs=1, told=told
    )
    write({folder / "set.zip": zipped(folder / "in/marks")})
    return Made(tuple(found.notes))


def zipped(folder: Path) -> bytes:
    """The files of a folder as one zip, the same bytes for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in _files(folder):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), NO_DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            packed.writestr(entry, path.read_bytes())
    return out.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _computed(choices: Choices) -> Trace:
    return compute(choices.sentence or None, preset=choices.chosen_preset, language=choices.words)


def _wishes(choices: Choices) -> dict[str, Any]:
    """The answers that are choices for worksheets, by their names there."""
    return {
        "level": int(choices.level),
        "large_print": bool(choices.large),
        "story": bool(choices.story),
        "header": choices.header,
    }


def _options(choices: Choices) -> SheetOptions:
    return SheetOptions(language=choices.words, **_wishes(choices))
