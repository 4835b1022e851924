"""The file beside a trained preset that says how it was learned: written by training, read here."""

import json
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generator.engine.preset import History, State
from generator.errors import refused
from generator.files import LARGEST_TEXT, require_file
from generator.presets.schema import Number

FORMAT = "paperformer-history/1"
ENDING = ".history.json"
HEAD = ("made", "begun", "steps", "free", "kept", "numbers")
Step = Annotated[int, Field(ge=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _State(_Strict):
    step: Step
    numbers: dict[str, list[list[Number]]]


class _HistoryFile(_Strict):
    format: str = Field(pattern=f"^{FORMAT}$")
    made: str
    begun: str
    steps: Step
    free: Annotated[int, Field(ge=0)]
    kept: Step
    numbers: str
    losses: Annotated[list[tuple[Step, Number]], Field(min_length=2)]
    states: list[_State]


def history_path(preset: Path) -> Path:
    """Where the history of a preset's file is kept: beside it, under its name."""
    return preset.with_name(preset.stem + ENDING)


def history_of(preset: Path) -> History | None:
    """How a preset was learned, from the file beside its own; None where there is none.

    Raises `UserError` for a file that holds something else.
    """
    path = history_path(preset)
    require_file(path, "history", LARGEST_TEXT)
    try:
        file = _HistoryFile.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refused("file.unread", what="history", path=path, error=error) from None
    except (ValidationError, UnicodeDecodeError) as error:
        raise refused("presets.history", path=path, fault=_first(error)) from None
    said = {name: getattr(file, name) for name in HEAD}
    states = []
    for one in file.states:
        arrays = {name: np.array(rows, dtype=np.float64) for name, rows in one.numbers.items()}
        states.append(State(one.step, arrays))
    return History(**said, losses=tuple(file.losses), states=tuple(states))


def history_text(history: History) -> str:
    """The file of a history: the losses a line each, the numbers of a state a line each."""
    said = {"format": FORMAT} | {name: getattr(history, name) for name in HEAD}
    head = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in said.items()]
    states = []
    for state in history.states:
        numbers = {name: (x + 0.0).tolist() for name, x in state.numbers.items()}
        rows = [f"{json.dumps(name)}: {json.dumps(x)}" for name, x in numbers.items()]
        states.append(f'{{"step": {state.step}, "numbers": {{\n' + ",\n".join(rows) + "}}")
    lists = {"losses": map(json.dumps, history.losses), "states": states}
    body = (f'"{name}": [\n' + ",\n".join(lines) + "]" for name, lines in lists.items())
    return "{\n" + ",\n".join([*head, *body]) + "\n}\n"


def _first(error: ValidationError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8 text"
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}"
