"""Spelling for terminals whose encoding lacks the signs of formulas."""

import codecs

from rich.text import Text

SPELLED = {
    "·": "*",
    "×": "*",
    "÷": "/",
    "−": "-",
    "√": "sqrt",
    "∞": "inf",
    "≈": "~",
    "≤": "<=",
    "≥": ">=",
    "≠": "<>",
    "²": "^2",
    "ᵀ": "^T",
    "⁽": "(",
    "⁾": ")",
    "′": "'",
    "″": "''",
    "Σ": "Sum",
    "σ": "sigma",
    "μ": "mu",
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "φ": "phi",
    "Φ": "Phi",
    "π": "pi",
    "…": "...",
    "→": "->",
    "►": ">",
    "─": "-",
    "━": "=",
    "█": "#",
    "▒": "x",
    "„": '"',
    "“": '"',
    "”": '"',
    "\N{NARROW NO-BREAK SPACE}": " ",
    **dict.fromkeys("▏▎▍▌▋▊▉", ""),
    **dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)),
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)),
}


def speaks_unicode(encoding: str) -> bool:
    """Whether a terminal with this encoding can show every sign."""
    return codecs.lookup(encoding).name.startswith("utf")


def replaced(line: Text, encoding: str) -> Text:
    """The line with each sign that the encoding lacks spelled in others; unknown ones escaped."""
    result = Text()
    for part in line.divide(span.end for span in line.spans):
        result.append(_spelled(part.plain, encoding), part.spans[0].style if part.spans else "")
    return result


def _spelled(text: str, encoding: str) -> str:
    return "".join(char if _known(char, encoding) else _instead(char, encoding) for char in text)


def _known(char: str, encoding: str) -> bool:
    return char.encode(encoding, "ignore") != b""


def _instead(char: str, encoding: str) -> str:
    return SPELLED.get(char, char.encode(encoding, "backslashreplace").decode(encoding))
