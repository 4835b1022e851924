"""What an exam refuses, each with one message; who sits where; the grades; words by hand."""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import generator
from generator.classroom.pupils.roster import Pupil
from generator.errors import UserError
from generator.exams import run
from generator.exams.papers import SeatPlace, grades, seated, toml
from generator.grading.marking.scheme import Scheme, read_scheme
from generator.grading.marking.task import batch_in
from generator.grading.results.tables import ResultWords


def test_points_in_a_scheme_are_refused(tmp_path: Path):
    scheme = tmp_path / "own.toml"
    scheme.write_text("[points]\n4a = 20\n")
    with pytest.raises(UserError, match="leave \\[points\\] out"):
        run.scheme_of(scheme, None, "de")
    with pytest.raises(UserError, match="--grades"):
        run.scheme_of(scheme, "15", "de")
    assert not (tmp_path / "exam").exists()


def test_what_a_list_says_of_single_pupils_is_said_not_to_count(tmp_path: Path):
    listed = tmp_path / "8b.csv"
    listed.write_text("id;Stufe;Satz;Gruppe\n1;1;Hallo;B\n2;;;rot\n", encoding="utf-8")
    made = generator.exam(listed, tmp_path / "exam", only=["xlsx"], minutes=60, seed="9a")
    unused = "with an exam nobody has an own sentence or level"
    assert [note.startswith(unused) for note in made.notes if "own" in note] == [True]
    batch = batch_in(tmp_path / "exam")
    assert {(one.level, one.sentence) for one in batch.manifest.pupils} == {(2, None)}
    assert [one.group for one in batch.manifest.pupils] == ["B", "B"]


def neighbours(places: Iterable[SeatPlace]) -> Iterator[tuple[SeatPlace, ...]]:
    """All pairs of taken places beside and behind each other."""
    taken = set(places)
    for place in taken:
        for other in (place._replace(seat=place.seat + 1), place._replace(row=place.row + 1)):
            if other in taken:
                yield place, other


@pytest.mark.parametrize("versions", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("width", [2, 5, 6])
def test_neighbours_never_have_the_same_version(versions: int, width: int):
    pupils = [Pupil(str(k), "", k, number=k) for k in range(1, 32)]
    listed = run.in_versions(lambda: iter(pupils), versions, width)
    groups = [row.group for row in listed()]
    places = {place: groups[k] for k, place in seated(groups, versions, width)}
    assert len(places) == len(pupils)
    assert sorted(places) == [SeatPlace(*divmod(k, width)) for k in range(31)]  # none is free
    pairs = list(neighbours(places))
    assert pairs
    assert all(places[one] != places[other] for one, other in pairs)
    assert set(groups) == set("ABCDEF"[:versions])


def test_versions_that_the_list_gives_are_seated_apart_as_well():
    groups = ["A"] * 5 + ["B"] * 2
    found = seated(groups, 2, 4)
    places = {place: groups[k] for k, place in found}
    assert sorted(k for k, _ in found) == list(range(7))
    assert all(places[one] != places[other] for one, other in neighbours(places))
    kept = run.in_versions(lambda: iter([Pupil("1", "", 1, group="B", number=1)]), 2, 4)
    assert [row.group for row in kept()] == ["B"]


def test_late_joiners_change_nobodys_version():
    pupils = [Pupil(str(k), "", k, number=k) for k in range(1, 10)]
    few, everybody = (list(run.in_versions(rows, 2, 6)()) for rows in (
        lambda: iter(pupils[:7]), lambda: iter(pupils)))  # fmt: skip
    assert everybody[:7] == few


def test_from_the_points_of_the_key_on_and_not_before_there_is_the_grade():
    for table, half, total in itertools.product(("15", "1-6"), (True, False), (31, 64)):
        scheme = Scheme(grades=table, half=half)
        lines = list(grades(scheme, total, ResultWords("en")))
        assert len(lines) == len(scheme.steps)
        for line in lines:
            points = float(line["points"])
            assert scheme.grade(points / total) == line["grade"]
            before = points - (0.5 if half else 0.01)
            assert before < 0 or scheme.grade(before / total) != line["grade"]


def test_the_scheme_is_written_as_it_is_read(tmp_path: Path):
    own = [{"grade": "pass", "from": 50}, {"grade": 'no "pass"', "from": 0}]
    for scheme in (run.scheme_of(None, None, "de"), run.scheme_of(None, "1-6", "en"),
                   Scheme(grades=own, tolerance=0, credit={"carried": 0.5})):  # fmt: skip
        (tmp_path / "scheme.toml").write_bytes(toml(scheme, "Ä"))
        assert read_scheme(tmp_path / "scheme.toml") == scheme
    assert run.scheme_of(None, None, "de").grades == "15"
