"""What is shown of tables and sums that no terminal holds: a real model's 768 columns, say."""

from collections.abc import Collection

WHOLE = 100  # rows or columns that are shown all
FIRST = 8
GAP = "…"
WHOLE_SUM, FIRST_TERMS, LAST_TERMS = 40, 6, 2
WHOLE_VECTOR = 40
PLUS = " + "


def places(count: int, wanted: Collection[int] = ()) -> list[int]:
    """The rows or columns to show, in order: all, or the first ones, the wanted ones, the last."""
    if count <= WHOLE:
        return list(range(count))
    return sorted({*range(FIRST), *wanted, count - 1})


def with_gaps(shown: list[str], kept: list[int]) -> tuple[str, ...]:
    """Printed cells or labels of the kept places, a mark wherever some between are left out."""
    result: list[str] = []
    for text, place, before in zip(shown, kept, [-1, *kept], strict=False):
        result += [text] if place == before + 1 else [GAP, text]
    return tuple(result)


def short_sum(terms: str) -> str:
    """A printed sum of very many terms with its first and last ones."""
    parts = terms.split(PLUS)
    if len(parts) <= WHOLE_SUM:
        return terms
    return PLUS.join([*parts[:FIRST_TERMS], GAP, *parts[-LAST_TERMS:]])


def short_vector(cells: list[str]) -> list[str]:
    """The printed numbers of a very long vector: its first and last ones."""
    if len(cells) <= WHOLE_VECTOR:
        return cells
    return [*cells[:FIRST_TERMS], GAP, *cells[-LAST_TERMS:]]
