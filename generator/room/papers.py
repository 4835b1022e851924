"""All papers of a room: cards, wall, slips, finale for the class; conductor's sheet and solutions.

Also here:

* The schedule as a picture: a line a pair, its parts on a clock, waits left white, the critical
  path underlined.
* The interval table of the finale.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from generator.insight.output_layer import WordSlice, word_slices
from generator.locales.catalogue import Catalogue, load
from generator.notation.shown import number
from generator.render.worksheet.binding import page_count
from generator.render.worksheet.pdf import PdfDocument, class_css
from generator.render.worksheet.worksheet import environment
from generator.resources import table
from generator.room.cards import PairCard, SecondCard
from generator.room.cut import FINALE, LOGITS, PROBABILITIES, RoomPair
from generator.room.forms import ClassRoom
from generator.room.schedule import MINUTE, LegRun
from generator.room.spots import CardPart, RoomNumbers, Spot, vector_step
from generator.room.wall import MARGIN, Wall
from generator.sheets.context import typesetting
from generator.sheets.geometry import on_circle
from generator.version import __version__

CHART: Final = 225.0  # mm for all minutes
LINE: Final = 8.0
TELLING: Final = 5  # minutes from the word to the talk
STYLES: Final = ("expected.css", "room/room.css")


class ChartBar(NamedTuple):
    """A stretch of a pair's line on the clock: mm from the left, its length, what it is."""

    x: float
    w: float
    kind: str  # a stage, or "second"
    text: str
    critical: bool


class ChartLine(NamedTuple):
    """A pair's line."""

    name: str
    bars: Sequence[ChartBar]


class Word(NamedTuple):
    """A word of the finale: logit, power, share, its cumulative share, which throws are its."""

    word: str
    spots: Sequence[Spot]


@dataclass(frozen=True, eq=False)
class RoomPapers:
    """The papers of one room."""

    own: ClassRoom
    rooms: int
    language: str
    header: str = ""
    people: int = 0  # in all rooms

    def files(self) -> dict[str, bytes]:
        """All of them by name, below `hand-out/` and `teacher/`."""
        mark = f"room-{self.own.letter}-" if self.own.letter else ""
        out, desk = f"hand-out/{mark}", f"teacher/{mark}"
        files = {f"{out}{name}.pdf": pdf for name, pdf in self._blanks.items()}
        files[f"{desk}conductor.pdf"] = self._pdf("conductor", solved=True)
        for name in ("cards", "second", "poster", "finale"):
            files[f"{desk}{name}-solution.pdf"] = self._pdf(name, solved=True)
        return files

    @cached_property
    def _blanks(self) -> dict[str, bytes]:
        slips = ["slips"] * self.own.pinned
        names = ("cards", *slips, "second", "wall", "poster", "finale")
        return {name: self._pdf(name, solved=False) for name in names}

    @property
    def copies(self) -> dict[str, int]:
        """How often the files are printed that are printed on both sides; the others once."""
        return {"cards": 2, "second": len(self.own.room.pairs)}

    @cached_property
    def leaves(self) -> dict[str, int]:
        """How many leaves of paper each of a class's files takes, as the conductor's sheet says."""
        pages = {name: page_count(pdf) for name, pdf in self._blanks.items() if name != "poster"}
        return {name: math.ceil(count / 2) * self.copies[name] if name in self.copies else count
                for name, count in pages.items()}  # fmt: skip

    def html(self, name: str, *, solved: bool) -> str:
        """One paper's page, with the right numbers or without."""
        view = RoomView(self, solved)
        template = environment().get_template(f"room/{name}.html.j2")
        return template.render(
            view=view, t=typesetting(view.catalogue), language=self.language, version=__version__,
            header=self.header, solved=solved,
        )  # fmt: skip

    def _pdf(self, name: str, *, solved: bool) -> bytes:
        html, css = self.html(name, solved=solved), class_css(*STYLES)
        if name == "poster":
            wall = RoomView(self, solved).wall
            page = f"@page {{ size: {wall.width + 2 * MARGIN}mm {wall.height + 2 * MARGIN}mm;"
            css = (*css, f"{page} margin: 0 }}")
        tagged = name not in ("wall", "poster")
        return PdfDocument(html, css, where=f"{name} of a room", tagged=tagged).to_pdf()


@dataclass(frozen=True, eq=False)
class RoomView:
    """What the templates of a room may ask."""

    papers: RoomPapers
    solved: bool

    @property
    def own(self) -> ClassRoom:
        """The room."""
        return self.papers.own

    @cached_property
    def catalogue(self) -> Catalogue:
        """The phrases."""
        return load(self.papers.language)

    @cached_property
    def numbers(self) -> RoomNumbers:
        """The numbers as printed."""
        return RoomNumbers(self.own.trace, self.papers.language, self.solved)

    @cached_property
    def cards(self) -> list[PairCard]:
        """Everybody's card."""
        room = self.own.room
        return [PairCard(room, k, self.numbers, self.catalogue, self.own.schedule)
                for k in range(len(room.pairs))]  # fmt: skip

    @cached_property
    def second(self) -> SecondCard:
        """The leaf for whoever would wait."""
        room = self.own.room
        return SecondCard(
            room, len(room.pairs) - 1, self.numbers, self.catalogue, self.own.schedule
        )

    @cached_property
    def wall(self) -> Wall:
        """The poster."""
        return Wall(self.own.room, self.numbers, self.catalogue)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words of the tables."""
        return self.own.trace.tokens

    @property
    def sentence(self) -> str:
        """What is computed."""
        return self.own.trace.sentence

    @property
    def title(self) -> str:
        """What stands above each paper: the room, where there are several."""
        title = self.catalogue.t("room.title")
        letter = self.own.letter
        return f"{title} · {self.catalogue.t('room.room', letter=letter)}" if letter else title

    @property
    def base(self) -> str:
        """The base of the powers, as it is printed."""
        base = self.own.trace.preset.softmax_base
        return "e" if base is None else number(base, None, self.papers.language)

    @property
    def root(self) -> str:
        """What scores are divided by."""
        return self.numbers.given("scale", 0, 0)

    @property
    def variance(self) -> str:
        """What σ is the root of."""
        epsilon = self.own.trace.preset.epsilon
        return f"σ² + {self.numbers.plain(epsilon)}" if epsilon else "σ²"

    @property
    def powers(self) -> list[tuple[str, str]]:
        """A table of powers for the head; nothing where there are calculators."""
        base = self.own.trace.preset.softmax_base
        if not self.own.room.work.mental or base is None:
            return []
        return [(str(k), self.numbers.plain(base**k)) for k in range(7)]

    @property
    def eighths(self) -> list[tuple[str, str]]:
        """Eighths as decimals, for the head."""
        if not self.own.room.work.mental:
            return []
        return [(f"{k}/8", self.numbers.plain(k / 8)) for k in range(1, 9)]

    @property
    def shows(self) -> str:
        """What there is to see, where the preset says so and its numbers mean something."""
        preset = self.own.trace.preset
        return str(preset.shows.get(self.papers.language, "")) if preset.meaningful else ""

    def stage(self, part: CardPart) -> str:
        """A part's heading."""
        return self.catalogue.t(f"room.stage.{part.stage}")

    def words_of(self, pair: RoomPair) -> str:
        """The words of a pair's tables."""
        return " · ".join(self.tokens[row] for row in pair.tables)

    # The clock.

    @property
    def start(self) -> int:
        """The minute in which computing begins."""
        return self.own.form.entry

    @property
    def end(self) -> int:
        """The minute in which the word should be there."""
        return self.start + self.own.schedule.clock(self.own.schedule.end)

    @property
    def timeline(self) -> list[tuple[int, str, dict[str, object]]]:
        """What to say when: the minute, the phrase, its names."""
        room, tokens = self.own.room, len(self.tokens)
        ends: dict[str, float] = {}
        for run in self.own.schedule.runs:
            last = run.leg.row == room.work.last and self._stage(run) != FINALE
            for what in (self._stage(run), *["vector"] * last):
                ends[what] = max(ends.get(what, 0.0), run.end)
        said = {"ask": "look", "mix": "mix", "think": "think", "vector": "vector", "say": "say"}
        told = [(self.start + self.own.schedule.clock(ends[k]), key) for k, key in said.items()
                if k in ends]  # fmt: skip
        begun = [(0, "entry"), (self.start, "ask")]
        names = {"sentence": self.sentence, "tokens": tokens, "next": tokens + 1,
                 "pair": self.summing}  # fmt: skip
        lines = [*begun, *sorted(told, key=lambda one: one[0]), (self.end, FINALE),
                 (self.end + TELLING, "cache")]  # fmt: skip
        return [(minute, f"room.say.{key}", names) for minute, key in lines]

    @property
    def rest(self) -> int:
        """Minutes of the lesson after the word, for the talk."""
        return int(self.own.form.minutes) - self.end - TELLING

    @property
    def latest(self) -> int:
        """The minute in which the finale begins though not all is there."""
        return self.start + self.own.form.computing

    @property
    def least(self) -> int:
        """Minutes for the talk where the finale begins then."""
        return int(self.own.form.minutes) - self.latest - TELLING

    @property
    def late(self) -> int:
        """Minutes behind the table that are too many: an eighth of the computing, two at least."""
        return max(2, round((self.end - self.start) / 8))

    @property
    def roots(self) -> bool:
        """Whether somebody takes a root."""
        trace = self.own.trace
        return any(trace[name].place.kind == "deviation" for name in self.own.room.work.steps)

    @property
    def total(self) -> Spot:
        """Σ of the finale's powers."""
        row = self.own.room.work.row_of_step("output.sum")
        return Spot("own", self.numbers.answer(("output.sum", row, 0)))

    @property
    def explained(self) -> list[str]:
        """The words that the conductor's sheet explains: those that this room has."""
        network = ["network"] * ("think" in self.own.room.work.steps.values())
        skip = ["skip"] * ("block1.residual2" in self.own.trace.steps)
        return ["token", "query", "key", "value", "share", "new", *network, *skip, "logit",
                "cache", "check", "card"]  # fmt: skip

    @property
    def summing(self) -> str:
        """The pair that adds the powers of the finale."""
        room = self.own.room
        name = next(name for name in room.work.steps if name == "output.sum")
        return room.pairs[room.owner((name, room.work.row_of_step(name), 0))].name

    @property
    def likeliest(self) -> tuple[str, str] | None:
        """The word that the dice say most likely, with its probability; None where two are."""
        row = self.own.room.work.row_of_step(PROBABILITIES)
        shares = self.own.trace[PROBABILITIES].values[row].tolist()
        k = shares.index(max(shares))
        return (
            (self.finale[k].word, self.numbers.given(PROBABILITIES, row, k))
            if shares.count(shares[k]) == 1
            else None
        )

    def _stage(self, run: LegRun) -> str:
        return self.own.room.work.steps[run.leg.step]

    @cached_property
    def chart(self) -> list[ChartLine]:
        """The schedule's picture."""
        schedule = self.own.schedule
        critical = set(schedule.critical)
        lines = []
        for k, pair in enumerate(self.own.room.pairs):
            bars: list[ChartBar] = []
            runs = [(n, run) for n, run in enumerate(schedule.runs) if run.leg.pair == k]
            for n, run in runs:
                kind = self._stage(run)
                joined = bars and bars[-1].kind == kind and bars[-1].critical == (n in critical)
                if joined and run.waited < MINUTE / 4:
                    first = bars.pop()
                    start = first.x
                else:
                    start = self._mm(run.start)
                text = self.catalogue.t(f"room.letter.{kind}")
                bars.append(ChartBar(start, self._mm(run.end) - start, kind, text, n in critical))
            seconds: list[tuple[float, float]] = []
            for one in (spare for spare in schedule.spare(k) if spare.second):
                begun = seconds.pop()[0] if seconds and seconds[-1][1] == one.start else one.start
                seconds.append((begun, one.end))
            bars += [ChartBar(self._mm(a), self._mm(b - a), "second", "2", critical=False)
                     for a, b in seconds]  # fmt: skip
            lines.append(ChartLine(pair.name, bars))
        return lines

    def _mm(self, seconds: float) -> float:
        return CHART * seconds / self.own.schedule.end

    @property
    def ticks(self) -> list[tuple[float, int]]:
        """Minutes of the lesson below the picture: mm and minute."""
        stretch = table("room/room.toml")["stretch"]
        whole = self.own.schedule.end / MINUTE * stretch
        step = 1 if whole <= 20 else 5
        return [(CHART * k / whole, self.start + k) for k in range(0, math.floor(whole) + 1, step)]

    @property
    def chart_high(self) -> float:
        """The height of the picture, mm."""
        return LINE * len(self.chart) + 12

    @property
    def slowest(self) -> str:
        """The table that the end depends on longest."""
        runs = self.own.schedule.runs
        spent: dict[int, float] = {}
        for k in self.own.schedule.critical:
            run = runs[k]
            if self._stage(run) != FINALE:
                spent[run.leg.row] = spent.get(run.leg.row, 0.0) + run.end - run.start
        return str(1 + max(spent, key=lambda row: spent[row]))

    @property
    def longest_wait(self) -> int:
        """Minutes on the clock that the longest wait lasts."""
        return self.own.schedule.clock(self.own.schedule.longest_wait)

    @property
    def waiting(self) -> str:
        """The pair that waits longest."""
        pairs = self.own.room.pairs
        k = max(range(len(pairs)), key=self.own.schedule.longest_wait_of)
        return pairs[k].name

    @property
    def withdrawn(self) -> tuple[str, str]:
        """For two absent: the card that stays in the envelope, and who takes over what is on it."""
        pairs = self.own.room.pairs
        several = [k for k, pair in enumerate(pairs) if pair.shares > 1]
        k = min(several or range(len(pairs)), key=lambda k: self.own.schedule.busy(k))
        tables = pairs[k].tables
        beside = [p.name for n, p in enumerate(pairs) if n != k and set(p.tables) & set(tables)]
        others = [p.name for n, p in enumerate(pairs) if n != k]
        return pairs[k].name, beside[0] if beside else others[max(0, k - 1)]

    # The envelope.

    @cached_property
    def envelope(self) -> list[tuple[str, list[list[str]]]]:
        """What stands on the wall at the end, band by band: a row of numbers a table."""
        trace = self.own.trace
        heads = range(1, trace.preset.heads + 1)
        names = [f"block1.head{h}.{kind}" for kind in ("key", "value", "weights") for h in heads]
        names.append(vector_step(trace))
        bands = []
        for name in names:
            head = self.numbers.head(self.catalogue, name)
            rows = [[self.numbers.answer(cell) for cell in self.own.room.work.row_of(name, i)]
                    for i in range(len(self.tokens))]  # fmt: skip
            bands.append((self.catalogue.step(name) + f" ({head})" * bool(head), rows))
        return bands

    @property
    def nexts(self) -> list[str]:
        """Each table's own next word; of the last one the likeliest of the room."""
        return [str(word) for word in self.own.trace["output.all.next"].values[:, 0]]

    # The finale.

    @cached_property
    def finale(self) -> list[Word]:
        """The interval table."""
        row = self.own.room.work.row_of_step(PROBABILITIES)
        words = []
        for j, part in enumerate(self._slices):
            cells = [(LOGITS, 0, j), ("output.exp", row, j), (PROBABILITIES, row, j)]
            texts = [self.numbers.answer(cell) for cell in cells]
            ends = [number(part.end, 2, self.papers.language), part.digits]
            texts += ends if self.solved else ["", ""]
            words.append(Word(part.word, [Spot("own", text) for text in texts]))
        return words

    @cached_property
    def _slices(self) -> tuple[WordSlice, ...]:
        row = self.own.room.work.row_of_step(PROBABILITIES)
        return word_slices(self.own.trace.scratch(), PROBABILITIES, row)

    rim = staticmethod(on_circle)

    @property
    def sectors(self) -> list[tuple[float, float, float, str]]:
        """For a solved spinner: each word's end on the rim, where its name stands, the name."""
        parts = self._slices if self.solved else ()
        return [(x.end, (x.start + x.end) / 2, x.end - x.start, x.word) for x in parts
                if x.end > x.start]  # fmt: skip

    def metres(self, millimetres: float) -> str:
        """A length in metres, as it is said."""
        return number(millimetres / 1000, 1, self.papers.language)

    def mm(self, value: float) -> str:
        """A length for CSS."""
        return f"{value:.2f}mm"

    @property
    def slips(self) -> Iterator[tuple[str, str, str, int]]:
        """What is pinned on the wall: table, word, what it is, how many numbers."""
        trace = self.own.trace
        heads = range(1, trace.preset.heads + 1)
        for i, token in enumerate(self.tokens):
            for h in heads:
                for kind in ("key", "value"):
                    name = f"block1.head{h}.{kind}"
                    whose = [self.catalogue.t(f"room.short.{kind}")]
                    whose += filter(None, [self.numbers.head(self.catalogue, name)])
                    yield str(i + 1), token, " · ".join(whose), trace[name].shape[1]
