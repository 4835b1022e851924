"""The pages of the gallery without any sheet made: links, search engines, sequences, keys."""

import json
import re
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
from generator.sheets.series import COMPLETE, SHEETS
from generator.site import build
from generator.site.part import Site
from generator.site.record import Book, PartRecord, SheetEntry, SheetSize
from generator.site.sequences import ready
from tests.site.links import broken


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
    offers = {language: tuple(ready(records, language)) for language in ("de", "en")}
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
    assert len(pages) == 11
    assert not [name for name, text in pages.items() if "<script" in text or "http" in text]
    assert {"sitemap.xml", "robots.txt"}.isdisjoint(files)
    assert "de/paperformer-45.zip" in files
    assert "de/paperformer-3x45.zip" not in files
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
    assert sitemap.count("<loc>") == len(pages) == 11
    assert all(f"<loc>{address}{name}</loc>" in sitemap for name in pages)
    assert f"{address}sitemap.xml" in files["robots.txt"].decode()
    stated = Heads.of(files["de/paris.html"].decode()).addresses
    assert stated == {"own": f"{address}de/paris.html", "en": f"{address}en/paris.html"}
    assert Heads.of(files["de/katze.html"].decode()).addresses == {"own": f"{address}de/katze.html"}


def test_each_sheet_has_a_page_that_says_what_it_is_to_people_and_engines(tmp_path: Path):
    address = "https://school.example/p/"
    files = site(tmp_path, address)
    page = document_fromstring(files["de/sheet-4a.html"].decode())
    assert "9 Minuten" in page.text_content()
    assert "Skalarprodukt" in page.text_content()
    assert page.xpath("//a[@class='go']/@href") == ["katze/4a-blank.pdf"], "what is printed"
    assert page.xpath("//a[@class='go other']/@href") == ["katze/4a-solution.pdf"]
    said = json.loads(page.xpath("string(//script[@type='application/ld+json'])"))
    assert said["id"] == f"{address}de/sheet-4a.html"
    assert said["type"] == ["LearningResource"]
    assert (said["name"], said["timeRequired"]) == ("Blatt 4a <&>", "PT9M")
    assert (said["inLanguage"], "by/4.0" in said["license"]["id"]) == (["de"], True)
    assert {"about", "audience", "educationalLevel", "keywords"} <= said.keys()
    parts = [one["contentUrl"].removeprefix(address) for one in said["encoding"]]
    assert all((tmp_path / part).is_file() for part in (*parts, said["image"][len(address) :]))
    both = Heads.of(files["en/sheet-slide.html"].decode()).addresses
    assert both["de"] == f"{address}de/sheet-slide.html"


# What the profile AMB (https://w3id.org/kim/amb/) asks of a resource, and where values come from.
URI, TWO = r"https?://\S+", "[a-z]{2}"
CONCEPTS = {
    "about": r"http://w3id\.org/kim/schulfaecher/s10(13|17)",
    "learningResourceType": r"https://w3id\.org/kim/hcrt/(worksheet|slide|text)",
    "audience": r"http://purl\.org/dcx/lrmi-vocabs/educationalAudienceRole/(student|teacher)",
    "educationalLevel": r"https://w3id\.org/kim/educationalLevel/level_3",
}
TEXTS = {"id": URI, "name": ".+", "description": ".+", "image": URI, "timeRequired": r"PT\d+M"}
LISTS = {"type": "LearningResource", "keywords": ".+", "inLanguage": TWO}


@pytest.mark.parametrize("language", ["de", "en", "en-US"])
def test_every_sheet_is_described_as_the_profile_of_repositories_asks(tmp_path: Path, language):
    one = record({name: name for name in (*SHEETS, COMPLETE)})
    about = (load_preset("katze"),), (language,), {(language, "katze"): one}, {language: ()}
    files = Site(tmp_path, *about, "https://school.example/p/").files()
    pages = {name: files[name] for name in files if name.startswith(f"{language}/sheet-")}
    assert len(pages) == len(one.entries)
    for name, content in pages.items():
        said = json.loads(document_fromstring(content.decode()).xpath("string(//script)"))
        known = {"@context", "license", "isAccessibleForFree", "encoding"}
        assert {*said, "timeRequired"} == {*known, *CONCEPTS, *TEXTS, *LISTS}
        amb, _, words = said["@context"]
        assert amb == "https://w3id.org/kim/amb/context.jsonld"
        assert re.fullmatch(TWO, words["@language"])
        for key, pattern in CONCEPTS.items():
            for concept in said[key]:
                assert re.fullmatch(pattern, concept["id"]), name
                assert concept["type"] == "Concept"
        texts = [(pattern, said[key]) for key, pattern in TEXTS.items() if key in said]
        texts += [(pattern, text) for key, pattern in LISTS.items() for text in said[key]]
        assert [text for pattern, text in texts if not re.fullmatch(pattern, text)] == []
        assert re.match(r"https?://creativecommons\.org/licenses/", said["license"]["id"])
        assert said["isAccessibleForFree"] is True
        assert {part["type"] for part in said["encoding"]} == {"MediaObject"}
        assert all(re.fullmatch(URI, part["contentUrl"]) for part in said["encoding"])


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_sheet_has_words_of_its_subjects(language):
    phrases = load(language).phrases
    words = {name: phrases[f"gallery.words.{name}"].split(", ") for name in (*SHEETS, COMPLETE)}
    assert all(len(set(own)) == len(own) >= 4 for own in words.values()), words


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
    from generator.site.asked import asked

    wanted = asked(None, None, None, small=False, address=None, docs=False, jobs=None)
    assert sorted(wanted.presets) == sorted(shipped())
    assert wanted.room
    small = asked(None, None, None, small=True, address=None, docs=False, jobs=None)
    assert not small.room  # with a room and papers for planning it would pass its 25 MB
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
