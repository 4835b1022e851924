"""A room computes each number once, in time; its papers print nothing that it has to compute."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from zipfile import ZipFile

import numpy as np
import pypdfium2
import pytest

from generator import api
from generator.engine.evaluate import evaluate
from generator.engine.expr import Ref
from generator.errors import UserError
from generator.presets.load import load_preset
from generator.room.cards import SecondCard
from generator.room.checks import Probe
from generator.room.cut import RoomWork
from generator.room.forms import MOST, ClassRoom, class_rooms
from generator.room.papers import RoomPapers, RoomView
from generator.room.schedule import MINUTE
from generator.room.talk import TALK, TalkPapers
from generator.room.wall import HIGH, WIDE
from tests.render.test_accessibility import LEGIBLE
from tests.room.trial import outcome
from tests.support.copier import pieces
from tests.support.structure import conforms, stays_within

SIZES = (8, 13, 20, 28, 35, 60)
FORMS = ("25", "45", "90")
OTHERS = [("katze-trained", "Die Katze sitzt auf"), ("random", None), ("katze", "Die Die Katze")]
PAPERS = ("cards", "second", "wall", "poster", "slips", "finale", "conductor")


@cache
def rooms(form: str, pupils: int, language: str = "de") -> list[ClassRoom]:
    return class_rooms(pupils, form, language=language)


@cache
def every_room() -> list[ClassRoom]:
    fitting = [(f, n) for f in FORMS for n in SIZES]
    own = [class_rooms(20, "90", preset=p, sentence=s) for p, s in OTHERS]
    return [room for some in [*(rooms(f, n) for f, n in fitting), *own] for room in some]


def spots(own: ClassRoom, *, solved: bool = False):
    """Each card's spots."""
    view = RoomView(RoomPapers(own, 1, "de"), solved)
    for card in (*view.cards, view.second):
        tables = [table for part in card.parts for table in part.tables]
        yield card, [spot for table in tables for row in table.rows for spot in row]


def shown(own: ClassRoom) -> set:
    """The numbers that a form shows, found without the cut: by name, mask and temperature."""
    trace, last = own.trace, len(own.trace.tokens) - 1
    row = trace["temperature"].values[:, 0].tolist().index(1.0)
    found = set()
    for step in trace:
        kind, name = step.place.kind, step.name
        if name in ("output.logits", "output.all.logits"):
            count = 1 if name == "output.logits" else last
            found |= {(name, i, j) for i in range(count) for j in range(step.shape[1])}
        elif name in ("output.exp", "output.sum", "output.probabilities"):
            found |= {(name, row, j) for j in range(step.shape[1])}
        elif step.place.block and step.kind == "computed":
            copied = kind in ("mask", "masked", "concat", "contribution")
            if kind == "attention":
                weight = trace["block1.weight.output"].values
                copied = np.array_equal(weight, np.eye(len(weight)))
            square = kind in ("scores", "scaled", "exp", "weights")
            if not copied:
                found |= {(name, i, j) for i in range(step.shape[0])
                          for j in range(step.shape[1]) if not square or j <= i}  # fmt: skip
    return found


def test_every_number_stands_on_exactly_one_card_with_what_it_is_made_from():
    for own in every_room():
        boxes, twice, last = Counter(), Counter(), len(own.trace.tokens) - 1
        for card, some in spots(own):
            mine = Counter(spot.cell for spot in some if spot.kind == "own")
            assert mine.keys() == card.cells, card.name
            boxes, twice = (boxes, mine) if isinstance(card, SecondCard) else (boxes + mine, twice)
            read = {spot.cell for spot in some if spot.kind == "copy"}
            needed = {one for cell in card.cells for one in own.room.work.cells[cell]}
            assert needed - card.cells == read, card.name
        assert set(boxes) == shown(own)
        assert set(boxes.values()) == {1}
        doubled = {cell for cell in boxes if own.room.work.row(cell) == last}
        assert twice == Counter(c for c in doubled if not c[0].endswith((".key", ".value")))


def test_what_a_number_needs_is_enough_for_it():
    """All other numbers of the room are spoilt: none of them comes in."""
    for own in every_room():
        work, trace = own.room.work, own.trace
        for cell, needs in work.cells.items():
            spoilt = {name: trace[name].values.copy() for name in work.steps}
            for other in work.cells.keys() - needs:
                if not work.is_nothing(Ref(*other)):
                    spoilt[other[0]][other[1:]] = 77.7
            copied = {"last", "block1.concat", "block1.attention", "output.tempered"}

            def look(name, spoilt=spoilt, copied=copied, trace=trace):
                name = trace[name].name
                if name in copied and name not in spoilt:  # computed again from what is there
                    step = trace[name]
                    spoilt[name] = np.array([[evaluate(trace.cell(name, i, j), look)
                                              for j in range(step.shape[1])]
                                             for i in range(step.shape[0])])  # fmt: skip
                return spoilt[name] if name in spoilt else trace[name].values

            for name in (n for n in trace.steps if n.endswith(".masked")):
                head = name.removesuffix("masked")
                scaled = spoilt.get(f"{head}scaled")
                if scaled is not None:
                    spoilt[name] = np.where(np.isneginf(trace[name].values), -np.inf, scaled)
            assert evaluate(trace.cell(*cell), look) == trace[cell[0]].values[cell[1:]], cell


def test_every_number_is_there_before_it_is_needed():
    for own in every_room():
        runs = own.schedule.runs
        made = {cell: run for run in runs for cell in run.leg.cells}
        for run in runs:
            for cell in run.leg.cells:
                for one in own.room.work.cells[cell]:
                    other = made[one]
                    mates = other.leg.row == run.leg.row
                    way = 0 if other.leg.pair == run.leg.pair else 5 if mates else 25
                    finale = own.room.work.steps[cell[0]] == "finale"
                    way = 25 if way and finale else way
                    assert other.end + way <= run.start + 1e-6
        for pair in range(len(own.room.pairs)):
            mine = [run for run in runs if run.leg.pair == pair]
            assert all(a.end <= b.start + 1e-6 for a, b in pairwise(mine))


def test_rooms_have_everybody_and_keep_to_the_time_of_their_form():
    for form in FORMS:
        for pupils in SIZES:
            some = rooms(form, pupils)
            assert sum(one.room.pupils for one in some) == pupils
            for one in some:
                assert 2 * len(one.room.pairs) + one.room.left == one.room.pupils
                assert one.room.left <= one.form.places - 1
                assert one.schedule.end <= one.form.planned * MINUTE
    assert "".join(one.letter for one in rooms("25", MOST)) == "ABCDEFGHIJ"


def test_a_right_calculation_passes_every_probe():
    for own in every_room():
        probes = [Probe(own.room.work, leg.cells) for leg in own.room.legs]
        assert sum(bool(probe.sides) for probe in probes) > 5
        assert all(probe.holds(own.trace.values) for probe in probes)


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_blank_says_nothing_of_what_is_computed(language):
    """Other numbers in every cell that somebody computes leave each blank as it is."""
    for form, pupils in (("25", 13), ("45", 20), ("90", 20)):
        own = rooms(form, pupils, language)[0]
        work = own.room.work
        changed = []
        for name in work.steps:
            step, values = own.trace[name], own.trace[name].values.copy()
            for _, i, j in (cell for cell in work.cells if cell[0] == name):
                values[i, j] += 1 if step.place.kind not in ("weights", "exp") else 0.001
            changed.append(step._replace(values=values))
        other = RoomWork(own.trace.with_steps(changed), work.mental)
        room = type(own.room)(other, own.room.pupils, own.room.most)
        twin = ClassRoom(own.letter, room, own.form, own.tables)
        for paper in PAPERS[:-1]:
            blank = RoomPapers(own, 1, language).html(paper, solved=False)
            assert RoomPapers(twin, 1, language).html(paper, solved=False) == blank, paper
            if paper not in ("wall", "slips"):
                assert RoomPapers(own, 1, language).html(paper, solved=True) != blank
        for paper in TALK:
            talks = [TalkPapers([one], language).html(paper) for one in (own, twin)]
            assert talks[0] == talks[1]


def test_a_solution_is_the_blank_with_answers():
    for own in (rooms("25", 20)[0], rooms("90", 28)[0]):
        papers = RoomPapers(own, 1, "de")
        blank, solved = (papers.html("cards", solved=one) for one in (False, True))
        number = r'<span class="number">[^<]*</span>|<span class="box">[^<]*</span>'
        assert re.sub(number, "", solved) == re.sub(number, "", blank)
        boxes = re.findall(r'<td class="own".*?<span class="number">([^<]*)</span>', solved)
        assert len(boxes) == len(own.room.work.cells)
        assert all(boxes)
        assert not any(re.findall(r'<span class="number">([^<]+)</span>', blank))


def test_the_finale_gives_each_throw_to_one_word():
    for own in every_room():
        view = RoomView(RoomPapers(own, 1, "de"), solved=True)
        spans = [word.spots[-1].text for word in view.finale]
        throws = []
        for low, _, high in (span.partition("–") for span in spans if span != "–"):
            throws += range(int(low), int(high or low) + 1)
        assert throws == list(range(100))


def pixels(pdf: bytes, page: int, dpi: int = 254):
    """A page, 10 pixels a millimetre, dark is True."""
    image = pypdfium2.PdfDocument(pdf)[page].render(scale=dpi / 72, grayscale=True).to_numpy()
    return image.reshape(image.shape[:2]) < 128


def test_lines_meet_across_tiles():
    """Keys and values go on at the same height on the next sheet, within half a millimetre."""
    own = rooms("25", 13)[0]
    papers = RoomPapers(own, 1, "de")
    wall = RoomView(papers, solved=False).wall
    tiles, pdf = wall.tiles, papers._pdf("wall", solved=False)
    assert (len(tiles), tiles[-1].row, tiles[-1].column) == (8, 2, 4)
    left, right, below = (pixels(pdf, k) for k in (1, 2, 5))

    def runs(line):
        dark = np.flatnonzero(np.diff(line.astype(int)))
        return [int(k) for k in dark]

    a, b = runs(left[110:2860, 1995]), runs(right[110:2860, 112])
    assert len(a) >= 12
    assert all(min(abs(x - y) for y in b) <= 5 for x in a)
    # From the value down to the shares: the same place on the sheet below.
    a, b = runs(left[2860, 1750:1980]), runs(below[110, 1750:1980])
    assert len(a) == 2
    assert all(abs(x - y) <= 5 for x, y in zip(a, b, strict=True))
    assert wall.width == WIDE * 4
    assert wall.height == HIGH * 2


@pytest.mark.ci
@pytest.mark.parametrize(("form", "language"), [("25", "de"), ("90", "en")])
def test_papers_conform_and_survive_two_copies(form, language, tmp_path):
    """For screen readers; and copied in black and white, all text stays.

    How dark and wide rules are is looked up in the styles: tests/render/test_copies.py.
    """
    papers = RoomPapers(rooms(form, 8, language)[0], 1, language)
    solved = ("second", "finale", "conductor")
    for paper in ("cards", "slips", *solved):
        pdf = papers._pdf(paper, solved=paper in solved)
        conforms(pdf, tmp_path)
        stays_within(pdf)
        texts = [one for shot in pieces(pdf) for one in shot if sum(map(str.isalnum, one.text)) > 1]
        assert len(texts) > 9
        assert not [one for one in texts if one.kept < LEGIBLE], paper


@pytest.mark.parametrize("pupils", [8, pytest.param(24, marks=pytest.mark.ci)])
def test_the_conductor_s_sheet_says_how_much_paper_it_takes(pupils):
    """Printed on both sides no card shares a leaf with another one."""
    own = rooms("25", pupils)[0]
    papers = RoomPapers(own, 1, "de")
    cards = pypdfium2.PdfDocument(papers._pdf("cards", solved=False))
    begins = [k for k, page in enumerate(cards) if ": „" in page.get_textpage().get_text_range()]
    assert len(begins) == len(own.room.pairs)
    assert not any(k % 2 for k in begins)
    leaves = papers.leaves
    assert leaves["cards"] == 2 * ((len(cards) + 1) // 2)
    said = papers.html("conductor", solved=True)
    assert f"{sum(leaves.values())} Blatt Papier" in said
    assert ("teilen sich die Rechnung" in said) == any(one.shares > 1 for one in own.room.pairs)
    assert "Feed-Forward" not in said.partition("<svg")[0]  # this model has none
    assert len(pypdfium2.PdfDocument(papers._pdf("conductor", solved=True))) == 4


@pytest.mark.ci
def test_the_command_writes_the_same_bytes_again(tmp_path):
    first = api.room(8, tmp_path / "a", form="25")
    (talk,) = api.room(8, tmp_path / "b", form="25", talk=True)
    with ZipFile(talk) as packed:
        second = {name: packed.read(name) for name in packed.namelist()}
    for path in first:
        assert second.pop(path.relative_to(tmp_path / "a").as_posix()) == path.read_bytes()
    assert {p.parent.name for p in first} == {"hand-out", "teacher"}
    assert set(second) == {f"talk/{name}.pdf" for name in TALK}


def test_a_talk_has_a_page_for_each_slide_and_compares_the_rooms(tmp_path):
    for pupils, slides in ((12, 9), (MOST, 10)):
        talk = TalkPapers(rooms("25", pupils), "de")
        found = {name: pdf for name, pdf in talk.files().items() if conforms(pdf, tmp_path) is None}
        pages = {name: len(pypdfium2.PdfDocument(pdf)) for name, pdf in found.items()}
        assert pages == {"talk/slides.pdf": slides, "talk/notes.pdf": 1, "talk/brief.pdf": 1}
        told = talk.html("slides")
        assert [f">{one.letter}</th>" in told for one in talk.rooms] == [slides == 10] * len(
            talk.rooms
        )


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"preset": "mental"}, "predicts no next word"),
        ({"preset": "nihao"}, "one block"),
        ({"preset": "katze", "sentence": "Die"}, "nobody to look at"),
        ({"preset": "katze", "sentence": "Die Katze sitzt auf der Matte und"}, "minutes"),
        ({"preset": "katze", "sentence": " ".join(["Die"] * 9)}, "tokens is 9"),
        ({"preset": replace(load_preset("katze"), activation="gelu")}, "ReLU"),
        ({"form": "25", "preset": "katze"}, "powers of e"),
        ({"tables": "some"}, "kind of tables"),
        ({"form": "30"}, "form of a room"),
        ({"pupils": 3}, "expected 4 to 200"),
        ({"pupils": 6, "form": "45"}, "minutes of computing as planned"),
    ],
)
def test_what_cannot_be_is_said(options, problem):
    with pytest.raises(UserError, match=problem):
        class_rooms(**{"pupils": 12, "form": "90", **options})


@pytest.mark.parametrize(
    ("form", "pupils", "aim"),
    [
        ("25", 8, 0.9),
        ("25", 20, 0.9),
        ("45", 16, 0.95),
        ("45", 24, 0.95),
        ("90", 8, 0.95),
        ("90", 24, 0.95),
    ],
)
def test_tried_rooms_say_the_right_word_in_time(form, pupils, aim):
    """With 5 % slips, drawn speeds and two absent; seeds fixed. More of it stands in the docs."""
    own = rooms(form, pupils)[0]
    came = outcome(own.room, own.form.computing, 60)
    assert came.both >= aim
    assert came.busy >= 0.5
    assert came.wait <= 8
    assert 1.2 < came.median / came.planned < 1.8  # what the clock on the cards reckons with
