"""What the desk gives back: the sheets that answers come to, and what was written."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Shown:
    """One sheet of the set: its name, what its pages call it, its title, the minutes it prints."""

    name: str
    short: str
    title: str
    minutes: int


@dataclass(frozen=True)
class Overview:
    """What the answers come to: the sheets that can be made, those that cannot, what to know.

    `new` are words that the learned model does not have, so that another one was taken.
    `meaningful` says whether the numbers of the `model` mean something, `open` whether a sentence
    of one's own can be typed. `cards` are the minutes of each card with this sentence and amount,
    `levels` those of the chosen card with each amount, 0 where nothing of it can be made.
    """

    sheets: tuple[Shown, ...]
    left_out: tuple[str, ...]
    new: tuple[str, ...]
    notices: tuple[str, ...]
    meaningful: bool
    open: bool
    model: str
    cards: Mapping[str, int]
    levels: Mapping[str, int]

    @property
    def minutes(self) -> int:
        """The minutes of all sheets."""
        return sum(sheet.minutes for sheet in self.sheets)


@dataclass(frozen=True)
class Made:
    """What was written below the folder: what to know of it, and what could not be made.

    `papers` are the files to open first, by what is done with them: "print", "keep".
    """

    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    papers: Mapping[str, str] = field(default_factory=dict)
