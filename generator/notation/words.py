"""The words that formulas in symbols need, in both languages."""

from generator.engine.expr import Fn
from generator.text.catalogue import load

WORDS = {
    "de": {
        "if": "{yes}, falls {condition}, sonst {no}",
        Fn.IS_NUMBER: "{0} sichtbar",
        Fn.MATCH: "Platz({0} in {1})",
        Fn.RANK: "Rang({0} in {1})",
        Fn.COUNT_EQUAL: "Anzahl({1} in {0})",
        Fn.COUNT_AT_MOST: "Anzahl({0} ≤ {1})",
        Fn.SUM_BELOW: "Σ({2} mit {0} < {1})",
        Fn.COUNT_NUMBERS: "Zahlen in ({0})",
        Fn.COUNT_BLANK: "leer in ({0})",
        Fn.LENGTH: "Länge({0})",
        Fn.SPELLED: "Buchstaben({0})",
        Fn.PIECES: "Anzahl der Tokens({0})",
        Fn.PAIR_AT: "Paar {1} in ({0})",
        Fn.MERGED: "({0} mit {1} verschmolzen)",
    },
    "en": {
        "if": "{yes} if {condition}, otherwise {no}",
        Fn.IS_NUMBER: "{0} visible",
        Fn.MATCH: "place({0} in {1})",
        Fn.RANK: "rank({0} in {1})",
        Fn.COUNT_EQUAL: "count({1} in {0})",
        Fn.COUNT_AT_MOST: "count({0} ≤ {1})",
        Fn.SUM_BELOW: "Σ({2} with {0} < {1})",
        Fn.COUNT_NUMBERS: "numbers in ({0})",
        Fn.COUNT_BLANK: "empty in ({0})",
        Fn.LENGTH: "length({0})",
        Fn.SPELLED: "letters({0})",
        Fn.PIECES: "number of tokens({0})",
        Fn.PAIR_AT: "pair {1} in ({0})",
        Fn.MERGED: "({0} with {1} merged)",
    },
}
NAMED = {Fn.LN: "ln", Fn.SIN: "sin", Fn.COS: "cos", Fn.TANH: "tanh", Fn.NORMAL: "Φ"}
SAME_EVERYWHERE = {
    Fn.EXACT: "{0} = {1}",
    Fn.INDEX: "{0}[{1}]",
    Fn.ABS: "|{0}|",
    Fn.IF_ERROR: "{0}",
    Fn.ROUND_UP: "⌈{0}⌉",
    Fn.TWO_DIGITS: "{0}",
}


def size_word(name: str, language: str) -> str:
    """What a row of `count.size` is called in that language."""
    return load(language).t(f"walk.size.{name.replace(' ', '_')}")
