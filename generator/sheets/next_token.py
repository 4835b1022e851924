"""What the views of sheets about the next token share: the words that it is one of."""

from dataclasses import dataclass

from generator.insight.output_layer import LOGITS
from generator.sheets.context import Context


@dataclass(frozen=True)
class NextToken(Context):
    """A view whose model ends in logits."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the vocabulary, by ID."""
        return self.trace[LOGITS].columns
