"""What the page asks: its questions, which answers there are, and how far they may go.

The answers stand in the page's address, so that a colleague who is given the link gets the same
set; a class list, which has names in it, is never a part of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.errors import Sendable, first_private
from generator.locales.folders import languages
from generator.presets.defaults import CLASS
from generator.presets.load import shipped
from generator.sheets.series import SHEETS

LONGEST_SENTENCE, LONGEST_HEADER = 160, 60  # characters
MOST_PUPILS = 200
OWN = "own"  # the card whose sheets the teacher names


class Card(NamedTuple):
    """A lesson to choose: its sheets, and the preset it takes where no sentence is given."""

    sheets: tuple[str, ...]
    preset: str = ""


CARDS: Mapping[str, Card] = {
    "first": Card(("slide", "slides"), "paris"),
    "attention": Card(("4a",)),
    "double": Card(("4a", "4b")),
    "words": Card(("1", "2", "3")),
    "output": Card(("5", "6")),
    "text": Card(("6", "generate")),
    "learning": Card(("7a", "7b")),
    "all": Card(SHEETS),
    OWN: Card(()),
}
LEVELS = ("1", "2", "3")
WHO = ("me", "number", "list")
VARY = ("focus", "numbers", "groups=2", "groups=3", "groups=4")
VARIANTS = ("blank", "solution")
YES = ("", "on")
BOXES = ("large", "print_names", "workbook", "story")  # sent only where they are ticked


class Problem(NamedTuple):
    """What is wrong with an answer: the phrase that says it, or the message itself."""

    phrase: str = ""
    names: Mapping[str, object] = {}
    message: str = ""


class Refused(Sendable, ValueError):
    """Answers that cannot be taken: a problem for each field."""

    def __init__(self, problems: Mapping[str, Problem]) -> None:
        super().__init__(", ".join(problems))
        self.problems = dict(problems)


@dataclass(frozen=True)
class Choices:
    """The answers, checked; the first of each list is what a new page shows.

    `sheets` are used with the card "own" only; `words` is the language of the sheets. `shown` is
    the sheet beside the questions, "" for the first one, in the `variant` that is looked at.
    """

    lesson: str = "first"
    sheets: tuple[str, ...] = ()
    sentence: str = ""
    preset: str = ""
    words: str = ""
    level: str = "2"
    large: str = ""
    who: str = "me"
    pupils: int = 28
    vary: str = "focus"
    print_names: str = ""
    workbook: str = ""
    story: str = "on"
    header: str = ""
    shown: str = ""
    variant: str = "blank"

    @property
    def chosen_sheets(self) -> tuple[str, ...]:
        """The sheets of the card, or those that the teacher named."""
        return self.sheets if self.lesson == OWN else CARDS[self.lesson].sheets

    @property
    def chosen_preset(self) -> str | None:
        """The preset that was named, else the card's where no sentence is given, else a class's."""
        own = CARDS[self.lesson].preset if not self.sentence else ""
        return self.preset or own or (None if self.who == "me" else CLASS)


def read(fields: Mapping[str, list[str]], language: str) -> Choices:
    """The answers of a form; `fields` has the values of each, `language` is that of the page.

    Fields that are not asked for are left out. Raises `Refused` with a problem for each field whose
    answer cannot be taken.
    """
    problems: dict[str, Problem] = {}
    usual = replace(Choices(), words=language)
    plain = {name: values[-1].strip() for name, values in fields.items() if values}
    found: dict[str, object] = {}
    for name, allowed in _closed().items():
        value = plain.get(name, _unasked(name, fields, usual))
        found[name] = value
        if value not in allowed:
            problems[name] = Problem("web.error.choice", {"found": value[:40]})
    for name, most in (("sentence", LONGEST_SENTENCE), ("header", LONGEST_HEADER)):
        found[name] = plain.get(name, "")
        if problem := _text_problem(plain.get(name, ""), most):
            problems[name] = problem
    found["sheets"] = tuple(fields.get("sheets", ()))
    if problem := _sheets_problem(str(found["lesson"]), fields.get("sheets", [])):
        problems["sheets"] = problem
    found["pupils"], problem = _pupils(plain, usual)
    if problem and found["who"] == "number":
        problems["pupils"] = problem
    if problems:
        raise Refused(problems)
    return replace(usual, **found)  # type: ignore[arg-type]


def _closed() -> dict[str, tuple[str, ...]]:
    """The fields with a list of answers, and the lists."""
    return {
        "lesson": tuple(CARDS),
        "preset": ("", *shipped()),
        "words": languages(),
        "level": LEVELS,
        "who": WHO,
        "vary": VARY,
        "shown": ("", *SHEETS),
        "variant": VARIANTS,
        **dict.fromkeys(BOXES, YES),
    }


def _unasked(name: str, fields: Mapping[str, list[str]], usual: Choices) -> str:
    """What a field that a form does not send means: a box that is not ticked, else the usual."""
    sent = "lesson" in fields  # a form that was filled in always sends that
    return "" if sent and name in BOXES else str(getattr(usual, name))


def _text_problem(text: str, most: int) -> Problem | None:
    if len(text) > most:
        return Problem("web.error.long", {"found": len(text), "most": most})
    if first_private(text):
        return Problem("web.error.sign")
    return None


def _sheets_problem(lesson: str, sheets: list[str]) -> Problem | None:
    if lesson != OWN:
        return None
    if not sheets:
        return Problem("web.error.no-sheet")
    unknown = next((one for one in sheets if one not in SHEETS), "")
    return Problem("web.error.choice", {"found": unknown[:40]}) if unknown else None


def _pupils(plain: Mapping[str, str], usual: Choices) -> tuple[int, Problem | None]:
    """How many pupils there are, and what is wrong with the number."""
    text = plain.get("pupils") or str(usual.pupils)
    if text.isdecimal() and len(text) < 6 and 1 <= int(text) <= MOST_PUPILS:
        return int(text), None
    return usual.pupils, Problem("web.error.pupils", {"found": text[:20], "most": MOST_PUPILS})
