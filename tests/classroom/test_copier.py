"""The copier's file: each set together, info leaves as often as chosen, both sides of the paper."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import generator
from generator.classroom.desk.teacher import ClassPart
from generator.classroom.files.pupil_files import PupilSet, drawn
from generator.classroom.files.work_sheets import SharedLeaf
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.pupils.seats import usual_seat
from generator.cli.parser import parser
from generator.errors import UserError
from tests.support.sheets import text

MIXED = ("4a", "slides", "6", "formulas")  # two to fill in, one for all, one for the teacher
COMMON = ("4a · Infoteil", "6 · Infoteil", "formulas")


def lesson(**options: object) -> Lesson:
    return Lesson.asked(
        seed="9a", outputs=("pdf",), preset="katze", sheets=MIXED, language="de", **options
    )


def sets(info: str, *levels: int) -> list[str]:
    """What the file has, in order, for pupils of these levels."""
    chosen = lesson(info=info)
    seats = [
        replace(usual_seat(chosen, f"CODE{k}", f"{k}"), level=level)
        for k, level in enumerate(levels)
    ]
    of = tuple(PupilSet(seat, drawn(seat, {})) for seat in seats)
    return [
        f"{one.title} ({one.task.level})" if isinstance(one, SharedLeaf) else one.title
        for one in ClassPart(chosen, of).leaves()
    ]


def test_info_leaves_stand_once_in_front_for_each_sentence_and_level():
    own = [f"CODE{k} · {sheet}" for k in range(2) for sheet in ("4a", "6")]
    assert sets("once", 2, 2) == [*(f"{one} (2)" for one in COMMON), *own]
    two = [f"{one} ({level})" for level in (1, 3) for one in COMMON]
    assert sets("once", 1, 3) == [*two, *own]
    assert sets("none", 2, 2) == own


def test_with_each_set_they_stand_before_the_leaf_that_needs_them():
    one = ("4a · Infoteil ({})", "4a", "6 · Infoteil ({})", "6", "formulas ({})")
    expected = [f"CODE{k} · {name}".format(level) for k, level in enumerate((1, 3)) for name in one]
    assert sets("each", 1, 3) == expected


def test_a_class_is_printed_on_both_sides_if_not_said_else(words: list[str], expected: bool):
    args = parser().parse_args(["batch", "3", *words])
    chosen = {} if args.duplex is None else {"duplex": args.duplex}
    assert lesson(**chosen).worksheet.duplex is expected


def test_another_word_for_info_is_refused():
    with pytest.raises(UserError, match="there is no info 'twice'; choose from: once, each, none"):
        lesson(info="twice")


@pytest.mark.ci
def test_each_set_is_complete_and_reissue_knows_it(tmp_path: Path):
    place = tmp_path / "8b"
    generator.batch(
        2, place, sheets=("1", "formulas"), seed="9a", only=("pdf",), info="each", duplex=False
    )
    files = {path.name: text(path.read_bytes()) for path in place.glob("hand-out/*.pdf")}
    common = files["1-tokenizer-info.pdf"], files["formulas-formula-sheet.pdf"]
    words = f"{' '.join(common * 2)} {files['class-1-blank.pdf']}".split()
    assert sorted(files["class-blank.pdf"].split()) == sorted(words)
    manifest = place / "teacher/manifest.json"
    settings = json.loads(manifest.read_text(encoding="utf-8"))["settings"]
    assert (settings["info"], settings["worksheet"]["duplex"]) == ("each", False)
    for path in generator.reissue(manifest, "02", tmp_path / "again"):
        assert path.read_bytes() == (place / path.relative_to(tmp_path / "again")).read_bytes()
