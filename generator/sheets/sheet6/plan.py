"""Sheet 6, output: from the last vector to shares at several temperatures and to the next token."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from generator.engine.predict import drawing_row
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight import output_layer
from generator.insight.output_layer import EXP, LOGITS, SHARES, TEMPERED, TOTAL
from generator.notation.shown import shown_values
from generator.sheets import plan as plans
from generator.sheets.plan import MOST_ASKED, MOST_EXPONENT, MOST_NUMBERS, MOST_SHOWN, Plan, demand

LOSS = ("loss.probability", "loss.cross_entropy", "loss.perplexity")
COLD = 0.5  # the temperature that is asked, where the preset has it
MOST_MODEL = 8
MOST_BARS = 8  # words: more would not stand on one page
SUPPORTED_WORDS = 3  # at the first level; the numbers of the others are given
DRAWS = 20
DRAWS_ASKED = {1: 10, 2: 20, 3: 10}  # the tokens of the others are given
K, P = 3, 0.9  # where the preset has none
Words = Mapping[int, tuple[int, ...]]  # those asked at each temperature
LEAST = 0.005  # a share to ask: smaller ones are printed as 0.00 of 1 and say nothing


@dataclass(frozen=True, kw_only=True)
class Plan6(Plan):
    """`drawn` is the row of the temperature that is given and drawn with, `heated` those asked.

    `shown` are the rows that are drawn as bars, hottest first, `looked_up` those asked whose powers
    are printed, as they have too many digits to write. `words` are those whose numbers are
    asked at the first of the rows asked, `ends` whether the ends of the intervals are.
    `by_number`: a draw is answered by an ID. `loss`: a word is given that really comes next, and
    its cross-entropy and perplexity are asked.
    """

    drawn: int
    heated: tuple[int, ...]
    shown: tuple[int, ...]
    looked_up: tuple[int, ...]
    words: tuple[int, ...]
    ends: bool
    by_number: bool
    loss: bool


def plan(trace: Trace, level: int) -> Plan6:
    """What sheet 6 shows and asks at a level.

    Raises `UserError` where the preset has no output, only one temperature, a softmax that first
    subtracts the largest logit, or more words and dimensions than paper has room for.
    """
    _require_fit(trace)
    drawn, heated, bars = _temperatures(trace, level)
    v, last = len(trace["vocabulary.words"].values), len(trace.tokens) - 1
    ends = level > 1 and v <= MOST_ASKED
    loss = LOSS if LOSS[0] in trace else ()
    others = (v if ends else 0) + len(loss)
    words, n = _words(trace, level, heated, others), len(heated)
    long = tuple(row for row in heated if _long(trace, row))
    by_number = plans.some_long(trace[LOGITS].columns)
    k, p = trace.preset.k, trace.preset.p
    shown = output_layer.OutputSteps(trace.scratch(), drawn)
    shown.checks()
    shown.strip()
    shown.draws(output_layer.printed_draws(trace, DRAWS), by_number=by_number)
    shown.limits(min(K, v - 1) if k is None else k, P if p is None else p)
    shown.extremes()
    return Plan6(
        asked=frozenset([*_asked(v, words, long, level, ends), *((x, 0, 0) for x in loss)]),
        minutes=_minutes(v, words, long, level, ends, bool(loss)),
        beside=_beside(v, n, len(barred(trace, drawn)), len(words[heated[0]]) * (level > 1)),
        worked=last,
        own=last,
        extra=shown.chain.new,
        drawn=drawn,
        heated=heated,
        shown=bars,
        looked_up=long,
        words=words[heated[0]],
        ends=ends,
        by_number=by_number,
        loss=bool(loss),
    )


def barred(trace: Trace, row: int) -> list[int]:
    """The words with bars to draw, the largest logit above; one of 0 mm nobody can draw.

    Which these are follows from the given shares of one temperature.
    """
    shares = shown_values(trace[SHARES])[row]
    found = output_layer.by_logit(trace)[:MOST_BARS]
    return [j for k, j in enumerate(found) if k < SUPPORTED_WORDS or shares[j]]


def _beside(v: int, n: int, bars: int, own: int) -> float:
    """Two checks at each temperature, the tally of the draws, a bar for each word that has one.

    Beside the tally 20 times each `own` share, from the second level on.
    """
    return plans.practised(sum=2 * v * n, scale=n, compare=2 * n + 2, draw=bars * n, add=own)


def _require_fit(trace: Trace) -> None:
    preset = trace.preset
    demand(LOGITS in trace, "6.output", trace)
    demand("output.shifted" not in trace, "6.shifted", trace)
    words = trace[LOGITS].columns
    demand(len(words) <= MOST_SHOWN, "6.many_words", trace, words=len(words), most=MOST_SHOWN)
    demand(len(words) > 1, "6.one_word", trace, word=words[0])
    demand(preset.d_model <= MOST_MODEL, "6.wide", trace, most=MOST_MODEL)


def _temperatures(trace: Trace, level: int) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """The rows: the one drawn with, those asked, and those of the bars, hottest first.

    Asked first is the cold one, unless the hot one leaves more words a share that says something,
    or powers that can be written.
    """
    drawn = drawing_row(trace.preset)
    values = trace["temperature"].values[:, 0].tolist()
    others = [i for i, value in enumerate(values) if value != values[drawn]]
    demand(others, "6.temperatures", trace)
    cold = next((i for i in others if values[i] == COLD), others[0])
    hot = [i for i in others if i != cold][-1:]
    heated = sorted((cold, *hot), key=lambda i: (_long(trace, i), -len(_telling(trace, i))))
    shown = sorted({drawn, cold, *hot}, key=lambda i: -values[i])
    return drawn, tuple(heated if level == 3 else heated[:1]), tuple(shown)


def _long(trace: Trace, row: int) -> bool:
    """Whether powers at a temperature have too many digits to write; the logits are given."""
    exponent = trace[LOGITS].values.max() / trace["temperature"].values[row, 0]
    return bool(exponent * np.log(trace.preset.softmax_base or np.e) > MOST_EXPONENT)


def _telling(trace: Trace, row: int) -> set[int]:
    """The words whose share at a temperature is not next to nothing."""
    shares = trace[SHARES].values[row].tolist()
    return {j for j, share in enumerate(shares) if share >= LEAST}


def _words(
    trace: Trace, level: int, rows: tuple[int, ...], others: int
) -> dict[int, tuple[int, ...]]:
    """For each temperature as many words as the level has numbers for: z, e^z and P each, Σ once.

    They are those with the largest logits, which are given: of the others all shares may be 0.
    Beyond the first level's number only those are asked whose share says something.
    """
    by_numbers = (MOST_NUMBERS[level] - others - len(rows)) // (3 * len(rows))
    most = min(by_numbers, SUPPORTED_WORDS if level == 1 else MOST_ASKED)
    likely = output_layer.by_logit(trace)[:most]
    first, further = set(likely[:SUPPORTED_WORDS]), set(likely[SUPPORTED_WORDS:])
    return {row: tuple(sorted(first | further & _telling(trace, row))) for row in rows}


def _asked(v: int, words: Words, long: tuple[int, ...], level: int, ends: bool) -> Iterator[Cell]:
    for i, chosen in words.items():
        names = (TEMPERED, SHARES) if i in long else (TEMPERED, EXP, SHARES)
        yield from ((name, i, j) for name in names for j in chosen)
        yield from [] if i in long else [(TOTAL, i, 0)]
    yield from (("draw.token", n, 0) for n in range(DRAWS_ASKED[level]))
    whole = ["topk.tick", "topp.tick"]
    whole += ["draw.cumulative", "draw.from", "draw.digits"] if ends else []
    yield from ((name, 0, j) for name in whole for j in range(v))


def _minutes(
    v: int, words: Words, long: tuple[int, ...], level: int, ends: bool, loss: bool
) -> int:
    """Each random number is looked up and its token written, each word ticked or not, twice."""
    rounds, count, draws = len(words), sum(map(len, words.values())), DRAWS_ASKED[level]
    powers = count - sum(len(words[i]) for i in long)
    return plans.effort(
        2 + rounds + ends + loss,
        scale=count,
        exp=powers + 2 * loss,
        share=count,
        sum=(rounds - len(long)) * v,
        add=v * ends,
        copy=v * ends + loss + draws,
        mark=draws + 2 * v,
    )
