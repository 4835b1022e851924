"""How a model has learned: loss and P at start, in the middle and at the end, and its texts."""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from generator.engine.ops.attention import Power
from generator.engine.ops.learning import MinusLog
from generator.engine.preset import History, Preset, digest, with_numbers
from generator.engine.rounding import guarded
from generator.engine.trace import Step, Trace
from generator.engine.vocabulary import tokenize
from generator.errors import refused, require
from generator.generation.generate import generate
from generator.generation.text_so_far import most_tokens
from generator.insight.behaviour import Like, drawn_words
from generator.insight.slips import Slip, changing

POINTS = ("start", "middle", "end")
LOSS, EXPONENT, CHANCE = "learned.loss", "learned.exponent", "learned.chance"  # [3, 1]
EVEN, EVEN_LOSS = "learned.even.chance", "learned.even.loss"  # [1, 1]
PLACES, FINE = 2, 4  # decimals of a loss, and of the share that all tokens have alike
NEARLY = 0.96  # of the way down: there words follow rightly here and there, no text always
LONGEST = 8  # tokens that follow in a text


class ModelText(NamedTuple):
    """What a model writes from its first token on: the likeliest tokens, and drawn ones, thrice.

    One drawn text alone may read well by luck.
    """

    greedy: str
    drawn: tuple[str, ...]


def history_in(trace: Trace, sheet: str) -> History:
    """How the preset of a computation has learned; `UserError` where nobody knows.

    Edits of the computation change nothing: it is about the preset's own numbers.
    """
    preset, history = trace.preset, trace.preset.history
    known = {"preset": preset, "history": history, "sheet": sheet}
    if history is None or len(history.states) < len(POINTS) - 1:
        raise refused("8.history", **known)
    require(not history.begun, "8.begun", **known)
    require(digest(preset) == history.numbers, "8.numbers", **known)
    return history


def points(history: History) -> tuple[int, int, int]:
    """The steps of start, middle (`NEARLY` of the way down) and end."""
    first, middle = history.states[:2]
    return first.step, middle.step, history.kept


def learned_steps(trace: Trace, history: History) -> tuple[Step, ...]:
    """Write the losses and the P that each stands for, and the loss of a die with all tokens."""
    chain, losses = trace.scratch(), dict(history.losses)
    measured = guarded(np.array([[losses[step]] for step in points(history)]), PLACES)
    rows = tuple(map(str, points(history)))
    chain.give(LOSS, measured, rows=rows, columns=("CE",), decimals=PLACES)
    chain.give(EXPONENT, -measured, rows=rows, columns=("−CE",), decimals=PLACES)
    chain.apply(CHANCE, Power(None, masked=False), EXPONENT, rows=rows, columns=("P",))
    even = guarded(np.array([[1.0 / len(trace.preset.words)]]), FINE)
    needed = next(d for d in range(FINE + 1) if d == FINE or (guarded(even, d) == even).all())
    chain.give(EVEN, even, rows=("",), columns=("P",), decimals=needed)
    chain.apply(EVEN_LOSS, MinusLog(), EVEN, rows=("",), columns=("CE",), decimals=PLACES)
    return chain.new


class ParameterCount(NamedTuple):
    """How many of a model's counted numbers it has learned, and how many are set."""

    learned: int
    fixed: int


def parameters(trace: Trace) -> ParameterCount | None:
    """The count of a model's numbers; None where nobody knows which of them it has learned.

    Set are those that training leaves as they are, and gain and shift of a norm without its own.
    """
    preset, history = trace.preset, trace.preset.history
    if history is None or digest(preset) != history.numbers or not history.states:
        return None
    now = {"vocabulary.embedding": np.array([*preset.words.values()]), **preset.weights}
    begun = history.states[0].numbers
    learned = sum(x.size for name, x in begun.items() if not np.array_equal(x, now[name]))
    drawn = len(drawn_words(trace)) * preset.d_model
    return ParameterCount(learned, int(trace["count.total"].values[0, 0]) - drawn - learned)


def texts(preset: Preset) -> tuple[ModelText, ...]:
    """The texts of start, middle and end, each with the very numbers of its step.

    Each begins with the first token of the preset's own sentence.
    """
    sentence = tokenize(preset.sentences[preset.language], preset.tokenizer, preset.words)
    return _texts(Like((preset.history, preset.language), preset), sentence.tokens[0])


@lru_cache(maxsize=16)
def _texts(writer: Like, begin: str) -> tuple[ModelText, ...]:
    """A preset with the history of others writes what they write, in a language."""
    preset = writer.preset
    states = preset.history.states[:2] if preset.history else ()
    earlier = (with_numbers(preset, state.numbers) for state in states)
    return tuple(_text(model, begin) for model in (*earlier, preset))


def first_below(history: History, loss: float) -> int | None:
    """The first step that is kept whose loss is below; None where it begins or stays elsewhere."""
    (_, begun), *_ = history.losses
    below = (step for step, one in history.losses if one < loss)
    return next(below, None) if begun >= loss else None


def slips(trace: Trace) -> list[Slip]:
    """The sign forgotten, a power of ten, the decimal logarithm."""
    loss = float(trace[LOSS].values[-1, 0])
    end = len(POINTS) - 1
    candidates = [
        Slip("sign", CHANCE, end, 0, math.exp(loss)),
        Slip("ten", CHANCE, end, 0, 10.0**-loss),
        Slip("decimal", EVEN_LOSS, 0, 0, -math.log10(trace[EVEN].values[0, 0])),
    ]
    return changing(trace, candidates)


def _text(model: Preset, begin: str) -> ModelText:
    """Drawn at temperature 1 and from seed 0 on, whatever the preset is asked to do otherwise."""
    more = min(LONGEST, most_tokens(model))  # the last token need not be read again
    known: dict[str, Any] = {"preset": model, "tokens": more, "rounding": "exact"}
    greedy = generate(begin, strategy="greedy", **known)
    drawn = (generate(begin, strategy="sample", temperature=1.0, seed=k, **known) for k in range(3))
    return ModelText(greedy.text, tuple(one.text for one in drawn))
