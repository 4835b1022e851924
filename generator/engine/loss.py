"""Cross-entropy and perplexity of a given next word, computed where an edit names that word."""

from generator.engine.arrays import column
from generator.engine.edits import Edits
from generator.engine.layers import SoftmaxRows, softmax
from generator.engine.ops.attention import Power
from generator.engine.ops.copying import Ids, OneHot
from generator.engine.ops.learning import (
    AtId,
    AtIds,
    ColumnMean,
    FirstRows,
    MinusLog,
    NextOf,
    OverAt,
)
from generator.engine.ops.linear import MatMulT
from generator.engine.predict import drawing_row
from generator.engine.scope import Scope
from generator.engine.step import Labels, single
from generator.engine.vocabulary import listed, noun
from generator.errors import UserError, did_you_mean, refused, require

TARGET = "loss.target"
ALL = "loss.all"  # what is said of every position
NAME_IT = 'with --next-word, or next_word="…" in Python'


def loss_wanted(edits: Edits) -> bool:
    """Whether an edit names the word that comes next."""
    return any(address.startswith(TARGET) for address in edits.requested)


def write_loss(scope: Scope) -> None:
    """Write loss.target, .onehot, .id, .probability, .cross_entropy and .perplexity.

    The probability is that of the temperature that is drawn with; −ln P is the cross-entropy, and
    e to that power, 1 ÷ P but for rounding, the perplexity. Raises `UserError` for a word outside
    the vocabulary, a preset without an output, and a probability that is rounded to 0.
    """
    require_output(scope)
    _target(scope)
    right = Labels(rows=("",), columns=scope.words)
    scope.apply("loss.onehot", OneHot(), TARGET, "vocabulary.words", **right)
    scope.apply("loss.id", Ids(), "loss.onehot", **single("id"))
    at = AtId(drawing_row(scope.preset))
    scope.apply("loss.probability", at, "output.probabilities", "loss.id", **single("P"))
    scope.apply("loss.cross_entropy", MinusLog(), "loss.probability", **single("H"))
    _perplexity(scope)


def write_mean_loss(scope: Scope, *, named: bool) -> None:
    """Write the cross-entropy of every position's next word, loss.all.*, and their mean.

    `named`: whether a word is given that comes after the last token; without it that token
    predicts nothing here. Raises `UserError` as `write_loss` does, for a single token, and for a
    preset that knows its last token alone.
    """
    require_output(scope)
    require(scope["last"].inputs, "engine.last_alone", preset=scope.preset, name_it=NAME_IT)
    if named:
        _target(scope)
    elif len(scope.tokens) == 1:
        raise UserError(f"one token has no next word in the sentence: name it, {NAME_IT}")
    each = write_each_loss(scope, scope.tokens if named else scope.tokens[:-1])
    scope.apply("loss.cross_entropy", ColumnMean(), each, **single("H"))
    _perplexity(scope)


def write_each_loss(scope: Scope, rows: tuple[str, ...]) -> str:
    """Write loss.all.*; gives the step with the cross-entropy at each position [m, 1] back.

    `rows` are the tokens that a word follows: all of them where a target is given, or all but the
    last.
    """
    x, width = scope["last"].inputs[0], scope["last"].columns
    following = ["tokens", TARGET]
    if len(rows) < len(scope.tokens):
        following.remove(TARGET)
        x = scope.apply(f"{ALL}.states", FirstRows(len(rows)), x, rows=rows, columns=width)
    table = Labels(rows=rows, columns=scope.words)
    matrix = scope["output.logits"].inputs[1:]  # the output's own, with its bias
    logits = scope.apply(f"{ALL}.logits", MatMulT(), x, *matrix, **table)  # [m, v]
    heat = OverAt(drawing_row(scope.preset))
    tempered = scope.apply(f"{ALL}.tempered", heat, logits, "temperature", **table)
    shares = softmax(scope.within(ALL), tempered, "probabilities", SoftmaxRows(**table))
    target = scope.apply(f"{ALL}.target", NextOf(), *following, rows=rows, columns=("word",))
    right = scope.apply(f"{ALL}.onehot", OneHot(), target, "vocabulary.words", **table)  # [m, v]
    ids = scope.apply(f"{ALL}.id", Ids(), right, rows=rows, columns=("id",))  # [m, 1]
    share = scope.apply(f"{ALL}.probability", AtIds(), shares, ids, rows=rows, columns=("P",))
    return scope.apply(f"{ALL}.cross_entropy", MinusLog(), share, rows=rows, columns=("H",))


def require_output(scope: Scope) -> None:
    """Raise a `UserError` for a preset that predicts no next token."""
    predicts = "sampling.share" in scope
    require(predicts, "engine.output", preset=scope.preset, target=TARGET)


def _target(scope: Scope) -> None:
    words = scope.words
    scope.give(TARGET, column([words[0]]), **single("word"))
    word = str(scope[TARGET].values[0, 0])
    if word not in words:
        kind, hint = noun(scope.preset.tokenizer, word), did_you_mean(word, words)
        known = listed(words)
        raise refused("engine.target", target=TARGET, kind=kind, word=word, hint=hint, known=known)


def _perplexity(scope: Scope) -> None:
    power = Power(None, masked=False)
    scope.apply("loss.perplexity", power, "loss.cross_entropy", **single("PP"))
