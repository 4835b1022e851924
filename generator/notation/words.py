"""The words that formulas in symbols need."""

from generator.engine.expr import Fn
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.locales.locale import locale_of
from generator.locales.norms import of_norm

NAMED = {Fn.LN: "ln", Fn.SIN: "sin", Fn.COS: "cos", Fn.TANH: "tanh", Fn.NORMAL: "Φ"}
SAME_EVERYWHERE = {
    Fn.EXACT: "{0} = {1}",
    Fn.INDEX: "{0}[{1}]",
    Fn.ABS: "|{0}|",
    Fn.IF_ERROR: "{0}",
    Fn.ROUND_UP: "⌈{0}⌉",
    Fn.TWO_DIGITS: "{0}",
}


def worded(fn: Fn, language: str) -> str:
    """The phrase of a function that formulas have no sign for."""
    return str(getattr(locale_of(language).words, fn.value))


def size_word(name: str, trace: Trace, language: str) -> str:
    """What a row of `count.size` is called in that language."""
    return of_norm(load(language), trace.preset.norm_form).t(f"walk.size.{name.replace(' ', '_')}")
