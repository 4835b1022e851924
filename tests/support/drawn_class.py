"""A class drawn from a seed: who its pupils are, what they write, what a fair colleague would give.

Every pupil has a way of rounding, ways of writing, habits and accidents (`drawn_slips`). What each
box deserves follows from how it was made: one that was computed rightly from what its pupil had
earns its credit, whatever came before it; another does not, unless its number fits all the same.
Nothing of `generator.grading` is imported: who marks them must not know how they were made. `drawn`
works from the folder that `batch` made and the empty list that `grade --template` wrote.
"""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_DOWN
from pathlib import Path
from typing import Any

import numpy as np
from openpyxl import load_workbook

from generator.api import batch, compute, exam
from tests.support.drawn_sheets import Line, Printed, Row, lines_of, rounded, worked_through
from tests.support.drawn_slips import Lines, habits
from tests.support.drawn_styles import STYLES, plain

SHEETS = ("4a", "4b", "5", "6", "7a")
PRESETS = ("katze", "katze-trained", "katze", "random", "nihao")
ROUNDING = ("printed",) * 12 + ("unrounded",) * 3 + ("cut off",) * 2 + ("one less", "two", "one")
SLIPS = (0, 1, 1, 2, 2, 3)
RATES = (0.0, 0.01, 0.03, 0.06)  # how often an accident happens
ACCIDENTS = (
    *("sign", "term missing", "term twice", "term sign", "free", "free", "free", "digits", "comma"),
    *("neighbour", "swapped", "blank", "miswritten", "rounded up once"),
)
MISPLACED = ("swapped", "heads turned")
TICKS = ("x", "X", "✓", "✗", "ja")
SPANS = ("{:02}–{:02}", "{:02}-{:02}", "{:02} - {:02}", "{:02} – {:02}", "{:02} bis {:02}", "{}–{}")


@dataclass(frozen=True)
class Box:
    """What stands in one box, and what is true of it.

    `credit` is 1 or 0, 0.5 for right numbers in wrong boxes, and None where teachers differ: who
    goes on with all digits of the calculator, or with fewer than the sheet says. `habit` says how
    it came to be what it is, "" for rightly computed.
    """

    text: str
    credit: float | None
    habit: str = ""
    style: str = "plain"


@dataclass
class Entry:
    """A number in the making: what is gone on with, what is written (None: nothing), and why."""

    i: int
    held: float
    written: float | None
    habit: str = ""


@dataclass
class Pupil:
    """One pupil, with numbers of their own: what is asked, by its heading in the typed list."""

    code: str
    level: int
    given: Mapping[str, Any]  # what `compute` takes
    own: int | None
    asked: set[str]
    rng: random.Random
    carries: bool = False
    rounding: str = "printed"
    slips: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    rate: float = 0.0
    copied: str = ""  # the code of the pupil whose numbers these are
    boxes: dict[str, Box] = field(default_factory=dict)

    def be(self, deck: list[str], freely: bool) -> None:
        """Become somebody: draws a way to work; habits are dealt from a deck, so that all occur.

        `freely`: half of them write numbers in several ways.
        """
        self.rounding = self.rng.choice(ROUNDING)
        self.rate = self.rng.choice(RATES)
        self.styles = tuple(self.rng.sample(list(STYLES), 4 * self.rng.choice((0, freely))))
        desk = Desk(self)
        mine = [name for name in deck if desk.meets(name)][: self.rng.choice(SLIPS)]
        for name in mine:
            deck.remove(name)
            deck.append(name)
        self.slips = tuple(mine)
        desk.work()

    def writes(self, value: float, decimals: int) -> tuple[str, str]:
        """A right number in one of this pupil's ways to write, and the way's name."""
        if self.styles and self.rng.random() < 0.5:
            style = self.rng.choice(self.styles)
            if text := STYLES[style](value, decimals):
                return self.signed(text), style
        return self.signed(plain(value, decimals)), "plain"

    @property
    def alone(self) -> bool:
        """Whether this pupil has no more than one habit, roundings included."""
        return len(self.slips) + (self.rounding != "printed") < 2

    def boxes_of(self, sheet: str) -> dict[str, Box]:
        return {heading: box for heading, box in self.boxes.items() if heading.startswith(sheet)}

    def signed(self, text: str) -> str:
        """With the decimal sign of this pupil's language."""
        swap = self.given["language"] == "en"
        return re.sub(r"(?<![a-z])[.,](?=\s?\d)", _swapped, text) if swap else text


class Desk:
    """A pupil at work: `held` is what they go on with, `paper` what they and the sheet wrote."""

    def __init__(self, pupil: Pupil) -> None:
        """Lays out the sheets."""
        self.pupil = pupil
        self.printed = Printed(compute(**pupil.given), pupil.own, pupil.carries)
        self.lines, self.right = lines_of(self.printed), worked_through(lines_of(self.printed))
        self.table: dict[str, Lines] = habits(self.printed)
        self.held: dict[str, Row] = {}
        self.paper: dict[str, Row] = {}

    def meets(self, habit: str) -> bool:
        """Whether this pupil has a box in which this habit can show."""
        keys = [key for key in self.table.get(habit, ()) if key in self.lines]
        return any(self.asked(self.lines[key], key) for key in keys)

    def asked(self, line: Line, key: str) -> list[int]:
        return [i for i in range(len(self.right[key])) if self.heading(line, i) in self.pupil.asked]

    def work(self) -> None:
        """Fill the boxes of all sheets."""
        wrong = {key: name for name in reversed(self.pupil.slips) for key in self.table[name]}
        for key, line in self.lines.items():
            self.fill(key, line, wrong.get(key, ""))
        self.draw()

    def heading(self, line: Line, i: int) -> str:
        """A box's heading in the list, where one word of 7a has "own" in place of its row."""
        named = f"{line.heading} {i + 1}"
        if "matrix" not in line.heading or named in self.pupil.asked:
            return named
        kind, words = " ".join(line.heading.split()[:2]), self.printed.learned[: self.pupil.level]
        nameless = [w + 1 for w in words if f"{kind} {w + 1} 1" not in self.pupil.asked]
        return f"{kind} own {i + 1}" if line.heading in [f"{kind} {w}" for w in nameless] else named

    def fill(self, key: str, line: Line, habit: str) -> None:
        """One line of boxes; what is not asked is printed, and right."""
        right, asked = self.right[key], self.asked(line, key)
        self.held[key], self.paper[key] = right.copy(), right.copy()
        if not asked:
            return
        with np.errstate(all="ignore"):
            fair = line.row(self.held)  # rightly computed from what the pupil goes on with
            work = self.table[habit][key](self.held) if habit else fair
        made = {i: self.one(line, i, float(fair[i]), float(work[i]), habit) for i in asked}
        for entry in made.values():
            if not entry.habit and self.pupil.rng.random() < self.pupil.rate:
                Accident(self, line, entry, made).happen(self.pupil.rng.choice(ACCIDENTS))
        with np.errstate(all="ignore"):
            follows = line.row(self.paper)  # rightly computed from what stands on the paper
        for i, entry in made.items():
            near = float(right[i]), float(follows[i])
            self.pupil.boxes[self.heading(line, i)] = self.judged(line, entry, near)
            self.held[key][i] = entry.held
            self.paper[key][i] = entry.held if entry.written is None else entry.written

    def one(self, line: Line, i: int, fair: float, work: float, habit: str) -> Entry:
        """A number as this pupil rounds it, right or by a habit; none where there is none."""
        if not np.isfinite(fair):  # the calculator says "Error": all that needs it stays empty
            return Entry(i, np.nan, np.nan, "no number")
        seen = np.isfinite(work) and abs(work) < 10_000 and abs(work - fair) > 1e-9
        held, written = ROUNDERS[self.pupil.rounding](work if seen else fair, line.decimals)
        return Entry(i, held, written, habit if seen else "")

    def judged(self, line: Line, entry: Entry, near: tuple[float, ...]) -> Box:
        """The box as it is handed in, and what it deserves."""
        if entry.written is None:
            return Box("", 0, "blank")
        if entry.habit == "no number":
            return Box("", None, entry.habit)
        decimals = line.decimals
        leeway = (0.001 if line.copied else 1.001) * 10.0**-decimals
        fits = any(abs(entry.written - rounded(v, decimals)) <= leeway for v in near)
        way = self.pupil.rounding if self.pupil.rounding not in ("printed", "cut off") else ""
        habit = entry.habit or way
        if fits or not habit:
            text, style = self.pupil.writes(entry.written, decimals)
            return Box(text, 1, "", style)
        credit = None if habit == way else 0.5 if habit in MISPLACED else 0
        return Box(self.pupil.signed(plain(entry.written, decimals)), credit, habit)

    def draw(self) -> None:
        """The second half of sheet 6: intervals, drawn words, what top-k and top-p keep."""
        g, rng = self.printed, self.pupil.rng
        mine, right = self.spans(self.held["6.c"]), self.spans(self.right["6.c"])
        form = rng.choice(SPANS)
        for w, (a, b) in enumerate(mine):
            self.word(
                f"6 draw.digits 1 {w + 1}",
                form.format(a, b - 1) if b > a else "–",
                mine[w] == right[w],
            )
        for n, number in enumerate(g.draws):
            word, true = self.drawn(number, mine), self.drawn(number, right)
            if rng.random() < self.pupil.rate / 2:
                other = rng.choice([w for w in g.words if w not in (word, true)])
                self.word(f"6 draw.token {n + 1} 1", other, False, "free")
            else:
                self.word(f"6 draw.token {n + 1} 1", word, word == true)
        enough = int(np.searchsorted(np.cumsum(g.shares[g.order]), 0.9 - 1e-9)) + 1
        tick = rng.choice(TICKS)
        for sort, kept in (("topk", g.order[: g.most]), ("topp", g.order[:enough])):
            for w in range(len(g.words)):
                self.word(f"6 {sort}.tick 1 {w + 1}", tick if w in kept else "", True)

    @staticmethod
    def spans(cumulative: Row) -> list[tuple[int, int]]:
        """Each word's numbers from 0 to 99: the first one, and the one after its last."""
        ends = [round(100 * c) for c in cumulative]
        return list(zip([0, *ends[:-1]], ends, strict=True))

    def drawn(self, number: int, spans: list[tuple[int, int]]) -> str:
        return next(
            (self.printed.words[w] for w, (a, b) in enumerate(spans) if a <= number < b), "?"
        )

    def word(self, heading: str, text: str, right: bool, habit: str = "") -> None:
        """An answer that is no number; what follows from wrong intervals has None as its credit."""
        if heading in self.pupil.asked:
            credit = 0 if habit else 1 if right else None
            self.pupil.boxes[heading] = Box(
                text, credit, habit or ("" if right else "own intervals"), "word"
            )


def _swapped(sign: re.Match[str]) -> str:
    return "." if sign[0] == "," else ","


def _twice(value: float, decimals: int) -> tuple[float, float]:
    return (rounded(value, decimals),) * 2


Rounder = Callable[[float, int], tuple[float, float]]  # what is gone on with, what is written
ROUNDERS: dict[str, Rounder] = {
    "printed": _twice,
    "unrounded": lambda v, d: (v, rounded(v, d)),
    "cut off": lambda v, d: (rounded(v, d, ROUND_DOWN),) * 2,
    "one less": lambda v, d: _twice(v, max(d - 1, 1)),
    "two": lambda v, d: _twice(v, min(d, 2)),
    "one": lambda v, d: _twice(v, 1),
}


@dataclass(frozen=True)
class Accident:
    """Something that goes wrong in one box; nothing where it cannot, or would not be seen."""

    desk: Desk
    line: Line
    entry: Entry
    made: dict[int, Entry]

    def happen(self, kind: str) -> None:
        """Change the entry, and with two exchanged boxes the other one, too."""
        entry, unit = self.entry, 10.0**-self.line.decimals
        if kind == "swapped":
            return self.swap(unit)
        found = self.number(kind, entry.held, unit)
        if found is None or (kind != "blank" and abs(found - entry.held) <= 2 * unit):
            return None
        if kind not in ("blank", "miswritten", "neighbour"):
            entry.held = found  # and goes on with it
        entry.written, entry.habit = None if kind == "blank" else found, kind
        return None

    def number(self, kind: str, value: float, unit: float) -> float | None:
        """What is written instead, None where this cannot happen here."""
        rng, d = self.desk.pupil.rng, self.line.decimals
        if kind.startswith("term"):
            with np.errstate(all="ignore"):
                terms = self.line.work(self.desk.held)
            if terms.ndim < 2:
                return None
            times = {"term missing": -1, "term twice": 1, "term sign": -2}[kind]
            term = rng.choice(list(terms[self.entry.i]))
            return rounded(value + times * float(term), d)
        if kind == "neighbour":
            others = [e.held for e in self.made.values() if e is not self.entry and not e.habit]
            return rounded(rng.choice(others), d) if others else None
        far = rng.choice((-1, 1)) * rng.uniform(0.1, 1.5) * max(abs(value), 20 * unit)
        return {
            "sign": -value,
            "free": rounded(value + far, d),
            "digits": self.turned(value),
            "comma": rounded(value * rng.choice((0.1, 10)), d),
            "rounded up once": rounded(value, max(d - 1, 0)),
            "miswritten": rounded(value + rng.choice((-1, 1)) * rng.randint(3, 60) * unit, d),
            "blank": value,
        }[kind]

    def turned(self, value: float) -> float:
        """Two neighbouring digits exchanged."""
        text = plain(abs(value), self.line.decimals)
        at = [k for k in range(len(text) - 1) if text[k : k + 2].isdigit()]
        if not at:
            return value
        k = self.desk.pupil.rng.choice(at)
        turned = text[:k] + text[k + 1] + text[k] + text[k + 2 :]
        return float(turned.replace(",", ".")) * (-1 if value < 0 else 1)

    def swap(self, unit: float) -> None:
        """Two right numbers of a row, each in the other's box."""
        others = [e for e in self.made.values() if e is not self.entry and not e.habit]
        others = [e for e in others if abs(e.held - self.entry.held) > 3 * unit]
        if others and self.desk.pupil.rounding in ("printed", "cut off"):
            other = self.desk.pupil.rng.choice(others)
            self.entry.written, other.written = other.held, self.entry.held
            self.entry.habit = other.habit = "swapped"


# --- the class


def handed_out(folder: Path, pupils: int, seed: str, **lesson: Any) -> Path:
    """A batch, by default with numbers of everybody's own: levels and presets in turn.

    Or an exam, which is the same for all but for its numbers.
    """
    kinds: Sequence[str] = lesson.pop("presets", PRESETS)
    language = lesson.setdefault("language", "de")
    rows = ["id;level;preset;language\n"]
    rows += [
        f"p{i:02};{3 - i % 3};{kinds[i // 3 % len(kinds)]};{language}\n" for i in range(pupils)
    ]
    listed, out = folder / "class.csv", folder / "batch"
    listed.write_text("".join(rows), encoding="utf-8")
    lesson |= {"only": ("xlsx",), "seed": seed, "jobs": 1}
    if lesson.pop("exam", False):
        exam(
            listed,
            out,
            **{"sheets": SHEETS, "minutes": 200, "level": 3, "preset": kinds[0]} | lesson,
        )
    else:
        batch(listed, out, **{"vary": "numbers", "sheets": SHEETS} | lesson)
    return out


def drawn(
    batch_dir: Path, typed: Path, seed: str, copies: int = 0, freely: bool = True
) -> list[Pupil]:
    """The pupils of a batch, who have worked; the empty list is filled with what they wrote.

    `copies` of them hand in a neighbour's numbers on one sheet; `freely` as for `Pupil.be`.
    """
    book = load_workbook(typed)
    turned = ([cell or "" for cell in row] for row in book.active.iter_rows(values_only=True))
    heads, titles, *rows = map(list, zip(*turned, strict=True))
    manifest = json.loads((batch_dir / "teacher/manifest.json").read_text(encoding="utf-8"))
    seats = {seat["code"]: seat for seat in manifest["pupils"]}
    pupils = [_pupil(seats[row[0]], heads, row, seed) for row in rows]
    for pupil in pupils:
        pupil.carries = manifest["settings"]["worksheet"]["carry"] == "own"
    kinds = {p.given["preset"]: p for p in pupils}
    deck = list(dict.fromkeys(name for p in kinds.values() for name in Desk(p).table))
    random.Random(seed).shuffle(deck)
    for pupil in pupils:
        pupil.be(deck, freely)
    copied(pupils, copies)
    for pupil, row in zip(pupils, rows, strict=True):
        row[3:] = [
            pupil.boxes[h].text if h in pupil.boxes else cell
            for h, cell in zip(heads[3:], row[3:], strict=True)
        ]
    for line, row in enumerate(zip(heads, titles, *rows, strict=True), 1):
        for column, entry in enumerate(row, 1):
            book.active.cell(line, column).value = entry or None
    book.save(typed)
    return pupils


def _pupil(seat: Mapping[str, Any], heads: list[str], row: list[str], seed: str) -> Pupil:
    rng = random.Random(f"{seed}/{row[1]}")
    left = rng.choice(("4b", "7a")) + " "  # four sheets are handed in
    asked = {
        h
        for h, cell in zip(heads[3:], row[3:], strict=True)
        if cell != "–" and not h.startswith(left)
    }
    given = {k: seat[k] for k in ("sentence", "edits", "language")}
    given["preset"] = str(seat["preset"]).removesuffix(".toml")
    return Pupil(row[0], int(str(seat["level"])), given, seat["exercise"], asked, rng)


def copied(pupils: list[Pupil], copies: int) -> None:
    """Some pupils hand in, on one sheet, what another has written, who has other numbers.

    Where all have the same it is one who was not right throughout: else nobody could tell.
    """
    for n, pupil in enumerate(pupils):
        sheet = pupil.rng.choice(("4a ", "5 "))
        mine = pupil.boxes_of(sheet).keys()
        alike = [p for p in pupils[:n] if p.boxes_of(sheet).keys() == mine and not p.copied]
        others = [p for p in alike if (p.given, p.own) != (pupil.given, pupil.own)]
        others = others or [
            p for p in alike if any(b.credit == 0 for b in p.boxes_of(sheet).values())
        ]
        if copies and others:
            copies -= 1
            other = pupil.rng.choice(others)
            pupil.copied = other.code
            taken = other.boxes_of(sheet)
            pupil.boxes |= {h: replace(b, credit=None, habit="copied") for h, b in taken.items()}
