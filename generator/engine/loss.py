"""Cross-entropy and perplexity of a given next word, computed where an edit names that word."""

from generator.engine.arrays import column
from generator.engine.edits import Edits
from generator.engine.ops import AtId, Ids, MinusLog, OneHot, Power
from generator.engine.predict import drawing_row
from generator.engine.scope import Scope
from generator.engine.vocabulary import listed, noun
from generator.errors import UserError, did_you_mean

TARGET = "loss.target"


def loss_wanted(edits: Edits) -> bool:
    """Whether an edit names the word that comes next."""
    return any(address.startswith(TARGET) for address in edits.requested)


def write_loss(scope: Scope, words: tuple[str, ...]) -> None:
    """Write loss.target, .onehot, .id, .probability, .cross_entropy and .perplexity.

    The probability is that of the temperature that is drawn with; −ln P is the cross-entropy, and
    e to that power, 1 ÷ P but for rounding, the perplexity. Raises `UserError` for a word outside
    the vocabulary, a preset without an output, and a probability that is rounded to 0.
    """
    preset = scope.preset
    if "sampling.share" not in scope:
        raise UserError(
            f"preset {preset.name!r} predicts no next token, so {TARGET} means nothing for it; "
            "take one that does, such as 'katze'"
        )
    scope.give(TARGET, column([words[0]]), ("",), ("word",))
    word = str(scope[TARGET].values[0, 0])
    if word not in words:
        raise UserError(
            f"{TARGET}: the {noun(preset.tokenizer, word)} {word!r} is not in the vocabulary"
            f"{did_you_mean(word, words)}; it holds: {listed(words)}"
        )
    scope.apply("loss.onehot", OneHot(), TARGET, "vocabulary.words", rows=("",), columns=words)
    scope.apply("loss.id", Ids(), "loss.onehot", rows=("",), columns=("id",))
    row, inputs = drawing_row(preset), ("output.probabilities", "loss.id")
    scope.apply("loss.probability", AtId(row), *inputs, rows=("",), columns=("P",))
    scope.apply("loss.cross_entropy", MinusLog(), "loss.probability", rows=("",), columns=("H",))
    power = Power(None, masked=False)
    scope.apply("loss.perplexity", power, "loss.cross_entropy", rows=("",), columns=("PP",))
