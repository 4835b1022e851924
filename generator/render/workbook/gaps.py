"""The parts of a workbook with gaps for what is different for each pupil."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from generator.engine.trace import Trace
from generator.engine.watched import NotRepeatable
from generator.render.workbook.spelling import Formula, spelled

Tell = Callable[[Trace], float | str]

_MARK = re.compile("\0([0-9]+)\0")  # no part can hold this character


class Slot:
    """Stands for what a cell will say of the numbers; it can be put into a cell, nothing else.

    Any other use raises `NotRepeatable`: what came of it would not follow the numbers.
    """

    def __init__(self, tell: Tell) -> None:
        self.tell = tell

    def _used(self, *_: object) -> Any:
        raise NotRepeatable("found a use of what a cell will say, expected it in a cell only")

    __str__ = __repr__ = __format__ = __bool__ = __len__ = __hash__ = _used
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _used
    __float__ = __int__ = __index__ = __round__ = __abs__ = __neg__ = _used
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = _used
    __truediv__ = __rtruediv__ = __iter__ = __contains__ = __getitem__ = _used


class Gap(NamedTuple):
    """A cell to fill: openpyxl's type of its content, its formula ("" for none), what it says."""

    kind: str
    formula: str
    tell: Tell

    def filled(self, trace: Trace) -> str:
        """The XML of the content, spelled as that of any other cell."""
        said = self.tell(trace)
        return spelled(self.kind, Formula(self.formula, said) if self.formula else said)


class Part(NamedTuple):
    """A part of the file: pieces of text, with a gap after each but the last."""

    name: str
    pieces: tuple[str, ...]
    gaps: tuple[Gap, ...]

    def filled(self, trace: Trace) -> bytes:
        """The part with what its cells say of a Trace."""
        text = [self.pieces[0]]
        for gap, piece in zip(self.gaps, self.pieces[1:], strict=True):
            text += (gap.filled(trace), piece)
        return "".join(text).encode()


class Parts:
    """An archive that takes parts apart at their slots, in place of a zip file."""

    def __init__(self) -> None:
        self.found: list[Part] = []
        self._gaps: list[Gap] = []

    def spell(self, kind: str, content: object) -> str:
        """A mark for a slot, anything else as it is spelled."""
        said = content.cached if isinstance(content, Formula) else content
        if not isinstance(said, Slot):
            return spelled(kind, content)
        formula = str(content) if isinstance(content, Formula) else ""
        self._gaps.append(Gap(kind, formula, said.tell))
        return f"\0{len(self._gaps) - 1}\0"

    def writestr(self, name: str, data: Any, /) -> None:
        """Adds a part, a text in UTF-8 or bytes."""
        pieces = _MARK.split(data if isinstance(data, str) else data.decode())
        gaps = tuple(self._gaps[int(number)] for number in pieces[1::2])
        self.found.append(Part(name, tuple(pieces[::2]), gaps))

    def namelist(self) -> list[str]:
        """The names of the parts so far."""
        return [part.name for part in self.found]
