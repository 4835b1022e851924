"""When and how strictly entries are judged: a teacher's choice, made with the file."""

from dataclasses import dataclass

from generator.errors import require, require_known

CHECKS = ("off", "block", "once")
MOST_TOLERANCE = 5


@dataclass(frozen=True)
class Judging:
    """The choices for an exercise workbook; a value that does not exist is a `UserError`.

    `check`: entries are judged "once" they are typed, when all of their "block" are there, or "off"
    never. `tolerance`: by how many units of the last decimal an entry may differ. `interim`: help
    4 shows what the cells should hold with the numbers entered so far. Without `hints` there is no
    help at all. A file that never judges holds no check, one that shows no interim results either
    is a test and holds no help: a formula in it would tell answers, also where it is switched off.
    """

    check: str = "block"  # at once would train guessing
    interim: bool = True
    hints: bool = True
    tolerance: int = 1

    @property
    def judges(self) -> bool:
        """Whether entries are judged at all; else a file counts what is filled in."""
        return self.check != "off"

    @property
    def helps(self) -> bool:
        """Whether there is help at the blocks."""
        return self.hints and (self.judges or self.interim)

    def __post_init__(self) -> None:
        require_known("check", self.check, CHECKS)
        whole = self.tolerance in range(MOST_TOLERANCE + 1)
        require(whole, "checks.tolerance", tolerance=self.tolerance, most=MOST_TOLERANCE)


USUAL = Judging()
