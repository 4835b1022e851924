"""The heading over a table: letter, name, formula in symbols, role; as much as finds room."""

from collections.abc import Iterator

from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.layout import Band
from generator.render.workbook.layout.measures import LETTER


def title_over(draft: Draft, box: Box, letter: str, band: Band) -> str:
    """The first of a table's possible headings that ends before the next one in its row."""
    width = _width(draft, box, band)
    if box.home:
        before = f"({letter}) " if letter else ""
        headings = [f"{before}{text}".rstrip() for text in _home(draft, box)]
    else:
        headings = [f"= {text}".rstrip() for text in _echo(draft, box, band)]
    return next((text for text in headings if len(text) * LETTER <= width), headings[-1])


def _width(draft: Draft, box: Box, band: Band) -> float:
    """The characters from the heading's column to the next heading in its row."""
    row, column = band.tags[box]
    grid = draft.grids[box.sheet]
    after = [c for r, c in band.tags.values() if r == row and c > column]
    return grid.span(column, min(after, default=grid.right + 1) - 1)


def _home(draft: Draft, box: Box) -> Iterator[str]:
    """ "Query Q = X · W_Q [C calculated]", and shorter ones."""
    names, step = draft.names, draft.trace[box.step]
    asked = any(cell[0] == step.name for cell in draft.exercise.asked)
    kind = "asked" if asked else step.kind
    sign, _, role = draft.catalogue.t(f"workbook.role.{kind}").partition("  ")
    symbol = names.symbol(step.name, box)
    silent = asked or (box.turned and symbol.endswith("ᵀ"))  # a formula is the first hint
    formula = "" if silent else names.formula(step.name)
    full = names.full(step.name, box)
    whole = [f"{names.name(step.name)} {formula}", formula] if formula else []
    for text in (*whole, full):
        yield f"{text} [{sign} {role}]"
        yield f"{text} [{sign}]"
    yield full
    if symbol:
        yield f"{symbol} [{sign}]"
        yield symbol
    yield ""


def _echo(draft: Draft, box: Box, band: Band) -> Iterator[str]:
    """ "Input X (tab Input)", and shorter ones."""
    here = band.lines[0].step if band.lines else ""
    home, symbol = draft.layout.home(box.step), draft.names.symbol(box.step, box, here)
    way = "above" if home.row <= box.row else "below"
    key = "tab" if home.sheet != box.sheet else way
    where = draft.catalogue.t(f"workbook.place.{key}", tab=home.sheet)
    full = draft.names.full(box.step, box, here)
    yield f"{full} ({where})"
    if symbol:
        yield f"{symbol} ({where})"
    yield full
    yield symbol
