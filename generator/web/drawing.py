"""One sentence as a drawing: what each word looks at, and which word comes next.

The page draws it while somebody types. Numbers, and the sentences that say them, are made here: the
browser gets shares for lines and bars, and texts to show.
"""

from collections.abc import Sequence
from typing import Any

from generator.engine.fitness import seen_whole
from generator.engine.trace import Step, Trace
from generator.insight.attention import leaders
from generator.insight.behaviour import RULES, looks
from generator.locales.catalogue import Catalogue
from generator.notation.shown import with_position
from generator.notation.worked import is_masked
from generator.render.walk.pages import by_share
from generator.render.walk.printed_numbers import Printed
from generator.sheets.attending import AT

LIKELIEST = 6  # next words that are shown


def drawing(trace: Trace, catalogue: Catalogue, focus: int, free: bool = False) -> dict[str, Any]:
    """Words, each head's shares by row, the likeliest next words; "told" says them in a sentence.

    `focus` is the word to begin with. "invented" says it of numbers that mean nothing. Where `free`
    the one head is that of sheet 4a, without the mask that the model has.

    A share is its number and how it is printed, None where the mask hides the word. A model without
    a head, or without an output, has none of these.
    """
    drawn, t = _Drawn(seen_whole(trace, AT) if free else trace, catalogue), catalogue.t
    words, heads = trace.tokens, [drawn.trace[f"{AT}.weights"]] if free else _heads(trace)
    found: dict[str, Any] = {
        "words": words,
        "focus": focus,
        "invented": "" if trace.preset.meaningful else t("web.drawing.invented"),
        "heads": [{"name": drawn.name(one), "rows": drawn.rows(one)} for one in heads],
        "free": t("web.drawing.free") if free else "",
        "next": [],
        "next_told": t("web.drawing.no-next"),
    }
    if "sampling.share" in trace:
        step = trace["sampling.share"]
        ranked = by_share(step.values[0])[:LIKELIEST]
        found["next"] = [(step.columns[j], *drawn.share(step, 0, j)) for j in ranked]
        best = leaders(step, 0, range(step.shape[1]))
        told = {"words": drawn.named(step.columns, best), "share": found["next"][0][2]}
        found["next_told"] = t("web.drawing.next" + ".invented" * bool(found["invented"]), **told)
    return found


def spoken_of(trace: Trace) -> tuple[int, int]:
    """The head, by its place among all, and the word that the preset's promises are about.

    Of several promises that about the fewest words; of its words the preset's example, else the
    last. Where nothing is promised of a head: the first one, and the example or the last word.
    """
    kept = [one for one in trace.preset.behaviour if one.rule in RULES]
    about = [(one.head, [look.token for look in looks(trace, one)]) for one in kept]
    about.sort(key=lambda one: len(one[1]) or len(trace.tokens))
    if about and about[0][1]:
        head, words = about[0]
        names = [one.name for one in _heads(trace)]
        return names.index(f"{head}.weights"), trace.worked if trace.worked in words else words[-1]
    return 0, len(trace.tokens) - 1 if trace.worked is None else trace.worked


def _heads(trace: Trace) -> list[Step]:
    return [one for one in trace if one.place.kind == "weights"]


class _Drawn:
    """What a step's shares are to look at, in the words of the page."""

    def __init__(self, trace: Trace, catalogue: Catalogue) -> None:
        self.trace, self.catalogue = trace, catalogue
        self.printed = Printed(trace, catalogue)

    def name(self, step: Step) -> str:
        """The head, and its block."""
        t, at, preset = self.catalogue.t, step.place, self.trace.preset
        head = t("web.drawing.head", head=at.head, of=preset.heads)
        return f"{t('walk.block', block=at.block)} · {head}" if preset.blocks > 1 else head

    def rows(self, step: Step) -> list[dict[str, Any]]:
        """Each word's shares, and what there is to say of them."""
        rows = range(step.shape[0])
        return [{"shares": self.shares(step, i), "told": self.told(step, i)} for i in rows]

    def shares(self, step: Step, i: int) -> list[tuple[float, str] | None]:
        """A row's shares."""
        hidden = (is_masked(self.trace, step.name, i, j) for j in range(step.shape[1]))
        return [None if one else self.share(step, i, j) for j, one in enumerate(hidden)]

    def share(self, step: Step, i: int, j: int) -> tuple[float, str]:
        """A share as a number, and as it is printed."""
        return float(step.values[i, j]), self.printed.cell(step, i, j)

    def told(self, step: Step, i: int) -> str:
        """Whom a word looks at most; several where they have the same share."""
        word, best = self.named(step.rows, [i]), leaders(step, i, range(step.shape[1]))
        if not step.values[i].any():
            return self.catalogue.t("web.drawing.nobody", word=word)
        share, words = self.share(step, i, best[0])[1], self.named(step.columns, best)
        only = [j for j, one in enumerate(self.shares(step, i)) if one] == [i]
        phrase = "web.drawing.itself" if only else "web.drawing.most"
        return self.catalogue.t(phrase, word=word, words=words, share=share)

    def named(self, words: Sequence[str], places: Sequence[int]) -> str:
        """Words in quotes, one that occurs several times with its position, as on the sheets."""
        names = (self.printed.quoted(with_position(words, j)) for j in places)
        return f" {self.catalogue.t('sheet.and')} ".join(names)
