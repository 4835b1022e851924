"""Which rows and columns of a step stand for the tokens."""

from generator.engine.trace import Step, Trace
from generator.steps import shaped_as


def tokens_of(trace: Trace, prefix: str) -> tuple[str, ...]:
    """The tokens of a round, as the rows of its tables are labelled."""
    if f"{prefix}input" in trace:
        return trace[f"{prefix}input"].rows
    return tuple(trace[f"{prefix}tokens"].values[:, 0].tolist())


def by_token(step: Step, tokens: tuple[str, ...]) -> tuple[bool, bool]:
    """Whether a step has a row for each token, and a column for each."""
    kind = shaped_as(step.name)
    by_rows = kind.rows == "tokens" and bool(tokens)
    return by_rows, by_rows and kind.square and step.shape[1] == step.shape[0]
