"""The kinds of steps from places in the sentence to the model's input."""

from functools import partial

from generator.steps.kind import LINE, Asked, TabStyle, computed, given, letter

PE, POS = letter("PE", r"\mathrm{PE}"), letter("pos", r"\mathrm{pos}")
PLACES, CURVES = TabStyle(group="places"), TabStyle(group="places", chart="curves")

_given = partial(given, chapter="input", tab="input")
_input = partial(computed, chapter="input", tab="input")

KINDS = (
    _given("position.index", POS, rows="tokens", shown=PLACES),
    _given("position.index.new", POS, shown=LINE),
    _given("position.new", PE),
    _input("position.divisor", letter("D"), rows="one"),
    _input("position.angle", letter("φ", r"\varphi"), asked=Asked(3), shown=PLACES),
    _input("position", PE, asked=Asked(2), source="either", shown=CURVES, says=True),
    _input("input", letter("X"), asked=Asked(1, worked=3), source="matrix", says=True),
)
