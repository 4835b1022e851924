"""The words that formulas in symbols need."""

from generator.engine.expr import Fn
from generator.engine.ops import Power
from generator.locales.catalogue import load
from generator.locales.locale import locale_of
from generator.notation.letters import kind

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


def size_word(name: str, language: str) -> str:
    """What a row of `count.size` is called in that language."""
    return load(language).t(f"walk.size.{name.replace(' ', '_')}")


def power_ending(power: Power, name: str) -> str:
    """How keys of phrases about powers end: base other than e, scores of which none is masked."""
    base = "" if power.base is None else ".base"
    return base + ("" if power.masked or kind(name) != "exp" else ".seen")
