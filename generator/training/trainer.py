"""From a spec to a trained preset: learned, rounded, and proved by the engine."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias

from generator import output
from generator.engine.preset import Preset
from generator.errors import UserError
from generator.presets.history import history_path, history_text
from generator.presets.load import parse
from generator.training.continued import shortened, spec_path
from generator.training.curve import Curve, require_kind
from generator.training.descent import Moment, descended
from generator.training.learner import LearnerKind
from generator.training.own_learner import OwnLearner
from generator.training.proof import answers, failures, require_same_model
from generator.training.record import Record
from generator.training.samples import Samples, TextListener
from generator.training.shares import cross_entropy
from generator.training.spec import Spec, read_spec
from generator.training.task import Task, task_of
from generator.training.trained_preset import preset_text

INSTALL = "pip install 'paperformer[train]'"
GRADIENTS = ("own", "pytorch")
ALL = 100  # points
SHOWN = 5  # failed prompts that a message names

Steps: TypeAlias = Callable[[int, int, float], None]


class Trained(NamedTuple):
    """A trained preset's file, its text, by how many points the worst prompt is ahead, all files.

    `made` says what found the gradients.
    """

    path: Path
    text: str
    margin: float
    files: tuple[Path, ...]
    made: str


class Listeners(NamedTuple):
    """Functions that hear of each step of training (its loss), and now and then of a text."""

    steps: Steps = lambda step, of, loss: None
    texts: TextListener = lambda step, text: None


SILENT = Listeners()


def train(
    spec: str | Path | None,
    out: str | Path | None = None,
    *,
    start: str | Path | None = None,
    steps: int | None = None,
    gradients: str = "own",
    curves: Iterable[str | Path] = (),
    told: Listeners = SILENT,
) -> Trained:
    """Train a spec's numbers and write the preset; by default `<name>.toml` in this folder.

    Its history is written beside it, `<name>.history.json`: the losses, and the numbers at the
    beginning and on the way. `start` is a preset to go on from (a shipped one needs no spec),
    `steps` how many steps in place of the spec's. `gradients` are our "own" or those of "pytorch".
    `curves` are files to write with the loss of every step: a table, .csv, or a picture, .svg or
    .png.

    The same spec gives the same bytes with the same versions, on one kind of processor.
    Raises `UserError` for a spec with mistakes, where PyTorch is asked for and missing, where the
    spec does not converge (what was reached, which prompts fail, what to try), and where a file
    exists.
    """
    path = spec_path(spec, start)
    order = shortened(read_spec(path), steps)
    task, kind = task_of(order, path.parent, start), learner_kind(gradients)
    target = Path(out) if out is not None else Path(f"{task.blank.name}.toml")
    pictures = [Path(one) for one in curves]
    for one in pictures:
        require_kind(one)
    files = (target, history_path(target), *pictures)
    if len(set(files)) < len(files):
        raise UserError(f"{target}: found as preset and as curve, expected two files")
    output.require_new(files)
    curve = Curve()
    made = _trained(task, kind, told, curve)
    contents = (made.text.encode("utf-8"), made.history.encode("utf-8"))
    drawn = (curve.content(one) for one in pictures)
    output.write_all_new(dict(zip(files, (*contents, *drawn), strict=True)))
    return Trained(target, made.text, made.margin, files, made.gradients)


class Made(NamedTuple):
    """What training found: two files as text, the margin, and what found the gradients."""

    text: str
    history: str
    margin: float
    gradients: str


def _trained(task: Task, kind: LearnerKind, told: Listeners, curve: Curve) -> Made:
    """The trained preset's text and its history; nothing is written."""
    spec, wanted = task.spec, task.wanted
    record = Record(wanted)
    watchers = curve, record, Samples(spec, task.blank, told.texts)

    def hear(moment: Moment) -> None:
        told.steps(moment.step, moment.of, moment.look.loss)
        for one in watchers:
            one(moment)

    try:
        learner = task.learner(kind)
        best = descended(learner, wanted, spec.training, hear)
    except FloatingPointError as error:
        smaller = "take a smaller learning_rate or start"
        raise UserError(f"spec {spec.source}: {error}: {smaller}") from None
    text = preset_text(spec, best.numbers, _made(spec, task.began, learner.made))
    preset = parse(text, spec.source, task.folder)
    margin = _require_right(preset, spec, "" if task.began else "another seed, ")
    logits = learner.logits_of(best.numbers)
    require_same_model(preset, spec.prompts, logits)
    loss = cross_entropy(logits, wanted)
    made = learner.made, "" if task.began is None else task.began.name
    history = record.history(preset, spec.training, best.step, loss, made)
    return Made(text, history_text(history), margin, learner.made)


def learner_kind(gradients: str) -> LearnerKind:
    """The kind of learner of that name; `UserError` for none, and where PyTorch is missing."""
    if gradients not in GRADIENTS:
        raise UserError(f"gradients: found {gradients!r}, expected {' or '.join(GRADIENTS)}")
    if gradients == "own":
        return OwnLearner
    try:
        from generator.training.torch_learner import TorchLearner
    except ImportError:
        raise UserError(
            f"gradients of PyTorch need it, and it is not installed: {INSTALL}; or leave "
            "--gradients out and train with Paperformer's own"
        ) from None
    return TorchLearner


def _made(spec: Spec, began: Preset | None, made: str) -> str:
    """The line of a trained preset that says where its numbers come from."""
    of = f"the spec with SHA-256 {spec.sha256[:16]}, with {made}."
    if began is None:
        return f"Trained from {of}"
    steps = spec.training.steps + spec.training.rounding_steps
    return f"Trained on from {began.name} ({began.sha256[:16]}), {steps} steps, from {of}"


def _require_right(preset: Preset, spec: Spec, seed: str) -> float:
    """The margin of the worst prompt, in both arithmetics; stop where it is too small.

    `seed` is the advice to take another one, for start values that were drawn.
    """
    training, n = spec.training, len(spec.prompts)
    all_answers = list(answers(preset, spec.prompts, spec.counts))
    failed = failures(all_answers, training.margin, training.outside)
    if not failed:
        return min(answer.margin for answer in all_answers)
    right = n - len({answer.number for answer in failed})
    lines = [f"\n  {answer}" for answer in failed[:SHOWN]]
    most = f", with at most {training.outside:g} outside" if training.outside < ALL else ""
    more = f"\n  and {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
    raise UserError(
        f"spec {spec.source} does not converge: after {training.steps} steps and "
        f"{training.rounding_steps} with rounded numbers {right} of {n} prompts are right and "
        f"ahead by {training.margin:g} points{most}; the worst:{''.join(lines)}{more}\n"
        f"try more steps, {seed}more [training.decimals], less smoothing, a smaller margin"
    )
