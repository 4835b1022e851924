"""Worked arithmetic for worksheets: exponents raised, names of tokens escaped."""

from dataclasses import dataclass

from markupsafe import escape

from generator.engine.expr import Expr, Ref
from generator.engine.step import Cell
from generator.notation.worked import Worked, WorkedLine

NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(eq=False)
class HtmlWorked(Worked):
    """Worked arithmetic as HTML; a term never breaks in its middle.

    The cells of `gaps` stand in slots of one width, left empty where `blank`.
    """

    gaps: frozenset[Cell] = frozenset()
    blank: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._met_gap = False

    def line(self, name: str, i: int, j: int) -> WorkedLine:
        """As in `Worked`; over a gap even the sign, which would betray it, stands in a slot."""
        self._met_gap = False
        plain = super().line(name, i, j)
        if not self._met_gap:
            return plain
        return plain._replace(relation=self._sign_slot(plain.relation))

    def relation(self, name: str, i: int, j: int) -> str:
        """The sign alone, "=" or "≈"; before a gap too it stands in a slot, empty where `blank`."""
        if (name, i, j) not in self.gaps:
            return self.line(name, i, j).relation
        return self._sign_slot("" if self.blank else super().line(name, i, j).relation)

    def _sign_slot(self, sign: str) -> str:
        shown = "" if self.blank else sign
        return f'<span class="sign"><span class="answer">{shown}</span></span>'

    def ref(self, node: Ref) -> str:
        if (node.step, node.i, node.j) not in self.gaps:
            return super().ref(node)
        self._met_gap = True
        shown = "" if self.blank else super().ref(node)
        return f'<span class="gap"><span class="answer">{shown}</span></span>'

    def power(self, base: str, exponent: Expr) -> str:
        return f"{base}<sup>{self.write(exponent)}</sup>"

    def root(self, radicand: Expr) -> str:
        return f'√<span class="root">{self.write(radicand)}</span>'

    def quotient(self, left: str, right: str) -> str:
        return _unbroken(super().quotient(left, right))

    def spelled(self, name: str, i: int, j: int) -> str:
        return str(escape(super().spelled(name, i, j)))


def _unbroken(html: str) -> str:
    """The same with spaces at which no line breaks; those inside of a tag stay as they are."""
    text, *tagged = html.split("<")
    pairs = (one.partition(">") for one in tagged)
    behind = (f"<{tag}>{rest.replace(' ', NO_BREAK)}" for tag, _, rest in pairs)
    return "".join([text.replace(" ", NO_BREAK), *behind])
