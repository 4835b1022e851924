"""The loop that makes text: predict, choose, append, and again.

Also here:

* How a generated text is told in the terminal, as a table or as JSON.
"""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from generator.engine.choices import STRATEGIES
from generator.engine.draws import HUNDREDTHS, random_of
from generator.engine.model import known_rounding, require_rounds
from generator.engine.predict import drawing_row
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.engine.vocabulary import readable
from generator.errors import message, require, require_known
from generator.generation.text_so_far import Written, begin, require_room
from generator.presets.computed import computed, taken

FINE: Final = 10**9  # steps of a random number in exact arithmetic, where no dice must give it
PERCENT: Final = 100
USERS: Final = {"k": "top-k", "p": "top-p"}  # which strategy a limit belongs to


class Choice(NamedTuple):
    """One chosen token: its probability at the temperature drawn with, and the random number.

    Greedy decoding needs none, so `random` is None there.
    """

    token: str
    probability: float
    random: float | None

    @classmethod
    def of(cls, text: Written) -> "Choice":
        """The token that comes after a text."""
        trace = text.trace
        token = str(trace["sampling.next"].values[0, 0])
        share = trace["sampling.share"].values[0, text.words.index(token)]
        drawn = "sampling.random" in trace
        return cls(
            token, float(share), float(trace["sampling.random"].values[0, 0]) if drawn else None
        )


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

    def table(self) -> str:
        """The text, each token with its probability, and the multiplications."""
        width, decimals = max(map(len, self.tokens)), 2 if self.trace.rounding == "paper" else 9
        rows = []
        for number, (token, share, random) in enumerate(self.choices, start=1):
            drawn = "" if random is None else f"  drawn with {random:.{decimals}f}"
            rows.append(f"{number:>4}  {token:<{width}}  {share * PERCENT:5.1f}%{drawn}")
        end = [f"ended by the stop token {self.trace.preset.stop!r}"] if self.ended else []
        return "\n".join([self.text, "", *rows, "", *end, self._cost(), ""])

    def _cost(self) -> str:
        whole = f"{self.without_cache:,}"
        if self.multiplications == self.without_cache:
            how = "" if self.cached else ", everything computed anew for each token (no KV cache)"
            return f"{whole} multiplications{how}"
        saved = 1 - self.multiplications / self.without_cache
        done, percent = self.multiplications, saved * PERCENT
        return message("generation.saved", done=done, whole=whole, percent=percent)

    def json(self) -> str:
        """All of it as a JSON object."""
        preset = self.trace.preset
        record = {
            "format": "paperformer-generation/1",
            "preset": preset.name,
            "preset_sha256": preset.sha256,
            "language": self.trace.language,
            "rounding": self.trace.rounding,
            "strategy": preset.strategy,
            "temperature": preset.temperatures[drawing_row(preset)],
            "k": preset.k,
            "p": preset.p,
            "seed": self.seed,
            "sentence": self.trace.sentence,
            "tokens": list(self.sentence),
            "text": self.text,
            "stop": preset.stop,
            "ended": self.ended,
            "generated": [choice._asdict() for choice in self.choices],
            "kv_cache": self.cached,
            "multiplications": {"done": self.multiplications, "without_cache": self.without_cache},
        }
        return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


FORMATS: Final = {"text": Generated.table, "json": Generated.json}


def render(generated: Generated, form: str) -> str:
    """The text in a form for the terminal; `UserError` for a form that there is none of."""
    require_known("format", form, tuple(FORMATS))
    return FORMATS[form](generated)


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
    require(tokens >= 1, "generation.tokens", tokens=tokens)
    loaded, reasons, _ = taken(preset, sentence, language)
    temperatures = None if temperature is None else (temperature,)
    given = {"strategy": strategy, "temperatures": temperatures, "k": k, "p": p}
    chosen = _with(loaded, {name: value for name, value in given.items() if value is not None})
    start = chosen.seed if seed is None else seed
    parts = HUNDREDTHS if known_rounding(rounding or chosen.rounding) == "paper" else FINE
    ready = dataclasses.replace(chosen, random=random_of(start, "", parts))
    first = computed(sentence, preset=ready, rounding=rounding, language=language)
    first = dataclasses.replace(first, notices=(*reasons, *first.notices))
    _require_open(first)
    require_rounds(first.preset, tokens, predicts=True)
    require_room(first.preset, len(first.tokens), tokens - 1)
    text = begin(first, cache=cache)
    choices, stores, done, whole = [Choice.of(text)], text.keys is not None, text.done, text.whole
    while len(choices) < tokens and choices[-1].token != first.preset.stop:
        random = random_of(start, f"round{len(choices) + 1}.", parts)
        text = text.then(choices[-1].token, random)
        choices.append(Choice.of(text))
        done, whole = done + text.done, whole + text.whole
    return Generated(first, first.tokens, tuple(choices), start, stores, done, whole)


def _with(preset: Preset, given: Mapping[str, Any]) -> Preset:
    """The preset with another strategy, temperature, k or p, where they are given.

    Raises `UserError` for an unknown strategy, and for a limit that the strategy does not use.
    """
    chosen = dataclasses.replace(preset, **given)
    require_known("strategy", chosen.strategy, STRATEGIES)
    for name, user in USERS.items():
        fits = name not in given or chosen.strategy == user
        require(fits, "generation.limit", name=name, user=user, strategy=chosen.strategy)
    return chosen


def _require_open(trace: Trace) -> None:
    """Raise a `UserError` where no token follows: none is predicted, or the text is at its end."""
    preset = trace.preset
    require("sampling.next" in trace, "generation.next", preset=preset)
    ended = trace.tokens[-1] == preset.stop
    require(not ended, "generation.ended", preset=preset, sentence=trace.sentence)
