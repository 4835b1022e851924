"""Reads a teacher's own TOML file, the scheme or the decisions: all its problems at once."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from generator.errors import UserError, first_of
from generator.locales.problem import of_schema
from generator.presets.load import tables_of, text_of

Model = TypeVar("Model", bound=BaseModel)


def read_own(path: Path, model: type[Model], what: str) -> Model:
    """What a file holds; `UserError` with everything in it that cannot be."""
    raw = tables_of(text_of(path, what), f"{what} {path.name}")
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        problems = [of_schema(path.name, detail) for detail in error.errors(include_url=False)]
        raise UserError("\n".join(first_of(problems))) from None
