"""A Trace as data: JSON, CSV, LaTeX or plain text; renderers give text piece by piece."""

from collections.abc import Callable, Iterator

from generator.engine.trace import Trace
from generator.errors import UserError, did_you_mean
from generator.render.data.chosen import Chosen, chosen
from generator.render.data.csv_table import pieces as csv_table
from generator.render.data.json_record import pieces as json_record
from generator.render.data.latex_document import pieces as latex_document
from generator.render.data.plain_text import pieces as plain_text

FORMATS: dict[str, Callable[[Trace, Chosen], Iterator[str]]] = {
    "json": json_record,
    "csv": csv_table,
    "latex": latex_document,
    "text": plain_text,
}


def pieces(trace: Trace, form: str, of: Chosen | None = None) -> Iterator[str]:
    """The chosen steps in that format, a piece at a time: no memory holds a real model's text.

    Raises `UserError` naming the known formats for an unknown one.
    """
    if form not in FORMATS:
        hint = did_you_mean(form, FORMATS)
        raise UserError(f"there is no format {form!r}{hint}; choose from: {', '.join(FORMATS)}")
    return FORMATS[form](trace, chosen(trace) if of is None else of)


def render(trace: Trace, form: str) -> str:
    """The whole text of a Trace in that format."""
    return "".join(pieces(trace, form))


__all__ = ["FORMATS", "Chosen", "chosen", "pieces", "render"]
