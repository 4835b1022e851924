"""Witnesses of the claims of the other sheets: embedding, position, block, output, text, bpe."""

import math
import re
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise

import numpy as np

from generator.engine.bpe import pair_of
from tests.support.witnesses.seen import Seen, Witness, alone, printed

KINDS = (
    {"Katze", "Katzen", "Maus", "Mäuse", "Hunde", "Vogel"},
    {"cat", "cats", "mouse", "mice", "dogs", "bird"},
    *({"Jahr", "Woche"}, {"heute", "morgen"}, {"year", "week"}, {"lunch", "tea"}, set("AEIOU")),
)


def ids_tell_nothing(seen: Seen) -> bool:
    """Whether the printed list has two tokens of a kind, and neighbours of no kind."""
    known = seen.trace["known.words"].values[:, 0].tolist()
    listed = {known[int(k)] for k in seen.trace["listed.ids"].values[:, 0]}
    near = [two for two in pairwise(known) if listed >= {*two}]
    alike = any(len(kind & listed) > 1 for kind in KINDS)
    return alike and any(not any(kind >= {*two} for kind in KINDS) for two in near)


def of_similarity(check: Callable[[Decimal, list[Decimal], np.ndarray, int], bool]) -> Witness:
    """A witness that gets the own similarity, the others', all rows and the own place."""

    def holds(seen: Seen) -> bool:
        own, step = seen.plan.x, "chosen.similarity"
        others = seen.row(step, own)
        itself = others.pop(own)
        return check(itself, others, seen.trace["chosen.embedding"].values, own)

    return holds


def adds_most(several: bool, tied: bool = False) -> Witness:
    """Whether one product, or several, add most to the similarity with the (first) best word."""

    def check(itself: Decimal, others: list[Decimal], rows: np.ndarray, own: int) -> bool:
        best = others.index(max(others))
        best += best >= own
        products = [round(float(a * b), 9) for a, b in zip(rows[own], rows[best], strict=True)]
        leads = max(products) > 0 and (products.count(max(products)) > 1) == tied
        return leads and (others.count(max(others)) > 1) == several

    return of_similarity(check)


def best_are(count: int, *, less: bool) -> Callable[..., bool]:
    """Whether one other word, or several, are as similar as the own one to itself, or more so."""

    def check(itself: Decimal, others: list[Decimal], *_: object) -> bool:
        right = itself < max(others) if less else itself == max(others)
        return right and min(others.count(max(others)), 2) == count

    return check


def signs_in_words(seen: Seen) -> bool:
    """Whether a word that the sheet compares has a negative number."""
    words = seen.trace["vocabulary.words"].values[:, 0].tolist()
    ids = [words.index(word) for word in seen.trace["chosen.words"].values[:, 0]]
    return any(min(seen.row("vocabulary.embedding", k)) < 0 for k in ids)


def both_follow_a_word(seen: Seen) -> bool:
    """Whether a word stands before each of the two in texts that the model shall write."""
    texts = [t for one in seen.trace.preset.behaviour if one.rule == "writes" for t in one.at]
    words = [str(seen.trace["chosen.words"].values[k, 0]) for k in (seen.plan.x, seen.plan.near)]
    before = [{a for t in texts for a in re.findall(rf"(\S+) {re.escape(w)}\b", t)} for w in words]
    return bool(before[0] & before[1])


def another_is_nearer_than_itself(seen: Seen) -> bool:
    """Whether a row of the table of similarities has its largest number beside the diagonal."""
    rows = [seen.row("chosen.similarity", k) for k in range(len(seen.trace["chosen.words"].rows))]
    return any(max(row) > row[k] for k, row in enumerate(rows))


def twin(itself: Decimal, others: list[Decimal], rows: np.ndarray, own: int) -> bool:
    """Whether the word that alone is as similar as the own one has its very row."""
    if others.count(max(others)) > 1:
        return False
    best = others.index(max(others))
    best += best >= own
    return itself == max(others) and rows[best].tolist() == rows[own].tolist()


def doubling(sign: int) -> Witness:
    """Whether the similarity that is doubled is above, below or at 0."""

    def holds(seen: Seen) -> bool:
        value = float(seen.trace["chosen.similarity"].values[seen.plan.x, seen.plan.second])
        return (value > 0) - (value < 0) == sign

    return holds


def twice_wins(seen: Seen) -> bool:
    """Whether the own word's similarity with the doubled word is above all its others."""
    own, double, rows = seen.plan.x, seen.plan.second, seen.trace["chosen.embedding"].values
    row = seen.row("chosen.similarity", own)
    twice = printed(seen.trace, "chosen.similarity", 2 * math.fsum(rows[own] * rows[double]))
    return all(twice > one for j, one in enumerate(row) if j != double)


def unlike(several: bool | None) -> Witness:
    """Whether no other word is like the own one; how many are the least unlike."""

    def check(itself: Decimal, others: list[Decimal], rows: np.ndarray, own: int) -> bool:
        count = others.count(max(others))
        wanted = count == len(others) if several is None else (count > 1) == several
        return max(others) <= 0 and wanted

    return of_similarity(check)


def alike(several: bool) -> Witness:
    """Whether one other word is the most similar, or several."""
    return of_similarity(
        lambda itself, others, rows, own: (
            max(others) > 0 and (others.count(max(others)) > 1) == several
        )
    )


def of_vocabulary(seen: Seen) -> tuple[list[Decimal], list[str], str]:
    """How similar every other word of the vocabulary is to the own one, those words, the own."""
    trace, own = seen.trace, seen.trace["chosen.words"].values[seen.plan.x, 0]
    words = trace["vocabulary.words"].values[:, 0].tolist()
    table = dict(zip(words, trace["vocabulary.embedding"].values, strict=True))
    others = [word for word in words if word != own]
    products = [math.fsum(table[word] * table[own]) for word in others]
    if trace.rounding == "paper":
        return [printed(trace, "chosen.similarity", one) for one in products], others, own
    return [Decimal(repr(round(one, 10))) for one in products], others, own


def nearest_is_printed(seen: Seen) -> bool:
    """Whether the words of the whole vocabulary that are most similar are all on the sheet."""
    alike, others, _ = of_vocabulary(seen)
    best = {word for word, one in zip(others, alike, strict=True) if one == max(alike)}
    return best <= set(seen.trace["chosen.words"].values[:, 0])


def less_than_sixty_degrees(seen: Seen) -> bool:
    """Whether a most similar word's arrow is less than 60° from the own word's."""
    alike, others, own = of_vocabulary(seen)
    near = next(w for w, one in zip(others, alike, strict=True) if one == max(alike))
    trace = seen.trace
    words = trace["vocabulary.words"].values[:, 0].tolist()
    a, b = (trace["vocabulary.embedding"].values[words.index(word)] for word in (own, near))
    long = math.sqrt(math.fsum(a * a)) * math.sqrt(math.fsum(b * b))
    return long > 0 and math.degrees(math.acos(min(1.0, max(-1.0, float(a @ b) / long)))) < 59.999


def inputs_differ(seen: Seen) -> bool:
    """Whether the two tokens with one embedding have other inputs, as printed."""
    one, other = (seen.row("input", k) for k in seen.plan.equal or (0, 0))
    return seen.plan.equal is None or one != other


def slow_sine_rounded_away(seen: Seen) -> bool:
    """Whether every asked input has the embedding's number where the slowest sine is added."""
    slow = 2 * seen.trace["position.divisor"].shape[1] - 2
    return all(
        seen.number(f"{place.prefix}embedding", place.row, slow)
        == seen.number(f"{place.prefix}input", place.row, slow)
        for place in seen.plan.places
    )


def places_differ(seen: Seen) -> bool:
    """Whether the own word at two places has other codes and other inputs, as printed."""
    one, other = (
        [seen.row(f"{place.prefix}{name}", place.row) for name in ("position", "input")]
        for place in seen.plan.places[:2]
    )
    return all(a != b for a, b in zip(one, other, strict=True))


def example_adds_another(seen: Seen) -> bool:
    """Whether the example's x minus embedding is another, where the two codes differ most."""
    own, worked = seen.plan.own, seen.plan.worked
    pairs = zip(seen.row("position", own), seen.row("position", worked), strict=True)
    apart = [abs(a - b) for a, b in pairs]
    j = apart.index(max(apart))
    added = [seen.number("input", i, j) - seen.number("embedding", i, j) for i in (own, worked)]
    return added[0] != added[1]


def zeros(*steps: str) -> Witness:
    """Whether a weight of these matrices of block 1 is 0."""

    def holds(seen: Seen) -> bool:
        return any(0.0 in seen.trace[f"block1.weight.{s}"].values for s in steps)

    return holds


def a_row_of_zeros(seen: Seen) -> bool:
    """Whether some hidden value of block 1 has only zeros in the matrix after it."""
    rows = seen.trace["block1.weight.feedforward"].values.tolist()
    return any(set(row) == {0.0} for row in rows)


def no_bias(seen: Seen) -> bool:
    """Whether the network of block 1 has no number that is added."""
    return not any(f"block1.bias.{name}" in seen.trace for name in ("hidden", "feedforward"))


def turned_it_is_another(seen: Seen) -> bool:
    """Whether of −y other hidden values are left, and the network gives something else than −f."""
    hidden = seen.trace[seen.plan.hidden].values[seen.plan.own]
    weight = seen.trace[seen.trace[seen.plan.output].inputs[1]].values
    f, turned = (np.where(h > 0, h, 0) @ weight for h in (hidden, -hidden))
    return hidden.min() < 0 and not np.allclose(turned, -f, atol=1e-9)


def outweighing(seen: Seen) -> set[bool]:
    """Whether old is larger than new, without signs and as printed, where they differ."""
    old, new = (seen.row(k, seen.plan.own) for k in seen.plan.first[1:3])
    return {abs(a) > abs(b) for a, b in zip(old, new, strict=True) if abs(a) != abs(b)}


def divides_by_enough(seen: Seen) -> bool:
    """Whether every token's root that pupils compute is 0.3 at least, as printed."""
    tokens = range(len(seen.trace.tokens))
    return all(seen.number(seen.plan.first.root, i, 0) >= Decimal("0.3") for i in tokens)


def crossed_otherwise(seen: Seen) -> bool:
    """Whether another token has other negative hidden values."""
    hidden = seen.trace[seen.plan.hidden].values
    patterns = {tuple((row < 0).tolist()) for row in hidden}
    return len(patterns) > 1


def listened(seen: Seen) -> bool:
    """Whether the last of several tokens sees all others in the first head."""
    last = len(seen.trace.tokens) - 1
    mask = "block1.head1.mask"
    sees = mask not in seen.trace or all(seen.trace[mask].values[last, j] == 0 for j in range(last))
    return last > 0 and "block1.head1.weights" in seen.trace and sees


def likeliest(seen: Seen) -> bool:
    """Whether one word alone is the likeliest at the drawn temperature."""
    return alone(_shares(seen, seen.plan.drawn))


def hotter(seen: Seen) -> bool:
    """Whether the likeliest word gets more at the least temperature than at the greatest."""
    heats = seen.trace["temperature"].values[:, 0].tolist()
    drawn_ = _shares(seen, seen.plan.drawn)
    best = drawn_.index(max(drawn_))
    low, high = (_shares(seen, heats.index(t))[best] for t in (min(heats), max(heats)))
    return alone(drawn_) and low > high


def one_logit(seen: Seen) -> bool:
    """Whether one word alone has the largest logit."""
    return alone(seen.row("output.logits", 0))


def rounds_differ(seen: Seen) -> bool:
    """Whether the shares of rounds 1 and 2 differ in a model with attention."""
    tables = []
    for name in ("draw1.share", "draw2.share"):
        pairs = zip(seen.trace[name].columns, seen.row(name, 0), strict=True)
        tables.append({word: share for word, share in pairs if share})
    return tables[0] != tables[1] and any(".head1.weights" in name for name in seen.trace.steps)


def _shares(seen: Seen, row: int) -> list[Decimal]:
    return seen.row("output.probabilities", row)


def cut(seen: Seen) -> int:
    """Into how many pieces the word that pupils cut falls."""
    return len(str(seen.trace["bpe.encoding.pieces"].values[0, 0]).split())


def grown(seen: Seen) -> bool:
    """Whether the figure's word is one piece after all merges of its corpus."""
    pieces = list(str(seen.trace["figure.bpe.encoding.word"].values[0, 0]))
    for m in range(1, seen.plan.figure_rounds + 1):
        pair = pair_of(str(seen.trace[f"figure.bpe.merge{m}.winner"].values[0, 0]))
        k = 0
        while k < len(pieces) - 1:
            if tuple(pieces[k : k + 2]) == tuple(pair):
                pieces[k : k + 2] = ["".join(pair)]
            k += 1
    return len(pieces) == 1


def letters(seen: Seen) -> int:
    """The letters of the word that pupils cut."""
    return len(str(seen.trace["bpe.encoding.word"].values[0, 0]))


def from_c(seen: Seen) -> bool:
    """Whether the new row of sheet 5 is the row c of several heads, number by number."""
    if seen.trace.preset.heads < 2:
        return False
    joined, new = (seen.trace[name].values for name in ("block1.concat", seen.plan.first.new))
    return joined.shape == new.shape and bool((joined == new).all())
