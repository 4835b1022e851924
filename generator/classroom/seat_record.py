"""What is kept of one seat: enough to make its files again, and no name."""

import json
from collections.abc import Mapping
from typing import TypedDict

FORMAT = "paperformer-manifest/1"


class Described(TypedDict):
    """What the class list and the lesson say of a seat.

    `named` is "" where no name is printed, else a mark of it: it shows that a name was corrected,
    and is too short to say which one it is. `number` is the pupil's place in the list, 0 for none.
    """

    code: str
    key: str
    preset: str
    preset_sha256: str
    sentence: str | None
    language: str
    level: int
    named: str
    number: int


class Own(TypedDict):
    """What a seat was given of a task.

    `edits` are the individual numbers by address, `exercise` the own token's place from 0 (None:
    the preset's), `draws` how often numbers were drawn until they were fair, `seconds` what a
    practised pupil needs. `others` are the tokens that others of the class computed when the set
    was made.
    """

    exercise: int | None
    edits: dict[str, float]
    draws: int
    seconds: float
    others: list[int]


class Record(Described, Own):
    """One seat of a manifest.

    `apart` has what it was given for sheets with a preset of their own, by sheet; all others are
    one task. `files` has the SHA-256 of each file by its path in the batch's folder.
    """

    group: str
    apart: dict[str, Own]
    files: dict[str, str]


def own_of(record: Record, sheet: str) -> Own:
    """What a seat was given for a sheet."""
    return record["apart"].get(sheet, record)


def canonical(data: object) -> bytes:
    """Data as JSON that is always spelled the same way."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def readable(data: Mapping[str, object]) -> bytes:
    """Data as JSON for people, in the order given."""
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
