"""The gallery: what is made again and what is not, links, bytes, and that blanks hold no answer."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

import generator
from generator import api
from generator.errors import UserError
from generator.presets.load import FOLDER
from generator.render.pictures import first_page
from generator.site.build import LIST, Built, begun, put
from generator.site.record import FILE, PartRecord
from tests.cli.command import files_below
from tests.site.links import broken


def gallery(folder: Path, presets: list[str | Path], **options: Any) -> Built:
    usual: dict[str, Any] = {"languages": ["de"], "small": True, "jobs": 1}
    return generator.gallery(folder, presets=presets, **{**usual, **options})


def own(folder: Path, title: str) -> Path:
    """A preset of one's own, with another title each time: mental's numbers."""
    text = (FOLDER / "mental.toml").read_text("utf-8")
    named = text.replace('name = "mental"', 'name = "mine"').replace("Ein Head zum", title)
    assert named.count(title) == 1
    path = folder / "mine.toml"
    path.write_text(named, "utf-8")
    return path


@pytest.mark.ci
def test_only_what_has_changed_is_made_again(tmp_path: Path):
    place, mine = tmp_path / "gallery", own(tmp_path, "Kopf zum")
    first = gallery(place, ["paris", mine])
    assert (first.made, first.stayed) == (("de/paris", "de/mine"), ())
    before = files_below(place)
    assert first.size == sum(map(len, before.values()))
    assert broken(place) == []

    again = gallery(place, ["paris", mine])
    assert (again.made, again.stayed) == ((), ("de/paris", "de/mine"))
    assert files_below(place) == before

    changed = gallery(place, ["paris", own(tmp_path, "Gehirn zum")])
    assert (changed.made, changed.stayed) == (("de/mine",), ("de/paris",))
    assert "Gehirn zum" in (place / "de/mine.html").read_text("utf-8")

    (place / "de/paris/slide-hand-out-blank.pdf").write_bytes(b"damaged")
    mended = gallery(place, ["paris", mine])
    assert (mended.made, mended.stayed) == (("de/paris",), ("de/mine",))

    fewer = gallery(place, ["paris"])
    assert (fewer.made, fewer.removed) == ((), ("de/mine",))
    assert broken(place) == []
    gallery(tmp_path / "fresh", ["paris"], jobs=2)
    assert files_below(place) == files_below(tmp_path / "fresh")


@pytest.mark.ci
def test_files_are_those_of_the_command_and_pictures_those_of_blanks(tmp_path: Path):
    gallery(tmp_path / "gallery", ["mental"], languages=["en"])
    trace = generator.compute(preset="mental", language="en")
    generator.write(trace, tmp_path / "own", ["pdf"], sheets=["4a"], jobs=1)
    generator.write(trace, tmp_path / "own", ["xlsx", "ipynb"], jobs=1)
    place, made = tmp_path / "gallery/en/mental", tmp_path / "own"
    record = PartRecord.kept(place)
    assert record
    (entry,) = record.entries
    assert entry.sheet == "4a"
    assert [size.level for size in entry.sizes] == [1, 2]  # level 1 for the route of 25 minutes
    usual = entry.sizes[1]
    blank = (place / usual.files["blank"]).read_bytes()
    assert blank == (made / "hand-out/4a-self-attention-blank.pdf").read_bytes()
    solution = (place / usual.files["solution"]).read_bytes()
    assert solution == (made / "teacher/4a-self-attention-solution.pdf").read_bytes()
    by_level = {book.level: (place / book.file).read_bytes() for book in record.books}
    assert by_level[2] == (made / "hand-out/workbook-exercise.xlsx").read_bytes()
    assert by_level[0] == (made / "teacher/workbook-solution.xlsx").read_bytes()
    assert (place / entry.picture).read_bytes() == first_page(blank)
    assert len(record.notebooks) == 2
    for name, folder in zip(record.notebooks, ("hand-out", "teacher"), strict=True):
        assert (place / name).read_bytes() == (made / folder / name).read_bytes()


@pytest.mark.ci
def test_a_room_is_the_commands_and_is_made_once(tmp_path: Path):
    place = tmp_path / "gallery"
    gallery(place, ["mental"], languages=["en"], room=True)
    before = files_below(place)
    assert broken(place) == []
    with zipfile.ZipFile(place / "room-en/paperformer-room.zip") as packed:
        room = {name: packed.read(name) for name in packed.namelist()}
    made = api.room(24, tmp_path / "own", form="45", language="en")
    assert room == {one.relative_to(tmp_path / "own").as_posix(): one.read_bytes() for one in made}
    page = (place / "en/index.html").read_text("utf-8")
    assert "room-en/wall.png" in page
    papers = sorted(path.name for path in (place / "planning-en").glob("*.pdf"))
    assert all(page.count(f'"../planning-en/{name}"') == 1 for name in papers)
    assert {"i-can.pdf", "twin-solution.pdf", "run-sheet-room-45.pdf"} < set(papers)
    assert sum("mosaic" in name for name in papers) == 4
    begun = (place / "room-en/wall.png").stat().st_mtime_ns
    gallery(place, ["mental"], languages=["en"], room=True)
    assert files_below(place) == before
    assert (place / "room-en/wall.png").stat().st_mtime_ns == begun
    gallery(place, ["mental"], languages=["en"])
    assert not [name for name in files_below(place) if "room" in str(name)]


@pytest.mark.ci
def test_levels_share_what_is_the_same_and_one_lesson_is_a_zip(tmp_path: Path):
    gallery(tmp_path, ["paris"], small=False, levels=[1, 2])
    record = PartRecord.kept(tmp_path / "de/paris")
    assert record
    entries = {entry.sheet: entry for entry in record.entries}
    assert {"bpe", "slide", "slides", "math", "formulas", "run"} <= entries.keys()
    one, two = entries["slide"].sizes
    assert one.minutes < two.minutes
    assert set(one.files.values()).isdisjoint(two.files.values())
    for sheet in ("slides", "math", "formulas", "run"):
        assert len(entries[sheet].sizes) == 1, sheet
    hashes = list(record.files.values())
    assert len(set(hashes)) == len(hashes), "the same file under two names"
    with zipfile.ZipFile(tmp_path / "de/paperformer-45.zip") as packed:
        names = set(packed.namelist())
        assert "Stunde-1/zum-Kopieren/Blatt zu den Folien.pdf" in names
        assert "Stunde-1/fuer-die-Lehrkraft/Folien.pdf" in names, "shown, not handed out"
        assert not [name for name in names if "Lösung" in name and "Kopieren" in name]
        packed.extractall(tmp_path / "unpacked")
    assert broken(tmp_path / "unpacked") == []
    assert broken(tmp_path) == []


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path):
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(UserError, match="is no gallery"):
        gallery(tmp_path, ["paris"])
    assert files_below(tmp_path) == {"index.html": b"mine"}


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "other", "files": []}'])
def test_a_list_that_is_none_of_ours_is_named(tmp_path: Path, text: str):
    (tmp_path / LIST).write_text(text)
    with pytest.raises(UserError, match=LIST):
        gallery(tmp_path, ["paris"])


def test_nothing_outside_the_folder_is_removed(tmp_path: Path):
    (tmp_path / "keep.txt").write_text("mine")
    place = tmp_path / "gallery"
    place.mkdir()
    listed = '{"format": "paperformer-gallery/1", "files": ["../keep.txt", "%s"]}'
    (place / LIST).write_text(listed % (tmp_path / "keep.txt"))
    put(place, {}, begun(place))
    assert (tmp_path / "keep.txt").read_text() == "mine"
    (place / "de/odd").mkdir(parents=True)
    (place / "de/odd" / FILE).write_text('{"key": ""}')
    assert PartRecord.kept(place / "de/odd") is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"presets": ["pariss"]}, "did you mean 'paris'"),
        ({"languages": ["xx"]}, "no language 'xx'"),
        ({"levels": [4]}, "no level '4'"),
        ({"address": "school.example"}, "--address"),
        ({"presets": ["paris", FOLDER / "paris.toml"]}, "two presets named 'paris'"),
        ({"jobs": 0}, "--jobs"),
    ],
)
def test_what_cannot_be_is_said(tmp_path: Path, options: dict[str, Any], message: str):
    with pytest.raises(UserError, match=message):
        generator.gallery(tmp_path / "gallery", **{"presets": ["paris"], **options})
    assert not (tmp_path / "gallery").exists()


@pytest.mark.ci
def test_a_gallery_without_routes_has_no_empty_boxes(tmp_path: Path):
    gallery(tmp_path / "none", ["katze"])
    assert 'class="card"' not in (tmp_path / "none/index.html").read_text("utf-8")
