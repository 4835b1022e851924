"""One part of the gallery: all files of one preset in one language, and what its page says."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.make import Request, exact_of, rendered, unfit
from generator.presets.computed import computed
from generator.render.pictures import first_page
from generator.render.worksheet.worksheet import planned, view
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.site.asked import middle
from generator.site.record import Book, Entry, Record, Size

KINDS = ("blank", "solution", "help")  # the ends of a sheet's file names


@dataclass(frozen=True)
class Part:
    """What to make: these sheets of a preset in a language, at these levels."""

    preset: Preset
    language: str
    levels: tuple[int, ...]
    sheets: tuple[str, ...]

    @property
    def place(self) -> Path:
        """The folder below the gallery's: "de/katze"."""
        return Path(self.language, self.preset.name)

    @property
    def middle(self) -> int:
        """The level that stands for all."""
        return middle(self.levels)


def made(part: Part, key: str) -> tuple[Record, dict[str, bytes]]:
    """All files of a part by their names in its folder, and the record of them.

    A sheet that this preset cannot fill is left out. Raises `UserError` where another reason
    prevents one, and where nothing of the part can be made.
    """
    trace = computed(preset=part.preset, language=part.language)
    files: dict[str, bytes] = {}
    sheets = [name for name in part.sheets if _levels(part, trace, name)]
    entries = [_entry(part, trace, name, files) for name in sheets]
    if not entries:
        raise UserError(f"preset {part.preset.name!r} cannot fill any of {', '.join(part.sheets)}")
    books = _books(part, trace, files)
    hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
    return Record(key, trace.sentence, tuple(entries), books, hashes), files


def _entry(part: Part, trace: Trace, sheet: str, files: dict[str, bytes]) -> Entry:
    """One sheet at all levels; its files are put with the others."""
    by_level = {level: _papers(trace, sheet, level) for level in _levels(part, trace, sheet)}
    names = _named(by_level, SERIES[sheet].kind.filled)
    sizes = []
    for level, papers in by_level.items():
        files.update({names[level, stem]: content for stem, content in papers.items()})
        plan = planned(sheet, trace, SheetOptions(language=trace.language, level=level))
        by_kind = {_kind(stem): names[level, stem] for stem in papers}
        sizes.append(Size(level, plan.minutes, by_kind))
    shown = by_level.get(part.middle) or next(iter(by_level.values()))
    picture = f"{sheet}.png"
    files[picture] = first_page(next(iter(shown.values())))
    return replace(_described(sheet, trace, sizes[0].level), picture=picture, sizes=tuple(sizes))


def _levels(part: Part, trace: Trace, sheet: str) -> list[int]:
    """The levels at which this computation can fill the sheet; one where nothing is filled in."""
    wanted = part.levels if SERIES[sheet].kind.filled else (part.middle,)
    return [level for level in wanted if not unfit(sheet, trace, level)]


def _papers(trace: Trace, sheet: str, level: int) -> dict[str, bytes]:
    """A sheet's PDFs by their names without ending, as `make --sheets` writes them."""
    options = SheetOptions(language=trace.language, level=level)
    request = Request(only=("pdf",), sheets=(sheet,), worksheet=options, jobs=1)
    files, _, problems = rendered(trace, request)
    if problems:
        raise UserError("\n".join(problems))
    return {path.stem: content for path, content in files.items()}


def _named(by_level: dict[int, dict[str, bytes]], levelled: bool) -> dict[tuple[int, str], str]:
    """The name of each level's files; what is the same at two levels is one file."""
    names: dict[tuple[int, str], str] = {}
    for level, papers in by_level.items():
        for stem, content in papers.items():
            same = [one for one, other in by_level.items() if other.get(stem) == content]
            mark = f"-level-{same[0]}" if levelled and len(same) < len(by_level) else ""
            names[level, stem] = f"{stem}{mark}.pdf"
    return names


def _kind(stem: str) -> str:
    """What a file is for; single files are handed out, the complete run is the teacher's."""
    last = stem.rpartition("-")[2]
    return last if last in KINDS else "solution" if stem == SERIES["run"].kind.slug else "blank"


def _described(sheet: str, trace: Trace, level: int) -> Entry:
    """What a sheet is called, what it teaches, what is needed before, in its own phrases."""
    options = SheetOptions(language=trace.language, level=level)
    plan = planned(sheet, trace, options)
    context = view(plan, trace, exact_of(trace), options, Formulas(), blank=False)
    phrases, key = context.catalogue.phrases, f"sheet{sheet}"
    needs = f"{key}.prerequisites"
    return Entry(
        sheet,
        context.catalogue.t(f"{key}.title"),
        phrases.get(f"{key}.goal", ""),
        context.catalogue.t(needs, **context.telling()) if needs in phrases else "",
    )


def _books(part: Part, trace: Trace, files: dict[str, bytes]) -> tuple[Book, ...]:
    """The workbooks: one solution, an exercise for each level."""
    books = []
    for level in part.levels:
        for name, content in _workbooks(trace, level, level == part.levels[0]):
            files[name] = content
            books.append(Book(level if "exercise" in name else 0, name))
    return tuple(books)


def _workbooks(trace: Trace, level: int, both: bool) -> Iterator[tuple[str, bytes]]:
    options = SheetOptions(language=trace.language, level=level)
    variant = "both" if both else "blank"
    request = Request(only=("xlsx",), variant=variant, worksheet=options, jobs=1)
    files, _, problems = rendered(trace, request)
    if problems:
        raise UserError("\n".join(problems))
    for path, content in files.items():
        mark = f"-level-{level}" if "exercise" in path.stem else ""
        yield f"{path.stem}{mark}{path.suffix}", content
