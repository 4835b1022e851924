"""A learner: it looks at the loss of all prompts, then takes a step of Adam downhill.

Its gradients are the engine's own, for all prompts at once: PyTorch is not needed. (It was a choice
until a step of the shipped specs took as long with it; tests still go the same steps with both.)

Also here:

* Gradient descent: first free, then with every number rounded in each forward run.
* Adam (Kingma and Ba 2015, algorithm 1) with a rate that falls as half a cosine to 0.
* Several prompts as one long sentence whose mask hides the others: what the model is given.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from generator.engine.choices import Mask
from generator.engine.learning import to_learn
from generator.engine.masks import MASKS, MaskForm
from generator.engine.model import compute
from generator.engine.ops.attention import MASKED
from generator.engine.ops.base import RowProblem
from generator.engine.ops.learning import ShareError
from generator.engine.preset import Preset, with_numbers
from generator.engine.rounding import guarded
from generator.engine.structure import replay, steps_to
from generator.engine.trace import Trace
from generator.engine.trace_gradients import with_gradients
from generator.engine.vocabulary import joined
from generator.training.spec import Prediction, TrainingKeys
from generator.training.task import TrainingTask

NO_NUMBER = "the loss is no number any more"


class StepLook(NamedTuple):
    """What is seen before a step: the loss that is made small, the logits [b, v], the numbers.

    The numbers are those that the logits come from; they may change with the next step.
    """

    loss: float
    logits: np.ndarray
    numbers: Mapping[str, np.ndarray]


LOGITS, POSITION = "loss.all.logits", "position"
SCALED, MASK = re.compile(r"block\d+\.head\d+\.scaled"), re.compile(r"block\d+\.head\d+\.mask")
Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Stack:
    """Prompts padded to n tokens below each other, R rows in all.

    `ids` [R, 1] and `onehot` [R, v] say which token stands where, `place` [R] at which place of its
    prompt, `hidden` [R, R] what it does not see, `last` [b] the row of each prompt's last token.
    `first` is the number of its first prompt.
    """

    first: int
    ids: np.ndarray
    onehot: np.ndarray
    place: np.ndarray
    hidden: np.ndarray
    last: np.ndarray


Watcher: TypeAlias = Callable[[int, StepLook], None]  # a step, counted from 1


class Learner:
    """Numbers that change: one Trace says which steps there are, and they are replayed.

    The gradients of that Trace are steps as well, so the way back is replayed as the way there.
    """

    def __init__(self, task: TrainingTask) -> None:
        self.training, self.shares, self.learned = task.spec.training, task.wanted, task.learned
        smoothing, tokens = self.training.smoothing, task.wanted.shape[1]  # Szegedy et al. 2016
        self.wanted = (1.0 - smoothing) * task.wanted + smoothing / tokens
        self.free = {name: np.array(x, dtype=np.float64) for name, x in task.numbers.items()}
        longest = max(task.spec.counts, key=len)
        self.trace = _pattern(task.blank, longest, self.free)
        mask = MASKS.get(task.blank.mask)
        self.stacks = list(stacks(task.prompts, len(task.spec.words), mask))
        steps = {step.name for step in self.trace}
        self.scaled = [name for name in steps if SCALED.fullmatch(name)]
        self.visible = len(self.scaled) * sum(int((~one.hidden).sum()) for one in self.stacks)
        self.masks = [name for name in steps if MASK.fullmatch(name)]
        known = {"ids", "onehot", POSITION, *self.masks, *self.free}
        self.there = steps_to(self.trace, [LOGITS, *self.scaled], known)
        self.gradients = {name: g for name in self.learned if (g := f"grad.{name}") in steps}
        back = {*known, f"grad.{LOGITS}", *(step.name for step in self.there)}
        self.back = steps_to(self.trace, self.gradients.values(), back)
        self._adam = Adam()
        self._passes: list[Arrays] = []
        self._now = Prediction(self.wanted, self.wanted)

    def begin(self, count: int, rate: float) -> None:
        """Begin so many steps of Adam whose rate falls from `rate` to 0, as half a cosine."""
        self._adam = Adam(count, rate)

    def look(self, *, short: bool) -> StepLook:
        """The loss and the logits, with `short` those of rounded numbers.

        Raises `FloatingPointError` where the loss is no number any more.
        """
        numbers = dict(self.free)
        for name in self.learned if short else ():  # set ones stay as they are
            numbers[name] = guarded(self.free[name], self.training.decimals_of(name))
        self._passes, logits = self._forward_all(numbers)
        with np.errstate(all="ignore"):  # what is no number is told below
            self._now = Prediction(logits, self.wanted)
            loss = self._now.cross_entropy + self._cost()
        if not np.isfinite(loss):
            raise FloatingPointError(NO_NUMBER)
        return StepLook(loss, logits, numbers)

    def go(self) -> None:
        """Take a step against the gradients at the last look."""
        error = ShareError(None).value(self._now.shares, self.wanted)  # [b, v]
        total = {name: np.zeros_like(self.free[name]) for name in self.learned}
        for stack, forward in zip(self.stacks, self._passes, strict=True):
            self._backward(stack, forward, error, total)
        for name, g in total.items():
            x = self.free[name]
            g += 2.0 * self.training.small * x + self.training.sparse * np.sign(x)
        self._adam.step(self.free, total)

    def logits_of(self, numbers: Mapping[str, np.ndarray]) -> np.ndarray:
        """The logits [b, v] at the last token of each prompt, with these numbers."""
        return self._forward_all(numbers)[1]

    def _forward_all(self, numbers: Mapping[str, np.ndarray]) -> tuple[list[Arrays], np.ndarray]:
        passes = [self._forward(stack, numbers) for stack in self.stacks]
        pairs = zip(passes, self.stacks, strict=True)
        return passes, np.concatenate([one[LOGITS][stack.last] for one, stack in pairs])

    def _forward(self, stack: Stack, numbers: Mapping[str, np.ndarray]) -> Arrays:
        """The arrays of a forward pass by step name, for the prompts of a stack."""
        arrays: Arrays = {**numbers, "ids": stack.ids, "onehot": stack.onehot}
        if POSITION in self.trace:
            table = numbers.get(POSITION, self.trace.values(POSITION))
            arrays[POSITION] = table[stack.place]
        arrays |= dict.fromkeys(self.masks, np.where(stack.hidden, MASKED, 0.0))
        try:
            replay(self.there, arrays, {})
        except RowProblem as problem:
            raise FloatingPointError(f"{NO_NUMBER}: {problem.text}") from None
        return arrays

    def _backward(self, stack: Stack, forward: Arrays, error: np.ndarray, total: Arrays) -> None:
        """Add the gradients of a stack's prompts to the total; `error` is P − wanted, [b, v]."""
        start = np.zeros_like(forward[LOGITS])
        start[stack.last] = error[stack.first : stack.first + len(stack.last)]
        arrays = forward | {f"grad.{LOGITS}": start}
        # What the cost of far-reaching scores adds to their gradients.
        far = self._far(stack, forward)
        replay(self.back, arrays, {f"grad.{name}": 2.0 * x / self.visible for name, x in far})
        for name, gradient in self.gradients.items():
            if name == POSITION:
                np.add.at(total[name], stack.place, arrays[gradient])
            else:
                total[name] += arrays[gradient]

    def _cost(self) -> float:
        """What the sizes of the numbers cost, and scores beyond the largest that is wanted."""
        training, cost = self.training, 0.0
        for name in self.learned:
            x = self.free[name]
            cost += training.small * float((x * x).sum()) + training.sparse * float(np.abs(x).sum())
        for stack, forward in zip(self.stacks, self._passes, strict=True):
            for _, far in self._far(stack, forward):
                cost += float((far * far).sum()) / self.visible
        return cost

    def _far(self, stack: Stack, forward: Arrays) -> Iterator[tuple[str, np.ndarray]]:
        """By how much each visible score is beyond the largest that is wanted, with its sign."""
        largest = self.training.largest_score
        if largest is None:
            return
        for name in self.scaled:
            x = np.where(stack.hidden, 0.0, forward[name])
            yield name, x - np.clip(x, -largest, largest)

    def descend(self, watcher: Watcher) -> "Best":
        """The best rounded numbers on the way; `watcher` hears of every step.

        Raises `FloatingPointError` where the loss is no number any more.
        """
        best, training, step = Best(), self.training, 0
        for short, count in ((False, training.steps), (True, training.rounding_steps)):
            self.begin(count, training.learning_rate / 2 if short else training.learning_rate)
            for _ in range(count):
                seen, step = self.look(short=short), step + 1
                if short:
                    now = Prediction(seen.logits, self.shares)
                    better = Best(now.margin, now.outside, seen.loss, step)
                    if better.rank(training) > best.rank(training):
                        better.numbers = {name: x.copy() + 0.0 for name, x in seen.numbers.items()}
                        best = better
                watcher(step, seen)
                self.go()
        return best


def _pattern(preset: Preset, prompt: Sequence[str], numbers: Mapping[str, np.ndarray]) -> Trace:
    """A computation of the longest prompt with its gradients: its steps are the model's.

    It has a mask, to keep prompts apart, and each softmax is shifted, so that no power overflows;
    neither changes a number. Its own numbers are not used, so huge ones are cut.
    """
    mask: Mask = "causal" if "attention" in preset.parts else preset.mask
    cut = {name: x.clip(-1.0, 1.0) for name, x in numbers.items()}
    model = with_numbers(replace(preset, mask=mask, shifted="always"), cut)
    trace = compute(model, joined(tuple(prompt), preset.tokenizer), rounding="exact")
    return with_gradients(trace, to_learn(None, "all"), next(iter(preset.words)))


FIRST, SECOND, EPSILON = 0.9, 0.999, 1e-8


@dataclass
class Adam:
    """So many steps of Adam, whose rate falls from `rate`; a phase of training has its own."""

    count: int = 1
    rate: float = 0.0
    done: int = 0
    _means: dict[str, np.ndarray] = field(default_factory=dict)
    _squares: dict[str, np.ndarray] = field(default_factory=dict)

    def step(self, numbers: Mapping[str, np.ndarray], gradients: Mapping[str, np.ndarray]) -> None:
        """Change the arrays that have a gradient, each of its own shape, in place."""
        rate = self.rate * (1.0 + math.cos(math.pi * self.done / self.count)) / 2.0
        self.done += 1
        first, second = (1.0 - share**self.done for share in (FIRST, SECOND))
        for name, g in gradients.items():
            mean = FIRST * self._means.get(name, 0.0) + (1.0 - FIRST) * g
            square = SECOND * self._squares.get(name, 0.0) + (1.0 - SECOND) * g * g
            self._means[name], self._squares[name] = mean, square
            size = np.sqrt(square) / math.sqrt(second) + EPSILON
            numbers[name][...] -= rate / first * mean / size


MOST_ROWS = 128  # of a stack: its scores are a square of as many rows


def stacks(prompts: Sequence[list[int]], words: int, mask: MaskForm | None) -> Iterator[Stack]:
    """The prompts in stacks of at most `MOST_ROWS` rows, or of one prompt.

    They are padded to the same length: rows of padding see their prompt.
    """
    longest = max(map(len, prompts))
    size = max(1, MOST_ROWS // longest)
    for first in range(0, len(prompts), size):
        some = prompts[first : first + size]
        ids = np.array([one + [0] * (longest - len(one)) for one in some]).reshape(-1)
        place, owner = np.tile(np.arange(longest), len(some)), np.repeat(range(len(some)), longest)
        lengths = np.array([len(one) for one in some])
        visible = (owner[:, None] == owner[None, :]) & (place < lengths[owner])[None, :]
        if mask is not None:
            visible &= mask.sees(place[:, None], place[None, :])
        last = np.arange(len(some)) * longest + lengths - 1
        onehot = np.eye(words)[ids]
        yield Stack(first, ids[:, None].astype(np.float64), onehot, place, ~visible, last)


@dataclass
class Best:
    """The rounded numbers that were ahead so far, and at which step; both in percentage points."""

    margin: float = -math.inf
    outside: float = math.inf
    loss: float = math.inf
    step: int = 0
    numbers: dict[str, np.ndarray] = field(default_factory=dict)

    def rank(self, training: TrainingKeys) -> tuple[float, float, float]:
        """What makes numbers better: margin and outside as far as wanted, then the loss."""
        ahead, beside = min(self.margin, training.margin), max(self.outside, training.outside)
        return ahead, -beside, -self.loss
