"""Builds the pages of the walk from a Trace: words, formulas, printed numbers.

Also here:

* The order in which the walk shows the steps, and the chapters they belong to.
* A computed row beside the same row as somebody else printed it.
* Bars of shares and the table sorted by share.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Any

import numpy as np

from generator.engine.fitness import seen_whole
from generator.engine.ops.attention import Contribution
from generator.engine.preset import Compare
from generator.engine.rounding import GUARD, guarded
from generator.engine.trace import Step, Trace
from generator.errors import require
from generator.insight.claims import SHOWS, checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.notation.shown import grouped, number
from generator.notation.symbols import Symbols
from generator.notation.worked import masked_scores
from generator.render.owner import no_step
from generator.render.walk.page import Chart, Page, WalkTable
from generator.render.walk.printed_numbers import Printed
from generator.render.worksheet.worksheet import PrintedSheet, environment
from generator.resources import table
from generator.sheets.attending import AT
from generator.sheets.context import Context
from generator.sheets.geometry import compact
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS, require_sheet
from generator.steps import KINDS, Chapter, kind_of
from generator.steps.variant import variant

ALL = "*"
DEVIATION = 6  # decimals
MOST_BARS = 10
TOLD = table("render/walk/sheets.toml")
START = "input"  # the rows that the first block reads


def pages(
    trace: Trace, catalogue: Catalogue, steps: str = ALL, sheets: tuple[str, ...] = ()
) -> list[Page]:
    """A page for each step in order of computation; the counts share one.

    `steps` is a pattern of step names, such as "block1.head1.*"; with `sheets` only what these
    sheets are about, with the sentence and the rows that they start from in front. A preset's
    comparison follows the step that it compares. Raises `UserError` for an unknown sheet, and
    where no step fits the pattern or belongs to a sheet.
    """
    told = re.compile("|".join(map(_told, sheets)) or ".*")
    besides = list[Page]()
    for one in sheets:
        if not SERIES[name := walked_as(one)].kind.steps:
            look = SheetOptions(language=trace.language, level=1, large_print=True)
            view = PrintedSheet(name, trace, trace, look).view(blank=False)
            trace = trace.with_steps(step for step in view.trace if step.place.kind in KINDS)
            catalogue = catalogue.overlaid(f"sheet{name}.walk.")
            besides += _besides(view)
    free = sheets == ("4a",) and f"{AT}.mask" in trace and not trace.controls
    book = _Book(_as_printed(trace, free), catalogue)
    book.numbered = not sheets
    known = (one.name for one in book.steps if told.fullmatch(one.name))
    names = {name for name in known if fnmatchcase(name, steps)}
    if sheets and any(START in trace[name].inputs for name in names):
        names.add(START)
    chosen = [*book.pages(names.__contains__), *besides]
    if sheets and chosen:
        quoted = catalogue.t("sheet.quoted", text=trace.sentence)
        said = f"{catalogue.t('sheet.sentence')} {quoted}. {chosen[0].sentence}"
        seen = f" {catalogue.t('sheet4a.example.unmasked')}" if free else ""
        chosen[0] = replace(chosen[0], sentence=said + seen)
    require(chosen or not sheets, "tabs.nothing", preset=trace.preset, sheet=", ".join(sheets))
    if not chosen:
        raise no_step(trace, steps)
    return chosen


def _besides(view: Context) -> list[Page]:
    """The pages that a sheet has besides those of its steps: its own template writes them."""
    known = {"c": view, "t": view.catalogue.t, "printed": Printed(view.trace, view.catalogue)}
    known |= {"Page": Page, "Table": WalkTable, "Chart": Chart}
    path = TOLD[view.plan.sheet].get("pages", "web/_no_walk.j2")
    module: Any = environment().get_template(path).make_module(known)
    return list(module.pages)


def _as_printed(trace: Trace, free: bool) -> Trace:
    """The computation as sheets print it: in no more digits than it needs, on 4a all are seen."""
    trace = seen_whole(trace, AT) if free else trace
    return trace.with_steps(compact(trace, AT)) if f"{AT}.scores" in trace else trace


def _told(sheet: str) -> str:
    """The pattern of the steps that a sheet is about; `UserError` for one that is about none."""
    require_sheet(sheet)
    require(walked(sheet), "walk.sheet", sheet=sheet, known=", ".join(filter(walked, SHEETS)))
    return walked(sheet)


def walked(sheet: str) -> str:
    """The pattern of the steps that a sheet is about; "" for one that is about none."""
    return "|".join(TOLD.get(name := walked_as(sheet), {}).get("steps", [SERIES[name].kind.steps]))


def walked_as(sheet: str) -> str:
    """The sheet whose walk it has: another one for a sheet that goes on from there.

    "" for no sheet.
    """
    return str(TOLD.get(sheet, {}).get("like", sheet))


class _Book:
    """Writes the pages of one Trace in one language."""

    numbered = True

    def __init__(self, trace: Trace, catalogue: Catalogue) -> None:
        self.trace = trace
        self.catalogue = checked_catalogue(catalogue, trace)
        self.printed = Printed(trace, self.catalogue)
        self.symbols = Symbols(trace, catalogue.language)
        self.steps = ordered(trace)
        names = dict.fromkeys(chapter(step) for step in self.steps)
        self.numbers = {name: k for k, name in enumerate(names, start=1)}

    def pages(self, wanted: Callable[[str], bool]) -> Iterator[Page]:
        own = self.trace.sentence in self.trace.preset.sentences.values()
        compared = self.trace.preset.compare if own else None
        for step in (one for one in self.steps if not _is_count(one) and wanted(one.name)):
            yield self.page(step)
            if compared is not None and self.trace[compared.step] is step:
                yield self.comparison(step, compared)
        counts = [step for step in self.steps if _is_count(step)]
        if any(wanted(step.name) for step in counts):
            yield self.counts(counts)

    def page(self, step: Step) -> Page:
        """The page of one step."""
        tables = self.printed.table(step), *self.ranking(step)
        more: dict[str, Any] = {"charts": self.charts(step), "notes": self.notes(step)}
        if step.kind == "computed":
            more["formula"] = self.symbols.step(step.name)
            more["inputs"] = self.printed.inputs(step)
            more["letter"] = self.symbols.letter_in(step.name, step.name)
            more["example"], worked = self.printed.example(step)
            more["worked"] = worked + self.printed.contributions(step)
        title, sentence = self.title(step), self.catalogue.t(said(step))
        return self._of(step, title, sentence, tables=tables, **more)

    def comparison(self, step: Step, compared: Compare) -> Page:
        """The page that compares a step's row with numbers printed elsewhere."""
        language = self.catalogue.language
        token = self.printed.quoted(step.rows[compared.row])
        say, notes = self.catalogue.t("walk.compare.say", token=token), compared.note.get(language)
        more = {"tables": (self.compared(step, compared),), "notes": (notes,) if notes else ()}
        return self._of(step, compared.title[language], say, **more)

    def counts(self, steps: list[Step]) -> Page:
        """One page for all counted parameters."""
        t, first = self.catalogue.t, steps[0]
        titles = tuple(self.catalogue.step(step.name) for step in steps)
        lines = [self.printed.worked.line(step.name, 0, 0) for step in steps]
        shown = [one.result if one.terms == one.result else str(one) for one in lines]
        numbers = [step.values[0].tolist() for step in steps]
        cells = tuple(tuple(grouped(x, self.catalogue.language) for x in row) for row in numbers)
        columns = self.printed.labels(first.columns, first)
        worked = tuple(f"{title}: {line}" for title, line in zip(titles, shown, strict=True))
        tables = (WalkTable(titles, columns, cells, focus=len(steps) - 1),)
        said = t("walk.chapter.count"), t("walk.say.count")
        page = self._of(first, *said, worked=worked, tables=tables)
        return replace(page, steps=tuple(step.name for step in steps))

    def _of(self, step: Step, title: str, sentence: str, **more: Any) -> Page:
        """A page about a step: where it belongs, its title and sentence, and what more there is."""
        return Page((step.name,), self.chapter(step), self.place(step), title, sentence, **more)

    def chapter(self, step: Step) -> str:
        """The chapter of a step, numbered where the walk has all of them."""
        key = chapter(step)
        title = self.catalogue.t(f"walk.chapter.{key}")
        told = self.catalogue.t("walk.chapter", number=self.numbers[key], title=title)
        return told if self.numbered else title

    def place(self, step: Step) -> str:
        """The block and head of a step, where the model has several."""
        block, head = step.place.block, step.place.head
        preset, parts = self.trace.preset, []
        if step.place.step > 1:
            parts.append(self.catalogue.t("walk.pass", step=step.place.step - 1))
        if block is not None and preset.blocks > 1:
            parts.append(self.catalogue.t("walk.block", block=block))
        if head is not None and preset.heads > 1:
            parts.append(self.catalogue.t(f"walk.head{'.again' * (head > 1)}", head=head))
        return " · ".join(parts)

    def title(self, step: Step) -> str:
        """The step's title; contributions name their token."""
        title = self.catalogue.step(step.name)
        if not isinstance(step.op, Contribution):
            return title
        return f"{title}: {self.printed.quoted(step.rows[step.op.token])}"

    def notes(self, step: Step) -> tuple[str, ...]:
        """What stands below a page: the ground rules on the first, the mask's mark."""
        t = self.catalogue.t
        if step.place.kind == "tokens":
            language, shows = self.catalogue.language, self.trace.preset.shows
            text = self.catalogue.only(SHOWS, shows.get(language, ""))
            rules = t("walk.sentence", sentence=self.trace.sentence), t("walk.paper")
            said = *rules, t("walk.shows", text=text) if text else "", t("walk.chosen")
            return tuple(filter(None, said))
        return self.printed.legend(step)

    def compared(self, step: Step, compare: Compare) -> WalkTable:
        """Computed, given, deviation: a row each; the last one is that of the unrounded numbers."""
        row, count = compare.row + 1, len(compare.values)
        fits = row <= step.shape[0] and count == step.shape[1]
        require(fits, "walk.compare", step=step, row=row, count=count)
        exponents = (Decimal(repr(value)).as_tuple().exponent for value in compare.values)
        decimals = max(max(0, -int(exponent)) for exponent in exponents)
        computed, language = step.values[compare.row], self.catalogue.language
        lines = {"computed": (computed, decimals), "given": (np.array(compare.values), decimals)}
        lines["deviation"] = computed - compare.values, DEVIATION
        rows = tuple(self.catalogue.t(f"walk.compare.{key}") for key in lines)
        cells = (tuple(number(x, n, language) for x in values) for values, n in lines.values())
        return WalkTable(rows, self.printed.labels(step.columns, step), tuple(cells))

    def charts(self, step: Step) -> tuple[Chart, ...]:
        """The bars of a step of shares: the focus token's, or a chart for each temperature."""
        t = self.catalogue.t
        if step.place.kind == "weights":
            i = self.printed.focus(step)
            title = t("walk.bars", token=self.printed.quoted(step.rows[i]))
            return (self._chart(step, i, self._seen_by_share(step, i), title),)
        if step.place.kind != "output.probabilities":
            return ()
        labels, count = self.printed.labels(step.rows, step), step.shape[1]
        more = t("walk.bars.more", shown=MOST_BARS, all=count) if count > MOST_BARS else ""
        titles = (t("walk.bars.probabilities", temperature=label) for label in labels)
        return tuple(
            self._chart(step, i, [j for j in by_share(row)[:MOST_BARS] if row[j]],
                        f"{title} ({more})" if more else title)
            for i, (title, row) in enumerate(zip(titles, step.values, strict=True))
        )  # fmt: skip

    def ranking(self, step: Step) -> tuple[WalkTable, ...]:
        """The focus token's row sorted by share, with score and e^score; ties by position."""
        if step.place.kind != "weights":
            return ()
        t, i = self.catalogue.t, self.printed.focus(step)
        scaled = self.trace[step.name.replace(".weights", ".scaled")]
        order, three = self._seen_by_share(step, i), (step, scaled, self.trace[step.inputs[0]])
        cells = [tuple(self.printed.cell(one, i, j) for one in three) for j in order]
        base = self.trace.preset.softmax_base
        shown = "e" if base is None else number(base, None, self.catalogue.language)
        exp = t("walk.sorted.exp") if base is None else t("walk.sorted.power", base=shown)
        columns = (t("walk.sorted.share"), t("walk.sorted.score"), exp)
        rows = tuple(step.columns[j] for j in order)
        return (WalkTable(rows, columns, tuple(cells), title=t("walk.sorted")),)

    def _chart(self, step: Step, i: int, places: list[int], title: str) -> Chart:
        return Chart(
            title,
            tuple(step.columns[j] for j in places),
            tuple(float(step.values[i, j]) for j in places),
            tuple(self.printed.cell(step, i, j) for j in places),
        )

    def _seen_by_share(self, step: Step, i: int) -> list[int]:
        scores = masked_scores(self.trace, step.name)
        order = by_share(step.values[i])
        return order if scores is None else [j for j in order if not np.isinf(scores[i, j])]


def _is_count(step: Step) -> bool:
    return kind_of(step.name).chapter == "count" and step.kind == "computed"


HEAD = ("matrices", "query", "key", "scores", "softmax", "value", "sum")


def chapter(step: Step) -> Chapter:
    """The chapter of a step; LookupError for a step that the walk does not show."""
    own_chapter = kind_of(step.name).chapter
    if own_chapter is None:
        raise LookupError(f"the step {step.name!r} belongs to no chapter of the walk")
    return own_chapter if step.place.step == 1 or step.place.of else "again"


def ordered(trace: Trace) -> list[Step]:
    """All steps in an order of computation in which each is shown when it is needed.

    As on source slides, a head's matrices come first and its values last, and √d_k is told where
    it divides for the first time.
    """
    result = list[Step]()
    for ((*_, head), learning), group in groupby(
        trace, lambda one: (one.place[:3], one.place.learning)
    ):
        alone, steps = head is None or learning, list(group)  # told as it is computed
        result += steps if alone else sorted(steps, key=lambda one: HEAD.index(chapter(one)))
    scale = [step for step in result if step.name == "scale"]
    rest = [step for step in result if step.name != "scale"]
    place = next((k for k, step in enumerate(rest) if "scale" in step.inputs), len(rest))
    return rest[:place] + scale + rest[place:]


def said(step: Step) -> str:
    """The key of the sentence that says what happens in a step."""
    ending = variant(step) if kind_of(step.name).says else ""
    return f"walk.say.{step.place.kind}{ending}"


def by_share(shares: np.ndarray) -> list[int]:
    """The places of shares [n] from the largest down; of equal ones the earlier first."""
    order: list[int] = np.argsort(-guarded(shares, GUARD), kind="stable").tolist()
    return order
