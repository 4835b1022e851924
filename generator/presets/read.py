"""From TOML tables to a typed file, or to every problem of its keys, types and ranges."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from generator.errors import did_you_mean
from generator.presets.forms import FORMS
from generator.presets.problems import Problem, shown
from generator.presets.schema import Behaviour, Compared, File, Stored, Training, Vary
from generator.presets.subwords import FORMS as MERGES

EXPECTED = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list in square brackets",
    "dict_type": "a table of keys and values",
    "model_type": "a table of keys and values",
    "finite_number": "a finite number",
}
# Tables that may be something else, or nothing.
TABLES = {"behaviour": Behaviour, "compare": Compared, "merges": Training, "table": Stored}
TEXTS = ("worked", "exercise")  # one word or a list of words


def read(raw: dict[str, Any]) -> tuple[File | None, list[Problem]]:
    """The typed file, or None and every problem of types, ranges and unknown keys."""
    try:
        return File.model_validate(raw), []
    except ValidationError as error:
        return None, [*_problems(error, raw)]


def _problems(error: ValidationError, raw: dict[str, Any]) -> Iterator[Problem]:
    seen = set()
    for detail in error.errors(include_url=False):
        path = _path(detail, raw)
        if path not in seen:  # each branch of a choice of types complains about the same value
            seen.add(path)
            yield _problem(path, detail)


def _path(detail: Any, raw: dict[str, Any]) -> tuple[str | int, ...]:
    """The file's own path to the value: pydantic's without the names of a choice's branches."""
    path: list[str | int] = []
    node: Any = raw
    for part in detail["loc"]:
        inside = isinstance(node, dict) and part in node
        if inside or (isinstance(node, list) and isinstance(part, int)):
            path.append(part)
            node = node[part]
    if detail["type"] == "missing":
        path.append(detail["loc"][-1])
    return tuple(path)


def _key(path: tuple[str | int, ...]) -> str:
    text = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def _problem(path: tuple[str | int, ...], detail: Any) -> Problem:
    key, value = _key(path), detail["input"]
    match detail["type"]:
        case "extra_forbidden":
            name, known = str(path[-1]), _known(path[:-1])
            expected = f"one of {', '.join(known)}"
            return Problem(key, "an unknown key", expected, did_you_mean(name, known))
        case "missing":
            return Problem(key, "nothing", "a value: this key is compulsory")
        case "literal_error":
            expected = detail["ctx"]["expected"]
            known = [word.strip("'") for word in expected.replace(" or ", ", ").split(", ")]
            hint = did_you_mean(value, known) if isinstance(value, str) else ""
            return Problem(key, shown(value), f"one of {', '.join(known)}", hint)
        case _:
            return Problem(key, shown(value), _expectation(path, detail))


def _expectation(path: tuple[str | int, ...], detail: Any) -> str:
    if path[0] == "weights":
        return FORMS
    if path == ("tokenizer", "merges"):
        return MERGES
    if path[0] in TEXTS:
        return "a word or a list of words"
    if detail["type"] == "string_pattern_mismatch":
        return "small letters, digits and hyphens, at most 40, such as 'my-preset'"
    if detail["type"] == "too_short":
        return "at least one entry"
    if detail["type"] in EXPECTED:
        return EXPECTED[detail["type"]]
    return str(detail["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")


def _known(path: tuple[str | int, ...]) -> list[str]:
    fields: Any = File
    for part in path:
        field = fields.model_fields.get(part)
        fields = field.annotation if field else fields
        if not (isinstance(fields, type) and issubclass(fields, BaseModel)):
            fields = TABLES.get(str(part), Vary)
    return [field.alias or name for name, field in fields.model_fields.items()]
