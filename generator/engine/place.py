"""Where a step belongs: its round, block and head, and what kind of step it is.

Step names are the contract (files, edits, `[decimals]` keys), so they are taken apart in this one
place; everything else reads the fields.
"""

import re
from functools import lru_cache
from typing import NamedTuple

RATE = "learning.rate"
LEARNS = "switch.learning"  # which weights learn
_NAME = re.compile(
    r"(?:round(?P<round>\d+)\.)?(?:step(?P<step>\d+)\.)?(?:unmasked\.)?"
    r"(?:block(?P<block>\d+)\.)?(?:head(?P<head>\d+)\.)?(?P<final>final\.)?(?P<rest>.+)"
)
_LEARNING = re.compile(
    r"(?:step(?P<step>\d+)\.)?(?P<kind>grad|update)\.(?P<of>.+?)"
    r"(?:\.from\.(?P<use>.+)|\.(?P<helper>average|projection))?"
)
_MERGE = re.compile(r"(?P<before>bpe\.(?:merge|encoding\.rule))(?P<number>\d+)(?P<after>.*)")
_NUMBERED = re.compile(r"(?P<kind>\w*?[a-z])(?P<number>\d+)")


def step_prefix(step: int) -> str:
    """What names in a pass of training begin with: "step2.", nothing in the first."""
    return f"step{step}." if step > 1 else ""


class Place(NamedTuple):
    """A step name taken apart; numbers count from 1, None where the step has none.

    `kind` is what the registry of steps knows: "scores" for `round2.block1.head2.scores`, "mean"
    for `block1.mean2` and for `final.mean`, "weight.query", "output.exp", "bpe.merge.pairs" for
    `bpe.merge3.pairs`. `number` is which one of its kind in a block (2 for `mean2`), the token of
    a `contribution3`, the merge of `bpe.merge3.pairs`. `final` marks the norm after all blocks.

    `step` counts the passes of training: 2 for `step2.output.logits`. What is learned from is
    `grad` and `update` of the step that `of` names: "block1.head1.scores" for
    `grad.block1.head1.scores`. A part of a gradient, `grad.input.from.block1.head1.query`, says
    in `use` where it comes from.
    """

    round: int
    block: int | None
    head: int | None
    kind: str
    number: int | None = None
    final: bool = False
    step: int = 1
    of: str = ""
    use: str = ""

    @property
    def learning(self) -> bool:
        """Whether it belongs to training: a gradient, a new weight, a pass with new weights."""
        return self.step > 1 or bool(self.of) or self.kind in (RATE, LEARNS)

    @property
    def switch(self) -> bool:
        """Whether it is a switch, which decides and adds nothing."""
        return self.kind.startswith("switch.")

    @property
    def tempered(self) -> bool:
        """Whether it belongs to the output, whose logits are divided by a temperature."""
        return self.kind.startswith("output.")


@lru_cache(maxsize=65536)
def place_of(name: str) -> Place:
    """The place that a step name says; ValueError for an empty name."""
    if learning := _LEARNING.fullmatch(name):
        return _of_learning(learning)
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no step name")
    kind, number = _kind(match["rest"])
    block, head = match["block"], match["head"]
    return Place(
        round=int(match["round"] or 1),
        block=int(block) if block else None,
        head=int(head) if head else None,
        kind=kind,
        number=number,
        final=match["final"] is not None,
        step=int(match["step"] or 1),
    )


def _of_learning(match: re.Match[str]) -> Place:
    """The place of a gradient, or of a part of it, and of a new weight."""
    inner = place_of(match["of"])
    kind = ".".join(filter(None, (match["kind"], match["helper"])))
    return inner._replace(
        kind=kind, step=int(match["step"] or 1), of=match["of"], use=match["use"] or ""
    )


def _kind(rest: str) -> tuple[str, int | None]:
    """What is left of a name without its number, and that number."""
    if merge := _MERGE.fullmatch(rest):
        return merge["before"] + merge["after"], int(merge["number"])
    if numbered := _NUMBERED.fullmatch(rest):
        return numbered["kind"], int(numbered["number"])
    return rest, None
