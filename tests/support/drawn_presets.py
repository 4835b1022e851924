"""Presets that nobody tuned a page to: sizes, decimals, masks, ties and temperatures by a draw."""

from functools import cache

from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.presets.computed import computed
from generator.presets.load import parse
from tests.reference.options import Draws

PRESETS = 300  # looked at by whoever looks at all
WORDS = ("Uhu", "und", "Igel", "sehen", "alte", "Bäume")
SIGNS = ("a", "b", "c", "d", "e", "f")
LENGTHS = (2, 3, 4, 5, 6, 6, 8)
HOW = ('"draw -1 1 0.5"', '"draw -2 2 0.1"', '"draw -1 1 0.1"', '"zero"', '"draw -3 0 0.5"')
ROUNDED = (
    *("query", "key", "value", "scores", "scaled", "exp", "sum", "weights", "output"),
    *("output.logits", "output.tempered", "output.exp", "output.sum", "output.probabilities"),
    *("residual", "mean", "variance", "deviation", "normalised", "hidden", "grad"),
)
ROUNDINGS = ("paper", "paper", "exact")
POSITIONS = ("none", "sinusoidal")
MASKS = ("none", "causal", "causal", "strict")
NORMS = ("post", "post", "pre", "none")
OUTPUTS = ("tied", "own")
BASES = ('"e"', '"e"', '"e"', "2", "3")
TEMPERATURES = ("[1.0]", "[0.5, 1.0, 2.0]", "[0.1, 1.0, 5.0]", "[1.0, 3.0]", "[0.7, 1.0]")


@cache
def drawn_preset(number: int) -> Preset:
    """The preset of a number, the same at every call; its sentence fits it."""
    draws = Draws(f"paperformer/drawn/{number}")
    return parse("\n".join(_lines(draws, f"drawn-{number}")), f"drawn-{number}.toml")


@cache
def drawn_traces(number: int, language: str = "de") -> tuple[Trace, Trace] | None:
    """Its computation as it rounds, and without rounding; None where that is refused."""
    given = {"preset": drawn_preset(number), "language": language}
    try:
        trace, exact = (computed(None, rounding=how, **given) for how in (None, "exact"))
    except UserError:
        return None
    return trace, exact


def _lines(draws: Draws, name: str) -> list[str]:
    choice = draws.choice
    sign, heads, width = choice((True, False, False)), choice((1, 1, 2)), choice((2, 3, 4))
    words = SIGNS if sign else WORDS
    tokens = [choice(words) for _ in range(choice(LENGTHS))]
    joiner, kind = ("", "character") if sign else (" ", "word")
    d_model = width if choice((True, False)) or heads * 2 != 4 else 4
    d_head = choice((1, 2)) if heads == 2 else choice((1, 2, d_model))
    numbers = choice(((0, 1), (-1, 1), (-2, -0.1)))
    lines = [
        f'format = 1\nname = "{name}"\nlanguage = "de"',
        f'sentence = {{ de = "{joiner.join(tokens)}", en = "{joiner.join(tokens)}" }}',
        f'rounding = "{choice(ROUNDINGS)}"\nmeaningful = false',
        f'tokenizer.kind = "{kind}"',
        f'positions.kind = "{choice(POSITIONS)}"\npositions.input_decimals = 1',
        f'mask.kind = "{choice(MASKS)}"',
        f'softmax.base = {choice(BASES)}\nsoftmax.shifted = "never"',
        f"sampling.temperatures = {choice(TEMPERATURES)}",
        "[model]",
        f"d_model = {d_model}\nheads = {heads}\nd_head = {d_head}\nd_ff = 4",
    ]
    whole = choice((True, True, False))
    parts = ("attention", "residual", "feedforward", "output") if whole else ("attention",)
    lines.append(f"parts = {list(parts)}".replace("'", '"'))
    own = whole and choice((True, False))
    if whole:
        lines.append(f'[norm]\nkind = "{choice(NORMS)}"\nepsilon = 0.001')
        lines.append(f'[output]\nkind = "{OUTPUTS[own]}"')
    lines.append(f"[decimals]\ndefault = {choice((0, 1, 2, 2, 3))}")
    lines += [f'"{key}" = {choice((0, 1, 2, 3, 4))}' for key in ROUNDED if draws.number() < 0.3]
    lines.append("[vocabulary.words]")
    for word in words:
        row = [
            round(numbers[0] + (numbers[1] - numbers[0]) * draws.number(), 1)
            for _ in range(d_model)
        ]
        lines.append(f'"{word}" = {[float(x) for x in row]}')
    lines.append("[translation.en]")  # the same words: what is said of them is not
    lines += [f'"{word}" = "{word}"' for word in words]
    lines.append("[weights]")
    for head in range(heads):
        for one in ("query", "key", "value"):
            lines.append(f'"block1.head{head + 1}.weight.{one}" = {choice(HOW)}')
    if heads * d_head != d_model:
        lines.append(f'"block1.weight.output" = {choice(HOW)}')
    if whole:
        lines += [f'"block1.weight.{one}" = {choice(HOW)}' for one in ("hidden", "feedforward")]
    if own:
        lines.append(f'"output.matrix" = {choice(HOW)}')
    return lines
