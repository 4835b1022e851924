"""What sheet bpe says of its own result, each sentence with what must be true of it."""

from generator.engine.bpe import BETWEEN
from generator.engine.trace import Trace
from generator.insight.bpe_tree import forest, rules
from generator.insight.claims import Claim
from generator.sheets.sheetbpe.plan import FIGURE, PIECES, PlanBpe


def merges(trace: Trace, plan: PlanBpe) -> bool:
    """Whether the asked rounds merge some letters of the new word."""
    return any(len(piece) > 1 for piece in str(trace[PIECES].values[0, 0]).split(BETWEEN))


def merges_syllables(trace: Trace, plan: PlanBpe) -> bool:
    """Whether these letters are of the corpus that the language's own file was written with."""
    return merges(trace, plan) and trace.preset.corpus is None


def grows(trace: Trace, plan: PlanBpe) -> bool:
    """Whether the figure's word has become a single token."""
    word = str(trace[f"{FIGURE}bpe.encoding.word"].values[0, 0])
    return len(forest(word, rules(trace, plan.figure_rounds, FIGURE))) == 1


CLAIMS = {
    "sheetbpe.tree.text": Claim(grows),
    "sheetbpe.answer.why": Claim(merges, "sheetbpe.answer.why.letters"),
    "sheetbpe.discuss.1.answer": Claim(merges_syllables, "sheetbpe.discuss.1.answer.general"),
}
