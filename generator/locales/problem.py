"""One thing that a language's folder lacks, has too much, or says wrongly."""

from typing import Any, NamedTuple


class LocaleProblem(NamedTuple):
    """File and key, what kind of problem it is, what was found and expected.

    The key is empty for a whole file. Kinds: "missing", "unknown", "wrong"; "same" is a phrase
    that reads as in English still.
    """

    file: str
    key: str
    kind: str
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        found = f"found {self.found!r}, " if self.found else ""
        place = f"{self.file}: {self.key}" if self.key else self.file
        return f"{place}: {self.kind}, {found}expected {self.expected}"


def of_schema(file: str, detail: Any) -> LocaleProblem:
    """A problem that pydantic found in a file."""
    key = ".".join(map(str, detail["loc"]))
    expectation = str(detail["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    match detail["type"]:
        case "missing":
            return LocaleProblem(file, key, "missing", "a value")
        case "extra_forbidden":
            return LocaleProblem(file, key, "unknown", "no such key", str(detail["input"]))
        case "string_too_short":
            return LocaleProblem(file, key, "wrong", "text that is not empty", "")
        case _:
            return LocaleProblem(file, key, "wrong", expectation, _shown(detail["input"]))


def _shown(value: Any) -> str:
    return f"{len(value)} entries" if isinstance(value, dict) else str(value)
