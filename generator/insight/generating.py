"""Three rounds of making text by hand: interval tables, draws, what a KV cache saves, slips."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from generator.engine.arrays import column
from generator.engine.ops.linear import Over, Product
from generator.engine.ops.sampling import Draw
from generator.engine.predict import drawing_row
from generator.engine.rounding import GUARD
from generator.engine.rounds import HUNDREDTHS, random_of
from generator.engine.scope import Scope
from generator.engine.trace import Labels, Step, Trace
from generator.engine.vocabulary import readable
from generator.errors import UserError
from generator.generation.text_so_far import Written, begin
from generator.insight.output_layer import DIGITS, added_up, intervals
from generator.insight.slips import Slip

ROUNDS = 3
START = 2  # tokens of the sentence that the text begins with
MOST_SEEDS = 300  # tried for three rounds that go on
LEAST_OF_EVEN = 0.5  # of the share that each token would have if all had the same
PATH = "path.together"
RATIO = "cost.ratio"


class Rounds(NamedTuple):
    """The steps that three rounds by hand show, the tokens that they draw, the draws' seed."""

    steps: tuple[Step, ...]
    tokens: tuple[str, ...]
    seed: int


def rounds_by_hand(trace: Trace, *, by_number: bool, follows: bool, powers: bool) -> Rounds:
    """Three rounds from the first two tokens on, each drawn with a random number from 00 to 99.

    `draw1.share` and so on (see `intervals`) of the words that can be drawn, as a share of 0 has
    no interval; but of all words where pupils find out P: in round 2 with `follows`, in round 3
    with `powers`. `.number`, `.token` (with `by_number` its ID) and `.chance` (its share);
    `draw3.exp`, `.sum` and what they are computed from; `example.…`, the same for the first token
    alone; `path.together`, the probability of all three;
    `cost.with`, `cost.without` and `cost.ratio`, where a cache may be used. With `follows` also
    `follow.share` [v, v]: a row for each token that round 1 could draw.
    """
    chain = trace.scratch()
    text = beginning(trace)
    texts = [text]
    drawn: list[str] = []
    seed, whole = seed_by_hand(text), (False, follows, powers)
    for number, hit in enumerate(_numbers(seed), 1):
        _table(chain, f"draw{number}", texts[-1], whole=whole[number - 1])
        drawn.append(_draw(chain, f"draw{number}", texts[-1], hit, by_number=by_number))
        texts += [texts[-1].then(drawn[-1])] if number < ROUNDS else []
    _example(chain, text, by_number=by_number)
    _parts(chain, texts[-1].trace)
    _path(chain)
    _cost(chain, texts)
    if follows:
        _follow(chain, text)
    return Rounds(chain.new, tuple(drawn), seed)


def beginning(trace: Trace) -> Written:
    """The text that the rounds begin with: the first two tokens of the sentence."""
    text = begin(trace)
    return text if len(text.tokens) == START else text.whole_of(text.tokens[:START])


def greedy_tokens(trace: Trace) -> tuple[str, ...]:
    """What three rounds of greedy decoding append, fewer where the stop token ends the text."""
    text = beginning(trace)
    appended: list[str] = []
    while len(appended) < ROUNDS and trace.preset.stop not in appended:
        text = text.then(appended[-1]) if appended else text
        shares = text.trace["sampling.share"].values[0]
        appended.append(text.words[int(shares.argmax())])
    return tuple(appended)


def seed_by_hand(text: Written) -> int:
    """The first seed, from the preset's on, whose three random numbers lie well apart.

    None of them but the last may draw the stop token, after which there is no further round, and
    of a model that means something none may draw a token that is hardly ever drawn: the text is to
    be one that it writes. Raises a `UserError` where no seed is found.
    """
    first = text.first.preset.seed
    for seed in range(first, first + MOST_SEEDS):
        numbers = _numbers(seed)
        apart = len({number * ROUNDS // HUNDREDTHS for number in numbers}) == ROUNDS
        if apart and _goes_on(text, numbers):
            return seed
    start, stop = readable(text.tokens, text.first.preset.tokenizer), text.first.preset.stop
    raise UserError(
        f"{start!r} is followed by {stop!r}, which ends the text, with nearly every random "
        f"number; {ROUNDS} rounds need a text that goes on: begin the sentence with other words"
    )


def _goes_on(text: Written, numbers: tuple[int, ...]) -> bool:
    """Whether random numbers draw the stop token at most in the end, and no far-fetched one."""
    preset = text.first.preset
    if preset.stop is None and not preset.meaningful:
        return True
    for left, number in zip(reversed(range(len(numbers))), numbers, strict=True):
        token, share = _drawn(text, number)
        if preset.meaningful and share < LEAST_OF_EVEN / len(text.words):
            return False
        if left and token == preset.stop:
            return False
        text = text.then(token) if left else text
    return True


def _drawn(text: Written, number: int) -> tuple[str, float]:
    """The token that a random number from 0 to 99 draws, and its share."""
    chain = text.first.scratch()
    _table(chain, "draw0", text)
    token = _draw(chain, "draw0", text, number, by_number=False)
    return token, float(chain["draw0.chance"].values[0, 0])


def _numbers(seed: int) -> tuple[int, ...]:
    """The random numbers of the rounds, as `generate` draws them: from 0 to 99."""
    prefixes = ("", *(f"round{number}." for number in range(2, ROUNDS + 1)))
    return tuple(round(random_of(seed, prefix) * HUNDREDTHS) for prefix in prefixes)


def _table(chain: Scope, at: str, text: Written, *, whole: bool = False) -> None:
    """Write an interval table: of the words with a share, or of all."""
    shares = text.trace["sampling.share"].values
    words = [j for j in range(len(text.words)) if whole or shares[0, j]]
    labels = Labels(rows=("",), columns=tuple(text.words[j] for j in words))
    decimals = text.trace["output.probabilities"].decimals
    chain.give(f"{at}.share", shares[:, words], **labels, decimals=decimals)
    intervals(chain, at, labels)


def _draw(chain: Scope, at: str, text: Written, number: int, *, by_number: bool) -> str:
    """Write the draw from a table; gives the token."""
    shares, ends = chain[f"{at}.share"], chain[f"{at}.cumulative"].values
    words = column(shares.columns)
    token = str(Draw().value(ends, np.array([[number / HUNDREDTHS]]), words)[0, 0])
    place = shares.columns.index(token)
    chain.give(f"{at}.number", column([f"{number:02d}"]))
    chain.give(f"{at}.token", column([str(text.words.index(token)) if by_number else token]))
    chance = shares.values[:, place : place + 1].copy()
    chain.give(f"{at}.chance", chance, decimals=shares.decimals)
    return token


def _example(chain: Scope, text: Written, *, by_number: bool) -> None:
    """The first token alone, drawn in the middle of the longest interval, where nobody doubts."""
    first = text.whole_of(text.tokens[:1])
    _table(chain, "example", first)
    starts, ends = (chain[f"example.{name}"].values[0] for name in ("from", "cumulative"))
    best = int((ends - starts).argmax())
    start, end = (round(float(bound[best]) * HUNDREDTHS) for bound in (starts, ends))
    _draw(chain, "example", first, (start + end - 1) // 2, by_number=by_number)


def _parts(chain: Scope, trace: Trace) -> None:
    """Exponents, powers and Σ of the last round, at the temperature that is drawn with."""
    row = drawing_row(trace.preset)
    for name in ("tempered", "exp", "sum"):
        step = trace[f"output.{name}"]
        values = step.values[row : row + 1].copy()
        chain.give(
            f"draw{ROUNDS}.{name}", values, rows=("",), columns=step.columns, decimals=step.decimals
        )


def _path(chain: Scope) -> None:
    chances = [f"draw{number}.chance" for number in range(1, ROUNDS + 1)]
    decimals = 2 * (chain[chances[0]].decimals or DIGITS) - DIGITS
    chain.apply(PATH, Product(), *chances, decimals=decimals)


def _cost(chain: Scope, texts: list[Written]) -> None:
    if texts[0].keys is None:
        return
    for name, cost in (("with", sum(t.done for t in texts)),
                       ("without", sum(t.whole for t in texts))):  # fmt: skip
        chain.give(f"cost.{name}", np.array([[float(cost)]]), decimals=0)
    chain.apply(RATIO, Over(), "cost.without", "cost.with", decimals=1)


def _follow(chain: Scope, text: Written) -> None:
    rows = [text.then(word).trace["sampling.share"].values for word in text.words]
    decimals = text.trace["output.probabilities"].decimals
    table = np.concatenate(rows, axis=0)
    chain.give("follow.share", table, rows=text.words, columns=text.words, decimals=decimals)


def slips(trace: Trace, *, rounds: int, path: bool, ratio: bool) -> list[Slip]:
    """The usual slips, of those that change a number.

    Rounded shares added up to ends, the table of the round before used again, probabilities added
    instead of multiplied, the ratio of the multiplications turned round.
    """
    candidates = [*added_up(trace, "draw1"), *(_old(trace) if rounds > 1 else ())]
    if path:
        total = math.fsum(
            float(trace[f"draw{n}.chance"].values[0, 0]) for n in range(1, ROUNDS + 1)
        )
        candidates.append(Slip("summed", PATH, 0, 0, total))
    if ratio:
        turned = trace["cost.with"].values / trace["cost.without"].values
        candidates.append(Slip("turned", RATIO, 0, 0, float(turned[0, 0])))
    return candidates


def _old(trace: Trace) -> Iterator[Slip]:
    """The first end of round 2 that the table of round 1 would give otherwise."""
    new, old = (trace[f"draw{n}.cumulative"] for n in (2, 1))
    before = dict(zip(old.columns, old.values[0].tolist(), strict=True))
    for j, word in enumerate(new.columns):
        if word in before and abs(new.values[0, j] - before[word]) > 10.0**-GUARD:
            yield Slip("old", new.name, 0, j, before[word])
            return
