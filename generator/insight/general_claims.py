"""The claims that sheets, walk and workbook have in common, each with its predicate."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim, Told
from generator.insight.meaning import meant, to_see
from generator.locales.catalogue import Catalogue

SHOWS = "preset.shows"  # the preset's own statement; it stands in its file, not in the catalogue


def told(catalogue: Catalogue, trace: Trace) -> Told:
    """The catalogue of whatever is no worksheet: it says what is true of this computation.

    One that is told already stays as it is: an exercise asks it about numbers that it hides.
    """
    if isinstance(catalogue, Told):
        return catalogue
    return Told(catalogue, GENERAL, trace, None)


def _meant(trace: Trace, plan: object) -> bool:
    return meant(trace)


def _chosen(trace: Trace, plan: object) -> bool:
    """Whether the preset says that its numbers are made up."""
    return not trace.preset.meaningful


def _unmeant(trace: Trace, plan: object) -> bool:
    return not meant(trace)


def _shows(trace: Trace, plan: object) -> bool:
    return to_see(trace)


def _paper(trace: Trace, plan: object) -> bool:
    return trace.rounding == "paper"


GENERAL: dict[str, Claim] = {
    SHOWS: Claim(_shows),
    "sheet.meaningful": Claim(_meant, "sheet.chosen"),
    "sheet.chosen": Claim(_chosen, "sheet.unmeant"),
    "sheet.unmeant": Claim(_unmeant),
    "sheet.rounding.text": Claim(_paper, "sheet.rounding.exact"),
    "walk.chosen": Claim(_chosen),
    "walk.paper": Claim(_paper, "walk.exact"),
    "workbook.start.chosen": Claim(_chosen),
}
