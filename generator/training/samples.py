"""A text of the model at times of its training: what it writes with the numbers of that step."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from generator.engine.preset import Preset
from generator.engine.renumbered import with_numbers
from generator.engine.tokenizers import joined
from generator.generation.generate import generate
from generator.training.descent import Moment
from generator.training.spec import Spec

TextListener: TypeAlias = Callable[[int, str], None]
EARLY = (1, 3, 10, 30, 100, 300)  # most is learned in the first steps
TIMES = 10  # texts on the way, beside those


class Samples:
    """Reports a text at some early steps and ten times later: greedy, from the first prompt."""

    def __init__(self, spec: Spec, preset: Preset, told: TextListener) -> None:
        prompts = tuple(spec.prompts)
        self.begin = joined(prompts[0], preset.tokenizer)
        self.more = 1 + max(map(len, prompts)) - len(prompts[0])
        self.preset = replace(preset, shifted="auto", strategy="greedy")
        self._told = told

    def __call__(self, moment: Moment) -> None:
        """Report the text at the steps where one is due."""
        every = max(1, moment.of // TIMES)
        if moment.step in EARLY or moment.step % every == 0:
            model = with_numbers(self.preset, moment.look.numbers)
            written = generate(self.begin, preset=model, tokens=self.more, rounding="exact")
            self._told(moment.step, written.text)
