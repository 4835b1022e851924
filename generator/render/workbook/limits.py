"""What a workbook can hold so that a class can still read it."""

from generator.engine.learning import Training
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.workbook.file.package import LONGEST_TEXT

MOST_TOKENS = 30
MOST_STEPS = 5  # of training
WAY_OUT = "take its numbers from `paperformer trace --format csv` (or json)"
MOST = {  # what still makes tables that a class can read
    "d_model": 32,
    "d_ff": 64,
    "heads": 12,
    "blocks": 6,
    "heads × d_head": 64,
    "words in the vocabulary": 200,
}


def require_few_steps(training: Training | None) -> None:
    """Raise a `UserError` for more steps of training than a class can look through."""
    if training is not None and not 1 <= training.steps <= MOST_STEPS:
        raise UserError(
            f"train: found {training.steps} steps; a workbook unrolls 1 to {MOST_STEPS}, each on "
            "tabs of its own: train in smaller portions (the new weights can be copied over the "
            f"old ones), or {WAY_OUT}"
        )


def check(trace: Trace) -> None:
    """Raise a `UserError` for a trace that makes no readable workbook; the message says why.

    Also raises ValueError for a trace without controls: the workbook's switches are its steps.
    """
    if not trace.controls:
        raise ValueError("found a trace without controls, expected compute(…, controls=True)")
    count = len(trace.tokens) + trace.rounds - 1
    if count > MOST_TOKENS:
        more = f" and each of the {trace.rounds - 1} further rounds adds one"
        raise UserError(
            f"the sentence has {len(trace.tokens)} tokens{more if trace.rounds > 1 else ''}; a "
            f"workbook takes {MOST_TOKENS}, because each head fills tables of tokens × tokens that "
            f"must stay readable: shorten the sentence, or {WAY_OUT}"
        )
    for token in trace.tokens:
        if 2 * len(token) > LONGEST_TEXT:
            raise UserError(
                f"the token {token[:20]!r}… has {len(token)} characters; "
                f"a cell of a workbook takes {LONGEST_TEXT // 2}"
            )

    preset = trace.preset
    words = trace["vocabulary.words"].shape[0] if "vocabulary.words" in trace else 0
    attention, network = "attention" in preset.parts, "feedforward" in preset.parts
    sizes = {
        "d_model": preset.d_model,
        "d_ff": preset.d_ff if network else 0,
        "heads": preset.heads if attention else 0,
        "blocks": preset.blocks,
        "heads × d_head": preset.heads * preset.d_head if attention else 0,
        "words in the vocabulary": words,
    }
    for name, most in MOST.items():
        if sizes[name] > most:
            raise UserError(
                f"preset {preset.name!r}: found {sizes[name]} for {name}; a workbook takes {most}, "
                "because a wider table cannot be read on one tab: take a smaller model, cut one "
                "head and the first tokens out of this one with `paperformer presets cut`, "
                f"or {WAY_OUT}"
            )
