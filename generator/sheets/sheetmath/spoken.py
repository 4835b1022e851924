"""The formulas of the reference sheets in words, for those who hear them."""

import re
from collections.abc import Mapping, Set

from generator.engine.expr import Bin, Expr, Fn, Text
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.locales.locale import locale_of
from generator.sheets.sheetmath.formula import Typeset
from generator.steps import Letter

# fmt: off
WORDS = {
    "=": "equals", "≈": "about", "+": "plus", "-": "minus", "−": "minus", "·": "times",
    "×": "times", "|": "beside",
    "α": "alpha", "β": "beta", "γ": "gamma", "ε": "epsilon", "μ": "mu", "σ": "sigma", "φ": "phi",
    "Ŝ": "scaled", "Ŷ": "normalised", "′": "prime", "″": "second", "²": "squared",
    "√": "root.sign", "Σ": "sum.sign", "0": "zero", "1": "one", "₁": "one", "2": "two",
    "₂": "two", "3": "three", "10000": "ten_thousand",
    "*": "star", "∂": "gradient", "η": "eta", "⁺": "raised.plus",
}
# fmt: on


class Spoken(Typeset):
    """The same formulas in words, for those who hear them."""

    @property
    def times(self) -> str:
        return "·"

    def __init__(
        self, trace: Trace, catalogue: Catalogue, listed: Set[str], renamed: Mapping[str, Letter]
    ) -> None:
        super().__init__(trace, catalogue.language, listed, renamed)
        self.catalogue = catalogue
        self._quotients = 0

    def t(self, key: str, **names: str) -> str:
        """A phrase of spoken mathematics."""
        return self.catalogue.t(f"spoken.math.{key}", **names)

    def spelled(self, text: str) -> str:
        """Letters apart, signs and digits by their names."""
        parts = re.findall(r"model|\d+|[^\s_\W]|[^\s_]", text)
        return " ".join(map(self._word, parts))

    def _word(self, part: str) -> str:
        if part in WORDS:
            return self.t(WORDS[part])
        if part.isascii() and part.isalnum():
            return part
        raise LookupError(
            f"nobody has said how {part!r} is read aloud; WORDS lists the known signs"
        )

    def symbol(self, letter: Letter) -> str:
        return self.spelled(letter.plain)

    def with_index(self, letter: str, raised: str, index: str) -> str:
        return " ".join(filter(None, (letter, raised, self.spelled(index))))

    def raised(self, place: int) -> str:
        return self.spelled(str(place))

    def sign(self, text: str) -> str:
        return self.t(WORDS[text])

    def digits(self, text: str) -> str:
        return self.spelled(text.replace(locale_of(self.language).numbers.group, ""))

    def text(self, node: Text) -> str:
        return self.spelled(node.value)

    def minus(self, text: str) -> str:
        return f"{self.sign('-')} {text}"

    def infinity(self) -> str:
        return self.t("infinity")

    def bracket(self, text: str, mine: int, inside: int) -> str:
        return text

    def product(self, left: str, right: str) -> str:
        return f"{left} {self.t('times')} {right}"

    def transposed(self, text: str) -> str:
        return f"{text} {self.t('transposed')}"

    def power(self, base: str, exponent: Expr) -> str:
        return self.t("power", base=base, exponent=self.write(exponent))

    def squared(self, text: str) -> str:
        return self.t("square", x=text)

    def root(self, radicand: Expr) -> str:
        return self.t("root", x=self.write(radicand))

    def quotient(self, node: Bin, inside: int) -> str:
        before = self._quotients
        x, y = self.write(node.left), self.write(node.right)
        key = "quotient.long" if self._quotients > before else "quotient"
        self._quotients += 1
        return self.t(key, x=x, y=y)

    def over(self, index: str, text: str) -> str:
        return self.t("sum", index=index, x=text)

    def function(self, fn: Fn, args: list[str]) -> str:
        return self.t(fn.value, x=args[0], y=args[-1])

    def dots(self) -> str:
        return self.t("dots")

    def row_of(self, table: str, place: str) -> str:
        return self.t("row", x=table, place=place)

    def last_of(self, table: str) -> str:
        return self.row_of(table, "n")

    def lines(self, first: str, second: str) -> str:
        return f"{first}, {second}"

    def condition(self, formula: str, sign: str) -> str:
        return self.t("hidden" if sign == ">" else "hidden.strict", x=formula)
