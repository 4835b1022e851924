"""What a table is called: its name, its symbol as on the sheets, its formula in symbols."""

import re

from generator.engine.expr import If, inside
from generator.engine.ops.sampling import Compared
from generator.engine.place import place_of
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.notation.symbols import Symbols, meaning
from generator.render.workbook.layout.box import Box
from generator.steps import kind_of, letter_of, shaped_as

PRIME = "′"
_WORD = re.compile("[a-z]{3,}")  # "cum", "voc": no symbol, but a word cut short


class TableNames:
    """Names, symbols and formulas for the headings over tables and for hints."""

    def __init__(self, trace: Trace, catalogue: Catalogue) -> None:
        self.trace = trace
        self.catalogue = catalogue
        self.symbols = Symbols(trace, catalogue.language)

    def name(self, step: str) -> str:
        """The title without its gloss and without the symbol at its end: "Query"."""
        title = self.catalogue.step(step).partition(" (")[0]
        before, _, last = title.rpartition(" ")
        same = last.casefold() == self._plain(step).casefold()
        return before if before and same else title

    def symbol(self, step: str, box: Box | None = None, at: str = "") -> str:
        """The symbol as the formulas of the step `at` have it, "O⁽²⁾".

        "" for a step without one, such as a switch, and where it is a word cut short.
        Of a matrix whose box is turned it is that of the transpose: "Kᵀ". Where each word has a
        row instead of a column, nobody transposes: the table is read that way.
        """
        if not self._plain(step):
            return ""
        symbol = Symbols(self.trace, self.catalogue.language, home=at or step).named(step, "")
        matrix = min(self.trace[step].shape) > 1 and not shaped_as(step).by_word
        return self.symbols.transposed(symbol) if box and box.turned and matrix else symbol

    def formula(self, step: str) -> str:
        """The formula in symbols, "Q = X · W_Q"; "" where none says in short what it is.

        A given step has none, nor has one that a switch decides or that chooses a word.
        """
        kind, own = kind_of(step), self.trace[step]
        if own.kind == "given" or kind.chapter == "choice" or isinstance(own.op, Compared):
            return ""
        decides = any(isinstance(node, If) for node in inside(meaning(self.trace, step)))
        return self.symbols.step(step) if self._plain(step) and not decides else ""

    def full(self, step: str, symbol: str) -> str:
        """Name and symbol, "Key Kᵀ"; "Gain γ of the layer norm" has it within."""
        name = self.name(step)
        within = symbol and self._plain(step) in name.split()
        return name if within else f"{name} {symbol}".rstrip()

    def _plain(self, step: str) -> str:
        """The letter as it is typed; "" for none, for a switch and for a word cut short."""
        letter = kind_of(step).letter
        if not letter or _WORD.fullmatch(letter.plain) or place_of(step).switch:
            return ""
        return letter_of(step, self.trace).plain.replace(PRIME, "")
