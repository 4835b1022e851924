"""One pupil's texts: live values made from the Trace, without the page's template."""

from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup, escape

from generator.render.worksheet.stamp.fit import DoesNotFit
from generator.render.worksheet.stamp.live import How
from generator.sheets.context import Context
from generator.sheets.slots import Filler


class Pupil:
    """One pupil's answers: makes live values from the Trace, each once."""

    def __init__(self, view: Context, filler: Filler, phrase: Callable[..., str]) -> None:
        self.view, self.filler, self.phrase = view, filler, phrase
        self._made: dict[How, Any] = {}

    def make(self, how: How) -> Any:
        """The value that came about this way, for this pupil."""
        if how not in self._made:
            self._made[how] = self._make(how)
        return self._made[how]

    def _make(self, how: How) -> Any:
        match how:
            case ("plain", value):
                return value
            case ("view", name):
                return getattr(self.view, name)
            case ("phrase",):
                return self.phrase
            case ("attr", of, name):
                return getattr(self.make(of), name)
            case ("item", of, key):
                return self.make(of)[self.make(key)]
            case ("part", of, start, stop, step):
                return self.make(of)[start:stop:step]
            case ("len", of):
                return len(self.make(of))
            case ("keys", of):
                return tuple(self.make(of))
            case ("bool", of):
                return bool(self.make(of))
            case ("slot", kind, cell):
                return Markup(self.filler.one(kind, *map(self.make, cell)))
            case ("call", of, args, names):
                return self._call(of, args, names)
        raise ValueError(f"no live value is made like this: {how}")

    def _call(self, of: How, args: tuple[How, ...], names: tuple[tuple[str, How], ...]) -> Any:
        given = {key: self.make(value) for key, value in names}
        return self.make(of)(*map(self.make, args), **given)

    def text(self, how: How) -> str:
        """A live text as HTML, slots inside it filled."""
        return self.filler.filled(str(escape(self.make(how))))


def require_met(pupil: Pupil, conditions: Mapping[How, Any]) -> None:
    """Raises `DoesNotFit`, naming it, for the first condition that the pupil does not meet."""
    for how, wanted in conditions.items():
        if (found := pupil.make(how)) != wanted:
            raise DoesNotFit(f"{how} is {found!r}, in the template {wanted!r}")
