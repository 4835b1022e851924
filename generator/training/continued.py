"""Going on from a preset that has learned already: its numbers are the start, for some steps."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from generator.engine.preset import Preset
from generator.errors import UserError
from generator.presets.load import FOLDER
from generator.presets.schema import Shape
from generator.training.spec import MOST_STEPS, Spec

SPECS = FOLDER / "specs"


def spec_path(spec: str | Path | None, start: str | Path | None) -> Path:
    """The spec that is named, or that of the shipped preset to go on from; else a `UserError`."""
    if spec is not None:
        return Path(spec)
    if start is None:
        raise UserError("presets train: name a spec, or with --from the preset to go on from")
    own = SPECS / f"{start}.toml"
    if not own.is_file():
        shipped = ", ".join(sorted(path.stem for path in SPECS.glob("*.toml")))
        raise UserError(
            f"presets train --from {start}: name its spec too; a preset's file does not hold the "
            f"texts that it has learned (known without one: {shipped})"
        )
    return own


def shortened(spec: Spec, steps: int | None) -> Spec:
    """The spec with so many steps in all, free and rounded ones in the same proportion."""
    if steps is None:
        return spec
    if not 1 <= steps <= MOST_STEPS:
        raise UserError(f"steps: found {steps}, expected a whole number from 1 to {MOST_STEPS:,}")
    training = spec.training
    free = steps * training.steps // (training.steps + training.rounding_steps)
    update = {"steps": free, "rounding_steps": steps - free}
    return spec._replace(training=training.model_copy(update=update))


def numbers_of(preset: Preset, spec: Spec, sizes: Mapping[str, Shape]) -> dict[str, np.ndarray]:
    """A preset's numbers as start values for a spec; `UserError` where they do not fit it."""
    _require_same("word", list(preset.words), spec.words, preset, spec)
    _require_same("weight", list(preset.weights), [*sizes][1:], preset, spec)
    table = np.array([preset.words[word] for word in spec.words], dtype=np.float64)
    start_values = {name: preset.weights.get(name, table) for name in sizes}
    for name, shape in sizes.items():
        if start_values[name].shape != shape:
            has, wants = (" × ".join(map(str, one)) for one in (start_values[name].shape, shape))
            raise UserError(
                f"preset {preset.name!r}, {name}: found {has} numbers, expected {wants} as in "
                f"spec {spec.source}: go on with the spec that the preset was trained from"
            )
    return start_values


def _require_same(
    what: str, own: list[str], expected: list[str] | tuple[str, ...], preset: Preset, spec: Spec
) -> None:
    """Stop where a preset has names that the spec lacks, or lacks some."""
    more, less = (
        [name for name in one if name not in other]
        for one, other in ((own, expected), (expected, own))
    )
    for names, where in ((more, "the spec does not have"), (less, "the preset does not have")):
        if names:
            raise UserError(
                f"preset {preset.name!r} and spec {spec.source} do not fit: {where} the {what} "
                f"{names[0]!r}; go on with the spec that the preset was trained from"
            )
