"""Which tokens a sheet works through and asks for."""

from generator.engine.preset import Preset


def focus(preset: Preset, tokens: tuple[str, ...]) -> tuple[int | None, int | None]:
    """The positions (from 0) of the worked and of the asked token; None where there is none.

    The preset's own words where the sentence has them; otherwise, without a mask, the second and
    the third token, under a mask the last and the last but one.
    """
    worked = _named(preset.worked, tokens, taken=None)
    exercise = _named(preset.exercise, tokens, taken=worked)
    if worked is not None and exercise is not None:
        return worked, exercise
    n = len(tokens)
    first, second = (1, 2) if preset.mask == "none" else (n - 1, n - 2)
    return (first if 0 <= first < n else None), (second if 0 <= second < n else None)


def _named(names: tuple[str, ...], tokens: tuple[str, ...], taken: int | None) -> int | None:
    places = [k for name in names for k, t in enumerate(tokens) if t == name and k != taken]
    return places[0] if places else None
