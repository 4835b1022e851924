"""Builds the pages of the walk from a Trace: words, formulas, printed numbers."""

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

from generator.engine.compare import Compare
from generator.engine.ops import Contribution
from generator.engine.trace import Step, Trace
from generator.insight.general_claims import SHOWS, checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.notation.symbols import Symbols
from generator.render.patterns import no_step
from generator.render.walk.chapters import chapter, ordered, said
from generator.render.walk.compared import comparison
from generator.render.walk.page import Page
from generator.render.walk.pictures import charts, ranking
from generator.render.walk.printed_numbers import Printed
from generator.steps import kind_of

ALL = "*"


def pages(trace: Trace, catalogue: Catalogue, steps: str = ALL) -> list[Page]:
    """A page for each step in order of computation; the counts share one.

    `steps` is a pattern of step names, such as "block1.head1.*". A preset's comparison follows
    the step that it compares. Raises `UserError` where no step fits the pattern.
    """
    book = _Book(trace, catalogue)
    chosen = list(book.pages(lambda name: fnmatchcase(name, steps)))
    if not chosen:
        raise no_step(trace, steps)
    return chosen


class _Book:
    """Writes the pages of one Trace in one language."""

    def __init__(self, trace: Trace, catalogue: Catalogue) -> None:
        self.trace = trace
        self.catalogue = checked_catalogue(catalogue, trace)
        self.printed = Printed(trace, self.catalogue)
        self.symbols = Symbols(trace, catalogue.language)
        self.steps = ordered(trace)
        names = dict.fromkeys(chapter(step) for step in self.steps)
        self.numbers = {name: k for k, name in enumerate(names, start=1)}

    def pages(self, wanted: Callable[[str], bool]) -> Iterator[Page]:
        compared = self.trace.preset.compare if self._own_sentence() else None
        for step in (one for one in self.steps if not _is_count(one) and wanted(one.name)):
            yield self.page(step)
            if compared is not None and self.trace[compared.step] is step:
                yield self.comparison(step, compared)
        counts = [step for step in self.steps if _is_count(step)]
        if any(wanted(step.name) for step in counts):
            yield self.counts(counts)

    def _own_sentence(self) -> bool:
        return self.trace.sentence in self.trace.preset.sentences.values()

    def page(self, step: Step) -> Page:
        """The page of one step."""
        computed = step.kind == "computed"
        example, worked = self.printed.example(step) if computed else ("", ())
        return Page(
            steps=(step.name,),
            chapter=self.chapter(step),
            place=self.place(step),
            title=self.title(step),
            sentence=self.catalogue.t(said(step)),
            formula=self.symbols.step(step.name) if computed else "",
            example=example,
            worked=worked + self.printed.contributions(step),
            tables=(self.printed.table(step), *ranking(self.printed, step)),
            charts=charts(self.printed, step),
            notes=self.notes(step),
        )

    def comparison(self, step: Step, compared: Compare) -> Page:
        """The page that compares a step's row with numbers printed elsewhere."""
        language = self.catalogue.language
        row = step.rows[compared.row]
        note = compared.note.get(language)
        return Page(
            steps=(step.name,),
            chapter=self.chapter(step),
            place=self.place(step),
            title=compared.title[language],
            sentence=self.catalogue.t("walk.compare.say", token=self.printed.quoted(row)),
            tables=(comparison(self.printed, step, compared),),
            notes=() if note is None else (note,),
        )

    def counts(self, steps: list[Step]) -> Page:
        """One page for all counted parameters."""
        return Page(
            steps=tuple(step.name for step in steps),
            chapter=self.chapter(steps[0]),
            place="",
            title=self.catalogue.t("walk.chapter.count"),
            sentence=self.catalogue.t("walk.say.count"),
            worked=tuple(self.printed.count_line(step) for step in steps),
            tables=(self.printed.count_table(steps),),
        )

    def chapter(self, step: Step) -> str:
        """The numbered chapter of a step."""
        key = chapter(step)
        title = self.catalogue.t(f"walk.chapter.{key}")
        return self.catalogue.t("walk.chapter", number=self.numbers[key], title=title)

    def place(self, step: Step) -> str:
        """The block and head of a step, where the model has several."""
        block, head = step.place.block, step.place.head
        preset, parts = self.trace.preset, []
        if step.place.step > 1:
            parts.append(self.catalogue.t("walk.pass", step=step.place.step - 1))
        if block is not None and preset.blocks > 1:
            parts.append(self.catalogue.t("walk.block", block=block))
        if head is not None and preset.heads > 1:
            parts.append(self.catalogue.t("walk.head", head=head))
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
            rules = [t("walk.sentence", sentence=self.trace.sentence)]
            rules.append(t("walk.paper"))
            shows = self.trace.preset.shows.get(self.catalogue.language, "")
            if text := self.catalogue.only(SHOWS, shows):
                rules.append(t("walk.shows", text=text))
            rules.append(t("walk.chosen"))
            return tuple(filter(None, rules))
        return self.printed.legend(step)


def _is_count(step: Step) -> bool:
    return kind_of(step.name).chapter == "count" and step.kind == "computed"
