"""The model: from a preset and a sentence to a Trace of every intermediate value.

Axes: n tokens, v words of the vocabulary, d d_model, k d_head, h heads, f d_ff, t temperatures.

Also here:

* Counting parameters, beside GPT-2 small, as source 000 does.
* The token that a lesson works through and the one that it asks for, the same on all sheets.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from generator.engine.arrays import column
from generator.engine.choices import ROUNDINGS, Rounding
from generator.engine.controls import give_switches, wanted
from generator.engine.edits import Edits
from generator.engine.fitness import Fitness
from generator.engine.layers import Cache, Layers, labels
from generator.engine.learning import Training, notices, train, write_losses
from generator.engine.loss import loss_wanted, write_loss
from generator.engine.masks import MASKS
from generator.engine.norms import FORMS
from generator.engine.ops.copying import (
    Copy,
    Gather,
    Ids,
    OneHot,
    SelectRow,
    SizeProduct,
    TimesSize,
    Total,
)
from generator.engine.ops.linear import Angle, Divisor, MatMulT, Plus, PlusIfOn, SineCosine
from generator.engine.ops.sampling import BestOfRow, Compared
from generator.engine.place import place_of
from generator.engine.predict import drawing_row, ended, predict
from generator.engine.preset import Preset
from generator.engine.scope import Run, Scope, Shifts
from generator.engine.step import Labels
from generator.engine.structure import again, remember, repeatable
from generator.engine.trace import Trace
from generator.engine.vocabulary import FOR_ANY, Tokens, joined, require_words, tokenize, vocabulary
from generator.errors import UserError, did_you_mean, refused, require


def compute(
    preset: Preset,
    sentence: str | None = None,
    *,
    rounding: str | None = None,
    edits: Mapping[str, object] | None = None,
    controls: bool = False,
    rounds: int = 1,
    worked: int | None = None,
    exercise: int | None = None,
    training: Training | None = None,
) -> Trace:
    """Every intermediate value of the preset's model for a sentence, as a Trace.

    Without a sentence the preset's own is taken, without `rounding` its default arithmetic.
    `edits` change given numbers ("block1.head1.weight.query[2,1]": 0.3, "tokens[3]": "auf",
    "temperature": 0.5) and keep the structure of the unedited computation. `controls` adds the
    switches and the sampling settings that a class plays with; an edit of one of them brings them
    too, and one of "loss.target" the cross-entropy of that word. With several `rounds` the chosen
    token is appended and all is computed again, under the names `round2.tokens` and so on, up to
    the preset's stop token; `Trace.rounds` says how many there are.
    With `training` gradients, new weights and the computation with these follow, see `learning`.
    `worked` and `exercise` are tokens to work through and to ask for, by their position from 0;
    without them they are chosen, see `focus`, from the unedited computation. Raises `UserError`
    for what a user can mend: an empty or unknown sentence, σ = 0, an empty sum, a wrong edit, a
    token that there is none of.
    """
    mode = known_rounding(rounding or preset.rounding)
    text = sentence if sentence is not None else preset.sentences[preset.language]
    tokenized = tokenize(text, preset.tokenizer, preset.words, preset.merges)
    _require_own_sentence(preset, tokenized.tokens)
    _require_token("worked", worked, tokenized)
    _require_token("exercise", exercise, tokenized)
    changes = Edits(edits, drawing_row(preset))
    require(training is None or rounds <= 1, "engine.one_round", rounds=rounds)
    controls = controls or wanted(changes)
    order = _Order(preset, tokenized, mode, Shifts(preset.shifted), controls, rounds, training)
    return order.computed(changes, Focus(worked, exercise))


def recomputed(trace: Trace, **other: Any) -> Trace:
    """A Trace's computation once more: as it is asked for, `other` choices in place of its own."""
    own = ("rounding", "edits", "worked", "exercise")
    asked = {name: getattr(trace, name) for name in own} | other
    return compute(trace.preset, trace.sentence, **asked)


def known_rounding(name: str) -> Rounding:
    """The arithmetic of that name; `UserError` for none."""
    for rounding in ROUNDINGS:
        if name == rounding:
            return rounding
    hint = did_you_mean(name, ROUNDINGS)
    raise UserError(f"there is no rounding {name!r}{hint}; known: {', '.join(ROUNDINGS)}")


class Focus(NamedTuple):
    """The positions (from 0) of the worked and of the asked token; None where there is none."""

    worked: int | None
    exercise: int | None

    def instead(self, other: "Focus") -> "Focus":
        """The tokens of the other one, this one's where it has none."""
        worked, exercise = other
        return Focus(
            self.worked if worked is None else worked,
            self.exercise if exercise is None else exercise,
        )


CHOSEN = Focus(None, None)  # both by the computation


@dataclass(frozen=True)
class _Order:
    """What is to be computed, before it is known with which edits and about which tokens."""

    preset: Preset
    tokenized: Tokens
    mode: Rounding
    shifts: Shifts
    controls: bool
    rounds: int
    training: Training | None = None

    def computed(self, edits: Edits, asked: Focus) -> Trace:
        """The computation about the tokens asked for; those left open are chosen without edits."""
        wish = wished(self.preset, self.tokenized.tokens).instead(asked)
        if not edits.requested:
            trace = self.run(edits, wish)
            focus = followed(trace, wish, asked)
            return trace if focus == wish else self.run(edits, focus)
        pinned, plain = self, replace(self, training=None)
        if self.preset.shifted == "auto" or (self.preset.stop is not None and self.rounds > 1):
            kept = plain.run(Edits(), wish)  # without the edits: they keep the structure
            shifts = Shifts.of(self.preset.shifted, kept.steps)
            pinned = replace(self, shifts=shifts, rounds=kept.rounds)
        if None in asked:
            plain = replace(pinned, rounds=1, training=None)
            with suppress(UserError):  # what only the edits make computable keeps the wish
                wish = followed(plain.run(Edits(), wish), wish, asked)
        return pinned.run(edits, wish)

    def run(self, edits: Edits, focus: Focus) -> Trace:
        """The whole computation, with the contributions to the tokens in focus."""
        kind = (self.tokenized, self.mode, self.controls, focus)
        alone = self.training is None and self.rounds == 1
        known = self.preset.computed.get(kind) if alone else None
        if isinstance(known, Trace) and repeatable(known, edits):
            return again(known, edits)
        trace = self._written(edits, focus)
        if alone and not edits.requested:
            remember(kind, trace)
        return trace

    def _written(self, edits: Edits, focus: Focus) -> Trace:
        """The same, where neither names nor labels are known yet."""
        preset, tokens, training = self.preset, self.tokenized.tokens, self.training
        detailed = tuple(sorted({k for k in focus if k is not None}))
        untied = training is not None and training.unties(preset)
        run = Run(preset, self.mode, edits, self.controls, detailed, {}, untied, self.shifts)
        scope = Scope(run)
        with scope.at_once():
            rounds = self._write(scope)
        labels = scope.tokens  # with the edits: labels and sentence name what is computed
        sentence = self.tokenized.sentence
        return replace(
            Trace.of(scope, sentence if labels == tokens else joined(labels, preset.tokenizer)),
            notices=(*self.tokenized.notices, *(notices(preset) if training else ())),
            training=training,
            worked=focus.worked,
            exercise=focus.exercise,
            rounds=rounds,
        )

    def _write(self, scope: Scope) -> int:
        """All steps of the computation; gives the number of its last round."""
        preset, tokens, training = self.preset, self.tokenized.tokens, self.training
        edits = scope.run.edits
        scope.give("tokens", column(tokens), columns=("token",))  # [n, 1]
        if preset.words or preset.start == "sentence":
            words, table = vocabulary(preset, tokens if preset.start == "sentence" else ())
            scope.give("vocabulary.words", column(words), columns=("word",))  # [v, 1]
            shown = Labels(rows=scope.words, columns=labels("d", preset.d_model))
            scope.give("vocabulary.embedding", table, **shown)  # [v, d]
        if self.controls:
            give_switches(scope)
        forward(scope)
        if training:
            write_losses(scope, training.targets)
        elif loss_wanted(edits):
            write_loss(scope)
        if preset.start == "sentence":
            count_parameters(scope, len(tokens))
        if training:
            train(scope, training, forward)
        require_rounds(preset, self.rounds, predicts="sampling.next" in scope)
        current = scope
        while current.round_number < self.rounds and (edits.requested or not ended(current)):
            current = current.next_round()  # each with one token more
            forward(current)
        edits.finish(scope)
        return current.round_number


def _require_token(what: str, token: int | None, tokenized: Tokens) -> None:
    """Raise a `UserError` for the position of a token that there is none of."""
    last = len(tokenized.tokens) - 1
    there = token is None or 0 <= token <= last
    require(there, "engine.token", what=what, token=token, last=last, tokenized=tokenized)


def forward(scope: Scope, cache: Cache | None = None) -> None:
    """One round, from the tokens to the next one, written into a scope that holds the tokens."""
    preset = scope.preset
    columns = labels("d", preset.d_model)
    if preset.start == "vector":
        last = scope.give("last", _start(preset), columns=columns)  # [1, d]
    else:
        x = Layers(scope, cache).run(_input(scope))  # [n, d]
        if "output" not in preset.parts:
            return
        tokens = scope.tokens
        row = SelectRow(len(tokens) - 1)
        last = scope.apply("last", row, x, rows=tokens[-1:], columns=columns)  # [1, d]
    if "output" in preset.parts and preset.output != "none":
        predict(scope, last)
        if preset.output_positions == "all" and preset.start != "vector":
            _all_positions(scope, x)


def _start(preset: Preset) -> np.ndarray:
    if preset.start_value is None:
        raise ValueError(f"preset {preset.name!r} starts with a {preset.start} but has none")
    return np.atleast_2d(preset.start_value).astype(np.float64)


def _require_own_sentence(preset: Preset, tokens: tuple[str, ...]) -> None:
    if preset.start == "sentence":
        return
    for own in preset.sentences.values():
        if tokens == tokenize(own, preset.tokenizer, preset.words, preset.merges).tokens:
            return
    sentence = preset.sentences[preset.language]
    raise refused("engine.own_sentence", preset=preset, sentence=sentence, way_out=FOR_ANY)


def _input(scope: Scope) -> str:
    preset, tokens, words = scope.preset, scope.tokens, scope.words
    table = Labels(rows=tokens, columns=labels("d", preset.d_model))
    if preset.start == "matrix":
        return scope.give("input", _start(preset), **table)  # [n, d]
    require_words(preset, tokens, words)
    scope.apply("onehot", OneHot(), "tokens", "vocabulary.words", rows=tokens, columns=words)
    scope.apply("ids", Ids(), "onehot", rows=tokens, columns=("id",))  # [n, 1]
    scope.apply("embedding", Gather(), "ids", "vocabulary.embedding", **table)
    scope.apply("similarity", MatMulT(), "embedding", "embedding", rows=tokens, columns=tokens)
    decimals = preset.input_decimals
    if preset.positions == "none":
        return scope.apply("input", Copy(), "embedding", **table, decimals=decimals)  # [n, d]
    _give_positions(scope, table)
    inputs = ("embedding", "position")
    if "switch.position" in scope:
        switched = (*inputs, "switch.position")
        return scope.apply("input", PlusIfOn(), *switched, **table, decimals=decimals)
    return scope.apply("input", Plus(), *inputs, **table, decimals=decimals)


def _give_positions(scope: Scope, table: Labels) -> None:
    preset, n, tokens = scope.preset, len(table["rows"]), table["rows"]
    if preset.positions == "learned":
        learned = preset.weights["position"]
        most = len(learned)
        require(n <= most, "engine.positions", preset=preset, most=most, count=n)
        scope.give("position", learned[:n].copy(), **table)  # [n, d]
        return
    index = np.arange(n, dtype=np.float64)[:, None]
    pairs = tuple(f"m{k}" for k in range((preset.d_model + 1) // 2))
    scope.give("position.index", index, rows=tokens, columns=("pos",))  # [n, 1]
    scope.apply("position.divisor", Divisor(preset.d_model), columns=pairs)  # [1, d/2]
    inputs = ("position.index", "position.divisor")
    scope.apply("position.angle", Angle(), *inputs, rows=tokens, columns=pairs)  # [n, d/2]
    # The model rounds its input from positions as printed, in both arithmetics (source 000).
    decimals = scope.decimals_of("position") if preset.input_decimals is not None else None
    wave = SineCosine(preset.d_model)
    scope.apply("position", wave, "position.angle", **table, decimals=decimals)  # [n, d]


def _all_positions(scope: Scope, x: str) -> None:
    tokens, table = scope.tokens, Labels(rows=scope.tokens, columns=scope.words)
    matrix = "output.matrix" if "output.matrix" in scope else "vocabulary.embedding"
    bias = ("output.bias",) if "output.bias" in scope else ()
    logits = scope.apply("output.all.logits", MatMulT(), x, matrix, *bias, **table)  # [n, v]
    inputs = (scope.apply("output.all.compared", Compared(), logits, **table), "vocabulary.words")
    scope.apply("output.all.next", BestOfRow(), *inputs, rows=tokens, columns=("next",))  # [n, 1]


def require_rounds(preset: Preset, rounds: int, *, predicts: bool) -> None:
    """Raise a `UserError` for a number of rounds that a computation cannot have.

    `predicts`: whether it computes a next token.
    """
    require(rounds >= 1, "engine.some_rounds", rounds=rounds)
    goes_on = predicts and preset.start == "sentence"
    require(rounds == 1 or goes_on, "engine.rounds", preset=preset)


MOST_FOLLOWED = 12  # tokens, as many as a worksheet shows
UNMASKED = (1, 2, 0)  # a mask's `focus`, where there is none


def wished(preset: Preset, tokens: tuple[str, ...]) -> Focus:
    """The preset's own words where the sentence has them, otherwise early tokens.

    Of two tokens the first is worked through where a mask hides the second from it.
    """
    late = preset.mask != "none"
    worked = _named(preset.worked, tokens, None, late)
    exercise = _named(preset.exercise, tokens, worked, late)
    if worked is not None and exercise is not None:
        return Focus(worked, exercise)
    first, second, hidden = MASKS[preset.mask].focus if late else UNMASKED
    back = min(first, max(0, second + 1 + hidden - len(tokens))) if late else 0
    places = first - back, second - back
    return Focus(*(place if place < len(tokens) else None for place in places))


def followed(trace: Trace, wish: Focus, asked: Focus) -> Focus:
    """The wish where both tokens are fit in this computation, else the fittest nearest to them.

    What is `asked` for stays as it is; the other token is not the same one.

    Where no token is fit those come first that fail in least, so that a sheet can still be made.
    """
    if None in wish or None not in asked or len(trace.tokens) > MOST_FOLLOWED:
        return wish
    fitness, everyone = Fitness(trace), range(len(trace.tokens))
    lacks = [len(fitness.unmet(token)) for token in everyone]
    shown = [len(fitness.unmet(token, example=True)) for token in everyone]

    def rank(pair: Focus) -> tuple[int, ...]:
        worked, own = (k or 0 for k in pair)
        fails = lacks[own] + fitness.copies(own, worked)
        away = abs(own - (wish.exercise or 0)), abs(worked - (wish.worked or 0))
        return fails, shown[worked], *away, worked, own

    worked, own = (everyone if token is None else (token,) for token in asked)
    return min((Focus(w, k) for w in worked for k in own if w != k), key=rank)


def _named(
    names: tuple[str, ...], tokens: tuple[str, ...], taken: int | None, late: bool
) -> int | None:
    """The place of the first of the names that the sentence has; with `late` its last place."""
    for name in names:
        if places := [k for k, token in enumerate(tokens) if token == name and k != taken]:
            return places[-1 if late else 0]
    return None


COLUMNS = ("model", "GPT-2 small")
GPT2_SCALES = 2  # a norm's gain and shift


def count_parameters(scope: Scope, tokens: int) -> None:
    """Write count.* [1, 2]: parameters of each component, of a block, of all, ours and GPT-2's.

    As in source 000 a norm counts all that its form may learn (2·d, RMSNorm d) even where a preset
    fixes it at 1 and 0; biases are counted where they exist.
    """
    sizes = _sizes(scope, tokens)
    rows, table = tuple(sizes), np.array(list(sizes.values()), dtype=np.float64)
    size = scope.give("count.size", table, rows=rows, columns=COLUMNS)

    def count(name: str, *of: str, factor: int = 1) -> str:
        op = SizeProduct(factor, tuple(map(rows.index, of)))
        return scope.apply(f"count.{name}", op, size, columns=COLUMNS)

    scales, factor = (("scales",), 1) if "scales" in sizes else ((), GPT2_SCALES)
    parts = [
        count("query_key_value", "d_model", "heads", "d_head", factor=3),
        count("attention_output", "W_O", "heads", "d_head", "d_model"),
        count("feedforward", "d_model", "d_ff", factor=2),
        count("norm", "norms", *scales, "d_model", factor=factor),
        count("bias", "biases"),
    ]
    embedding = count("embedding", "vocabulary", "d_model")
    position = count("position", "learned positions", "d_model")
    output = count("output", "output")
    block = scope.apply("count.block", Total(), *parts, columns=COLUMNS)
    times = TimesSize(rows.index("blocks"))
    blocks = scope.apply("count.blocks", times, block, size, columns=COLUMNS)
    scope.apply("count.total", Total(), embedding, position, blocks, output, columns=COLUMNS)


def _sizes(scope: Scope, tokens: int) -> dict[str, tuple[int, int]]:
    """Each size of this model and of GPT-2 small (Radford et al. 2019).

    There 6,912 biases are a block's; the final norm's gain and shift stand under "output". Where a
    norm learns something else than GPT-2's, what that is makes one more size.
    """
    preset, weights = scope.preset, scope.preset.weights
    scales = len(FORMS[preset.norm_form].learned)
    layers = preset.parts & {"attention", "feedforward"}
    learned = len(weights["position"]) if preset.positions == "learned" else 0
    places = ((place_of(name), weight.size) for name, weight in weights.items())
    biases = sum(n for at, n in places if at.block == 1 and at.kind.startswith("bias."))
    own = sum(weights[name].size for name in ("output.matrix", "output.bias") if name in weights)
    sizes = {
        "vocabulary": (len(scope.words), 50257),
        "d_model": (preset.d_model, 768),
        "heads": (preset.heads if "attention" in layers else 0, 12),
        "d_head": (preset.d_head, 64),
        "d_ff": (preset.d_ff if "feedforward" in layers else 0, 3072),
        "blocks": (preset.blocks, 12),
        "context": (tokens, 1024),
        "learned positions": (learned, 1024),
        "W_O": (int("block1.weight.output" in weights), 1),
        "norms": (len(layers) if preset.norm != "none" else 0, 2),
        "biases": (biases, 6912),
        "output": (own + scales * preset.d_model * preset.final_norm, 1536),
    }
    return sizes if scales == GPT2_SCALES else {**sizes, "scales": (scales, GPT2_SCALES)}
