"""What the page asks: its questions, which answers there are, and how far they may go.

The answers stand in the page's address, so that a colleague who is given the link gets the same
set; a class list, which has names in it, is never a part of it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from generator.errors import Sendable, UserError, first_private
from generator.locales.folders import languages
from generator.presets.defaults import CLASS
from generator.presets.load import shipped
from generator.resources import table
from generator.room.forms import FORMS, LEAST, ClassRoom, class_rooms, seated
from generator.sheets import plan
from generator.sheets.fonts import missing_glyphs
from generator.sheets.options import VARIANTS
from generator.sheets.routes import ROUTES
from generator.sheets.series import COMPLETE, SHEETS
from generator.typed import typed_count
from generator.web.own_preset import unpacked

LONGEST_SENTENCE, LONGEST_HEADER = 160, 60  # characters
MOST_PUPILS, MOST_MINUTES = 200, 600
OWN = "own"  # the card whose sheets the teacher names


class Card(NamedTuple):
    """A lesson to choose: its sheets, and the preset it takes where no sentence is given.

    A `level` is that of a route, which decides it.
    """

    sheets: tuple[str, ...]
    preset: str = ""
    level: str = ""


CARDS = {
    **{name: Card(one.sheets, one.preset, str(one.level)) for name, one in ROUTES.items()},
    **{k: Card(tuple(one["sheets"])) for k, one in table("web/cards.toml").items()},
    "all": Card(SHEETS),
    OWN: Card(()),
}
LEVELS = tuple(map(str, plan.LEVELS))
WHO = ("me", "number", "list")
VARY = ("focus", "numbers", "groups=2", "groups=3", "groups=4")
YES = ("", "on")
# Sent only where they are ticked.
BOXES = ("large", "print_names", "workbook", "fillable", "story", "complete", "exam",
         "notebook", "planning")  # fmt: skip
ALLOWED: Mapping[str, tuple[str, ...]] = {  # by the field
    "lesson": tuple(CARDS),
    "preset": (),
    "words": (),
    "level": LEVELS,
    "who": WHO,
    "vary": VARY,
    "shown": ("", *SHEETS, COMPLETE),
    "variant": VARIANTS,
    **dict.fromkeys(BOXES, YES),
}


class FieldProblem(NamedTuple):
    """What is wrong with an answer: the phrase that says it, or the message itself."""

    phrase: str = ""
    names: Mapping[str, object] = {}
    message: str = ""


class RefusedAnswers(Sendable, ValueError):
    """Answers that cannot be taken: a problem for each field."""

    def __init__(self, problems: Mapping[str, FieldProblem]) -> None:
        super().__init__(", ".join(problems))
        self.problems = dict(problems)


@dataclass(frozen=True)
class Choices:
    """The answers, checked; the first of each list is what a new page shows.

    `sheets` are used with the card "own" only; `words` is the language of the sheets. `shown` is
    the sheet beside the questions, "" for the first one, in the `variant` that is looked at.
    `own` is a preset of the teacher's, packed, which counts in place of `preset`. A class can have
    an `exam` of so many `minutes`.
    """

    lesson: str = "45"
    sheets: tuple[str, ...] = ()
    sentence: str = ""
    preset: str = ""
    own: str = ""
    words: str = ""
    level: str = "2"
    large: str = ""
    who: str = "me"
    pupils: int = 28
    vary: str = "focus"
    exam: str = ""
    minutes: int = 45
    print_names: str = ""
    workbook: str = ""
    fillable: str = ""
    story: str = "on"
    complete: str = ""
    notebook: str = ""
    planning: str = ""
    header: str = ""
    shown: str = ""
    variant: str = "blank"

    @property
    def chosen_sheets(self) -> tuple[str, ...]:
        """The sheets of the card, or those that the teacher named; for one set the complete run."""
        sheets = self.sheets if self.lesson == OWN else CARDS[self.lesson].sheets
        return (*sheets, COMPLETE) if self.complete and self.who == "me" else sheets

    @property
    def chosen_level(self) -> str:
        """The level of the route that was chosen, else the one that was named."""
        return CARDS[self.lesson].level or self.level

    @property
    def as_exam(self) -> bool:
        """Whether the class writes an exam."""
        return bool(self.exam) and self.who != "me"

    @property
    def chosen_preset(self) -> str | None:
        """The preset that was named, else the card's where no sentence is given, else a class's."""
        own = CARDS[self.lesson].preset if not self.sentence else ""
        return self.preset or own or (None if self.who == "me" else CLASS)


class RoomWish(NamedTuple):
    """A room to make: of so many pupils, in a lesson of so many minutes, in which language."""

    pupils: int = 24
    minutes: str = "45"
    words: str = ""
    header: str = ""

    @classmethod
    def read(cls, fields: Mapping[str, list[str]], language: str) -> "RoomWish":
        """The answers of the room's form; `RefusedAnswers` with what is wrong in each field."""
        form = _Form(fields, replace(Choices(), words=language, pupils=cls().pupils))
        minutes = (fields.get("form") or [cls().minutes])[-1]
        if minutes not in FORMS:
            form.problems["form"] = FieldProblem("web.error.choice", {"found": minutes[:40]})
        wish = cls(form.number("pupils", MOST_PUPILS, least=LEAST), minutes,
                   form.choice("words"), form.text("header", LONGEST_HEADER))  # fmt: skip
        if form.problems:
            raise RefusedAnswers(form.problems)
        return wish

    def rooms(self) -> list[ClassRoom]:
        """The rooms that it takes; a `UserError` for what no room can do."""
        return class_rooms(self.pupils, self.minutes, language=self.words)

    def seated(self) -> list[dict[str, Any]]:
        """How each of them would stand."""
        return seated(self.rooms())


def read(fields: Mapping[str, list[str]], language: str) -> Choices:
    """The answers of a form; `fields` has the values of each, `language` is that of the page.

    Fields that are not asked for are left out. Raises `RefusedAnswers` with a problem for each
    field whose answer cannot be taken.
    """
    form = _Form(fields, replace(Choices(), words=language))
    answers: dict[str, Any] = {name: form.choice(name) for name in ALLOWED}
    timed = bool(answers["exam"]) and answers["who"] != "me"
    answers |= {
        "sheets": form.sheets(answers["lesson"]),
        "sentence": form.text("sentence", LONGEST_SENTENCE),
        "own": form.own(),
        "pupils": form.number("pupils", MOST_PUPILS, wanted=answers["who"] == "number"),
        "minutes": form.number("minutes", MOST_MINUTES, wanted=timed),
        "header": form.text("header", LONGEST_HEADER),
    }
    if form.problems:
        raise RefusedAnswers(form.problems)
    return Choices(**answers)


def allowed(name: str) -> tuple[str, ...]:
    """The answers that a field takes; KeyError for one that takes any text."""
    later = {"preset": ("", *shipped()), "words": languages()}  # known once somebody asks
    return later.get(name) or ALLOWED[name]


class _Form:
    """What was sent, read field by field; what cannot be taken is noted."""

    def __init__(self, fields: Mapping[str, list[str]], usual: Choices) -> None:
        self.fields, self.usual = fields, usual
        self.problems: dict[str, FieldProblem] = {}

    def text(self, name: str, most: int) -> str:
        """Any text of at most so many characters that the sheets' fonts have."""
        text = self._last(name) or ""
        words = len(re.findall(r"\w+|[^\w\s]", text)) if name == "sentence" else 0
        if len(text) > most and words > plan.MOST_SHOWN:
            names = {"found": words, "most": plan.MOST_SHOWN}
            self.problems[name] = FieldProblem("web.error.words", names)
        elif len(text) > most:
            self.problems[name] = FieldProblem("web.error.long", {"found": len(text), "most": most})
        elif first_private(text):
            self.problems[name] = FieldProblem("web.error.sign")
        elif missing := missing_glyphs(text):
            self.problems[name] = FieldProblem("web.error.glyph", {"found": " ".join(missing)})
        return text

    def choice(self, name: str) -> str:
        """One answer of a list; a field that was not sent is a box without a tick, or the usual."""
        choice = self._last(name)
        if choice is None:
            sent = "lesson" in self.fields  # a form that was filled in always sends that
            return "" if sent and name in BOXES else str(getattr(self.usual, name))
        if choice not in allowed(name):
            self.problems[name] = FieldProblem("web.error.choice", {"found": choice[:40]})
        return choice

    def own(self) -> str:
        """A preset of the teacher's, packed; what is in it is read where there is time for it."""
        packed = self._last("own") or ""
        try:
            if packed:
                unpacked(packed)
        except UserError as error:
            self.problems["preset"] = FieldProblem(message=error.message)
        return packed

    def sheets(self, lesson: str) -> tuple[str, ...]:
        """The sheets that were ticked, each once; they count with the own choice alone.

        What is no sheet is refused with every choice: the own card is looked at beside the others.
        """
        ticked = tuple(dict.fromkeys(self.fields.get("sheets", ())))
        unknown = next((one for one in ticked if one not in SHEETS), None)
        if unknown is not None:
            self.problems["sheets"] = FieldProblem("web.error.choice", {"found": unknown[:40]})
        elif lesson == OWN and not ticked:
            self.problems["sheets"] = FieldProblem("web.error.no-sheet")
        return ticked

    def number(self, name: str, most: int, *, least: int = 1, wanted: bool = True) -> int:
        """A whole number from `least` to `most`; what is wrong counts only where it is `wanted`."""
        usual, text = int(getattr(self.usual, name)), self._last(name)
        number = usual if text is None else typed_count(text)
        if number is not None and least <= number <= most:
            return number
        if wanted:
            phrase = "web.error.number" if text else "web.error.no-number"
            names = {"found": (text or "")[:20], "least": least, "most": most}
            self.problems[name] = FieldProblem(phrase, names)
        return usual

    def _last(self, name: str) -> str | None:
        """What was sent last, as browsers send a field once; None for nothing."""
        values = self.fields.get(name)
        return values[-1].strip() if values else None
