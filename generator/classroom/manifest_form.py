"""What a manifest and a batch's notes must look like: a valid seal says nothing of it."""

from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from generator.errors import UserError
from generator.sheets.options import SheetOptions

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]
Level = Annotated[int, Field(ge=1, le=3)]
# A path in the batch's folder, never one that leads out of it.
Inside = Annotated[str, Field(pattern=r"^(hand-out|teacher)(/[^/\\\x00]*[^./\\\x00][^/\\\x00]*)+$")]
Files = dict[Inside, Digest]


class _Own(BaseModel):
    exercise: Count | None
    edits: dict[str, Finite]
    draws: Count
    seconds: Annotated[Finite, Field(ge=0)]
    others: list[Count]


class _Record(_Own):
    code: Annotated[str, Field(min_length=1)]
    key: str
    preset: str
    preset_sha256: Digest
    sentence: str | None
    language: str
    level: Level
    named: str
    number: Count
    group: str
    apart: dict[str, _Own]
    files: Files


class _Settings(BaseModel):
    preset: str
    preset_sha256: Digest
    sheets: list[str]
    vary: str
    sentence: str | None
    language: str | None
    rounding: str | None
    edits: dict[str, Any]
    outputs: list[str]
    worksheet: SheetOptions
    versions: Count
    print_names: bool
    info: str
    sentences: list[str]
    row: Count


class Notes(BaseModel):
    """Finished seats."""

    format: str
    made_with: dict[str, str]
    pupils: list[_Record]


class Beginning(Notes):
    """What is being made."""

    seed: str
    settings: _Settings


class Manifest(Beginning):
    """What was made, and from what."""

    presets: dict[Digest, dict[str, Any]]
    papers: Files


def problem_of(content: bytes, form: type[Notes]) -> str:
    """The first place where a JSON text is not of a form, and what is expected; "" for none."""
    try:
        form.model_validate_json(content, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'all of it'}: {first['msg']}"
    except UserError as error:
        return f"settings.worksheet: {error}"
    return ""
