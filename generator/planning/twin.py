"""The twin leaf: shares of a head of the house's model beside those of a head of another model.

Also here:

* What can be said of a picture of shares: who gets most of a row, which pattern half of it makes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from generator.engine.rounding import guarded_number
from generator.engine.trace import Trace
from generator.errors import did_you_mean, require
from generator.locales.catalogue import Catalogue
from generator.notation.shown import number, percent, with_position
from generator.sheets.attending import AT
from generator.sheets.plan import MOST_ASKED, MOST_SHOWN

SPACE: Final = "␣"  # that an imported model keeps before a word
HALF: Final = 0.5
SIDE: Final = 78.0  # mm of a picture without its labels
LABELS: Final = 22.0
WIDEST: Final = 10.5
NUMBER: Final = 3.4  # mm below a square for its number


class SharesCell(NamedTuple):
    """A cell of a picture: its row and column, the side of its square (mm), its number."""

    i: int
    j: int
    side: float
    text: str


@dataclass(frozen=True)
class HeadPicture:
    """The shares of one head of a model for a sentence; `own` is a row that pupils draw."""

    trace: Trace
    head: str
    language: str
    own: int | None = None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens, equal ones with their places."""
        return tuple(with_position(self.trace.tokens, j) for j in range(len(self.trace.tokens)))

    @property
    def masked(self) -> bool:
        """Whether tokens see none of those behind them."""
        return f"{self.head}.mask" in self.trace

    @property
    def told(self) -> list[str]:
        """What its caption says."""
        made_up = not self.trace.preset.meaningful
        return ["caption", "masked" if self.masked else "free", *["chosen"] * made_up]

    @property
    def place(self) -> dict[str, str]:
        """Model, block and head, and how many numbers the model has."""
        block, head = self.head.removeprefix("block").split(".head")
        count = number(float(self.trace["count.total"].values[0, 0]), 0, self.language)
        return {"block": block, "head": head, "name": self.trace.preset.name, "count": count}

    def size(self, token: str) -> float:
        """The type of a label, mm, so that the longest token has room."""
        return round(min(3.4, 2 * LABELS / max(map(len, (*self.tokens, token)))), 2)

    @property
    def cell(self) -> float:
        """The side of a cell, mm."""
        return min(WIDEST, SIDE / len(self.tokens))

    def sees(self, i: int, j: int) -> bool:
        """Whether a token sees another one."""
        mask = f"{self.head}.mask"
        return mask not in self.trace or float(self.trace[mask].values[i, j]) == 0.0

    def share(self, i: int, j: int) -> float:
        """The share that a token gives another one."""
        return float(self.trace[f"{self.head}.weights"].values[i, j])

    def spelled(self, i: int, j: int) -> str:
        """A share as it is printed."""
        return percent(self.share(i, j), 0, self.language)

    def cells(self, blank: bool) -> Iterator[SharesCell]:
        """The visible cells; those of the own row are empty in a blank."""
        for i in range(len(self.tokens)):
            for j in filter(lambda j: self.sees(i, j), range(len(self.tokens))):
                hidden = blank and i == self.own
                side = 0.0 if hidden else (self.cell - NUMBER) * self.share(i, j) ** 0.5
                text = "" if hidden else self.spelled(i, j)
                yield SharesCell(i, j, side, text)

    def largest(self, i: int) -> list[int]:
        """The columns with the largest share of a row, as it is printed."""
        shown = [guarded_number(self.share(i, j), 2) for j in range(len(self.tokens))]
        return [j for j, share in enumerate(shown) if share == max(shown)]

    def most(self, i: int) -> list[str]:
        """The tokens with the largest share of a row, with it."""
        return [f"{self.tokens[j]} ({self.spelled(i, j)})" for j in self.largest(i)]

    def patterns(self) -> dict[str, float]:
        """The means of first column, row itself and token before it, without the first row."""
        rows = range(1, len(self.tokens))
        found = {"first": [self.share(i, 0) for i in rows],
                 "itself": [self.share(i, i) for i in rows],
                 "before": [self.share(i, i - 1) for i in rows[1:]]}  # fmt: skip
        return {key: sum(shares) / len(shares) for key, shares in found.items() if shares}


@dataclass(frozen=True)
class Twin:
    """Two heads over one sentence: the house's and the other model's."""

    house: HeadPicture
    other: HeadPicture

    @classmethod
    def of(cls, trace: Trace, other: Trace, head: str) -> "Twin":
        """The house's first head and a head of another model, such as "block5.head3".

        Raises `UserError` for a head that there is not, and for more tokens than paper shows.
        """
        for one, name, most in ((trace, AT, MOST_ASKED), (other, head, MOST_SHOWN)):
            heads = [x.removesuffix(".weights") for x in one.steps if x.endswith(".weights")]
            hint, count = did_you_mean(name, heads), len(one.tokens)
            require(name in heads, "planning.head", preset=one.preset, head=name, hint=hint)
            require(1 < count <= most, "planning.twin", preset=one.preset, count=count,
                    most=most)  # fmt: skip
        own = len(trace.tokens) - 1 if trace.exercise is None else trace.exercise
        language = trace.language
        return cls(HeadPicture(trace, AT, language, own), HeadPicture(other, head, language))

    @property
    def pictures(self) -> tuple[HeadPicture, HeadPicture]:
        """Both, from left to right."""
        return self.house, self.other

    @property
    def alike(self) -> bool:
        """Whether both models cut the sentence into the same tokens."""
        return self.house.tokens == self._bare

    @property
    def spaced(self) -> bool:
        """Whether a token of the other model is printed with its space."""
        return any(SPACE in token for token in self.other.tokens)

    @property
    def _bare(self) -> tuple[str, ...]:
        bare = tuple(token.strip(SPACE) for token in self.other.trace.tokens)
        return tuple(with_position(bare, j) for j in range(len(bare)))

    @property
    def rows(self) -> tuple[int, int]:
        """The rows to compare: of one token, where the pictures differ most; else the last ones."""
        # A first row under a mask has one cell and nothing to compare.
        left, right = self.house.tokens[1:], self._bare[1:]
        pairs = [(left.index(name) + 1, right.index(name) + 1) for name in left if name in right]
        return max(pairs, key=self._differ, default=(len(left), len(right)))

    def _differ(self, rows: tuple[int, int]) -> tuple[bool, float]:
        """Whether two rows give most to different tokens, and how much their shares differ."""
        (i, j), (left, right) = rows, self.pictures
        one = {name: left.share(i, k) for k, name in enumerate(self.house.tokens)}
        two = {name: right.share(j, k) for k, name in enumerate(self._bare)}
        apart = sum(abs(one.get(name, 0) - two.get(name, 0)) for name in {**one, **two})
        most = [self.house.tokens[k] for k in left.largest(i)]
        return most != [self._bare[k] for k in right.largest(j)], round(apart, 9)

    def said(self, catalogue: Catalogue) -> dict[str, str]:
        """The names of the questions and their answers."""
        left, right = self.rows
        join = catalogue.t("plan.twin.and")
        return {
            "row": self.house.tokens[left],
            "other": self.other.tokens[right],
            "left": join.join(self.house.most(left)),
            "right": join.join(self.other.most(right)),
            "name": self.other.trace.preset.name,
            "own": self.house.tokens[self.house.own or 0],
        }

    def halves(self, catalogue: Catalogue) -> list[str]:
        """What makes at least half of the other picture's rows on average; what it is said of."""
        means = self.other.patterns()
        told = {key: percent(mean, 0, self.house.language) for key, mean in means.items()}
        most = [key for key, mean in means.items() if mean >= HALF]
        return [catalogue.t(f"plan.twin.pattern.{key}", share=told[key]) for key in most] or [
            catalogue.t("plan.twin.pattern.none")
        ]
