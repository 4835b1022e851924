"""A new preset: the name that its file gives it, and a commented file to start from."""

import re
from pathlib import Path

from jinja2 import StrictUndefined, Template

from generator.engine.activations import ACTIVATIONS
from generator.engine.masks import MASKS
from generator.errors import require
from generator.locales.folders import languages
from generator.presets.schema import NAME
from generator.resources import template


def preset_name(place: Path, example: str) -> str:
    """The name of the preset that is to be written to a file.

    Raises `UserError`, which says `example`, for a file name that holds no preset's name.
    """
    fits = place.suffix == ".toml" and re.fullmatch(NAME, place.stem)
    require(fits, "presets.file", place=place, example=example)
    return place.stem


def new_preset_text(name: str) -> str:
    """A complete preset file of that name, every key explained, valid as it is.

    Keys that it does not need stand in it as comments. Raises `UserError` for a name that a preset
    cannot have.
    """
    require(re.fullmatch(NAME, name), "presets.called", name=name)
    masks = "; ".join(f"{mask}: {form.says}" for mask, form in MASKS.items())
    known = {"languages": " or ".join(languages()), "activations": ", ".join(ACTIVATIONS)}
    return preset_text("new", name=name, masks=masks, **known)


def preset_text(kind: str, **names: object) -> str:
    """A preset's file from the template of that kind: "new", "imported" or "cut"."""
    text = template(f"{kind}-preset.toml").read_text(encoding="utf-8")
    filled = Template(text, trim_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined)
    return str(filled.render(names))
