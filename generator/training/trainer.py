"""From a spec to a trained preset: learned, rounded, and proved by the engine.

Also here:

* The loss of every step of training, as a table and as a picture.
* What the engine says about trained numbers: each prompt, each language, both arithmetics.
* The history of a training, as the file beside its preset holds it.
* A text of the model at times of its training: what it writes with the numbers of that step.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator import output
from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.engine.preset import History, Preset, State, digest, with_numbers
from generator.engine.vocabulary import joined
from generator.errors import message, refused, require
from generator.generation.generate import generate
from generator.insight.learned import NEARLY
from generator.locales.folders import ENGLISH
from generator.presets.history import history_path, history_text
from generator.presets.language import in_language
from generator.render import pictures
from generator.sheets.loss_chart import PAGE, TALL, LossChart
from generator.sheets.maths import Formulas
from generator.training.learner import Learner, StepLook
from generator.training.spec import Prediction, Prompt, read_spec
from generator.training.task import MADE, TrainingTask, spec_path, task_of

ALL = 100  # points
FIRST = 20  # steps at the beginning that are all kept; later fewer and fewer, then each hundredth
FEWER, HUNDRED = 1.06, 100
EARLY = (1, 3, 10, 30, 100, 300)  # most is learned in the first steps; a text is told there …
TIMES = 10  # … and so often later
SHOWN = 5  # failed prompts that a message names


class Trained(NamedTuple):
    """A trained preset's file and text, how far its worst prompt is ahead in points, all files."""

    path: Path
    text: str
    margin: float
    files: tuple[Path, ...]


class Listeners(NamedTuple):
    """Functions that hear of each step of training (its loss), and now and then of a text."""

    steps: Callable[[int, int, float], None] = lambda step, of, loss: None
    texts: Callable[[int, str], None] = lambda step, text: None


SILENT = Listeners()


def train(
    spec: str | Path | None,
    out: str | Path | None = None,
    *,
    start: str | Path | None = None,
    steps: int | None = None,
    curves: Iterable[str | Path] = (),
    told: Listeners = SILENT,
) -> Trained:
    """Train a spec's numbers and write the preset; by default `<name>.toml` in this folder.

    Its history is written beside it, `<name>.history.json`: the losses, and the numbers at the
    beginning and on the way. `start` is a preset to go on from (a shipped one needs no spec),
    `steps` how many steps in place of the spec's. `curves` are files to write with the loss of
    every step: a table, .csv, or a picture, .svg or .png.

    The same spec gives the same bytes with the same versions, on one kind of processor.
    Raises `UserError` for a spec with mistakes, where it does not converge (what was reached, which
    prompts fail, what to try), and where a file exists.
    """
    path = spec_path(spec, start)
    task = task_of(read_spec(path).shortened(steps), path.parent, start)
    target = Path(out) if out is not None else Path(f"{task.blank.name}.toml")
    drawn = [Path(one) for one in curves]
    for one in drawn:
        _require_kind(one)
    files = (target, history_path(target), *drawn)
    require(len(set(files)) == len(files), "training.two_files", target=target)
    output.require_new(files)
    run = _Run(task, told)
    text, history, margin = run.trained()
    contents = (text.encode("utf-8"), history_text(history).encode("utf-8"))
    pictures_of = (run.curve(one) for one in drawn)
    output.write_all_new(dict(zip(files, (*contents, *pictures_of), strict=True)))
    return Trained(target, text, margin, files)


class _Run:
    """One training: what it has found, and who hears of its steps.

    It takes down the mean −ln P at steps that get rarer, and the numbers at the same steps.
    """

    def __init__(self, task: TrainingTask, told: Listeners) -> None:
        self.task, self.told, self.losses = task, told, list[float]()
        self._kept: dict[int, float] = {}
        self._states: dict[int, State] = {}
        self._next = 1.0

    def hear(self, step: int, look: StepLook) -> None:
        """Take down a step of training, and tell of it."""
        of, spec = self.task.spec.training.all_steps, self.task.spec
        self.told.steps(step, of, look.loss)
        self.losses.append(look.loss)
        if step >= self._next or step % HUNDRED == 0 or step == of:
            self._next = step + 1 if step < FIRST else max(self._next, step * FEWER)
            self._kept[step] = Prediction(look.logits, self.task.wanted).cross_entropy
            self._states[step] = State(step, {n: x.copy() for n, x in look.numbers.items()})
        if step in EARLY or step % max(1, of // TIMES) == 0:  # a greedy text
            first, *_ = spec.counts
            greedy = replace(self.task.blank, shifted="auto", strategy="greedy")
            text = generate(
                joined(first, greedy.tokenizer),
                preset=with_numbers(greedy, look.numbers),
                tokens=1 + max(map(len, spec.counts)) - len(first),
                rounding="exact",
            ).text
            self.told.texts(step, text)

    def trained(self) -> tuple[str, History, float]:
        """The trained preset's text, its history and its margin; nothing is written."""
        task, spec = self.task, self.task.spec
        try:
            learner = Learner(task)
            best = learner.descend(self.hear)
        except FloatingPointError as error:
            raise refused("training.smaller", spec=spec, error=error) from None
        text, preset = task.preset(best.numbers)
        margin = self._require_right(list(answers(preset, spec.prompts, spec.counts)))
        logits = learner.logits_of(best.numbers)
        require_same_model(preset, spec.prompts, logits)
        losses = {**self._kept, best.step: Prediction(logits, task.wanted).cross_entropy}
        start, end = losses[1], losses[best.step]
        down = (step for step in sorted(losses) if losses[step] <= start - NEARLY * (start - end))
        middle = min(next(down), best.step)
        history = History(
            made=MADE,
            begun="" if task.began is None else task.began.name,
            steps=spec.training.all_steps,
            free=spec.training.steps,
            kept=best.step,
            numbers=digest(preset),
            losses=tuple(sorted(losses.items())),
            states=tuple(self._states[one] for one in (1, middle) if one in self._states),
        )
        return text, history, margin

    def _require_right(self, found: "list[PromptAnswer]") -> float:
        """The margin of the worst prompt, in both arithmetics; stop where it is too small."""
        spec, training, n = self.task.spec, self.task.spec.training, len(self.task.spec.counts)
        failed = failures(found, training.margin, training.outside)
        if not failed:
            return min(answer.margin for answer in found)
        right = n - len({answer.number for answer in failed})
        lines = [f"\n  {answer}" for answer in failed[:SHOWN]]
        most = f", with at most {training.outside:g} outside" if training.outside < ALL else ""
        more = f"\n  and {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
        seed = "" if self.task.began else "another seed, "  # for start values that were drawn
        facts = {"right": right, "n": n, "most": most, "lines": "".join(lines), "more": more}
        raise refused("training.converges", spec=spec, seed=seed, **facts)

    def curve(self, path: Path) -> bytes:
        """A line per step with the numbers in full, or a picture of the loss over the steps.

        Its axis has ten times as many steps in each part.
        """
        if path.suffix == ".csv":
            lines = (f"{step},{loss!r}\n" for step, loss in enumerate(self.losses, start=1))
            return f"step,loss\n{''.join(lines)}".encode()
        svg = LossChart(tuple(enumerate(self.losses, 1))).svg("step", "loss", ENGLISH)
        return _png(svg) if path.suffix == ".png" else svg.encode("utf-8")


KINDS = (".csv", ".svg", ".png")
WIDTH = 1280  # pixels of a PNG
FIT = f"@page {{ size: {PAGE:g}mm {TALL:g}mm; margin: 0 }} svg {{ display: block }}"


def _require_kind(path: Path) -> None:
    """Raise a `UserError` for a file that is neither a table nor a picture that can be made here.

    It comes before the training: nobody waits for a curve that cannot be written.
    """
    ending = path.suffix or "no ending"
    require(path.suffix in KINDS, "training.curve", path=path, ending=ending)
    if path.suffix == ".png":
        _png('<svg xmlns="http://www.w3.org/2000/svg"/>')


def _png(svg: str) -> bytes:
    """A picture of the size of a loss chart in dots: a page with it, drawn as the gallery draws."""
    from generator.render.worksheet.pdf import PdfDocument, document_css

    pictures.versions()
    html = f'<html lang="en"><body>{svg}</body></html>'
    css = document_css(), FIT
    page = PdfDocument(html, css, Formulas(), "curve", tagged=False).to_pdf()
    return pictures.first_page(page, WIDTH)


Prompts = Mapping[Prompt, str]
TOLERANCE = 1e-9
ROUNDINGS = ("exact", "paper")


class PromptAnswer(NamedTuple):
    """What a preset says after a prompt; `margin` is how far the wanted token is ahead, in points.

    A negative margin: another token is ahead by so much. `outside` are the points that all tokens
    get together which never follow the prompt.
    """

    number: int
    language: str
    rounding: str
    prompt: str
    wanted: str
    found: str
    margin: float
    outside: float

    def __str__(self) -> str:
        return message("training.answer", answer=self)


def answers(
    preset: Preset, prompts: Prompts, counts: Mapping[Prompt, Mapping[str, int]] | None = None
) -> Iterator[PromptAnswer]:
    """The engine's answer to each prompt, in every language of the preset and both arithmetics.

    `prompts` maps tokens in the preset's own language to the token that should lead, `counts` to
    all that may follow; without it that one only.
    """
    for language, rounding in product(preset.sentences, ROUNDINGS):
        one = in_language(preset, language)
        table = {} if one is preset else preset.translation[language]
        for number, (tokens, wanted) in enumerate(prompts.items()):
            here, *more = (table.get(t, t) for t in (wanted, *(counts or {}).get(tokens, ())))
            sentence = joined(tuple(table.get(t, t) for t in tokens), preset.tokenizer)
            trace = compute(one, sentence, rounding=rounding)
            shares, found = trace["output.probabilities"], trace["sampling.next"].values[0, 0]
            row, place = shares.values[drawing_row(one)], shares.columns.index(here)
            ahead = 100.0 * float(row[place] - np.delete(row, place).max())
            follow = [word in (here, *more) for word in shares.columns]
            outside = 100.0 * float(row.sum() - row[follow].sum())
            said = language, rounding, sentence, here, str(found)
            yield PromptAnswer(number, *said, ahead, outside)


def failures(
    given: Iterable[PromptAnswer], margin: float, outside: float = 100.0
) -> list[PromptAnswer]:
    """The answers that are wrong, not ahead by `margin` points, or give others more than `outside`.

    The worst come first.
    """
    failed = [
        one
        for one in given
        if one.found != one.wanted or one.margin < margin or one.outside > outside
    ]
    return sorted(failed, key=lambda answer: answer.margin)


def require_same_model(preset: Preset, prompts: Prompts, logits: np.ndarray) -> None:
    """Raise `RuntimeError` where the engine's exact logits are not those of the network [b, v]."""
    for tokens, expected in zip(prompts, logits, strict=True):
        sentence = joined(tokens, preset.tokenizer)
        logits_here = compute(preset, sentence, rounding="exact")["output.logits"].values[0]
        if not np.allclose(logits_here, expected, rtol=TOLERANCE, atol=TOLERANCE):
            apart = float(np.abs(logits_here - expected).max())
            raise RuntimeError(message("training.apart", apart=apart, sentence=sentence))
