"""Sheet generate: three rounds of making text by hand, drawn with random numbers or dice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from generator.engine.arrays import column
from generator.engine.draws import HUNDREDTHS, random_of
from generator.engine.ops.linear import Product
from generator.engine.ops.sampling import Draw
from generator.engine.predict import drawing_row
from generator.engine.scope import Scope
from generator.engine.step import Cell
from generator.engine.trace import Labels, Step, Trace
from generator.engine.vocabulary import readable, vocabulary
from generator.errors import refused
from generator.generation.text_so_far import Written, begin, most_tokens
from generator.insight.output_layer import DIGITS, intervals
from generator.sheets import plan as plans
from generator.sheets.plan import MOST_ASKED, MOST_NUMBERS, Plan

ROUNDS = 3
ROUNDS_ASKED = {1: 2, 2: 3, 3: 3}
START = 2  # tokens of the sentence that the text begins with
MOST_SEEDS = 300  # tried for three rounds that go on
LEAST_OF_EVEN = 0.5  # of the share that each token would have if all had the same
PATH = "path.together"
COSTS = ("cost.without", "cost.with")
ENDS = ("cumulative", "from", "digits")  # of an interval table
DRAWS = tuple(f"draw{n}" for n in range(1, ROUNDS + 1))


@dataclass(frozen=True, kw_only=True)
class PlanGenerate(Plan):
    """`rounds` have their interval ends asked; `powers`: the last round starts from exponents.

    `drawn` are the tokens. `by_number`: they are answered by their IDs. `follows`: there is a
    table of round 2 for each token that round 1 can draw. `path`: the probability of all three
    tokens is asked, `costs`: how many rows a KV cache saves. `seed` gives the same text by command,
    where it is `typed`: the command has the same words to choose from.
    """

    rounds: int
    powers: bool
    drawn: tuple[str, ...]
    by_number: bool
    follows: bool
    path: bool
    costs: bool
    seed: int
    typed: bool


def plan(trace: Trace, level: int) -> PlanGenerate:
    """What the sheet shows and asks at a level.

    Raises `UserError` where the preset predicts no next token or has too few places, the sentence
    is one token only, and for more words than paper has room for.
    """
    _require_fit(trace)
    words = trace["vocabulary.words"].values[:, 0].tolist()
    v, by_number, path = len(words), plans.some_long(words), level > 1
    follows = v <= MOST_ASKED and not by_number
    powers = level == max(ROUNDS_ASKED) and "output.shifted" not in trace
    powers = powers and (ROUNDS + 2) * v + 1 + 2 * path <= MOST_NUMBERS[level]
    by_hand = rounds_by_hand(trace, by_number=by_number, follows=follows, powers=powers)
    size_of = {step.name: step.shape[1] for step in by_hand.steps}
    costs = path and COSTS[0] in size_of
    sheet = PlanGenerate(
        beside=plans.practised(sum=powers * v, compare=1 + powers + ROUNDS * (not path)),
        worked=0,
        own=START - 1,
        extra=by_hand.steps,
        rounds=min(ROUNDS_ASKED[level], (MOST_NUMBERS[level] - path - costs * len(COSTS)) // v),
        powers=powers,
        drawn=by_hand.tokens,
        by_number=by_number,
        follows=follows,
        path=path,
        costs=costs,
        seed=by_hand.seed,
        # whether the text's beginning alone has the whole sentence's vocabulary
        typed=list(vocabulary(trace.preset, trace.tokens[:START]).words) == words,
    )
    sizes = [size_of[f"{draw}.share"] for draw in DRAWS]
    return replace(sheet, asked=_asked(sheet, sizes), minutes=_minutes(sheet, sizes))


def _require_fit(trace: Trace) -> None:
    preset = trace.preset
    predicts = "sampling.share" in trace and preset.start == "sentence"
    plans.demand(predicts, "generate.next", trace)
    plans.demand(len(trace.tokens) >= START, "generate.one_token", trace, start=START)
    most, needed = most_tokens(preset), START + ROUNDS - 1
    plans.demand(needed <= most, "generate.positions", trace, most=most, needed=needed)
    words, most = len(trace["vocabulary.words"].values), plans.MOST_SHOWN
    plans.demand(1 < words <= most, "generate.words", trace, words=words, most=most)


def _asked(plan: PlanGenerate, sizes: Sequence[int]) -> frozenset[Cell]:
    """`sizes` say how many words the table of each round has."""
    cells = {(f"{draw}.token", 0, 0) for draw in DRAWS}
    ends = {f"{draw}.{k}": size for draw, size in zip(DRAWS, sizes, strict=True) for k in ENDS}
    whole = dict(list(ends.items())[: plan.rounds * len(ENDS)])
    whole |= {f"{DRAWS[1]}.share": sizes[1]} if plan.follows else {}
    if plan.powers:
        whole |= {f"{DRAWS[-1]}.{k}": sizes[-1] for k in ("exp", "share")}
        whole[f"{DRAWS[-1]}.sum"] = 1
    if plan.path:
        whole |= dict.fromkeys((PATH, *(f"{draw}.chance" for draw in DRAWS)), 1)
    whole |= dict.fromkeys(COSTS, 1) if plan.costs else {}
    return frozenset(cells | {(name, 0, j) for name, size in whole.items() for j in range(size)})


def _minutes(plan: PlanGenerate, sizes: Sequence[int]) -> int:
    table, ends = plans.seconds(), sum(sizes[: plan.rounds])
    spent = ends * (table["add"] + table["copy"]) + ROUNDS * 2 * table["copy"]
    spent += sizes[1] * table["copy"] if plan.follows else 0
    spent += sizes[-1] * (table["exp"] + table["sum"] + table["share"]) if plan.powers else 0
    spent += ROUNDS * table["copy"] + table["square"] if plan.path else 0
    spent += len(COSTS) * table["add"] if plan.costs else 0
    return plans.minutes(spent, ROUNDS + 1 + plan.costs + plan.powers)


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
    `cost.without` and `cost.with`, how many rows are computed in all, where a cache leaves one a
    round. With `follows` also `follow.share` [v, v]: a row for each token that round 1 could draw.
    """
    hand, text = ByHand(trace.scratch(), by_number), beginning(trace)
    texts, drawn, seed = [text], list[str](), seed_by_hand(text)
    for at, hit, whole in zip(DRAWS, _numbers(seed), (False, follows, powers), strict=True):
        hand.table(at, texts[-1], whole=whole)
        drawn.append(hand.draw(at, texts[-1], hit))
        texts += [texts[-1].then(drawn[-1])] if at != DRAWS[-1] else []
    hand.example(text.whole_of(text.tokens[:1]))
    hand.end(texts)
    if follows:
        hand.follow(text)
    return Rounds(hand.chain.new, tuple(drawn), seed)


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

    It also draws a token that is not the likeliest, where a seed does. None but the last number
    may draw the stop token, after which there is no further round, and of a model that means
    something none may draw a token that is hardly ever drawn: the text is to be one that it
    writes. Raises a `UserError` where no seed is found.
    """
    first, stop, plain = text.first.preset.seed, text.first.preset.stop, list[int]()
    for seed in range(first, first + MOST_SEEDS):
        numbers = _numbers(seed)
        apart = len({number * ROUNDS // HUNDREDTHS for number in numbers}) == ROUNDS
        likelier = _likelier(text, numbers) if apart else ()
        if any(likelier):
            return seed
        plain += [seed] if likelier else []
    if plain:
        return plain[0]
    start = readable(text.tokens, text.first.preset.tokenizer)
    raise refused("generate.stop", start=start, stop=stop, rounds=ROUNDS)


def _likelier(text: Written, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """How many tokens each draw has that are likelier than the drawn one.

    Nothing where the stop token comes before the end, or a far-fetched one.
    """
    preset, likelier = text.first.preset, list[int]()
    for left, number in zip(reversed(range(len(numbers))), numbers, strict=True):
        hand = ByHand(text.first.scratch(), by_number=False)
        hand.table("draw0", text)
        token = hand.draw("draw0", text, number)
        share = float(hand.chain["draw0.chance"].values[0, 0])
        far = preset.meaningful and share < LEAST_OF_EVEN / len(text.words)
        if far or (left and token == preset.stop):
            return ()
        likelier.append(int((hand.chain["draw0.share"].values > share).sum()))
        text = text.then(token) if left else text
    return tuple(likelier)


def _numbers(seed: int) -> tuple[int, ...]:
    """The random numbers of the rounds, as `generate` draws them: from 0 to 99."""
    prefixes = ("", *(f"round{number}." for number in range(2, ROUNDS + 1)))
    return tuple(round(random_of(seed, prefix) * HUNDREDTHS) for prefix in prefixes)


@dataclass(frozen=True)
class ByHand:
    """Writes rounds by hand into a chain; tokens are answered by their IDs with `by_number`."""

    chain: Scope
    by_number: bool

    def table(self, at: str, text: Written, *, whole: bool = False) -> None:
        """Write an interval table: of the words with a share, or of all."""
        shares = text.trace["sampling.share"].values
        words = [j for j in range(len(text.words)) if whole or shares[0, j]]
        labels = Labels(rows=("",), columns=tuple(text.words[j] for j in words))
        decimals = text.trace["output.probabilities"].decimals
        self.chain.give(f"{at}.share", shares[:, words], **labels, decimals=decimals)
        intervals(self.chain, at)

    def draw(self, at: str, text: Written, number: int) -> str:
        """Write the draw from a table; gives the token."""
        shares, ends = self.chain[f"{at}.share"], self.chain[f"{at}.cumulative"].values
        hit = np.array([[number / HUNDREDTHS]])
        token = str(Draw().value(ends, hit, column(shares.columns))[0, 0])
        place = shares.columns.index(token)
        answer = str(text.words.index(token)) if self.by_number else token
        self.chain.give(f"{at}.number", column([f"{number:02d}"]))
        self.chain.give(f"{at}.token", column([answer]))
        chance = shares.values[:, place : place + 1].copy()
        self.chain.give(f"{at}.chance", chance, decimals=shares.decimals)
        return token

    def example(self, first: Written) -> None:
        """One token, drawn in the middle of the longest interval, where nobody doubts."""
        self.table("example", first)
        starts, ends = (self.chain[f"example.{k}"].values[0] for k in ("from", "cumulative"))
        best = int((ends - starts).argmax())
        start, end = (round(float(bound[best]) * HUNDREDTHS) for bound in (starts, ends))
        self.draw("example", first, (start + end - 1) // 2)

    def end(self, texts: Sequence[Written]) -> None:
        """Write how the last round's powers come about, the path, what a cache saves.

        Exponents, powers and Σ are those at the temperature that is drawn with.
        """
        last, chain = texts[-1].trace, self.chain
        row = drawing_row(last.preset)
        for name in ("tempered", "exp", "sum"):
            step = last[f"output.{name}"]
            values = step.values[row : row + 1].copy()
            labels = Labels(rows=("",), columns=step.columns)
            chain.give(f"{DRAWS[-1]}.{name}", values, **labels, decimals=step.decimals)
        chances = [f"{draw}.chance" for draw in DRAWS]
        decimals = 2 * (chain[chances[0]].decimals or DIGITS) - DIGITS
        chain.apply(PATH, Product(), *chances, decimals=decimals)
        rows = [len(text.trace["tokens"].values) for text in texts]
        if rows[1:] == [1] * (ROUNDS - 1):
            for name, count in zip(
                COSTS, (sum(len(text.tokens) for text in texts), sum(rows)), strict=True
            ):
                chain.give(name, np.array([[float(count)]]), decimals=0)

    def follow(self, text: Written) -> None:
        """Write a row of shares for each token that round 1 could draw."""
        rows = [text.then(word).trace["sampling.share"].values for word in text.words]
        decimals = text.trace["output.probabilities"].decimals
        table, words = np.concatenate(rows, axis=0), Labels(rows=text.words, columns=text.words)
        self.chain.give("follow.share", table, **words, decimals=decimals)
