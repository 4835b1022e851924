"""One part of the gallery: all files of one preset in one language, and what its page says.

Also here:

* The pages of the gallery as bytes: filled anew each time, from the records alone.
"""

import hashlib
import math
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.errors import UserError, require
from generator.locales.catalogue import Catalogue, load
from generator.locales.locale import locale_of
from generator.make import Request, exact_of, make
from generator.make.request import NOTEBOOK
from generator.notation.shown import number
from generator.presets.computed import computed
from generator.render.pictures import first_page
from generator.render.worksheet.worksheet import PrintedSheet, environment, planned, unfit
from generator.resources import template, templates
from generator.sheets.context import typeset
from generator.sheets.curriculum import CurriculumLine, curriculum
from generator.sheets.kind import Kind
from generator.sheets.options import SheetOptions
from generator.sheets.series import COMPLETE, SERIES, SHEETS
from generator.site.asked import middle
from generator.site.record import Book, PartRecord, SheetEntry, SheetSize
from generator.site.sequences import ReadySequence, zipped
from generator.version import __version__

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

    @cached_property
    def trace(self) -> Trace:
        """The computation of the preset's own sentence."""
        return computed(preset=self.preset, language=self.language)

    def made(self, key: str) -> tuple[PartRecord, dict[str, bytes]]:
        """All files by their names in the part's folder, and the record of them.

        A sheet that this preset cannot fill is left out. Raises `UserError` where another reason
        prevents one, and where nothing of the part can be made.
        """
        files: dict[str, bytes] = {}
        entries = [self._entry(name, files) for name in self.sheets if self._levels(name)]
        require(entries, "site.part", preset=self.preset, names=", ".join(self.sheets))
        books = self._books(files)
        notebooks = {path.name: content for path, content in self._notebooks().items()}
        files |= notebooks
        hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
        shown = tuple(entries), books, tuple(notebooks)
        return PartRecord(key, hashes, self.trace.sentence, *shown), files

    def _levels(self, sheet: str) -> list[int]:
        """The levels at which the sheet can be filled; one where all are the same."""
        wanted = (self.middle,) if SERIES[sheet].kind.alike else self.levels
        return [level for level in wanted if not unfit(sheet, self.trace, self._options(level))]

    def _options(self, level: int) -> SheetOptions:
        return SheetOptions(language=self.trace.language, level=level)

    def _papers(self, level: int, **what: Any) -> dict[Path, bytes]:
        """Some files of a level, as `make` writes them."""
        result = make(self.trace, Request(worksheet=self._options(level), jobs=1, **what))
        if result.problems:
            raise UserError("\n".join(result.problems))
        return dict(result.files)

    def _notebooks(self) -> dict[Path, bytes]:
        """The notebook to write in and the written one; nothing for a model that has none."""
        with suppress(UserError):
            return self._papers(self.middle, only=(NOTEBOOK,))
        return {}

    def _entry(self, sheet: str, files: dict[str, bytes]) -> SheetEntry:
        """One sheet at all levels; its files are put with the others."""
        by_level = {}
        for level in self._levels(sheet):
            papers = self._papers(level, only=("pdf",), sheets=(sheet,))
            by_level[level] = {path.stem: content for path, content in papers.items()}
        sizes = []
        for level, own in by_level.items():
            names = {}
            for stem, content in own.items():  # what is the same at two levels is one file
                same = [one for one, other in by_level.items() if other.get(stem) == content]
                levelled = f"-level-{same[0]}" if len(same) < len(by_level) else ""
                names[_kind(stem)] = f"{stem}{levelled}.pdf"
                files[names[_kind(stem)]] = content
            plan = planned(sheet, self.trace, self._options(level))
            sizes.append(SheetSize(level, plan.in_all, names))
        shown = by_level.get(self.middle) or next(iter(by_level.values()))
        files[f"{sheet}.png"] = first_page(next(iter(shown.values())))
        return self._described(sheet, tuple(sizes))

    def _described(self, sheet: str, sizes: tuple[SheetSize, ...]) -> SheetEntry:
        """What a sheet is called, what it teaches, what is needed before, in its own phrases."""
        options = self._options(sizes[0].level)
        own = PrintedSheet(sheet, self.trace, exact_of(self.trace), options)
        context = own.view(blank=False)
        t, phrases, key = context.catalogue.t, context.catalogue.phrases, f"sheet{sheet}"
        goal, before = phrases.get(f"{key}.goal", ""), f"{key}.prerequisites"
        needs = t(before, **context.telling()) if before in phrases else ""
        return SheetEntry(sheet, t(f"{key}.title"), goal, needs, f"{sheet}.png", sizes)

    def _books(self, files: dict[str, bytes]) -> tuple[Book, ...]:
        """The workbooks: one solution, an exercise for each level."""
        books = []
        for level in self.levels:
            variant = "both" if level == self.levels[0] else "blank"
            for path, content in self._papers(level, only=("xlsx",), variant=variant).items():
                exercise = "exercise" in path.stem
                name = f"{path.stem}{f'-level-{level}' if exercise else ''}{path.suffix}"
                files[name] = content
                books.append(Book(level if exercise else 0, name))
        return tuple(books)


def _kind(stem: str) -> str:
    """What a file is for; single files are handed out, the complete run is the teacher's."""
    last = stem.rpartition("-")[2]
    return last if last in KINDS else "solution" if stem == SERIES["run"].kind.slug else "blank"


FACES = ("SourceSans3-Regular.ttf", "SourceSans3-Semibold.ttf", "PaperformerHanzi-Regular.ttf")
FONTS = (*FACES, "OFL-SourceSans3.txt", "OFL-PaperformerHanzi.txt")
PICTURED = ("4a", "slide", "6")  # the sheet that stands for a model, the first that it has
MEGA = 1_000_000


class ModelPage(NamedTuple):
    """A preset as its page shows it."""

    name: str
    title: str
    says: str
    meaningful: bool
    record: PartRecord

    @property
    def picture(self) -> str:
        """The picture that stands for it."""
        entries = self.record.entries
        known = [one for name in PICTURED for one in entries if one.sheet == name]
        return (*known, *entries)[0].picture

    @staticmethod
    def alone(entry: SheetEntry) -> bool:
        """Whether a sheet has no levels: all are the same."""
        return SERIES[entry.sheet].kind.alike

    @staticmethod
    def first(entry: SheetEntry) -> str:
        """The file that a picture leads to."""
        return next(iter(entry.middle.files.values()))


class SheetPage(NamedTuple):
    """A sheet as its page shows it: every model that has it, the first one in the picture."""

    models: tuple[ModelPage, ...]
    name: str

    def entry(self, model: ModelPage) -> SheetEntry:
        """The sheet of a model."""
        return next(one for one in model.record.entries if one.sheet == self.name)

    @property
    def first(self) -> SheetEntry:
        """The sheet of the first model."""
        return self.entry(self.models[0])

    @property
    def kind(self) -> Kind:
        """What kind of sheet it is."""
        return SERIES[self.name].kind

    def curriculum(self, language: str) -> list[CurriculumLine]:
        """What curricula say that it is about, for readers of a language."""
        return curriculum(language, self.name)

    @property
    def minutes(self) -> int:
        """The minutes of the size that stands for all; 0 where nothing is asked."""
        return self.first.middle.minutes

    @property
    def files(self) -> dict[str, str]:
        """The files of that size by what they are for, below the folder of the language."""
        files = self.first.middle.files.items()
        return {kind: f"{self.models[0].name}/{name}" for kind, name in files}


@dataclass(frozen=True)
class Site:
    """What the pages show: records by language and preset, sequences by language.

    A `small` one leads to a sequence's files, of which the others have a ZIP, too.
    """

    folder: Path
    presets: tuple[Preset, ...]
    languages: tuple[str, ...]
    records: Mapping[tuple[str, str], PartRecord]
    ready: Mapping[str, tuple[ReadySequence, ...]]
    address: str = ""
    docs: bool = False
    small: bool = False
    rooms: Mapping[str, Collection[str]] = field(default_factory=dict)  # files of each language's
    plans: Mapping[str, Collection[str]] = field(default_factory=dict)  # papers, likewise

    def files(self) -> dict[str, bytes]:
        """Every file that is no part's, by its path below the gallery."""
        pages = {"gallery.css": _style().encode()}
        pages["icon.svg"] = template("web/icon.svg").read_bytes()
        pages |= {f"fonts/{name}": (templates() / "fonts" / name).read_bytes() for name in FONTS}
        for language in self.languages:
            pages |= self._of(language)
        pages["index.html"] = self._index()
        return pages | self._for_engines(name for name in pages if name.endswith(".html"))

    def _of(self, language: str) -> dict[str, bytes]:
        """The pages and the sequences of a language."""
        pages, offers = {}, []  # each with the size of its ZIP in MB as it is said
        for one in self.ready[language]:
            if self.small:
                offers.append((one, ""))
                continue
            content = zipped(one, self.folder, plan(one, language))
            pages[f"{language}/{one.file}"] = content
            size = math.ceil(10 * len(content) / MEGA) / 10  # never 0
            offers.append((one, number(size, 1, language)))
        say = load(language)
        models = [
            ModelPage(one.name, one.heading(language), _about(one, say), one.meaningful, record)
            for one in self.presets
            if (record := self.records.get((language, one.name)))
        ]
        sheets = [
            SheetPage(having, name)
            for name in (*SHEETS, COMPLETE)
            if (having := tuple(one for one in models if one.record.has(name)))
        ]
        pages[f"{language}/index.html"] = self._page(
            "home", language, "index", say.t("gallery.title"), say.t("gallery.about"),
            offers=offers, models=models, sheets=sheets, room=self.rooms.get(language),
            planning=[Path(one).name for one in self.plans.get(language, ())])  # fmt: skip
        for sheet in sheets:
            words = say.t(f"gallery.words.{sheet.name}")
            goal, needs = sheet.first.goal, sheet.first.needs
            aim = f"{say.t('sheet.goal')} {goal}" if needs else goal
            about = say.t("gallery.sheet.about", title=sheet.first.title, goal=aim, words=words)
            pages[f"{language}/sheet-{sheet.name}.html"] = self._page(
                "sheet", language, f"sheet-{sheet.name}", f"{sheet.first.title} – Paperformer",
                " ".join(about.split()), of=sheet)  # fmt: skip
        for one_model in models:
            about = say.t("gallery.model.about", title=one_model.title,
                          sentence=one_model.record.sentence)  # fmt: skip
            pages[f"{language}/{one_model.name}.html"] = self._page(
                "model", language, one_model.name, f"{one_model.title} – Paperformer", about,
                model=one_model, complete=COMPLETE)  # fmt: skip
        return pages

    def _page(
        self, page: str, language: str, name: str, title: str, about: str, **what: object
    ) -> bytes:
        others = {  # the same page in each other language that has it
            code: f"{code}/{name}.html"
            for code in self.languages
            if code != language and name in self._named(code)
        }
        return self._filled(
            page, load(language), root="../", home="index.html", title=title, about=about,
            here=f"{language}/{name}.html", others=others, **what)  # fmt: skip

    def _named(self, language: str) -> set[str]:
        """The pages of a language: the first one, its models and their sheets."""
        own = {name: one for (code, name), one in self.records.items() if code == language}
        sheets = (f"sheet-{entry.sheet}" for one in own.values() for entry in one.entries)
        return {"index", *own, *sheets}

    def _index(self) -> bytes:
        doors = {code: load(code) for code in self.languages}
        first = doors[self.languages[0]]
        return self._filled(
            "index", first, root="", home="index.html", title=first.t("gallery.title"),
            about=first.t("gallery.about"), here="index.html", doors=doors,
            offers=self.ready, small=self.small,
            others={code: f"{code}/index.html" for code in doors})  # fmt: skip

    def _filled(self, page: str, say: Catalogue, **what: object) -> bytes:
        names = {code: locale_of(code).name for code in self.languages}
        html = environment().get_template(f"gallery/{page}.html.j2").render(
            t=say.t, language=say.language, names=names, address=self.address, docs=self.docs,
            version=__version__, set=typeset, **what)  # fmt: skip
        return html.encode()

    def _for_engines(self, pages: Iterable[str]) -> dict[str, bytes]:
        """What search engines read, where it is known under which address."""
        if not self.address:
            return {}
        addresses = [self.address + name for name in sorted(pages)]
        page = environment().get_template("gallery/sitemap.xml.j2")
        sitemap = f"{page.render(addresses=addresses)}\n"
        robots = f"User-agent: *\nAllow: /\nSitemap: {self.address}sitemap.xml\n"
        return {"sitemap.xml": sitemap.encode(), "robots.txt": robots.encode()}


def _about(preset: Preset, say: Catalogue) -> str:
    """What is said of a preset: what it shows, else what it is for."""
    own = say.phrases.get(f"gallery.model.{preset.name}", "")
    return (preset.shows or {}).get(say.language, own)


def plan(ready: ReadySequence, language: str) -> bytes:
    """The plan of a sequence's lessons, which its ZIP holds."""
    say, lines = load(language), _style().splitlines(keepends=True)
    css = "".join(line for line in lines if not line.startswith("@font-face"))
    html = environment().get_template("gallery/plan.html.j2").render(
        t=say.t, language=language, ready=ready, css=css, set=typeset)  # fmt: skip
    return html.encode()


def _style() -> str:
    return template("gallery/gallery.css").read_text("utf-8")
