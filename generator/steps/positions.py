"""The kinds of steps from places in the sentence to the model's input."""

from generator.steps.kind import LINE, Asked, StepKind, TabStyle, given, letter

PE = letter("PE", r"\mathrm{PE}")
POS = letter("pos", r"\mathrm{pos}")
PLACES = TabStyle(group="places")

KINDS = (
    given("position.index", POS, "input", "input", rows="tokens", shown=PLACES),
    given("position.index.new", POS, "input", "input", shown=LINE),
    given("position.new", PE, "input", "input"),
    StepKind(
        "position.divisor",
        letter("D"),
        "input",
        "input",
        asked=None,
        in_decimals=True,
        live=True,
        rows="one",
    ),
    StepKind(
        "position.angle",
        letter("φ", r"\varphi"),
        "input",
        "input",
        asked=Asked(3),
        in_decimals=True,
        live=True,
        shown=PLACES,
    ),
    StepKind(
        "position",
        PE,
        "input",
        "input",
        asked=Asked(2),
        in_decimals=True,
        live=True,
        source="either",
        shown=TabStyle(group="places", chart="curves"),
        says=True,
    ),
    StepKind(
        "input",
        letter("X"),
        "input",
        "input",
        asked=Asked(1, worked=3),
        in_decimals=True,
        live=True,
        source="matrix",
        says=True,
    ),
)
