"""Which rows and columns of a step stand for the tokens; labels may be the same by chance."""

from generator.engine.trace import Step, Trace
from generator.notation.live import SQUARE
from generator.text.catalogue import step_place

_OTHERS = (
    *("bpe.", "vocabulary.", "weight.", "bias.", "gain", "beta", "count.", "sampling."),
    *("final.gain", "final.beta", "position.divisor", "position.index.new", "position.new"),
)


def tokens_of(trace: Trace, prefix: str) -> tuple[str, ...]:
    """The tokens of a round, as the rows of its tables are labelled."""
    if f"{prefix}input" in trace:
        return trace[f"{prefix}input"].rows
    return tuple(trace[f"{prefix}tokens"].values[:, 0].tolist())


def by_token(step: Step, tokens: tuple[str, ...]) -> tuple[bool, bool]:
    """Whether a step has a row for each token, and a column for each."""
    rest = step_place(step.name)[2]
    if rest == "tokens":
        return True, False
    by_word = rest.startswith("output.") and not rest.startswith("output.all.")
    if by_word or rest.startswith(_OTHERS) or not tokens or step.rows != tokens:
        return False, False
    return True, rest in SQUARE
