"""What a teacher may choose for a worksheet."""

from dataclasses import dataclass

from generator.errors import UserError, did_you_mean
from generator.plans.plan import require_level

PARTS = ("info", "work", "both")
VARIANTS = ("blank", "solution")
KINDS = ("pdf", "html")


@dataclass(frozen=True)
class SheetOptions:
    """The choices for one worksheet; a value that does not exist is a `UserError`."""

    language: str = "de"
    level: int = 2
    budget: int | None = None
    part: str = "both"
    story: bool = True
    header: str = ""
    author: str = ""
    licence: str = "CC BY 4.0"

    def __post_init__(self) -> None:
        require_level(self.level)
        require_known("part", self.part, PARTS)


def require_known(what: str, found: str, known: tuple[str, ...]) -> None:
    """Raise a `UserError` that names the known ones unless `found` is one of them."""
    if found not in known:
        hint = did_you_mean(found, known)
        raise UserError(f"there is no {what} {found!r}{hint}; choose from: {', '.join(known)}")
