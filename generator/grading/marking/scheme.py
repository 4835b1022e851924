"""How credit becomes points and a grade: a teacher's choice, from a TOML file.

Also here:

* Reads a teacher's own TOML file, the scheme or the decisions: all its problems at once.
"""

from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from generator.errors import UserError, first_of
from generator.files import tables_of, text_of
from generator.grading.marking.rule import GOES_ON, How
from generator.locales.locale import of_schema

Model = TypeVar("Model", bound=BaseModel)
Share = Annotated[float, Field(ge=0, le=1)]
Points = Annotated[float, Field(gt=0, le=1000)]


class GradeStep(BaseModel):
    """A grade, and from which percentage on it is given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    grade: str
    percent: Annotated[float, Field(ge=0, le=100, alias="from")]


class Credit(BaseModel):
    """What share of a box's points an answer earns that is not simply right."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    carried: Share = 1.0
    misplaced: Share = 0.5
    percent: Share = 1.0
    other_row: Share = 0.0


Table = Literal["percent", "15", "1-6", "none"]
TABLES: Final[tuple[Table, ...]] = get_args(Table)
PERCENT: Final = "percent"  # no table: the share itself, as the language writes it
# German upper school: 0 to 15 points by percentage (Kultusministerkonferenz, 2020 and before).
FIFTEEN: Final = (0, 20, 27, 33, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95)
SIX: Final = (("6", 0), ("5", 20), ("4", 45), ("3", 60), ("2", 75), ("1", 90))


class Scheme(BaseModel):
    """Points for tasks, shares of credit, the table of grades.

    `points` are those of a whole task by sheet; without them each box gives one. With `half` the
    points of a task are rounded to halves. `tolerance` is in units of the last decimal. `grades` is
    a table by name, or steps of one's own.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    points: dict[str, Points] = {}
    half: bool = False
    tolerance: Annotated[int, Field(ge=0, le=5)] = 1
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
            How.MISPLACED: self.credit.misplaced,
            How.OTHER_ROW: self.credit.other_row,
        }
        return shares.get(how, 0.0) * (self.credit.percent if percent else 1.0)

    def grade(self, share: float) -> str:
        """The grade of a share of all points; "" where there is no table of grades."""
        reached = share * 100 + 1e-9
        if not self.steps:
            return ""
        return max((s for s in self.steps if s[0] <= reached), key=lambda s: s[0])[1]

    @property
    def steps(self) -> list[tuple[float, str]]:
        """From which percentage on which grade is given; none where shares are told as they are."""
        if self.grades in (PERCENT, "none"):
            return []
        if self.grades == "15":
            return [(limit, str(points)) for points, limit in enumerate(FIFTEEN)]
        if self.grades == "1-6":
            return [(limit, grade) for grade, limit in SIX]
        assert not isinstance(self.grades, str)
        return [(step.percent, step.grade) for step in self.grades]


USUAL: Final = Scheme()
SCHEME: Final = "scheme.toml"  # beside an exam's manifest


def require_printed(scheme: Scheme, name: str, *, exam: bool) -> None:
    """Raise a `UserError` where a scheme gives points that an exam's paper prints otherwise."""
    if exam and scheme.points:
        raise UserError(
            f"{name}: points: found {', '.join(scheme.points)}; an exam prints its points on the "
            "paper, one a number: leave [points] out"
        )


def read_scheme(path: Path) -> Scheme:
    """The scheme of a file; `UserError` with everything in it that cannot be."""
    return read_own(path, Scheme, "scheme")


def read_own(path: Path, model: type[Model], what: str) -> Model:
    """What a file holds; `UserError` with everything in it that cannot be."""
    raw = tables_of(text_of(path, what), f"{what} {path.name}")
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        problems = [of_schema(path.name, detail) for detail in error.errors(include_url=False)]
        raise UserError("\n".join(first_of(problems))) from None
