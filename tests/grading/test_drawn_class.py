"""A class drawn from outside the grading, marked as a teacher marks it: what is fair, what is told.

The pupils (`tests.support.drawn_class`) work with arithmetic of their own; what they deserve and
what has happened is known from how they were made. `REACHED` is what the marking reaches; it shall
reach 0.003 of credit withheld, given and not legible, 0.03 of causes misleading, 0.2 unnamed. What
is better changes these numbers, what is worse is a defect.
"""

import csv
import json
import math
from pathlib import Path

import pytest
from openpyxl import load_workbook

from generator.api import compute
from generator.cli import main
from tests.support.drawn_class import handed_out
from tests.support.drawn_marks import Marked, graded, graded_again, marked, of_class
from tests.support.drawn_sheets import Printed, lines_of, worked_through
from tests.support.memo import once_below

AT_MOST = 0.035  # of wrong boxes and causes in a class of 28, where each one counts much
REACHED = {"withheld": 0.001, "given": 0.003, "misleading": 0.01, "unnamed": 0.12, "unread": 0.001}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("few")


@pytest.fixture(scope="module")
def few(folder: Path) -> Marked:
    """Four pupils with two sheets, who write numbers as the sheet prints them."""
    return graded(folder, 4, "few", sheets=("4a", "5"), freely=False)


def test_each_box_of_a_drawn_pupil_is_marked(few: Marked) -> None:
    assert len(few.marks) == sum(len(p.boxes) for p in few.pupils.values()) > 150


def test_who_goes_on_rightly_earns_all_and_who_does_not_nothing(few: Marked) -> None:
    assert [str(m) for m in (*few.withheld, *few.given)] == []


def test_a_slip_is_named_and_no_other(few: Marked) -> None:
    assert len(few.nameable) > 10
    assert sum(m.hit for m in few.nameable) > len(few.nameable) / 2
    assert [str(m) for m in few.misleading] == []


SCHEME = """
half = true
grades = [{grade = "A", from = 80}, {grade = "B", from = 0}]
[points]
4a = 12
5 = 30
[credit]
carried = 0.5
"""
CARRIED = ("error carried", "right;")  # how a box is told that rests on own numbers


def test_a_scheme_and_decisions_change_what_they_name_and_nothing_else(
    few: Marked, folder: Path
) -> None:
    lost = [m for m in few.marks if m.why == "wrong" and m.heading.startswith("5 ")]
    expected = {(m.pupil.code, m.heading): m.credit for m in few.marks}
    for m in few.marks:
        if m.why.startswith(CARRIED):
            expected[m.pupil.code, m.heading] = 0.5
        if m.why == "wrong" and m.heading.startswith("4a "):
            expected[m.pupil.code, m.heading] = 0.25
    expected[lost[0].pupil.code, lost[0].heading] = 1
    decisions = '[[decision]]\nsheet = "4a"\ncause = "wrong"\ncredit = 0.25\n[[decision]]\n'
    decisions += f'code = "{lost[0].pupil.code}"\ncell = "{lost[0].cell}"\ncredit = 1\n'
    came, scheme = folder / "came", folder / "mine.toml"
    (came / "marks/decisions.toml").write_text(decisions, "utf-8")
    scheme.write_text(SCHEME, "utf-8")
    command = ["grade", str(came), "--batch", str(folder / "batch"), "--language", "en"]
    assert main([*command, "--scheme", str(scheme)]) == 0
    again = marked([*few.pupils.values()], came / "marks")
    found = {(m.pupil.code, m.heading): m.credit for m in again.marks}
    assert found == expected
    changed = sum(m.credit != expected[m.pupil.code, m.heading] for m in few.marks)
    with (came / "marks/journal.csv").open(encoding="utf-8-sig", newline="") as file:
        assert sum(row[0] == "2" for row in csv.reader(file)) == changed > 5
    with (came / "marks/grades.csv").open(encoding="utf-8-sig", newline="") as file:
        lines = {row[1]: row for row in csv.reader(file)}
    for code, pupil in few.pupils.items():
        points = []
        for sheet, most in (("4a", 12), ("5", 30)):
            own = [found[code, heading] for heading in pupil.boxes_of(f"{sheet} ")]
            points.append(math.floor(2 * most * sum(own) / len(own) + 0.5) / 2)
        assert [float(x) for x in lines[code][2:6]] == [*points, sum(points), 42]
        assert lines[code][6] == ("A" if sum(points) >= 0.8 * 42 else "B")


@pytest.fixture(scope="module")
def out() -> Path:
    """The batch of a class of 60, with five sheets, of which each pupil hands in four."""
    return once_below(lambda place: handed_out(place, 60, "class"), "class of 60") / "batch"


@pytest.mark.ci
def test_a_pupils_own_arithmetic_finds_what_the_teachers_key_says(out: Path) -> None:
    key = load_workbook(out / "teacher" / "answer-key.xlsx", read_only=True)
    rows = [row for page in key for row in page.iter_rows(values_only=True, min_row=2)]
    manifest = json.loads((out / "teacher" / "manifest.json").read_text(encoding="utf-8"))
    found = {seat["code"]: _found(seat) for seat in manifest["pupils"]}
    numbers = [row for row in rows if (row[2], row[8]) in found[row[0]]]
    assert len(numbers) > 6000
    assert [row for row in numbers if float(row[6]) not in found[row[0]][row[2], row[8]]] == []


def _found(seat: dict) -> dict[tuple[str, str], set[float]]:
    """What a pupil who errs nowhere writes, by sheet and name of the step."""
    given = {name: seat[name] for name in ("sentence", "edits", "language")}
    trace = compute(**given, preset=seat["preset"].removesuffix(".toml"))
    printed = Printed(trace, seat["exercise"])
    lines, found = lines_of(printed), {}
    for name, row in worked_through(lines).items():
        sheet, step, _ = lines[name].heading.split()
        found.setdefault((sheet, step), set()).update(row.tolist())
    return found


def shares(marked: Marked) -> dict[str, float]:
    """How much of what could go wrong did."""
    right, probable = len(marked.having(1)), len(marked.probable)
    unnamed = sum(not m.hit for m in marked.nameable)
    return {
        "withheld": len(marked.withheld) / right,
        "given": len(marked.given) / len(marked.having(0)),
        "misleading": len(marked.misleading) / probable,
        "unnamed": unnamed / len(marked.nameable),
        "unread": len(marked.unread) / right,
    }


@pytest.mark.parametrize(
    "freely",
    [pytest.param(False, marks=pytest.mark.whole), pytest.param(True, marks=pytest.mark.ci)],
    ids=["as printed", "in many ways"],
)
def test_a_class_of_sixty_is_marked_fairly(out: Path, tmp_path: Path, freely: bool) -> None:
    """Those who write in many ways may go on with all digits, too."""
    options = ("--unrounded", "ok") if freely else ()
    marked = graded_again(out, tmp_path / "came", "class", *options, copies=4, freely=freely)
    print(marked.table())
    assert len(marked.having(1)) > 6000
    assert len(marked.nameable) > 250
    assert {name for name, share in shares(marked).items() if share > REACHED[name]} == set()
    assert (marked.suspected, marked.unseen) == ([], [])
    credited = sum(m.credit == 1 for m in marked.unrounded)
    assert len(marked.unrounded) > 50
    assert credited > 0.8 * len(marked.unrounded) if freely else credited == 0
    told = marked.rounding().values()  # where all digits count there is little left to tell
    assert freely or sum(n for _, n in told) == sum(n for n, _ in told) > 10


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("carry own", marks=pytest.mark.ci),
        *(pytest.param(one, marks=pytest.mark.whole) for one in ("exam, versions", "all alike")),
    ],
)
def test_other_classes_are_marked_as_fairly(tmp_path: Path, name: str) -> None:
    """Who brings own results along; an exam; and who has the same numbers as others."""
    found = of_class(tmp_path, name)
    print(found.table())
    assert len(found.having(1)) > 3000
    most = {what: max(share, AT_MOST) for what, share in REACHED.items()}
    most |= {"unnamed": 0.2, "withheld": REACHED["withheld"], "unread": 0}
    assert {what for what, share in shares(found).items() if share > most[what]} == set()
    # Who copied from somebody with the same numbers has the same right ones, which tell nothing.
    assert found.suspected == []
    assert name != "carry own" or found.unseen == []
