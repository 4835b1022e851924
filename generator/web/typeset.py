"""Sets what the terminal writes as W_Q and e^Ŝ as print does: with a low Q and a raised Ŝ."""

import re

from markupsafe import Markup, escape

# One letter, perhaps with a hat, then a name of ASCII letters: d_model, W_Q₁₁, Ŝ_M.
_LOW = re.compile(r"(?<![^\W\d_])([^\W\d_]\u0302?)_([A-Za-z]+)")
# In brackets, a number (its decimal sign may be a comma), or up to the end of the symbol.
_RAISED = re.compile(r"\^(\([^()]*\)|\d+(?:[.,]\d+)?|[^\s,;()]+)")


def typeset(text: str) -> Markup:
    """A line of the walk as HTML; nothing of its text changes but the signs _ and ^."""
    raised = _RAISED.sub(r"<sup>\1</sup>", str(escape(text)))
    return Markup(_LOW.sub(r"\1<sub>\2</sub>", raised))
