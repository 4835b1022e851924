"""Which texts of a page hang on the numbers: found by filling the page's template with live values.

A live value remembers how it came about. Printed, it leaves a mark, and the text can be made anew
for another pupil without the page's template. Used to decide something (an `if`, a loop, a width),
it becomes a condition: whoever decides otherwise does not fit.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from markupsafe import Markup

from generator.render.worksheet.stamp.fit import DoesNotFit
from generator.sheets.context import Context
from generator.sheets.slots import CARRIED, FIRST, MARK, OPEN, slot

LIVE = "live"  # the kind of a mark that names a live value by its number
SLOTS = {
    "cell": "number",
    "carried": CARRIED,
    "percent": "percent",
    "line": "line",
    "first": FIRST,
}
# What a view answers alike for all pupils of one shape, and what already is a slot.
ALIKE = frozenset(
    {field.name for field in fields(Context)}
    | {"has", "size", "columns", "asks", "at", "marks", "formula", "stamp", "name", "carries"}
    | {"own", "own_of", "example", "tokens", "words", "picks", "indexed"}
    | {"square"}  # drawn anew for each pupil, see `marks`
)
How = tuple[Any, ...]
PHRASE = ("phrase",)


class Live:
    """A value of the first pupil that knows how to be made for the next one."""

    def __init__(self, notes: "Notes", how: How, value: Any) -> None:
        self._notes, self._how, self._value = notes, how, value

    def decided(self) -> Any:
        """The value itself; from now on a condition of the template."""
        self._notes.conditions[self._how] = self._value
        return self._value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__html__":
            raise AttributeError(name)
        if name == "keys" and isinstance(self._value, Mapping):
            return self._notes.lift(("keys", self._how), tuple(self._value)).decided
        return self._notes.lift(("attr", self._how, name), getattr(self._value, name))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            part = self._value[key]
            return self._notes.lift(("part", self._how, key.start, key.stop, key.step), part)
        return self._notes.lift(("item", self._how, how_of(key)), self._value[value_of(key)])

    def __call__(self, *args: Any, **names: Any) -> Any:  # noqa: D102
        return self._notes.call(self._how, self._value, args, names)

    def __html__(self) -> str:
        return str(slot(LIVE, "", self._notes.number(self._how, self._value), 0))

    __str__ = __html__

    def __iter__(self) -> Iterator[Any]:
        count = self._notes.lift(("len", self._how), len(self._value)).decided()
        return (self[k] for k in range(count))

    def __len__(self) -> int:
        return int(self._notes.lift(("len", self._how), len(self._value)).decided())

    def __bool__(self) -> bool:
        return bool(self._notes.lift(("bool", self._how), bool(self._value)))

    def __index__(self) -> int:
        return int(self.decided())

    def __float__(self) -> float:
        return float(self.decided())

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        return bool(self.decided() == value_of(other))

    def __lt__(self, other: Any) -> bool:
        return bool(self.decided() < value_of(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.decided() > value_of(other))

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __neg__(self) -> Any:
        return -self.decided()

    def __hash__(self) -> int:
        return hash(self.decided())


def _decides(name: str) -> None:
    def operation(self: Live, other: Any) -> Any:
        return getattr(operator, name)(self.decided(), value_of(other))

    def reflected(self: Live, other: Any) -> Any:
        return getattr(operator, name)(value_of(other), self.decided())

    setattr(Live, f"__{name}__", operation)
    setattr(Live, f"__r{name}__", reflected)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    _decides(_name)


class Words(tuple[str, ...]):
    """Words that a live place picks one of."""

    how: How
    notes: "Notes"

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, Live):
            return self.notes.lift(("item", self.how, how_of(key)), super().__getitem__(key._value))
        return super().__getitem__(key)


def how_of(value: Any) -> Any:
    """How a value came about: of a live one its way, of a plain one the value."""
    if isinstance(value, Live):
        return value._how
    return ("plain", tuple(value) if isinstance(value, list) else value)


def value_of(value: Any) -> Any:
    """The plain value."""
    return value._value if isinstance(value, Live) else value


def _is_picture(value: Any) -> bool:
    return isinstance(value, Markup) and OPEN not in value


class Notes:
    """What is noted while a page's template is filled: live texts by number, and conditions."""

    def __init__(self) -> None:
        self.texts: list[How] = []
        self.conditions: dict[How, Any] = {}
        self._numbers: dict[How, int] = {}
        self._values: list[Any] = []

    def number(self, how: How, value: Any) -> int:
        """The number under which a live text stands in a mark."""
        if how not in self._numbers:
            self._numbers[how] = len(self.texts)
            self.texts.append(how)
            self._values.append(value)
        self._values[self._numbers[how]] = value
        return self._numbers[how]

    def decided(self, text: str) -> str:
        """A text that decides something: in place of live marks the first pupil's values."""
        return MARK.sub(self._value, text) if OPEN in text else text

    def plain(self, given: Any) -> Any:
        """An argument; a text put together with live values decides."""
        return self.decided(given) if isinstance(given, str) and OPEN in given else given

    def _value(self, mark: re.Match[str]) -> str:
        kind, _, number, _ = mark[1].split("|")
        if kind != LIVE:
            raise DoesNotFit(f"a number decides how the page looks: {mark[1]}")
        value = self._values[int(number)]
        self.conditions[self.texts[int(number)]] = value
        return str(value)

    def lift(self, how: How, value: Any) -> Any:
        """The value as a live one; what only decides becomes a condition at once."""
        if value is None or isinstance(value, bool) or _is_picture(value):
            self.conditions[how] = value
            return value
        return Live(self, how, value)

    def call(self, how: How, function: Any, args: Any, names: Mapping[str, Any]) -> Any:
        """A live call."""
        args = tuple(map(self.plain, args))
        way = (
            "call",
            how,
            tuple(map(how_of, args)),
            tuple((key, how_of(value)) for key, value in names.items()),
        )
        plain = {key: value_of(value) for key, value in names.items()}
        value = function(*map(value_of, args), **plain)
        return Live(self, way, value) if how == PHRASE else self.lift(way, value)


class Watched:
    """A sheet's view whose answers are live unless all pupils of a shape share them."""

    def __init__(self, view: Context, notes: Notes) -> None:
        self._view, self._notes = view, notes

    def __getattr__(self, name: str) -> Any:
        found, how = getattr(self._view, name), ("view", name)
        if name in SLOTS:
            return lambda *cell: self._slot(SLOTS[name], found, cell)
        if name in ("tokens", "words"):
            return self._words(found, how)
        if name not in ALIKE:
            return self._method(found, how) if callable(found) else self._notes.lift(how, found)
        return self._alike(found, how) if callable(found) else found

    def _words(self, found: Any, how: How) -> Any:
        if not isinstance(found, tuple):
            return self._notes.lift(how, found)
        words = Words(found)
        words.how, words.notes = how, self._notes
        return words

    def _method(self, found: Any, how: How) -> Any:
        return lambda *args, **names: self._notes.call(how, found, args, names)

    def _alike(self, found: Any, how: How) -> Any:
        def answer(*args: Any, **names: Any) -> Any:
            args = tuple(map(self._notes.plain, args))
            if any(isinstance(one, Live) for one in (*args, *names.values())):
                return self._notes.call(how, found, args, names)
            return found(*args, **names)

        return answer

    def _slot(self, kind: str, found: Callable[..., Markup], cell: tuple[Any, ...]) -> Any:
        cell = tuple(map(self._notes.plain, cell))
        if not any(isinstance(one, Live) for one in cell):
            return found(*cell)
        return Live(self._notes, ("slot", kind, tuple(map(how_of, cell))), "0")


def watched_phrase(t: Callable[..., str], notes: Notes) -> Callable[..., Any]:
    """The catalogue's phrases; one that names something live, or a slot, is live itself."""

    def phrase(key: Any, /, **names: Any) -> Any:
        key = notes.decided(str(key))
        if any(isinstance(one, Live) for one in names.values()):
            return notes.call(PHRASE, t, (key,), names)
        return t(key, **names)

    return phrase
