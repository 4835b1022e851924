"""What the template of sheet shares may ask."""

from generator.sheets.attending import AT, visible_to
from generator.sheets.context import Context


class View(Context):
    """The tokens that the own token may look at, and where its numbers stand."""

    at = AT

    @property
    def visible(self) -> tuple[int, ...]:
        """The tokens that the own token may look at."""
        return visible_to(self.trace, self.plan.own)
