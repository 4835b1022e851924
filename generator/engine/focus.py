"""The token that a lesson works through and the one that it asks for, the same on all sheets.

A preset's words are a wish, and without one the mask says where to begin. Whether what is found
there is worth computing shows only in the numbers, so a wish gives way to a token that is fit.
"""

from typing import NamedTuple

from generator.engine.fitness import Fitness
from generator.engine.preset import Preset
from generator.engine.trace import Trace

MOST_FOLLOWED = 12  # tokens, as many as a worksheet shows
# By mask: the worked and the asked token, early where a mask hides much, and how many are to
# come behind, so that the asked one has a token that it does not see.
USUAL = {"none": (1, 2, 0), "causal": (1, 2, 1), "strict": (2, 3, 0)}


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


def wished(preset: Preset, tokens: tuple[str, ...]) -> Focus:
    """The preset's own words where the sentence has them, otherwise early tokens.

    Of two tokens the first is worked through where a mask hides the second from it.
    """
    late = preset.mask != "none"
    worked = _named(preset.worked, tokens, None, late)
    exercise = _named(preset.exercise, tokens, worked, late)
    if worked is not None and exercise is not None:
        return Focus(worked, exercise)
    first, second, hidden = USUAL[preset.mask]
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
    shown = [len(fitness.unmet_as_example(token)) for token in everyone]

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
