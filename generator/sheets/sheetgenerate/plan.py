"""Sheet generate: three rounds of making text by hand, drawn with random numbers or dice."""

from dataclasses import dataclass
from typing import TypeAlias

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.engine.vocabulary import vocabulary
from generator.errors import UserError
from generator.generation.text_length import most_tokens
from generator.insight.generating import PATH, RATIO, ROUNDS, START, rounds_by_hand
from generator.sheets.plan import (
    MOST_ASKED,
    MOST_NUMBERS,
    MOST_SHOWN,
    Plan,
    minutes,
    require_level,
    seconds,
    some_long,
)

SHEET = "generate"
ROUNDS_ASKED = {1: 2, 2: 3, 3: 3}

Sizes: TypeAlias = tuple[int, ...]  # by round: how many words its table has


@dataclass(frozen=True, kw_only=True)
class PlanGenerate(Plan):
    """`rounds` have their interval ends asked; `powers`: the last round starts from exponents.

    `drawn` are the tokens. `by_number`: they are answered by their IDs. `follows`: there is a
    table of round 2 for each token that round 1 can draw. `path`: the probability of all three
    tokens is asked, `ratio`: how much a KV cache saves. `seed` gives the same text by command,
    where it is `typed`: the command has the same words to choose from.
    """

    rounds: int
    powers: bool
    drawn: tuple[str, ...]
    by_number: bool
    follows: bool
    path: bool
    ratio: bool
    seed: int
    typed: bool


def plan(trace: Trace, level: int) -> PlanGenerate:
    """What the sheet shows and asks at a level.

    Raises `UserError` where the preset predicts no next token or has too few places, the sentence
    is one token only, and for more words than paper has room for.
    """
    require_level(level)
    _require_fit(trace)
    words = trace["vocabulary.words"].values[:, 0].tolist()
    v, by_number = len(words), some_long(words)
    follows = v <= MOST_ASKED and not by_number
    path = level > 1
    powers = level == max(ROUNDS_ASKED) and "output.shifted" not in trace
    powers = powers and (ROUNDS + 2) * v + 1 + 2 * path <= MOST_NUMBERS[level]
    by_hand = rounds_by_hand(trace, by_number=by_number, follows=follows, powers=powers)
    ratio = path and any(step.name == RATIO for step in by_hand.steps)
    rounds = min(ROUNDS_ASKED[level], (MOST_NUMBERS[level] - path - ratio) // v)
    tables = {step.name: step.shape[1] for step in by_hand.steps if step.name.endswith(".share")}
    sizes = tuple(tables[f"draw{n}.share"] for n in range(1, ROUNDS + 1))
    return PlanGenerate(
        sheet=SHEET,
        level=level,
        asked=_asked(sizes, rounds, powers=powers, path=path, ratio=ratio, copied=follows),
        minutes=_minutes(sizes, rounds, powers=powers, path=path, ratio=ratio, copied=follows),
        worked=0,
        own=START - 1,
        extra=by_hand.steps,
        rounds=rounds,
        powers=powers,
        drawn=by_hand.tokens,
        by_number=by_number,
        follows=follows,
        path=path,
        ratio=ratio,
        seed=by_hand.seed,
        typed=_known_at_once(trace),
    )


def _known_at_once(trace: Trace) -> bool:
    """Whether the text's beginning alone has the whole sentence's vocabulary."""
    words: list[str] = trace["vocabulary.words"].values[:, 0].tolist()
    return list(vocabulary(trace.preset, trace.tokens[:START]).words) == words


def _require_fit(trace: Trace) -> None:
    name, n = trace.preset.name, len(trace.tokens)
    if "sampling.share" not in trace or trace.preset.start != "sentence":
        raise UserError(
            f"preset {name!r} predicts no next token from a sentence, which sheet {SHEET} is "
            "about; take 'katze' or 'katze-trained'"
        )
    if n < START:
        raise UserError(
            f"{trace.sentence!r} is one token; sheet {SHEET} lets its first {START} grow: write a "
            "longer sentence"
        )
    most, needed = most_tokens(trace.preset), START + ROUNDS - 1
    if needed > most:
        raise UserError(
            f"preset {name!r} has learned {most} positions; sheet {SHEET} lets a text grow to "
            f"{needed} tokens: take 'katze'"
        )
    v = len(trace["vocabulary.words"].values)
    if not 1 < v <= MOST_SHOWN:
        raise UserError(
            f"the vocabulary has {v} words; sheet {SHEET} takes 2 to {MOST_SHOWN}: write a "
            "sentence with fewer new words, or use the command `paperformer generate`"
        )


def _asked(
    sizes: Sizes, rounds: int, *, powers: bool, path: bool, ratio: bool, copied: bool
) -> frozenset[Cell]:
    cells = {(f"draw{n}.token", 0, 0) for n in range(1, ROUNDS + 1)}
    tables = ("cumulative", "from", "digits")
    cells |= {
        (f"draw{n}.{name}", 0, j)
        for n, size in enumerate(sizes[:rounds], 1)
        for name in tables
        for j in range(size)
    }
    if copied:
        cells |= {("draw2.share", 0, j) for j in range(sizes[1])}
    if powers:
        last = range(sizes[-1])
        cells |= {(f"draw{ROUNDS}.{name}", 0, j) for name in ("exp", "share") for j in last}
        cells.add((f"draw{ROUNDS}.sum", 0, 0))
    if path:
        cells |= {(f"draw{n}.chance", 0, 0) for n in range(1, ROUNDS + 1)} | {(PATH, 0, 0)}
    return frozenset(cells | {(RATIO, 0, 0)} if ratio else cells)


def _minutes(
    sizes: Sizes, rounds: int, *, powers: bool, path: bool, ratio: bool, copied: bool
) -> int:
    table, ends = seconds(), sum(sizes[:rounds])
    spent = ends * (table["add"] + table["copy"]) + ROUNDS * 2 * table["copy"]
    spent += sizes[1] * table["copy"] if copied else 0
    spent += sizes[-1] * (table["exp"] + table["sum"] + table["share"]) if powers else 0
    spent += ROUNDS * table["copy"] + table["square"] if path else 0
    spent += table["scale"] if ratio else 0
    return minutes(spent, ROUNDS + path + ratio + powers)
