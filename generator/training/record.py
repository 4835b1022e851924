"""The history of a training, as the file beside its preset holds it."""

from collections.abc import Mapping

import numpy as np

from generator.engine.history import History, State
from generator.engine.preset import Preset
from generator.engine.renumbered import digest
from generator.training.descent import Moment
from generator.training.shares import cross_entropy
from generator.training.spec import Training

FIRST = 20  # steps at the beginning that are all kept; later fewer and fewer, then each hundredth
FEWER, HUNDRED = 1.06, 100
NEARLY = 0.9  # of the way down: there a loss is small, and texts are not yet right


class Record:
    """Takes down the mean −ln P at steps that get rarer, and the numbers at the same steps."""

    def __init__(self, wanted: np.ndarray) -> None:
        self.wanted = wanted
        self._losses: dict[int, float] = {}
        self._states: dict[int, Mapping[str, np.ndarray]] = {}
        self._next = 1.0

    def __call__(self, moment: Moment) -> None:
        """Take down what there is at a step, where it is one to keep."""
        step = moment.step
        if step >= self._next or step % HUNDRED == 0 or step == moment.of:
            self._next = step + 1 if step < FIRST else max(self._next, step * FEWER)
            self._losses[step] = cross_entropy(moment.look.logits, self.wanted)
            self._states[step] = {n: x.copy() for n, x in moment.look.numbers.items()}

    def history(
        self, preset: Preset, training: Training, kept: int, loss: float, made: tuple[str, str]
    ) -> History:
        """The whole training: its preset has the numbers of step `kept`, which have that loss.

        `made` says what found the gradients, and which preset it went on from.
        """
        losses = tuple(sorted({**self._losses, kept: loss}.items()))
        first = losses[0][1]
        nearly = first - NEARLY * (first - loss)
        middle = next(step for step, one in losses if one <= nearly or step == kept)
        states = [State(step, self._states[step]) for step in (1, middle) if step in self._states]
        steps = training.steps + training.rounding_steps
        all_of_it = (*made, steps, training.steps, kept, digest(preset))
        return History(*all_of_it, losses, tuple(states))
