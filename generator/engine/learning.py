"""Learning: gradients, new weights, and the whole computation again with these."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from generator.engine.choices import TARGETS, Targets
from generator.engine.controls import require_switch
from generator.engine.gradients import Gradients
from generator.engine.loss import NAME_IT, loss_wanted, require_output, write_loss, write_mean_loss
from generator.engine.ops.learning import Descend, DescendIfOn
from generator.engine.place import LEARNS, RATE
from generator.engine.preset import EMBEDDING, Preset
from generator.engine.scope import Scope
from generator.engine.step import Labels, single
from generator.errors import UserError, did_you_mean, message, refused, require

USUAL_RATE = 0.1
LARGEST_RATE = 1000.0
MOST_STEPS = 50
MATRIX = "output.matrix"
UNCUT = ("top-k", "top-p")  # strategies that cut words off, which the loss does not


@dataclass(frozen=True)
class Training:
    """So many steps of gradient descent: with which rate, of which weights, towards what.

    `only` are names or patterns of weights, all where it is empty. The loss is that of the word
    after the last token, or with `targets` "all" the mean over every position.
    """

    steps: int
    rate: float = USUAL_RATE
    only: tuple[str, ...] = ()
    targets: Targets = "last"

    def unties(self, preset: Preset) -> bool:
        """Whether the output's matrix learns alone where it is the table of embeddings too."""
        return preset.output == "tied" and MATRIX in self.only


def training_of(
    steps: int,
    rate: float | None = None,
    only: Iterable[str] | str | None = None,
    targets: str = "last",
) -> Training | None:
    """What is asked for, checked; None for no step at all. Raises `UserError`."""
    names = _names(only)
    is_whole = isinstance(steps, int) and not isinstance(steps, bool)
    require(is_whole and 0 <= steps <= MOST_STEPS, "engine.steps", steps=steps, most=MOST_STEPS)
    if steps == 0:
        require(rate is None and not names and targets == "last", "engine.no_steps")
        return None
    rate = USUAL_RATE if rate is None else _rate(rate)
    return Training(steps, rate, names, known_targets(targets))


def known_targets(name: str) -> Targets:
    """The kind of targets of that name; `UserError` for none."""
    for one in TARGETS:
        if name == one:
            return one
    hint = did_you_mean(str(name), TARGETS)
    raise UserError(f"targets: found {name!r}{hint}, expected {' or '.join(TARGETS)}")


def _names(only: Iterable[str] | str | None) -> tuple[str, ...]:
    return (only,) if isinstance(only, str) else tuple(only or ())


def to_learn(only: Iterable[str] | str | None, targets: str) -> Training:
    """Weights and targets alone, for gradients that nothing is changed by."""
    return Training(0, only=_names(only), targets=known_targets(targets))


def train(scope: Scope, training: Training, forward: Callable[[Scope], None]) -> None:
    """Write learning.rate, and for each step grad.*, update.* and the next pass with its loss.

    What follows the first step has the prefix `step2.`, and so on. `scope` holds the first pass
    and its loss.
    """
    leaves = leaves_of(scope, training)
    scope.give(RATE, np.array([[training.rate]]), **single("η"))
    _rate(float(scope[RATE].values[0, 0]))
    for _ in range(training.steps):
        gradient_of = Gradients(scope, leaves).write()
        require_effect(scope, training, leaves, gradient_of)
        if scope.run.controls and LEARNS not in scope:
            names = tuple(name for leaf, name in leaves.items() if leaf in gradient_of)
            on = np.ones((len(names), 1))
            require_switch(scope, scope.give(LEARNS, on, rows=names, columns=("on",)))
        new = {
            leaves[leaf]: _descend(scope, leaf, leaves[leaf], gradient_of[leaf])
            for leaf in gradient_of
        }
        scope = scope.next_step(new)
        forward(scope)
        write_losses(scope, training.targets)
        leaves = {step: name for name, step in new.items()}


def write_losses(scope: Scope, targets: Targets) -> None:
    """Write the loss that is made smaller; `UserError` where nobody says which word comes next."""
    named = loss_wanted(scope.run.edits)
    if targets == "all":
        write_mean_loss(scope, named=named)
        return
    require_output(scope)
    require(named, "engine.next_word", name_it=NAME_IT)
    write_loss(scope)


def notices(preset: Preset) -> tuple[str, ...]:
    """What is to be said of a loss that a strategy does not share."""
    if preset.strategy not in UNCUT:
        return ()
    return (message("engine.uncut", preset=preset),)


def weights_of(scope: Scope) -> tuple[str, ...]:
    """The names of all weights of a model, in order of computation."""
    known = {EMBEDDING, MATRIX, *scope.preset.weights}
    return tuple(name for name, step in scope.steps.items() if name in known and not step.inputs)


def leaves_of(scope: Scope, training: Training) -> dict[str, str]:
    """The weights that are to learn, by their steps; `UserError` for a name that fits none."""
    known = weights_of(scope)
    for pattern in training.only:
        if not any(fnmatchcase(name, pattern) for name in known):
            hint, has = did_you_mean(pattern, known), ", ".join(known)
            raise refused("engine.weight", preset=scope.preset, pattern=pattern, hint=hint, has=has)
    wanted = training.only or ("*",)
    return {name: name for name in known if any(fnmatchcase(name, one) for one in wanted)}


def require_effect(
    scope: Scope, training: Training, leaves: Mapping[str, str], gradient_of: Mapping[str, str]
) -> None:
    """Raise a `UserError` where a weight that is named, or every one, leaves the loss as it is."""
    idle = [name for leaf, name in leaves.items() if leaf not in gradient_of]
    learns = gradient_of and not (training.only and idle)
    require(learns, "engine.idle", preset=scope.preset, idle=", ".join(idle))


def _descend(scope: Scope, leaf: str, name: str, gradient: str) -> str:
    """Write the new weight; with controls each weight has a switch that can leave it as it is."""
    inputs = (leaf, RATE, gradient)
    labels = Labels(rows=scope[leaf].rows, columns=scope[leaf].columns)
    if LEARNS in scope:
        op = DescendIfOn(scope[LEARNS].rows.index(name))
        return scope.apply(f"update.{name}", op, *inputs, LEARNS, **labels)
    return scope.apply(f"update.{name}", Descend(), *inputs, **labels)


def _rate(rate: float) -> float:
    try:
        value = float(rate)
    except (TypeError, ValueError):
        value = math.nan
    fits = 0.0 < value <= LARGEST_RATE
    require(fits, "engine.rate", name=RATE, rate=rate, most=LARGEST_RATE)
    return value
