"""The pages of the gallery as bytes: filled anew each time, from the records alone."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from jinja2 import Environment

from generator.engine.preset import Preset
from generator.locales.catalogue import Catalogue, load
from generator.locales.locale import locale_of
from generator.render.worksheet.worksheet import environment
from generator.resources import template, templates
from generator.sheets.phrases import typeset
from generator.sheets.series import COMPLETE, SERIES
from generator.site.record import Entry, Record
from generator.site.sequences import Ready, zipped
from generator.version import __version__

FACES = ("SourceSans3-Regular.ttf", "SourceSans3-Semibold.ttf", "PaperformerHanzi-Regular.ttf")
FONTS = (*FACES, "OFL-SourceSans3.txt", "OFL-PaperformerHanzi.txt")
PICTURED = ("4a", "slide", "6")  # the sheet that stands for a model, the first that it has
MEGA = 1_000_000
SITEMAP = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{lines}</urlset>
"""


class Model(NamedTuple):
    """A preset as its page shows it."""

    name: str
    title: str
    says: str
    meaningful: bool
    record: Record

    @property
    def picture(self) -> str:
        """The picture that stands for it."""
        by_name = {entry.sheet: entry for entry in self.record.entries}
        known = [by_name[name] for name in PICTURED if name in by_name]
        return (known or list(self.record.entries))[0].picture

    @staticmethod
    def alone(entry: Entry) -> bool:
        """Whether a sheet has no levels: nothing is filled in, or all levels are the same files."""
        same = len({tuple(size.files.values()) for size in entry.sizes}) < len(entry.sizes)
        return same or not SERIES[entry.sheet].kind.filled

    @staticmethod
    def first(entry: Entry) -> str:
        """The file that a picture leads to."""
        size = entry.sizes[len(entry.sizes) // 2]
        return next(iter(size.files.values()))


class Offer(NamedTuple):
    """A sequence to download, and its size in MB as it is said."""

    ready: Ready
    size: str


@dataclass(frozen=True)
class Site:
    """What the pages show: records by language and preset, sequences by language."""

    folder: Path
    presets: tuple[Preset, ...]
    languages: tuple[str, ...]
    records: Mapping[tuple[str, str], Record]
    ready: Mapping[str, tuple[Ready, ...]]
    address: str = ""
    docs: bool = False

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
        pages, offers = {}, []
        for one in self.ready[language]:
            content = zipped(one, self.folder, plan(one, language))
            pages[f"{language}/{one.file}"] = content
            offers.append(Offer(one, _megabytes(len(content), language)))
        models = [model(preset, language, record) for preset in self.presets
                  if (record := self.records.get((language, preset.name)))]  # fmt: skip
        say = load(language)
        pages[f"{language}/index.html"] = self._page(
            "home", language, "index", say.t("gallery.title"), say.t("gallery.about"),
            offers=offers, models=models)  # fmt: skip
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
        return self._filled(
            page,
            load(language),
            root="../",
            home="index.html",
            title=title,
            about=about,
            here=f"{language}/{name}.html",
            others=self._others(language, name),
            **what,
        )

    def _others(self, language: str, name: str) -> dict[str, str]:
        """The same page in each other language that has it."""
        return {
            code: f"{code}/{name}.html"
            for code in self.languages
            if code != language and (name == "index" or (code, name) in self.records)
        }

    def _index(self) -> bytes:
        doors = {code: load(code) for code in self.languages}
        first = doors[self.languages[0]]
        return self._filled(
            "index", first, root="", home="index.html", title=first.t("gallery.title"),
            about=first.t("gallery.about"), here="index.html", doors=doors,
            others={code: f"{code}/index.html" for code in doors})  # fmt: skip

    def _filled(self, page: str, say: Catalogue, **what: object) -> bytes:
        names = {code: locale_of(code).name for code in self.languages}
        html = _templates().get_template(f"gallery/{page}.html.j2").render(
            t=say.t, language=say.language, names=names, address=self.address, docs=self.docs,
            version=__version__, set=typeset, **what)  # fmt: skip
        return html.encode()

    def _for_engines(self, pages: Iterable[str]) -> dict[str, bytes]:
        """What search engines read, where it is known under which address."""
        if not self.address:
            return {}
        places = (escape(self.address + name) for name in sorted(pages))
        lines = "".join(f"<url><loc>{place}</loc></url>\n" for place in places)
        sitemap = SITEMAP.format(lines=lines)
        robots = f"User-agent: *\nAllow: /\nSitemap: {self.address}sitemap.xml\n"
        return {"sitemap.xml": sitemap.encode(), "robots.txt": robots.encode()}


def model(preset: Preset, language: str, record: Record) -> Model:
    """A preset in a language, with what is said of it there: what it shows, else what it is for."""
    own = load(language).phrases.get(f"gallery.model.{preset.name}", "")
    says = (preset.shows or {}).get(language, own)
    return Model(preset.name, preset.heading(language), says, preset.meaningful, record)


def plan(ready: Ready, language: str) -> bytes:
    """The plan of a sequence's lessons, which its ZIP holds."""
    say, lines = load(language), _style().splitlines(keepends=True)
    css = "".join(line for line in lines if not line.startswith("@font-face"))
    html = _templates().get_template("gallery/plan.html.j2").render(
        t=say.t, language=language, ready=ready, css=css, set=typeset)  # fmt: skip
    return html.encode()


def _megabytes(size: int, language: str) -> str:
    """A size as one says it, never 0: "1.4"."""
    tenths = max(1, math.ceil(10 * size / MEGA))
    return f"{tenths // 10}{locale_of(language).numbers.decimal}{tenths % 10}"


def _style() -> str:
    return template("gallery/gallery.css").read_text("utf-8")


@cache
def _templates() -> Environment:
    return environment()
