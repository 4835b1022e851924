"""How a drawn class was marked, beside what is true of it: read from what a teacher gets.

`python -m tests.support.drawn_marks FOLDER` makes the classes of `CLASSES`, grades them, and writes
their table into the marking rule's page. With the names of some it prints of each the whole table
and each box that was marked or explained otherwise than a fair colleague would. A class that is in
FOLDER already is marked again; `NAME/SEED` are other pupils with the sheets that it got.
"""

import csv
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from generator.cli import main
from tests.support.drawn_class import Box, Pupil, drawn, handed_out
from tests.support.drawn_slips import NAMED

COARSE = ("one less", "two", "one", "unrounded")  # roundings: one cause for the whole pupil


@dataclass(frozen=True)
class Mark:
    """What the results say of one box, and what is true."""

    pupil: Pupil
    heading: str
    box: Box
    credit: float
    why: str
    cause: str
    cell: str = ""

    @property
    def unread(self) -> bool:
        return self.why.startswith("not legible")

    @property
    def probably(self) -> str:
        """The cause, if one is named as the probable one."""
        return self.cause.removeprefix("probably: ") if self.cause.startswith("probably: ") else ""

    @property
    def hit(self) -> bool:
        """Whether the named cause, or one of those that are, is what has happened."""
        right = NAMED.get(self.box.habit)
        return bool(right and re.search(right, f"{self.why} {self.cause}"))

    @property
    def true(self) -> bool:
        """Whether what is named is true, if only of how this pupil rounds."""
        way = NAMED.get(self.pupil.rounding)
        return self.hit or bool(way and re.search(way, self.cause))

    def __str__(self) -> str:
        p, box = self.pupil, self.box
        who = f"{p.code} {p.given['preset']} {p.level}, {p.rounding}, {'; '.join(p.slips) or '–'}"
        true = f"{box.text!r} {box.habit or box.style} ({box.credit})"
        return f"{who} | {self.heading}: {true} → {self.credit:g} {self.why} {self.cause}"


@dataclass
class Marked:
    """All marks of a class, and what is counted in them."""

    marks: list[Mark]
    remarks: dict[str, str] = field(default_factory=dict)  # by code: what a person should look at

    def having(self, credit: float | None) -> list[Mark]:
        return [m for m in self.marks if m.box.credit == credit]

    @property
    def withheld(self) -> list[Mark]:
        """Read, right by what its pupil had, and yet not credited in full."""
        return [m for m in self.having(1) if m.credit < 1 and not m.unread]

    @property
    def unread(self) -> list[Mark]:
        return [m for m in self.having(1) if m.unread]

    @property
    def given(self) -> list[Mark]:
        """Credited without a reason."""
        return [m for m in self.having(0) if m.credit > 0]

    @property
    def unrounded(self) -> list[Mark]:
        """Numbers that follow with all digits of a calculator, and not with those on the paper."""
        return [m for m in self.marks if m.box.habit == "unrounded"]

    @property
    def uneven(self) -> list[Mark]:
        """Right numbers in each other's boxes, which are not credited by half."""
        return [m for m in self.having(0.5) if m.credit != 0.5]

    @property
    def probable(self) -> list[Mark]:
        return [m for m in self.marks if m.probably and m.box.habit != "copied"]

    @property
    def misleading(self) -> list[Mark]:
        """One cause named as the probable one, which it was not."""
        return [m for m in self.probable if not m.true]

    @property
    def nameable(self) -> list[Mark]:
        """Boxes with a slip that has a name, which cost its pupil something."""
        return [
            m
            for m in self.marks
            if m.box.habit in NAMED and m.box.habit not in COARSE and m.credit < 1
        ]

    def rounding(self) -> dict[str, tuple[int, int]]:
        """By habit of rounding: how many pupils lost something by it, and how many were told so."""
        lost: dict[str, dict[str, bool]] = {name: {} for name in COARSE}
        for m in self.marks:
            if m.box.habit in COARSE and m.credit < 1:
                known = lost[m.box.habit]
                known[m.pupil.code] = known.get(m.pupil.code, False) or m.hit
        return {name: (len(known), sum(known.values())) for name, known in lost.items()}

    def table(self) -> str:
        """Habit by habit and style by style, and the sums."""
        heads = ("boxes", "lost", "probably", "right", "among 2-3")
        lines = [f"{'habit':28}" + "".join(f"{head:>10}" for head in heads) + "  else"]
        lines += map(self._habit, sorted({m.box.habit for m in self.marks if m.box.habit}))
        lines += ["", f"{'way to write':28}{'boxes':>10}{'unread':>10}"]
        for style in sorted({m.box.style for m in self.having(1)}):
            mine = [m for m in self.having(1) if m.box.style == style]
            lines.append(f"{style:28}{len(mine):10}{sum(m.unread for m in mine):10}")
        return "\n".join([*lines, "", *self.sums()])

    def _habit(self, habit: str) -> str:
        mine = [m for m in self.marks if m.box.habit == habit]
        told = [m for m in mine if m.probably]
        among = sum(m.hit and not m.probably for m in mine)
        wrong = Counter(m.probably for m in told if not m.true).most_common(3)
        other = "; ".join(f"{n} × {cause}" for cause, n in wrong)
        lost, right = sum(m.credit < 1 for m in mine), sum(m.hit for m in told)
        counts = "".join(f"{n:10}" for n in (len(mine), lost, len(told), right, among))
        return f"{habit:28}{counts}  {other}"

    def sums(self) -> Iterator[str]:
        """What is aimed at, in one line each."""
        good, bad = len(self.having(1)), len(self.having(0))
        yield f"withheld {len(self.withheld)} of {good}, given wrongly {len(self.given)} of {bad}"
        yield f"not legible {len(self.unread)} of {good}"
        yield f"in each other's boxes {len(self.having(0.5))}, not by half {len(self.uneven)}"
        right = len(self.probable) - len(self.misleading)
        yield f"probably {len(self.probable)}, of these right {right}"
        hit, alone = (sum(m.hit and a <= bool(m.probably) for m in self.nameable) for a in (0, 1))
        yield f"slips that have a name {len(self.nameable)}, named {hit}, alone {alone}"
        told = [f"{name} {told} of {n}" for name, (n, told) in self.rounding().items()]
        yield f"roundings, pupils who were told: {', '.join(told)}"
        copies = [p for p in self.pupils.values() if p.copied]
        yield f"copied {len(copies)}, shown {len(copies) - len(self.unseen)}"
        yield f"shown though honest {len(self.suspected)}"

    def figures(self) -> Iterator[tuple[str, str]]:
        """The rows of the page: what is counted, and how many of how many."""
        good, bad, named = self.having(1), self.having(0), self.nameable
        one = [m for m in named if m.pupil.alone]
        told = self.rounding().values()
        copies = [p for p in self.pupils.values() if p.copied]
        probable, found = len(self.probable), [m for m in named if m.hit]
        alone = sum(bool(m.probably) for m in found)
        yield "right boxes, withheld", f"{len(self.withheld)} of {len(good):,}"
        yield "wrong boxes, credited", f"{len(self.given)} of {len(bad):,}"
        yield "right entries, not read", f"{len(self.unread)} of {len(good):,}"
        yield '"probably", right', f"{probable - len(self.misleading)} of {probable}"
        yield "slips that have a name, named (alone)", f"{len(found)} ({alone}) of {len(named)}"
        yield "of these by who has one habit", f"{sum(m.hit for m in one)} of {len(one)}"
        rounding = sum(n for _, n in told), sum(n for n, _ in told)
        yield "pupils who round in their own way, told", "{} of {}".format(*rounding)
        yield (
            "pupils who copied a sheet, shown",
            f"{len(copies) - len(self.unseen)} of {len(copies)}",
        )
        yield "honest pupils, shown", f"{len(self.suspected)} of {len(self.pupils)}"

    @property
    def pupils(self) -> dict[str, Pupil]:
        return {m.pupil.code: m.pupil for m in self.marks}

    @property
    def unseen(self) -> list[Pupil]:
        """Who handed in another's numbers, and is not shown beside whoever has them, too."""
        copies = [p for p in self.pupils.values() if p.copied]
        return [
            p for p in copies if not self._alike(p) & set(re.findall(r"\w+", self.remarks[p.code]))
        ]

    def _alike(self, pupil: Pupil) -> set[str]:
        same = {p.code for p in self.pupils.values() if p.copied == pupil.copied}
        return {pupil.copied, *same} - {pupil.code}

    @property
    def suspected(self) -> list[str]:
        """Who stands on the list of what to look at, and neither copied nor was copied from."""
        guilty = {code for p in self.pupils.values() if p.copied for code in (p.code, p.copied)}
        return [
            code
            for code, said in self.remarks.items()
            if "please check" in said and code not in guilty
        ]


def graded(folder: Path, pupils: int, seed: str, *, freely: bool = True, **lesson: Any) -> Marked:
    """A class that is made, works and is graded below a folder; `lesson` as for `handed_out`."""
    out = handed_out(folder, pupils, seed, **lesson)
    return graded_again(out, folder / "came", seed, freely=freely)


def graded_again(out: Path, came: Path, seed: str, *options: str, **as_drawn: Any) -> Marked:
    """Another class with the sheets of a batch that is there, graded by the command in English.

    `options` are further ones of `grade`, `as_drawn` those of `drawn`.
    """
    came.mkdir()
    command = ["grade", str(came), "--batch", str(out)]
    assert main([*command, "--template"]) == 0
    pupils = drawn(out, came / "typed.xlsx", seed, **as_drawn)
    assert main([*command, "--language", "en", *options]) == 0
    return marked(pupils, came / "marks")


def marked(pupils: list[Pupil], marks: Path) -> Marked:
    """The marks in a folder of results, in English, beside those pupils' truth."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for page in load_workbook(marks / "grading.xlsx", read_only=True):
        for row in page.iter_rows(values_only=True, min_row=2):
            found.setdefault(row[0], []).append(row)
    with (marks / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        remarks = {row["code"]: row["remarks"] for row in csv.DictReader(file)}
    return Marked([m for p in pupils for m in _marks(p, found.get(p.code, []))], remarks)


def _marks(pupil: Pupil, rows: list[tuple[Any, ...]]) -> Iterator[Mark]:
    """One mark a box; a row that no heading has the number of is the pupil's own."""
    numbered = {tuple(h.split()[:3]) for h in pupil.boxes}
    for _, sheet, _, _, _, _, _, _, credit, why, cause, cell, _ in rows:
        step, i, j = re.split(r"[\[,\]]", cell)[:3]
        at = i if (sheet, step, i) in numbered else "own"
        heading = f"{sheet} {step} {at} {j}"
        if heading in pupil.boxes:
            yield Mark(
                pupil, heading, pupil.boxes[heading], float(credit or 0), why, cause or "", cell
            )


def _told(marked: Marked) -> Iterator[str]:
    yield marked.table()
    for name in ("withheld", "given", "uneven", "misleading"):
        yield f"\n{name}:"
        yield from map(str, getattr(marked, name))


# The classes of the page -------------------------------------------------------------------------

ALIKE = {"presets": ("katze",)}
CLASSES: dict[str, dict[str, Any]] = {
    "class": {},
    "h1": {},
    "carry own": {"carry": "own"},
    "exam, own numbers": {"exam": True, "vary": "numbers", **ALIKE},
    "exam, versions": {"exam": True, "versions": "AB", **ALIKE},
    "all alike": {"vary": "focus", **ALIKE},
}
SIZES = {"class": 60, "h1": 60}  # others have 28
PAGE = Path(__file__).parents[2] / "docs/how-to/marking-rule.md"
TABLE = re.compile(r"\| of \|.*?\n\n", re.DOTALL)


def of_class(folder: Path, name: str) -> Marked:
    """The marks of one of these classes, made in a folder where it is not there."""
    name, _, seed = name.partition("/")
    place, pupils = folder / name, SIZES.get(name, 28)
    if not (place / "batch").exists():
        place.mkdir(parents=True)
        handed_out(place, pupils, name, **CLASSES[name])
    seed = seed or name
    return graded_again(place / "batch", place / f"came-{seed}", seed, copies=pupils // 15)


def page_table(classes: Mapping[str, Marked]) -> str:
    """The rows of the page, a column for each class."""
    columns = [dict(marked.figures()) for marked in classes.values()]
    lines = [["of", *classes], ["---"] * (len(columns) + 1)]
    lines += [[row, *(column[row] for column in columns)] for row in columns[0]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    where, *names = sys.argv[1:]
    if names:
        for one in names:
            print("\n".join(_told(of_class(Path(where), one))))
    else:
        table = page_table({one: of_class(Path(where), one) for one in CLASSES})
        PAGE.write_text(TABLE.sub(f"{table}\n", PAGE.read_text("utf-8")), "utf-8")
        print(table)
