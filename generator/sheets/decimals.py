"""To how many decimals the asked numbers of a sheet are rounded: said once, before the first task.

The decimals are the steps' own, so that what pupils are told is what the solution prints.
"""

from collections.abc import Iterable, Mapping

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.claims import CheckedCatalogue
from generator.notation.shown import shown_decimals


def places(trace: Trace, asked: Iterable[Cell], names: Iterable[str]) -> dict[int, list[str]]:
    """By number of decimals, which of the asked steps have it, by their last names in this order.

    A name is a step's without the number of a norm, `mean` for `block1.mean2`. Of one that stands
    in several heads each number of decimals is listed.
    """
    wanted = {(_last(step), shown_decimals(trace[step])) for step, _, _ in asked}
    by_count: dict[int, list[str]] = {}
    for name in names:
        for count in sorted(count for last, count in wanted if last == name):
            by_count.setdefault(count, []).append(name)
    return by_count


def usual(by_count: Mapping[int, list[str]]) -> int | None:
    """The number of decimals that most names have; None where as many have another."""
    most = max(map(len, by_count.values()))
    largest = [count for count, names in by_count.items() if len(names) == most]
    return largest[0] if len(largest) == 1 else None


def said(by_count: Mapping[int, list[str]], catalogue: CheckedCatalogue, sheet: str) -> str:
    """The sentence that says it, in the words of a sheet (`<sheet>.places.<name>`)."""
    t, others = catalogue.t, []
    for count in sorted(by_count.keys() - {most := usual(by_count)}):
        words = [t(f"{sheet}.places.{name}") for name in by_count[count]]
        others.append(t("sheet.places.each", count=count, names=listed(catalogue, words)))
    if most is None:
        return t("sheet.places.all", places=", ".join(others))
    key = "sheet.places.several" if others else "sheet.places"
    return t(key, others=", ".join(others), count=most)


def listed(catalogue: CheckedCatalogue, names: list[str]) -> str:
    """Names in a row, the last one after "and"."""
    parts = [", ".join(names[:-1]), *names[-1:]][len(names) < 2 :]
    return f" {catalogue.t('sheet.and')} ".join(parts)


def _last(step: str) -> str:
    return step.rpartition(".")[2].rstrip("0123456789")
