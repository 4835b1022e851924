"""The loop that makes text: predict, choose, append, and again.

Also here:

* Replaces how the next token is chosen: strategy, temperature, k or p other than the preset's.
"""

import dataclasses
from pathlib import Path

from generator.engine.choices import STRATEGIES
from generator.engine.model import known_rounding
from generator.engine.preset import Preset
from generator.engine.rounds import HUNDREDTHS, random_of, require_rounds
from generator.engine.trace import Trace
from generator.engine.vocabulary import readable
from generator.errors import UserError, require_known
from generator.generation.text_length import require_room
from generator.generation.text_so_far import Written, begin
from generator.presets.computed import computed, taken

FINE = 10**9  # steps of a random number in exact arithmetic, where no dice must give it


@dataclasses.dataclass(frozen=True)
class Choice:
    """One chosen token: its probability at the temperature drawn with, and the random number.

    Greedy decoding needs none, so `random` is None there.
    """

    token: str
    probability: float
    random: float | None


@dataclasses.dataclass(frozen=True)
class Generated:
    """What a model has written: the sentence's tokens, the chosen ones, and what it cost.

    `multiplications` are those of the matrix products that were done, `without_cache` those of
    computing everything anew for every token. `cached`: whether keys and values were stored.
    `trace` is the first round.
    """

    trace: Trace
    sentence: tuple[str, ...]
    choices: tuple[Choice, ...]
    seed: int
    cached: bool
    multiplications: int
    without_cache: int

    @property
    def tokens(self) -> tuple[str, ...]:
        """The chosen tokens."""
        return tuple(choice.token for choice in self.choices)

    @property
    def ended(self) -> bool:
        """Whether the preset's stop token ended the text."""
        return self.tokens[-1] == self.trace.preset.stop

    @property
    def text(self) -> str:
        """The sentence and what follows it, as it is printed."""
        return readable((*self.sentence, *self.tokens), self.trace.preset.tokenizer)


def generate(
    sentence: str | None = None,
    *,
    tokens: int = 8,
    preset: str | Path | Preset | None = None,
    strategy: str | None = None,
    temperature: float | None = None,
    k: int | None = None,
    p: float | None = None,
    seed: int | None = None,
    language: str | None = None,
    rounding: str | None = None,
    cache: bool = True,
) -> Generated:
    """Append so many tokens to a sentence, each predicted from all before it.

    A text is shorter where the preset's stop token comes: nothing follows it.

    Without a sentence the preset's own is taken; strategy, temperature, k and p are the preset's
    where they are not given. Draws depend on `seed` (by default the preset's) and on nothing else:
    two digits in paper arithmetic, where the text is that of `compute(…, rounds=tokens)`, nine in
    exact arithmetic. With `cache`, a later round computes the new token's row only, and finds the
    keys and values of the others stored; the result is the same. Presets whose tokens see later
    ones cannot store anything. Raises `UserError` for all that a user can mend.
    """
    if tokens < 1:
        raise UserError(f"tokens: found {tokens}, expected a whole number from 1")
    loaded, reasons, _ = taken(preset, sentence, language)
    chosen = with_strategy(loaded, strategy, temperature, k, p)
    source = _source(chosen, seed, rounding)
    ready = dataclasses.replace(chosen, random=random_of(*source[:1], "", source[1]))
    first = computed(sentence, preset=ready, rounding=rounding, language=language)
    first = dataclasses.replace(first, notices=(*reasons, *first.notices))
    _require_next(first)
    _require_open(first)
    require_rounds(first.preset, tokens, predicts=True)
    require_room(first.preset, len(first.tokens), tokens - 1)
    return _run(begin(first, cache=cache), tokens, *source)


def _source(preset: Preset, seed: int | None, rounding: str | None) -> tuple[int, int]:
    """The seed, and how many random numbers there are."""
    mode = known_rounding(rounding or preset.rounding)
    return preset.seed if seed is None else seed, HUNDREDTHS if mode == "paper" else FINE


def _require_next(trace: Trace) -> None:
    if "sampling.next" not in trace:
        raise UserError(
            f"preset {trace.preset.name!r} predicts no next token; take one that does, such as "
            "'katze'"
        )


def _require_open(trace: Trace) -> None:
    stop = trace.preset.stop
    if trace.tokens[-1] == stop:
        raise UserError(
            f"{trace.sentence!r} ends with {stop!r}, the stop token of preset "
            f"{trace.preset.name!r}, after which nothing follows: leave it out"
        )


def _run(text: Written, tokens: int, seed: int, parts: int) -> Generated:
    first, sentence, stores = text.first, text.tokens, text.keys is not None
    choices = [_choice(text)]
    done, whole = text.done, text.whole
    for number in range(2, tokens + 1):
        if choices[-1].token == first.preset.stop:
            break
        text = text.then(choices[-1].token, random_of(seed, f"round{number}.", parts))
        choices.append(_choice(text))
        done, whole = done + text.done, whole + text.whole
    return Generated(first, sentence, tuple(choices), seed, stores, done, whole)


def _choice(text: Written) -> Choice:
    trace = text.trace
    token = str(trace["sampling.next"].values[0, 0])
    share = trace["sampling.share"].values[0, text.words.index(token)]
    drawn = "sampling.random" in trace
    random = float(trace["sampling.random"].values[0, 0]) if drawn else None
    return Choice(token, float(share), random)


def with_strategy(
    preset: Preset,
    strategy: str | None,
    temperature: float | None,
    k: int | None,
    p: float | None,
) -> Preset:
    """The preset with another strategy, temperature, k or p, where they are given.

    Raises `UserError` for an unknown strategy, and for a limit that the strategy does not use.
    """
    require_known("strategy", strategy or preset.strategy, STRATEGIES)
    chosen = next((one for one in STRATEGIES if one == strategy), preset.strategy)
    for name, value, user in (("k", k, "top-k"), ("p", p, "top-p")):
        if value is not None and chosen != user:
            raise UserError(
                f"{name} belongs to strategy {user}, and the strategy is {chosen!r}: leave it "
                f"out, or take strategy {user}"
            )
    return dataclasses.replace(
        preset,
        strategy=chosen,
        temperatures=preset.temperatures if temperature is None else (temperature,),
        k=preset.k if k is None else k,
        p=preset.p if p is None else p,
    )
