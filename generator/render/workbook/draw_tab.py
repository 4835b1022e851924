"""The Draw tab: settings, sorted probabilities, intervals, the word hit, twenty draws; all live.

It computes nothing that a step computes: words and numbers are looked up where they are at home,
and a draw asks the same expression as the next token does, with another random number.
"""

from typing import Any

from generator.engine.choices import STRATEGIES
from generator.engine.evaluate import evaluate
from generator.engine.expr import Call
from generator.insight.output_layer import printed_draws
from generator.notation.excel import one_of
from generator.render.workbook.draft import Draft
from generator.render.workbook.entries import EntryPen
from generator.render.workbook.layout import start_layout as plan
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.tabs import PERCENT, TWO_DIGITS, accepted, between_0_and_1
from generator.render.workbook.layout.texts import DRAWN
from generator.render.workbook.pen import Spot
from generator.render.workbook.print_setup import HEAD, LINE
from generator.render.workbook.styles import FAINT, alarm, bars, framed, where

LISTS = plan.CHECKS + 2
RANKED, SHOWN, FEW = plan.HIT + 1, plan.HIT + 2, plan.HIT + 3  # places of words, from 1
FORCE = plan.HIT + 4  # each draw's number in force
KEPT, OUT, MARK = "✓", "–", "◀"


class DrawTab(EntryPen):
    """Writes the tables from left to right."""

    lists = LISTS

    def __init__(self, draft: Draft, draw: plan.DrawLayout) -> None:
        super().__init__(draft, draw.sheet)
        self.draw = draw
        self.words = [str(word) for word in self.trace["vocabulary.words"].values[:, 0]]
        self.ranked = draft.ranked(draw.shown)
        self.listed = sorted(self.ranked)
        self.numbers = printed_draws(self.trace, plan.DRAWS)
        chosen = self.trace.cell("sampling.next", 0, 0)
        if not isinstance(chosen, Call):
            raise TypeError(f"found {chosen} for the next token, expected a word that is looked up")
        self.passed = chosen.args[-1]  # the place, from 1, of the word that the next token is
        self.hits = [self._place(number / PERCENT) for number in self.numbers]

    def write(self) -> None:
        """All of it."""
        self._head()
        self._settings()
        self._hit()
        for k, word in enumerate(self.ranked):
            self._ranked(self.draw.top + k, word)
        self._listed()
        for k, word in enumerate(self.listed):
            self._interval(self.draw.top + k, word)
        if self.draw.words > self.draw.shown:
            self._rest(self.draw.rest_row)
        for k, number in enumerate(self.numbers):
            self._draw(k, number)
        self._dress()
        self._shape()

    def _head(self) -> None:
        """Title, what to do, link back, message, and the headings of the tables."""
        self.head(self.t("workbook.draw.about"), plan.PARTS[-1].first)
        self.tell((3, 1))
        for part in plan.PARTS:
            columns = part.first, part.last
            self.band(plan.FIRST_ROW, columns, self.t(f"workbook.draw.{part.key}"))
        self.put((plan.FIRST_ROW, plan.CHECKS), self.t("workbook.start.check"), "tag")

    def _settings(self) -> None:
        """What is typed in, and below what the strategies do; then the other column titles."""
        self.titles(plan.FIRST_ROW + 1, plan.DRAWING, (plan.SET.first, plan.SET.last))
        for group in self.draw.groups:
            self.group(group)
        entries = [entry for group in self.draw.groups for entry in group.entries]
        self.choices(entries)
        self.colour(plan.DRAWING, entries)
        for row, name in enumerate(STRATEGIES, start=self.draw.strategies_row):
            says = self.t(f"workbook.control.strategy.{name}")
            self.put((row, 1), f"{name}: {says}", "words")
        for part in plan.PARTS[1:]:
            titles = dict(enumerate(part.titles, start=part.first))
            columns, left = (part.first, part.last), [part.first + part.titles.index("word")]
            self.heads(plan.FIRST_ROW + 1, titles, "workbook.draw", columns, left)
        for column, key in ((plan.HIT, "hit"), (RANKED, "sorted"), (SHOWN, "intervals")):
            self.put((plan.FIRST_ROW - 1, column), self.t(f"workbook.draw.{key}"), "tag")

    def _hit(self) -> None:
        """The word that the random number hits."""
        row = self.draw.hit_row
        self.put((row, 1), self.t("workbook.draw.hit"), "label")
        home, shown = self.layout.homes["sampling.next"], self.draft.shown("sampling.next", 0, 0)
        word = on(home.sheet, at(*home.place(0, 0), fixed=True))
        live = f'IFERROR({word}&"","{plan.NOTHING_NEXT}")'
        self.live((row, 2), live, shown, "result", align="center")
        place = float(self._place(float(self.trace["sampling.random"].values[0, 0])))
        self.live(self.draw.hit_place, self._place_formula(), place)

    def _place(self, random: float) -> int:
        """The place of the word that a random number hits, as the engine finds it."""
        arrays = {name: step.values for name, step in self.trace.steps.items()}
        arrays["sampling.random"] = self.trace["sampling.random"].values * 0 + random
        return int(float(evaluate(self.passed, arrays.__getitem__)))

    def _place_formula(self, random: str = "") -> str:
        """The formula of that place; `random` takes the place of the random number in force."""
        here, known = Box("", self.draw.sheet, 1, 1, 1, 1), {"sampling.random": random}
        return self.draft.excel(here, **known if random else {}).write(self.passed)

    def _word(self, spot: Spot, place: str, word: int, *look: Any, **more: Any) -> None:
        """A word of the vocabulary, by the cell that holds its place."""
        found = f'{one_of(self.draft.area("vocabulary.words"), place)}&""'
        self.live(spot, found, self.words[word], *look, **more)

    def _ranked(self, row: int, word: int) -> None:
        """A line of the words by probability."""
        first, place = plan.SORTED.first, at(row, RANKED, fixed=True)
        self.put((row, first), row + 1 - self.draw.top, "label", align="center")
        found = f"MATCH({at(row, first)},{self.draft.area('sampling.rank')},0)"
        self.live((row, RANKED), found, float(word + 1))
        self._word((row, first + 1), place, word, "label")
        self._looked_up((row, first + 2), "share", place, word)
        kept = f'IF({one_of(self.draft.area("sampling.kept"), place)}=1,"{KEPT}","{OUT}")'
        sign = KEPT if self.trace["sampling.kept"].values[0, word] else OUT
        self.live((row, first + 3), kept, sign, "echo", align="center")

    def _looked_up(self, spot: tuple[int, int], name: str, place: str, word: int) -> None:
        step, shown = f"sampling.{name}", self.draft.shown(f"sampling.{name}", 0, word)
        align = "center" if isinstance(shown, str) else "right"
        number = self.layout.looks[step].number
        self.live(spot, one_of(self.draft.area(step), place), shown, "echo", number, align)

    def _interval(self, row: int, word: int) -> None:
        """A line of the intervals."""
        first, place = plan.INTERVALS.first, at(row, SHOWN, fixed=True)
        self._word((row, first), place, word, "label")
        names = ("renormalised", "from", "cumulative", "digits")
        for column, name in enumerate(names, start=first + 1):
            self._looked_up((row, column), name, place, word)
        hits = f"COUNTIF({self.draw.column(plan.HIT, plan.DRAWS)},{place})"
        cached = float(self.hits.count(word + 1))
        self.live((row, first + 5), hits, cached, "echo", "0", "right")
        mark = f'IF({place}={self.draw.hit_place},"{MARK}","")'
        hit = self.words[word] == str(self.trace["sampling.next"].values[0, 0])
        self.live((row, first + 6), mark, MARK if hit else "", "chosen")

    def _listed(self) -> None:
        """The places of the words of the intervals: of few words their numbers, else looked up.

        Then, beside each other in a column, stand the places of the words of the first ranks.
        """
        draw, ranks = self.draw, self.layout.homes["sampling.rank"]
        few = draw.words > draw.shown
        for k, word in enumerate(self.listed):
            spot = draw.top + k, SHOWN
            if few:
                formula = f"SMALL({draw.column(FEW, draw.words)},{k + 1})"
                self.live(spot, formula, float(word + 1))
            else:
                self.put(spot, k + 1, "tag", align="center")
        for word in range(draw.words if few else 0):
            rank = on(ranks.sheet, at(*ranks.place(0, word), fixed=True))
            formula = f'IF({rank}<={draw.shown},{word + 1},"")'
            shown = float(word + 1) if word in self.ranked else ""
            self.live((draw.top + word, FEW), formula, shown)

    def _rest(self, row: int) -> None:
        """All words without a row of their own."""
        shown, number = self.draw.shown, self.layout.looks["sampling.share"].number
        text = self.t("workbook.draw.rest", count=self.draw.words - shown)
        for column, step, words in (
            (plan.SORTED.first + 2, "sampling.share", self.ranked),
            (plan.INTERVALS.first + 1, "sampling.renormalised", self.listed),
        ):
            values = self.trace[step].values[0]
            rest = float(values.sum() - values[words].sum())
            formula = f"SUM({self.draft.area(step)})-SUM({self.draw.column(column, shown)})"
            self.put((row, column - 1), text, "label")
            self.live((row, column), formula, rest, "echo", number, "right")
        column, drawn = plan.INTERVALS.first + 5, self.draw.column(plan.HIT, plan.DRAWS)
        hits = float(sum(hit - 1 not in self.listed for hit in self.hits))
        formula = f'COUNTIF({drawn},">0")-SUM({self.draw.column(column, shown)})'
        self.live((row, column), formula, hits, "echo", "0", "right")

    def _draw(self, k: int, number: int) -> None:
        """One of twenty draws: the number drawn, what is wrong with it, the word that it hits."""
        row, first, delivered = self.draw.top + k, plan.DRAWN.first, number / PERCENT
        drawn, place, force = at(row, first + 1), at(row, plan.HIT, fixed=True), at(row, FORCE)
        self.put((row, first), k + 1, "label", align="center")
        self.put(drawn, number, "input", DRAWN, "center")
        # the first message so far: of the settings, then of each draw, with what counts
        before = at(row - 1, plan.REFUSED)
        if not k:
            before = self.draw.groups[-1].entries[-1].cells.check
        counts = self.t("workbook.draw.counts", number=number)
        name = f"{self.t('workbook.draw.drawn')}, {self.t('workbook.draw.number')} {k + 1}"
        says = f"{name}: {self.reason('random')} ({counts})"
        message = f'IF({before}<>"",{before},IF({_wrong(drawn)},"{says}",""))'
        self.live((row, plan.REFUSED), message, "")
        taken = f"IF({accepted(drawn)},{between_0_and_1(drawn)},{delivered:g})"
        self.live(force, f"IF(ISNUMBER({drawn}),{taken},{delivered:g})", delivered)
        self.live((row, plan.HIT), self._place_formula(force), float(self.hits[k]))
        self._word((row, first + 2), place, self.hits[k] - 1, "computed", indent=1)

    def _dress(self) -> None:
        """Colours, frames, and what may be typed as a number drawn."""
        top, words, intervals = self.draw.top, plan.SORTED.first + 1, plan.INTERVALS
        rows = Box("", "", top, words, self.draw.shown, 1)
        self.marks.add(rows.strip(1).span(), bars(1))
        hits = rows._replace(column=intervals.first, width=intervals.last - intervals.first)
        self.marks.add(hits.strip(5).span(), bars(plan.DRAWS))
        out = where(f'${at(top, plan.SORTED.last)}="{OUT}"', FAINT, strike=True)
        self.marks.add(rows.span(), out)
        self.marks.add(hits.span(), framed(f'${at(top, intervals.last)}<>""'))
        drawn = [at(top + k, plan.DRAWN.first + 1) for k in range(plan.DRAWS)]
        self.marks.add(f"{drawn[0]}:{drawn[-1]}", alarm(_wrong(drawn[0])))
        prompt = self.t("workbook.draw.prompt")
        reason, limits = f"{self.reason('random')}. {prompt}", (0, TWO_DIGITS)
        self.only_numbers(limits, reason, *drawn, prompt=prompt)

    def _shape(self) -> None:
        """Widths and heights for one screen, and what is printed."""
        self.shape(plan.WIDTHS, [*HEAD, *[LINE] * (self.draw.bottom - len(HEAD))])
        self.aside(plan.CHECKS, plan.REFUSED)
        self.page.freeze_panes = self.page.cell(plan.FIRST_ROW, 2)


def _wrong(drawn: str) -> str:
    """The condition that what stands in a cell is no such number; an empty one is in order."""
    return f"IF(ISNUMBER({drawn}),NOT({accepted(drawn)}),NOT(ISBLANK({drawn})))"
