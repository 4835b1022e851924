"""The lines under a heading: the formula in functions, and the focus token's arithmetic."""

from itertools import product

from openpyxl.utils import get_column_letter

from generator.checks.exercise import read_by
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Ref, Round
from generator.engine.trace import Step, Trace
from generator.notation.excel import Functions
from generator.notation.live import LiveLines
from generator.render.workbook.layout.formats import look
from generator.render.workbook.layout.tabs import FOCUS, by_token

FUNCTIONS_WIDE = 96  # characters of small type from the column of the words to the page's end
LIVE_WIDE = 190  # characters from the first column to the page's end
LIVE_BESIDE = 65  # characters left of the column of the words
SLACK = 6  # addresses grow by a digit or two when the rows are known


class TabTexts:
    """What stands under the headings of a trace, and how much room it takes."""

    def __init__(self, trace: Trace, language: str) -> None:
        self.trace = trace
        self.language = language

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


def pieces(text: str, most: int, rows: int = 0) -> list[str]:
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
