"""The claims that sheets, walk and workbook have in common, each with its predicate."""

import numpy as np

from generator.engine.trace import Trace
from generator.insight.claims import CheckedCatalogue, Claim
from generator.insight.meaning import drawn_words, meant, to_see
from generator.locales.catalogue import Catalogue
from generator.locales.norms import of_norm

SHOWS = "preset.shows"  # the preset's own statement; it stands in its file, not in the catalogue


def checked_catalogue(catalogue: Catalogue, trace: Trace) -> CheckedCatalogue:
    """The catalogue for walk and workbooks, its claims checked against this computation.

    One that is checked already stays as it is: an exercise asks it about numbers that it hides.
    """
    if isinstance(catalogue, CheckedCatalogue):
        return catalogue
    return CheckedCatalogue(of_norm(catalogue, trace.preset.norm_form), GENERAL, trace, None)


def _chosen(trace: Trace, plan: object) -> bool:
    """Whether the preset says that its numbers are made up."""
    return not trace.preset.meaningful


def _unmeant(trace: Trace, plan: object) -> bool:
    return not meant(trace)


def _shows(trace: Trace, plan: object) -> bool:
    return to_see(trace)


def mixes(trace: Trace, plan: object) -> bool:
    """Whether W_O adds numbers of two heads together, in every block."""
    names = [f"block{k + 1}.weight.output" for k in range(trace.preset.blocks)]
    return all(name in trace and _joins(trace[name].values, trace.preset.heads) for name in names)


def _joins(weight: np.ndarray, heads: int) -> bool:
    """Whether a column of W_O [heads · d_head, d_model] has numbers in rows of several heads."""
    each = weight.reshape(heads, -1, weight.shape[1])  # [heads, d_head, d_model]
    return bool((each != 0).any(axis=1).sum(axis=0).max() > 1)


def widens(trace: Trace, plan: object) -> bool:
    """Whether the feed-forward network has more columns inside than outside."""
    return trace.preset.d_ff > trace.preset.d_model


def _paper(trace: Trace, plan: object) -> bool:
    return trace.rounding == "paper"


def _drawn(trace: Trace, plan: object) -> bool:
    return bool(drawn_words(trace))


def _all_drawn(trace: Trace, plan: object) -> bool:
    """Whether no word of the vocabulary has numbers that somebody chose."""
    drawn = drawn_words(trace)
    return bool(drawn) and len(drawn) == len(trace["vocabulary.words"].values)


GENERAL: dict[str, Claim] = {
    SHOWS: Claim(_shows),
    "sheet.chosen": Claim(_chosen, "sheet.unmeant"),
    "sheet.unmeant": Claim(_unmeant),
    "sheet.drawn.all": Claim(_all_drawn, "sheet.drawn"),
    "sheet.drawn": Claim(_drawn),
    "sheet.rounding.text": Claim(_paper, "sheet.rounding.exact"),
    "walk.chosen": Claim(_chosen),
    "walk.say.weight.output": Claim(mixes, "walk.say.weight.output.plain"),
    "walk.say.weight.hidden": Claim(widens, "walk.say.weight.hidden.plain"),
    "walk.say.hidden": Claim(widens, "walk.say.hidden.plain"),
    "walk.paper": Claim(_paper, "walk.exact"),
    "workbook.start.chosen": Claim(_chosen),
}
