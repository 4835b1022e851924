"""The formulas of the reference sheets, typeset: printed from the operations.

A step that the sheets do not list is written out where it is read.

Also here:

* The formulas of the reference sheets in words, for those who hear them.
"""

import re
from collections.abc import Iterator, Mapping, Set

from generator.engine.activations import ACTIVATIONS
from generator.engine.choices import Mask
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, Text
from generator.engine.masks import MASKS
from generator.engine.ops import attention
from generator.engine.ops.attention import MASKED, MinusRow
from generator.engine.ops.feedforward import Activation
from generator.engine.ops.linear import Angle, SineCosine
from generator.engine.ops.sampling import Compared
from generator.engine.place import place_of
from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.locales.locale import locale_of
from generator.notation.base import STRENGTH
from generator.notation.latex import Latex
from generator.notation.program import without_choice
from generator.notation.symbols import PAIR, meaning
from generator.sheets.sheetmath.overview import TABLES, is_of_row
from generator.steps import Letter, kind_of, letter_of

SAME_LETTER = (Compared, MinusRow)  # no share changes with a shift
RUNNING = "l"  # the index of a sum; i is a row, j a column
SCRIPT = {  # how texts are set around others; spoken they are phrases of the same keys
    "product": r"{x}\, {y}",
    "negative": "-{x}",
    "row": "{x}[{place}]",
    "last": "{x}_{{n}}",
    "sum": r"\sum_{{{index}}} {x}",
    "lines": r"\begin{{array}}{{l}} {x} \\ {y} \end{{array}}",
}
OVERHANGING, OVERHANG = {"P"}, r"\,"  # an index would run into its bowl


class Typeset(Latex):
    """Formulas with the letters of `listed` steps; with a sum over a row they get indices."""

    def __init__(
        self, trace: Trace, catalogue: Catalogue, listed: Set[str], renamed: Mapping[str, Letter]
    ) -> None:
        super().__init__(trace, catalogue.language)
        self.catalogue = catalogue
        norm = {step.name for step in trace if is_of_row(step)}
        # The same in every block.
        self.listed = {place_of(name)[3:] for name in listed | norm | renamed.keys()}
        self.renamed = renamed
        self.row = self.column = ""
        self._summed = False

    def formula(self, name: str) -> str:
        """The whole formula of a computed step; of a given one its letter."""
        step = self.trace[name]
        self.home, self.row, self.column, self._summed = step.name, "", "", False
        if step.kind == "given":
            return self.letter(step)
        match step.op:
            case attention.Mask():
                self.row, self.column = "i", "j"
                hidden = f"{self.letter(step)} {self.sign('=')} {self.write(Num(MASKED))}"
                return self.condition(hidden, self.trace.preset.mask)
            case Angle():
                self.column = PAIR
            case SineCosine():
                self.column, equals = PAIR, self.sign("=")
                names = (self.named(step.name, index) for index in (f"2{PAIR}", f"2{PAIR}+1"))
                waves = map(self.write, _terms(meaning(self.trace, step.name)))
                first, second = (f"{x} {equals} {y}" for x, y in zip(names, waves, strict=True))
                return self.say("lines", x=first, y=second)
            case Activation(kind=kind) if about := ACTIVATIONS[kind].about:
                right = self.write(Activation(about).cell(0, 0, *self.trace.operands(step)))
                return f"{self.letter(step)} {self.sign('≈')} {right}"
        source = self._source(step)
        right = self.write(meaning(self.trace, source.name))
        if self._summed:  # of a table row i and column j; of a row, or of one of them, only i
            table = self._is_wide(source) and kind_of(source.name).rows == "tokens"
            self.row, self.column = ("i", "j") if table else ("", "i")
            right = self.write(meaning(self.trace, source.name))
        return f"{self.letter(step)} {self.sign('=')} {right}"

    def letter(self, step: Step) -> str:
        """The letter of a step with the indices in use."""
        source = self._source(step)
        rows = self.row if kind_of(source.name).rows == "tokens" else ""
        return self.named(source.name, rows + self.column * self._is_wide(source))

    def named(self, name: str, index: str) -> str:
        letter = self.renamed.get(name) or letter_of(name, self.trace)
        if place_of(name).final:  # it comes after the second layer of the last block
            base = f"{{{letter.latex}}}" if "^" in letter.latex else letter.latex
            letter = Letter(f"{letter.plain}″", f"{base}''")
        return self.with_index(self.symbol(letter), self.elsewhere(name), index)

    def symbol(self, letter: Letter) -> str:
        """A letter in this script."""
        return letter.latex

    def with_index(self, letter: str, raised: str, index: str) -> str:
        """A letter with what stands above and below it."""
        gap = OVERHANG if letter in OVERHANGING else ""
        low = f"_{{{gap}{index}}}" if index else ""
        return f"{letter}^{raised}{low}" if raised else letter + low

    def elsewhere(self, name: str) -> str:
        here, heads = place_of(name), self.trace.preset.heads
        if here.head is None or place_of(self.home).head is not None or heads == 1:
            return ""
        return self.raised(here.head)

    def ref(self, node: Ref) -> str:
        source = self._source(self.trace[node.step])
        if source.place[3:] in self.listed or source.kind == "given":
            return self.letter(source)
        return self.write(meaning(self.trace, source.name), self.inside)

    def area(self, node: Area) -> str:
        return self.write(Ref(node.step, node.r0, node.c0))

    def dot(self, node: Dot) -> str:
        left, right = self.area(node.left), self.area(node.right)
        across = node.right.r1 - node.right.r0 == 1
        down = node.left.r1 - node.left.r0 > 1  # a column, which is a row of the transposed one
        first = self.transposed(left) if down else left
        product = self.say("product", x=first, y=self.transposed(right) if across else right)
        return self.bracket(product, STRENGTH["*"])

    def bin(self, node: Bin) -> str:
        match node:
            case Bin("/", Call(Fn.SUM | Fn.SQUARES) | Dot(), Num()):  # a mean, of a row's numbers
                return super().bin(Bin("/", node.left, Text("d_model")))
            case Bin("-", Num(0), right):
                return self.bracket(self.say("negative", x=self.write(right)), STRENGTH["-"])
            case Bin("&"):
                terms = list(_terms(node))
                shown = terms if len(terms) < 3 else [terms[0], Text(self.dots()), terms[-1]]
                return f" {self.sign('|')} ".join(map(self.write, shown))
        return super().bin(node)

    def num(self, node: Num) -> str:
        if node.value and node.value == self.trace.preset.epsilon:
            return self.symbol(Letter("ε", r"\varepsilon"))
        return super().num(node)

    def choice(self, node: If) -> str:
        """Of two cases the usual one; the other is a constant."""
        plain = node.no if isinstance(node.yes, Num) else without_choice(node)
        return self.write(plain, self.inside)

    def call(self, node: Call) -> str:
        match node:
            case Call(Fn.INDEX, (table, Num())):
                return self.say("last", x=self.write(table))
            case Call(Fn.INDEX, (table, place)):
                return self.say("row", x=self.write(table), place=self.write(place))
        return super().call(node)

    def say(self, key: str, **names: str) -> str:
        """A text around other ones, here of `SCRIPT`."""
        return SCRIPT[key].format(**names)

    def condition(self, formula: str, mask: Mask) -> str:
        """A formula that holds where the mask hides column j from row i."""
        return rf"{formula} \quad ({MASKS[mask].hides})"

    def _source(self, step: Step) -> Step:
        while isinstance(step.op, SAME_LETTER):
            step = self.trace[step.inputs[0]]
        return step

    def _is_wide(self, step: Step) -> bool:
        source = self._source(step)
        return source.shape[1] > 1 or kind_of(source.name).square

    def _sum(self, area: Area) -> str:
        return self._squares(area, None)

    def _squares(self, area: Area, mean: Expr | None) -> str:
        """The sum over a row, of its squares where there is a mean."""
        self._summed, outer = True, self.column
        self.column = index = RUNNING if self._is_wide(self.trace[self.home]) else "i"
        text = self.area(area)
        if mean is not None:
            minus = "" if mean == Num(0) else f" {self.sign('-')} {self.write(mean)}"
            text = self.squared(f"{text}{minus}")
        self.column = outer
        return self.bracket(self.say("sum", index=index, x=text), STRENGTH["+"])


def _terms(node: Expr) -> Iterator[Expr]:
    if isinstance(node, Bin) and node.op == "&":
        yield from _terms(node.left)
        yield from _terms(node.right)
    else:
        yield node


WORDS = TABLES["spoken"]


class Spoken(Typeset):
    """The same formulas in words, for those who hear them."""

    @property
    def times(self) -> str:
        return "·"

    _quotients = 0  # so many have been said

    def say(self, key: str, **names: str) -> str:
        return self.catalogue.t(f"spoken.math.{key}", **names)

    def spelled(self, text: str) -> str:
        """Letters apart, signs and digits by their names."""
        return " ".join(map(self._word, re.findall(r"model|\d+|[^\s_\W]|[^\s_]", text)))

    def _word(self, part: str) -> str:
        if part in WORDS:
            return self.say(WORDS[part])
        if part.isascii() and part.isalnum():
            return part
        raise LookupError(
            f"nobody has said how {part!r} is read aloud; reference.toml lists the known signs"
        )

    def symbol(self, letter: Letter) -> str:
        named = letter in self.renamed.values()
        return letter.plain if named else self.spelled(letter.plain)

    def with_index(self, letter: str, raised: str, index: str) -> str:
        return " ".join(filter(None, (letter, raised, self.spelled(index))))

    def raised(self, place: int) -> str:
        return self.spelled(str(place))

    def sign(self, text: str) -> str:
        return self.say(WORDS[text])

    def digits(self, text: str) -> str:
        return self.spelled(text.replace(locale_of(self.language).numbers.group, ""))

    def text(self, node: Text) -> str:
        return self.spelled(node.value)

    def infinity(self) -> str:
        return self.say("infinity")

    def dots(self) -> str:
        return self.say("dots")

    def squared(self, text: str) -> str:
        return self.say("square", x=text)

    def bracket(self, text: str, mine: int) -> str:
        return text

    def transposed(self, text: str) -> str:
        return f"{text} {self.say('transposed')}"

    def power(self, base: str, exponent: Expr) -> str:
        return self.say("power", base=base, exponent=self.write(exponent))

    def root(self, radicand: Expr) -> str:
        return self.say("root", x=self.write(radicand))

    def quotient(self, node: Bin) -> str:
        before = self._quotients
        x, y = self.write(node.left), self.write(node.right)
        key = "quotient.long" if self._quotients > before else "quotient"
        self._quotients += 1
        return self.say(key, x=x, y=y)

    def function(self, fn: Fn, args: list[str]) -> str:
        return self.say(fn.value, x=args[0], y=args[-1])

    def condition(self, formula: str, mask: Mask) -> str:
        return self.say(f"hidden.{mask}", x=formula)
