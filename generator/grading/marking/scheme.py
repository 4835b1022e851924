"""How credit comes about and becomes points and a grade: a teacher's choice, from a TOML file.

Also here:

* Reads a teacher's own TOML file, the scheme or the decisions: all its problems at once.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from generator.errors import UserError, first_of, require
from generator.files import tables_of, text_of
from generator.locales.locale import of_schema
from generator.resources import table

Model = TypeVar("Model", bound=BaseModel)
Share = Annotated[float, Field(ge=0, le=1)]
Points = Annotated[float, Field(gt=0, le=1000)]


class How(StrEnum):
    """Why a cell has its credit or has none, in the words of grading.xlsx and decisions.toml."""

    ORIGINAL = "original"  # the right value
    CARRIED = "carried"  # right with the pupil's own earlier entries
    FILLED = "filled"  # right with these, and the right value where one is blank
    MENDED = "mended"  # right with these, and what follows there for a blank or wrong one
    UNROUNDED = "unrounded"  # right with all digits that the calculator has, in several boxes
    MISPLACED = "misplaced"  # right, but in a neighbour's box of the same step
    OTHER_ROW = "other_row"  # the numbers of another row of the step, such as another token's
    IDLE = "idle"  # carried from numbers with nothing to compute, such as zeros everywhere
    WRONG = "wrong"
    UNREADABLE = "unreadable"
    BLANK = "blank"


GOES_ON = frozenset({How.CARRIED, How.FILLED, How.MENDED})  # right with own numbers before it
EARNED = GOES_ON | {How.ORIGINAL}


class TeachersOwn(BaseModel):
    """What a teacher writes into a TOML file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GradeStep(TeachersOwn):
    """A grade, and from which percentage on it is given."""

    grade: str
    percent: Annotated[float, Field(ge=0, le=100, alias="from")]


class Credit(TeachersOwn):
    """What share of a box's points an answer earns that is not simply right."""

    carried: Share = 1.0
    misplaced: Share = 0.5
    percent: Share = 1.0
    other_row: Share = 0.0


Unrounded = Literal["ok", "as-printed"]
Table = Literal["percent", "15", "1-6", "none"]
PERCENT: Final = "percent"  # no table: the share itself, as the language writes it
TABLES: Final[Mapping[str, list[tuple[float, str]]]] = table("grading/marking/grades.toml")


class Scheme(TeachersOwn):
    """Points for tasks, shares of credit, the table of grades.

    `points` are those of a whole task by sheet; without them each box gives one. With `half` the
    points of a task are rounded to halves. `tolerance` is in units of the last decimal. `unrounded`
    says whether numbers count that follow without the roundings that the sheet asks for. `grades`
    is a table by name, or steps of one's own.
    """

    points: dict[str, Points] = {}
    half: bool = False
    tolerance: Annotated[int, Field(ge=0, le=5)] = 1
    unrounded: Unrounded = "as-printed"
    credit: Credit = Credit()
    grades: Table | tuple[GradeStep, ...] = "percent"

    @field_validator("grades")
    @classmethod
    def _from_nothing(cls, steps: Table | tuple[GradeStep, ...]) -> Table | tuple[GradeStep, ...]:
        if not isinstance(steps, str) and not any(step.percent == 0 for step in steps):
            raise ValueError("one step must begin at from = 0, so that everybody has a grade")
        return steps

    def share(self, how: How, *, percent: bool = False) -> float:
        """What share of its points a box earns."""
        shares = {
            How.ORIGINAL: 1.0,
            **dict.fromkeys(GOES_ON, self.credit.carried),
            How.UNROUNDED: float(self.unrounded == "ok"),
            How.MISPLACED: self.credit.misplaced,
            How.OTHER_ROW: self.credit.other_row,
        }
        return shares.get(how, 0.0) * (self.credit.percent if percent else 1.0)

    def grade(self, share: float) -> str:
        """The grade of a share of all points; "" where there is no table of grades."""
        reached = [step for step in self.steps if step[0] <= share * 100 + 1e-9]
        return max(reached, key=lambda step: step[0], default=(0, ""))[1]

    @property
    def steps(self) -> list[tuple[float, str]]:
        """From which percentage on which grade is given; none where shares are told as they are."""
        if isinstance(self.grades, str):
            return TABLES[self.grades]
        return [(step.percent, step.grade) for step in self.grades]


USUAL: Final = Scheme()
SCHEME: Final = "scheme.toml"  # beside an exam's manifest


def read_scheme(path: Path, *, exam: bool = False) -> Scheme:
    """The scheme of a file; `UserError` with everything in it that cannot be.

    An exam's scheme may give no points, which its paper prints.
    """
    scheme = read_own(path, Scheme, "scheme")
    given = ", ".join(scheme.points)
    require(not (exam and scheme.points), "grade.printed", path=path, given=given)
    return scheme


def read_own(path: Path, model: type[Model], what: str) -> Model:
    """What a file holds; `UserError` with everything in it that cannot be."""
    raw = tables_of(text_of(path, what), f"{what} {path.name}")
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        problems = [of_schema(path.name, detail) for detail in error.errors(include_url=False)]
        raise UserError("\n".join(first_of(problems))) from None
