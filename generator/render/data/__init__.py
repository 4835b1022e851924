"""A whole Trace as data: JSON, CSV, LaTeX or plain text; renderers return text, none writes."""

from collections.abc import Callable

from generator.engine.trace import Trace
from generator.errors import UserError, did_you_mean
from generator.render.data.csv_table import render as csv_table
from generator.render.data.json_record import render as json_record
from generator.render.data.latex_document import render as latex_document
from generator.render.data.plain_text import render as plain_text

FORMATS: dict[str, Callable[[Trace], str]] = {
    "json": json_record,
    "csv": csv_table,
    "latex": latex_document,
    "text": plain_text,
}


def render(trace: Trace, form: str) -> str:
    """The Trace in that format; `UserError` naming the known formats for an unknown one."""
    if form not in FORMATS:
        hint = did_you_mean(form, FORMATS)
        raise UserError(f"there is no format {form!r}{hint}; choose from: {', '.join(FORMATS)}")
    return FORMATS[form](trace)


__all__ = ["FORMATS", "render"]
