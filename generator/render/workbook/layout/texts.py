"""How a step is shown: its numbers, what its table is called, the lines under its heading.

Those are the formula in functions, and the focus token's arithmetic.
"""

import math
import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from openpyxl.utils import get_column_letter

from generator.checks.exercise import read_by
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Ref, Round, inside
from generator.engine.ops.pieces import PairCounts
from generator.engine.ops.sampling import Compared
from generator.engine.place import place_of
from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.notation.excel import Functions
from generator.notation.live import LiveLines
from generator.notation.shown import shown_decimals
from generator.notation.symbols import Symbols, meaning
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.tabs import FOCUS, LETTER, by_token, origin
from generator.steps import kind_of, letter_of, shaped_as
from generator.steps.variant import variant

MASKED = "−∞"
MOST_DECIMALS = 4
LARGE, HUGE = 1e6, 1e9
SPREAD = "[>=1000000000]0.00E+00;[>=1000]#,##0;0."  # small ones beside large ones, all readable
DRAWN = "[<1]0.0###;00"  # a random number, or two digits that were drawn: 37 is 37
COUNTS = "#,##0"
READERS = ("query", "key", "value", "hidden")  # their phrases name what they are computed from
# Their phrases name a row, which is a column where they, or what they read, stand turned.
BY_ROW = (
    *("ids", "output.max", "output.shifted", "output.sum", "output.probabilities"),
    "output.all.next",
)
COMPARED = ("output.all.compared", "sampling.share")  # on paper they are rounded already


class NumberLook(NamedTuple):
    """A number format and how many characters the longest number takes."""

    number: str
    characters: int


def look(step: Step) -> NumberLook:
    """The number format of a step's cells; decimals that are given are never cut."""
    if step.text:
        return NumberLook("@" if step.kind == "given" else "General", 0)
    numbers = step.values[np.isfinite(step.values)]
    largest = float(np.abs(numbers).max()) if numbers.size else 0.0
    if kind_of(step.name).tab == "count":
        return NumberLook(COUNTS, len(f"{largest:,.0f}"))
    decimals = min(shown_decimals(step), MOST_DECIMALS)
    if largest >= LARGE and (numbers < 0).any():
        return NumberLook("0.00E+00", 9)
    if largest >= LARGE:
        most = len(f"{min(largest, HUGE):,.0f}")
        return NumberLook(SPREAD + "0" * decimals if decimals else COUNTS, most)
    digits = int(math.log10(largest)) + 1 if largest >= 1 else 1
    characters = digits + decimals + (decimals > 0) + bool((numbers < 0).any())
    if isinstance(step.op, PairCounts):
        return NumberLook("0;;;@", characters)  # nothing where there is no pair
    if step.place.kind == "sampling.random":
        return NumberLook(DRAWN, characters)
    if decimals == 0:
        return NumberLook("General", characters)
    more = "#" * (10 - decimals) if step.kind == "given" else ""
    number = "0." + "0" * decimals + more
    slope = step.place.kind.startswith("grad")  # where nothing changes stands 0
    return NumberLook(f"{number};-{number};0" if slope else number, characters)


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
        plain = self._plain(step)
        return before if before and plain and last.casefold() == plain.casefold() else title

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


FUNCTIONS_WIDE = 96  # characters of small type from the column of the words to the page's end
LETTERS = "abcdefghijklmnopqrstuvwxyz"
HEADING_WIDE = 130  # characters of a heading over the whole page
TITLE_WIDE = 49.0  # characters of a heading left of the formula in words
LIVE_WIDE = 190  # characters from the first column to the page's end
LIVE_BESIDE = 65  # characters left of the column of the words
SLACK = 6  # addresses grow by a digit or two when the rows are known


class TabTexts:
    """What stands under the headings of a trace, and how much room it takes."""

    def __init__(self, trace: Trace, catalogue: Catalogue) -> None:
        self.trace, self.catalogue, self.language = trace, catalogue, catalogue.language

    def in_words(self, name: str, turned: bool) -> str:
        """The formula of a step in words, as the preset computes it and as the step stands.

        `turned`: it stands with rows and columns exchanged, or what it reads does.
        """
        step, preset = self.trace[name], self.trace.preset
        source = kind_of(name).source
        begins = source in ("matrix", "vector") and source != preset.start
        if step.kind == "given" and (source == "computed" or begins):  # elsewhere, see `parts`
            return self.catalogue.t("formula.carried")
        way = ".turned" * (turned and step.place.kind in BY_ROW)
        way += ".exact" * (self.trace.rounding == "exact" and step.place.kind in COMPARED)
        return self.catalogue.t(
            f"formula.{step.place.kind}{variant(step)}{way}",
            base=f"{preset.softmax_base:g}" if preset.softmax_base else "e",
            epsilon=f"{preset.epsilon:g}",
            x=letter_of(step.inputs[0], self.trace).plain if step.place.kind in READERS else "",
        )

    def heading(self, name: str, letter: str) -> str:
        """The title of a step as it heads a band; on the way back with the tab that it is from."""
        title = self.catalogue.step(name)
        if place_of(name).learning:  # of all tabs of the way forward in one
            title = f"{origin(self.trace, self.catalogue, name)} · {title}"
        return f"({letter})  {title}" if letter else title

    def together(self, names: Sequence[str]) -> str:
        """The heading of several steps, without their glosses; of many the first and the last."""
        parts = [self.heading(*one).partition(" (")[0] for one in zip(names, LETTERS, strict=False)]
        title = "  ·  ".join(parts)
        return title if len(title) < HEADING_WIDE else f"{parts[0]}  …  {parts[-1]}"

    def is_long(self, heading: str) -> bool:
        """Whether a heading would be cut by the formula in words at its right."""
        return len(heading) * LETTER > TITLE_WIDE

    def rows(self, step: Step, tokens: tuple[str, ...]) -> tuple[int, int]:
        """How many rows the functions take below a heading, and in which the live line stands.

        None for what nobody computes.
        """
        if step.kind == "given":
            return (0, 0)
        expression = self.trace.cell(step.name, *self.telling(step.name))
        formula = Functions(_somewhere, self.language).formula(expression)
        functions = len(pieces(f"AA99: {formula}", FUNCTIONS_WIDE - SLACK))
        rows_are, columns_are = by_token(step, tokens)
        if not rows_are or (step.columns == tokens and not columns_are):
            return (functions, 0)  # the latter is by chance, and no line is made for it
        length = len("Token 12 „“: ") + max(map(len, tokens)) + self._length(expression)
        length += 3 + look(step).characters
        line = LiveLines(self.trace, self.language, _somewhere, FOCUS).of(step.name, 0)
        if length > LIVE_WIDE or line is None:
            return (functions, 0)
        return (functions, 1 if length <= LIVE_BESIDE else functions + 1)

    def telling(self, name: str) -> tuple[int, int]:
        """The first cell of a step that is computed from others; where there is none, the first."""
        height, width = self.trace[name].shape
        places = product(range(height), range(width))
        telling = (place for place in places if [*read_by(self.trace.cell(name, *place))])
        return next(telling, (0, 0))

    def _length(self, expression: Expr) -> int:
        """About how many characters the references of an expression take with their operators."""
        match expression:
            case Ref(step):
                return look(self.trace[step]).characters + 3
            case Area(step):
                return len(expression) * (look(self.trace[step]).characters + 3)
            case Dot(first, second) | Bin(_, first, second):
                return self._length(first) + self._length(second)
            case If(_, yes, no):
                return max(self._length(yes), self._length(no))
            case Call(Fn.SQUARES, (Area() as area, mean)):  # (x − m)² for each x
                return self._length(area) + len(area) * (self._length(mean) + 4)
            case Call(_, args):
                return sum(map(self._length, args))
            case Round(inner):
                return self._length(inner)
            case _:
                return 3


def pieces(text: str, most: int = FUNCTIONS_WIDE, rows: int = 0) -> list[str]:
    """The text in lines of at most `most` characters, broken after operators and separators.

    With `rows` it takes at most so many; the last one then keeps what is left.
    """
    lines: list[str] = []
    while len(text) > most and len(lines) + 1 != rows:
        cut = max(text.rfind(sign, 0, most) for sign in "+;,*)") + 1
        cut = cut if cut > most // 2 else most
        lines.append(text[:cut])
        text = "    " + text[cut:]
    return [*lines, text]


def _somewhere(step: str, i: int, j: int) -> str:
    """An address as long as most are, before the places are known."""
    return f"{get_column_letter(j + 2)}{i + 50}"
