"""The pages of the gallery without any sheet made: links, search engines, sequences, keys."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from lxml.html import document_fromstring

import generator
from docs.architecture_picture import imports, reach
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.presets.load import load_preset, shipped
from generator.render import pictures
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.site import build
from generator.site.part import Site
from generator.site.record import Book, PartRecord, SheetEntry, SheetSize
from generator.site.sequences import SEQUENCES, ready
from generator.web.form import CARDS
from tests.site.links import broken
from tests.support.memo import computed

MOST_MINUTES, MOST_IN_ALL = 20, 36  # of computing, and of all that is asked, in a lesson of 45


class Heads(NamedTuple):
    """The title, the description and the addresses that a page states."""

    title: str
    about: str
    addresses: dict[str, str]

    @classmethod
    def of(cls, text: str) -> "Heads":
        head = document_fromstring(text).head
        links = head.xpath("link[@rel='canonical' or @rel='alternate']")
        addresses = {one.get("hreflang", "own"): one.get("href") for one in links}
        about = head.xpath("string(meta[@name='description']/@content)")
        return cls(head.findtext("title"), about, addresses)


def size(sheet: str) -> SheetSize:
    return SheetSize(2, 9, {kind: f"{sheet}-{kind}.pdf" for kind in ("blank", "solution")})


def record(sheets: dict[str, str]) -> PartRecord:
    entries = tuple(
        SheetEntry(sheet, f"{title} <&>", "W_Q", "d_k", f"{sheet}.png", (size(sheet),))
        for sheet, title in sheets.items()
    )
    names = [name for entry in entries for name in entry.sizes[0].files.values()]
    names += [entry.picture for entry in entries] + ["book.xlsx"]
    return PartRecord("key", dict.fromkeys(names, ""), "Ein Satz", entries, (Book(0, "book.xlsx"),))


def site(folder: Path, address: str = "") -> dict[str, bytes]:
    """Two languages, two presets, one sequence; the parts' files are empty."""
    records = {("de", "paris"): record({"slide": "Blatt", "slides": "Folien"}),
               ("en", "paris"): record({"slide": "Sheet", "slides": "Slides"}),
               ("de", "katze"): record({"4a": "Blatt 4a"})}  # fmt: skip
    for (language, name), one in records.items():
        (folder / language / name).mkdir(parents=True)
        for file in one.files:
            (folder / language / name / file).write_bytes(b"")
    offers = {language: tuple(ready(records, language, 2)) for language in ("de", "en")}
    presets = (load_preset("paris"), load_preset("katze"))
    files = Site(folder, presets, ("de", "en"), records, offers, address).files()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return files


def test_pages_lead_to_files_and_nowhere_else(tmp_path: Path):
    files = site(tmp_path)
    assert broken(tmp_path) == []
    pages = {name: content.decode() for name, content in files.items() if name.endswith(".html")}
    assert len(pages) == 6
    assert not [name for name, text in pages.items() if "<script" in text or "http" in text]
    assert {"sitemap.xml", "robots.txt"}.isdisjoint(files)
    assert "de/one-lesson.zip" in files
    assert "de/three-lessons.zip" not in files
    heads = [Heads.of(text) for name, text in pages.items() if name != "index.html"]
    assert all(head.title and head.about for head in heads)
    assert len({(head.title, head.about) for head in heads}) == len(heads)
    assert "Blatt &lt;&amp;&gt;" in pages["de/paris.html"]
    assert "<i>W</i><sub>Q</sub>" in pages["de/paris.html"]


def test_search_engines_get_every_page_once_an_address_is_known(tmp_path: Path):
    address = "https://school.example/p/"
    files = site(tmp_path, address)
    pages = [name for name in files if name.endswith(".html")]
    sitemap = files["sitemap.xml"].decode()
    assert sitemap.count("<loc>") == len(pages) == 6
    assert all(f"<loc>{address}{name}</loc>" in sitemap for name in pages)
    assert f"{address}sitemap.xml" in files["robots.txt"].decode()
    stated = Heads.of(files["de/paris.html"].decode()).addresses
    assert stated == {"own": f"{address}de/paris.html", "en": f"{address}en/paris.html"}
    assert Heads.of(files["de/katze.html"].decode()).addresses == {"own": f"{address}de/katze.html"}


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_lesson_of_a_sequence_computes_longer_than_twenty_minutes(language: str):
    assert [len(one.lessons) for one in SEQUENCES] == [1, 3, 6]
    for _, preset, lessons in SEQUENCES:
        trace = computed(None, preset, language, None)
        for lesson in lessons:
            plans = [planned(one, trace, SheetOptions(language=language)) for one in lesson]
            spent = sum(plan.minutes for plan in plans), sum(plan.in_all for plan in plans)
            assert 0 < spent[0] <= MOST_MINUTES, (preset, lesson, spent)
            for name, said in (
                ("de", "bis zu {} für die Blätter"),
                ("en", "up to {} for the sheets"),
            ):
                assert said.format(MOST_IN_ALL) in load(name).phrases["gallery.sequence.plan"]
            assert spent[1] <= MOST_IN_ALL, (preset, lesson, spent)


def test_one_lesson_is_the_first_lesson_of_the_page_for_teachers():
    first, card = SEQUENCES[0], CARDS["first"]
    assert (first.preset, first.lessons) == (card.preset, (card.sheets,))


@pytest.mark.ci
def test_rooms_left_out_of_the_key_cannot_decide_about_a_sheet():
    assert set(build.ELSEWHERE).isdisjoint(reach(imports(), "make"))
    names = [name for name, _ in build._files(build.PACKAGE, build.ELSEWHERE)]
    assert "generator/make/files.py" in names
    assert "generator/site/part.py" in names
    assert not [name for name in names if name.startswith(("generator/web", "generator/cli"))]


def test_a_key_is_that_of_its_preset_language_and_choice():
    katze, paris = load_preset("katze"), load_preset("paris")
    once = build.key_of(katze, "de", levels=(1, 2))
    others = {
        build.key_of(katze, "de", levels=(1, 2, 3)),
        build.key_of(katze, "en", levels=(1, 2)),
        build.key_of(paris, "de", levels=(1, 2)),
        build.key_of(replace(katze, sha256="0"), "de", levels=(1, 2)),
    }
    assert once == build.key_of(load_preset("katze"), "de", levels=(1, 2))
    assert once not in others
    assert len(others) == 4


def test_every_shipped_preset_is_there_and_described():
    from generator.locales.catalogue import load
    from generator.site.asked import asked

    wanted = asked(None, None, None, small=False, address=None, docs=False, jobs=None)
    assert sorted(wanted.presets) == sorted(shipped())
    assert set(wanted.languages) >= {"de", "en"}
    for preset in wanted.loaded:
        for language in ("de", "en"):
            phrases = load(language).phrases
            said = preset.shows.get(language) or phrases.get(f"gallery.model.{preset.name}")
            assert said, f"{preset.name} says nothing of itself in {language}"


def test_a_missing_library_is_named_with_the_way_to_install_it():
    with pytest.raises(UserError, match=r"no-such-thing: pip install 'paperformer\[gallery\]'"):
        pictures.versions(("no-such-thing",))
    assert pictures.versions().keys() == {"pypdfium2", "pillow"}
    assert generator.gallery
