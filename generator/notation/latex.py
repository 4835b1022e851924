"""Formulas in LaTeX (math mode), for documents and for typeset formulas."""

import re
from collections.abc import Iterable, Mapping

from generator.engine.expr import Bin, Expr, Fn, Text
from generator.locales.locale import locale_of
from generator.notation.base import STRENGTH
from generator.notation.shown import LOWERED, MINUS, NARROW_SPACE, POWERS
from generator.notation.symbols import NAMED, SAME_EVERYWHERE, Symbols
from generator.resources import table
from generator.steps import letter_of

TABLES = table("notation/latex.toml")
OPERATORS: Mapping[str, str] = TABLES["operators"]
WRITTEN = {"d_model": r"d_{\mathrm{model}}"}
_SPECIAL = str.maketrans(TABLES["special"])
_SIGNS = str.maketrans(TABLES["signs"] | {sign: OPERATORS[sign] for sign in ("·", "×", MINUS)})
_TENS = re.compile(f"(?<= 10)[{POWERS}]+")


def escaped(text: str) -> str:
    """A user's text as LaTeX text: every special character stands for itself."""
    return text.translate(_SPECIAL)


def in_maths(text: str) -> str:
    """A printed number for math mode: a hyphen for the minus, no space after the comma."""
    plain = text.replace(",", "{,}").replace(NARROW_SPACE, r"\,")
    raised = _TENS.sub(lambda power: f"^{{{power[0].translate(LOWERED)}}}", plain)
    return raised.translate(_SIGNS)


class Latex(Symbols):
    """Formulas in symbols, `S = Q \\cdot K^{\\mathsf{T}}`; see `Symbols`."""

    pi = r"\pi"
    dotted = r"\cdot"
    narrow, indexing = r"\,", str.maketrans({})
    above = False  # whether an exponent is being written

    @property
    def times(self) -> str:
        return OPERATORS[self.signs.times]

    def in_a_row(self, parts: Iterable[str]) -> str:
        mark = self.signs.separator.strip()
        return rf"{{{mark}}}\, ".join(parts)

    def text(self, node: Text) -> str:
        return WRITTEN.get(node.value, node.value)

    def named(self, name: str, index: str) -> str:
        plain, place = letter_of(name, self.trace).latex, self.elsewhere(name)
        raised = f"^{place}" if place else ""
        if not raised and not index:
            return plain
        simple = not set(plain) & set("_^'{ ")
        base = plain if simple else f"({plain})" if index else f"{{{plain}}}"
        return base + raised + (f"_{{{index}}}" if index else "")

    def raised(self, place: int) -> str:
        return f"{{({place})}}"

    def digits(self, text: str) -> str:
        return in_maths(text)

    def sign(self, text: str) -> str:
        return OPERATORS.get(text, text)

    def upright(self, text: str) -> str:
        return rf"\text{{{escaped(text)}}}"

    def infinity(self) -> str:
        return r"-\infty"

    def dots(self) -> str:
        return r"\dots"

    def transposed(self, text: str) -> str:
        return rf"{{{text}}}^{{\mathsf{{T}}}}"

    def power(self, base: str, exponent: Expr) -> str:
        outer, self.above = self.above, True  # a fraction up there would be too small to read
        text = f"{base}^{{{self.write(exponent)}}}"
        self.above = outer
        return text

    def root(self, radicand: Expr) -> str:
        return rf"\sqrt{{{self.write(radicand)}}}"

    def quotient(self, node: Bin) -> str:
        if self.above:
            left, right, mine = self.sides(node)
            divided = self.sign(self.signs.divided)
            return self.bracket(rf"{left} {divided} {right}", mine)
        fraction = rf"\frac{{{self.write(node.left)}}}{{{self.write(node.right)}}}"
        return self.bracket(fraction, STRENGTH["*"])

    def cases(self, condition: str, yes: str, no: str) -> str:
        words = locale_of(self.language).words.choice.format(yes="\0", condition="\1", no="\2")
        lead, middle = words.split("\1")
        first, second = lead.strip("\0, "), middle.strip("\2, ")
        rows = rf"{yes} & \text{{{first} }} {condition} \\ {no} & \text{{{second}}}"
        return rf"\begin{{cases}} {rows} \end{{cases}}"

    def function(self, fn: Fn, args: list[str]) -> str:
        if fn in (Fn.MAX, Fn.MIN, *NAMED) or fn is Fn.EXACT:
            return super().function(fn, args)
        if fn is Fn.ROUND_UP:
            return rf"\lceil {args[0]} \rceil"
        if fn in SAME_EVERYWHERE:
            return SAME_EVERYWHERE[fn].format(*args)
        return _with_words(self.worded(fn), args)

    def named_function(self, name: str, argument: str) -> str:
        called = r"\Phi" if name == "Φ" else rf"\{name}"
        return rf"{called}({argument})"

    def big_sum(self, text: str) -> str:
        return rf"\sum {text}"

    def squared(self, text: str) -> str:
        return f"({text})^{{2}}"


def _with_words(template: str, args: list[str]) -> str:
    """A phrase of words and arguments: the words upright, the arguments as formulas."""
    text, marks = "", {"Σ": r"\sum", "≤": r"\le", "<": "<", "(": "(", ")": ")"}
    for part in template.replace("(", " ( ").replace(")", " ) ").split():
        if part.startswith("{"):
            text += args[int(part[1:-1])]
        else:
            text += marks.get(part) or rf"\text{{ {part} }}"
        text += " "
    return text.strip()
