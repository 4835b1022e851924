"""What a refusal advises: never the preset that is taken already."""

import re

from generator.engine.preset import Preset

TAKE = re.compile(r"take ('[\w-]+'(?:(?:, | or )'[\w-]+')*)(?! as it is shipped)")
UNCHANGED = "as it is shipped, with its own sentence and rounding"
NAME = re.compile(r"'([\w-]+)'")


def advised(message: str, preset: Preset) -> str:
    """A message whose advice leaves the preset in force out: "take 'katze' or 'brille'".

    Where no other is named, what helps is that one unchanged, and so it is said.
    """

    def others(advice: re.Match[str]) -> str:
        names = NAME.findall(advice[1])
        if preset.name not in names:
            return advice[0]
        left = " or ".join(repr(name) for name in names if name != preset.name)
        return f"take {left or f'{preset.name!r} {UNCHANGED}'}"

    return TAKE.sub(others, message)
