"""Which step stands on which tab: the stages in teaching order, round after round.

Also here:

* Which rows and columns of a step stand for the tokens.
* A random number as it is typed: from 0 to below 1, or drawn as two digits, 37 for 0.37.
* The focus token of a tab: where it is chosen.
* How large cells and letters are.
"""

from collections.abc import Collection
from typing import NamedTuple

from generator.engine.loss import TARGET
from generator.engine.place import LEARNS, RATE, place_of
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.steps import kind_of, shaped_as
from generator.steps.home import Home, home_of


class Tab(NamedTuple):
    """One tab: its kind, its title (never a user's text), its steps in order, its round.

    `step` counts the passes of training. What is `moved` belongs here, but is at home where it
    learns; it is repeated among the others.
    """

    kind: str
    title: str
    steps: tuple[Step, ...]
    round: int = 1
    step: int = 1
    moved: tuple[Step, ...] = ()

    @property
    def prefix(self) -> str:
        """What the names of the round's own steps begin with: "round2.", nothing in the first."""
        return round_prefix(self.round)

    def about(self, catalogue: Catalogue) -> str:
        """What happens on the tab, in one line, true of this model."""
        own = f"workbook.about.{self.kind}"
        steps = (*self.steps, *self.moved)
        plain = self.kind == "input" and not any("position" in step.name for step in steps)
        masked = self.kind == "head" and any("switch.mask" in step.inputs for step in steps)
        if self.kind not in ("attention", "feedforward"):
            return catalogue.t(f"{own}{'.plain' * plain}{'.masked' * masked}")
        parts: dict[str, None] = {}  # in the order of the tab: a norm stands before or after
        for step in self.steps:
            norm = "workbook.about.layernorm" if kind_of(step.name).layer_norm else own
            parts["workbook.about.residual" if step.place.kind == "residual" else norm] = None
        text = " → ".join(map(catalogue.t, parts))
        return text[0].upper() + text[1:]


def tabs(trace: Trace, catalogue: Catalogue) -> tuple[Tab, ...]:
    """All tabs but the first one, in order; every step that is no control is on exactly one."""
    steps_at: dict[Home, list[Step]] = {}
    moved: dict[Home, list[Step]] = {}
    for step in trace:
        if is_control(step.name) or (step.name in INPUTS and RATE in trace):
            continue
        place = home_of(step.place, trace.preset.norm == "pre")
        if f"update.{step.name}" in trace:
            moved.setdefault(place, []).append(step)
            place = Home("learn")
        steps_at.setdefault(place, []).append(step)
    steps_at = _with_readers(steps_at)
    ordered = [(place, tuple(steps_at[place])) for place in sorted(steps_at, key=_order)]
    titles = {place: title_of(trace, catalogue, place) for place in steps_at}
    return tuple(
        Tab(at.kind, titles[at], steps, at.round, at.step, tuple(moved.get(at, ())))
        for at, steps in ordered
    )


def is_control(step: str) -> bool:
    """Whether a step is at home on the Start tab: a switch, a temperature, a sampling choice."""
    return kind_of(step).tab == "start"


def trainings(trace: Trace) -> int:
    """How many steps of training a trace has."""
    return max((s.place.step for s in trace if s.place.kind == "update"), default=0)


def learning(trace: Trace) -> tuple[str, ...]:
    """The weights that learn, in order of computation."""
    if LEARNS in trace:
        return trace[LEARNS].rows
    return tuple(step.name for step in trace if f"update.{step.name}" in trace)


def origin(trace: Trace, catalogue: Catalogue, step: str) -> str:
    """The title of the tab that a step, a gradient, a new weight belongs to on the way forward."""
    place = place_of(step)
    forward = place_of(place.of) if place.of else place._replace(step=1)
    return title_of(trace, catalogue, home_of(forward, trace.preset.norm == "pre"))


def way_back(trace: Trace, catalogue: Catalogue, tab: Tab) -> dict[str, str]:
    """The titles of the tabs to which gradients of a tab belong, each with the first of these."""
    found = {origin(trace, catalogue, step.name): step.name for step in reversed(tab.steps)}
    return dict(reversed(found.items()))


def _with_readers(steps_at: dict[Home, list[Step]]) -> dict[Home, list[Step]]:
    """Where a tab would hold nothing but given cells, they stand where they are first read."""
    in_order = sorted(steps_at, key=_order)
    working = [p for p in in_order if any(step.kind == "computed" for step in steps_at[p])]
    hosts = [place for place in working if place.kind != "bpe"]  # a corpus of its own
    settled: dict[Home, list[Step]] = {place: [] for place in working}
    for place in in_order:
        names = {step.name for step in steps_at[place]}
        readers = [
            other for other in hosts if any(names & {*step.inputs} for step in steps_at[other])
        ]
        target = place if place in working or not hosts else (readers or hosts)[0]
        settled.setdefault(target, []).extend(steps_at[place])
    return settled


def round_prefix(number: int) -> str:
    """What the names of a round's steps begin with."""
    return f"round{number}." if number > 1 else ""


STAGES = ("tokens", "bpe", "input", "block", "final", "output", "learning", "count")
PARTS = ("norm", "head", "attention", "feedforward")
TRAINING = ("back", "learn", "again")
INPUTS = (TARGET, RATE, LEARNS)  # chosen on the tab where the model learns


def _order(place: Home) -> tuple[int, ...]:
    """The rounds one after the other, the count of the parameters last."""
    kind, block, head, number, step = place
    late = int(kind == "count")
    if kind in TRAINING:
        passed = step - (kind == "again")
        return late, number, STAGES.index("learning"), passed, TRAINING.index(kind), head
    if kind in PARTS:
        return late, number, STAGES.index("block"), block, PARTS.index(kind), head
    return late, number, STAGES.index(kind), block, 0, head


def title_of(trace: Trace, catalogue: Catalogue, place: Home) -> str:
    """The title of the tab at a place."""
    several = place.kind in ("learn", "back") and trainings(trace) > 1
    key = f"workbook.tab.{place.kind}" + ".several" * several
    name = catalogue.t(key, head=place.head, step=place.step)
    if trace.preset.blocks > 1 and place.block:
        name = catalogue.t("workbook.tab.block", block=place.block, name=name)
    if place.round > 1:
        name = catalogue.t("workbook.tab.round", round=place.round, name=name)
    return name


def tokens_of(trace: Trace, prefix: str) -> tuple[str, ...]:
    """The tokens of a round, as the rows of its tables are labelled."""
    if f"{prefix}input" in trace:
        return trace[f"{prefix}input"].rows
    return tuple(trace[f"{prefix}tokens"].values[:, 0].tolist())


def by_token(step: Step, tokens: tuple[str, ...]) -> tuple[bool, bool]:
    """Whether a step has a row for each token, and a column for each."""
    kind = shaped_as(step.name)
    by_rows = kind.rows == "tokens" and bool(tokens)
    return by_rows, by_rows and kind.square and step.shape[1] == step.shape[0]


TWO_DIGITS = 99  # the largest number of two digits
PERCENT = 100  # a whole number from 1 on is a draw of two digits


def accepted(own: str) -> str:
    """The condition, as a formula, that the number in a cell is one of these."""
    return f"AND({own}>=0,OR({own}<1,AND({own}<={TWO_DIGITS},{own}=INT({own}))))"


def between_0_and_1(own: str) -> str:
    """The formula of the number that such a cell stands for."""
    return f"IF({own}<1,{own},{own}/{PERCENT})"


FOCUS_ROW = 3
OWN, FOCUS, WORD = "B3", "$C$3", "$D$3"  # the focus token's number as typed and in force, its word


def focus_place(trace: Trace, asked: Collection[Cell]) -> int:
    """The place of the focus token, from 0, before anybody chooses another.

    In an exercise it is the token that is asked; where one word is learned otherwise the last one,
    for the way back begins there, and in a model of one block the others' rows hold zeros.
    """
    if not asked and trainings(trace) and "loss.probability" in trace:
        return len(trace.tokens) - 1
    return trace.exercise or 0


DIGIT = 7  # pixels of a digit, in which widths of columns are counted
POINTS = 0.75  # of a pixel
LETTER = 0.95  # of a letter of a link or of small bold type, in widths of a digit
