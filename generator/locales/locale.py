"""How a language writes numbers, signs and functions: its `language.toml`, checked and typed."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from generator.errors import UserError
from generator.files import LARGEST_TEXT, require_file
from generator.locales.folders import FILE, folders, require_language
from generator.locales.problem import Problem, of_schema

# The spreadsheet functions that formulas call, by their English names.
SPREADSHEET = (
    *("ABS", "COS", "COUNT", "COUNTBLANK", "COUNTIF", "EXACT", "EXP", "IF", "IFERROR", "INDEX"),
    *("ISNUMBER", "LEN", "LN", "MATCH", "MAX", "MID", "MIN", "MMULT", "NORMSDIST", "RANK", "REPT"),
    *("ROUND", "ROUNDUP", "SIN", "SQRT", "SUBSTITUTE", "SUM", "SUMIF", "SUMPRODUCT", "TANH"),
    *("TEXT", "TRIM"),
)


def names_in(phrase: str) -> set[str]:
    """The names in braces, with what `str.format` would do more than put a name in.

    Raises ValueError for a lone brace.
    """
    return {
        f"{name}{':' + spec if spec else ''}{'!' + conversion if conversion else ''}"
        for _, name, spec, conversion in Formatter().parse(phrase)
        if name is not None
    }


def _with(*names: str) -> Callable[[str], str]:
    def checked(phrase: str) -> str:
        if names_in(phrase) != set(names):
            raise ValueError(f"a phrase with {', '.join(f'{{{name}}}' for name in names)}")
        return phrase

    return checked


def _all_functions(names: Mapping[str, str]) -> Mapping[str, str]:
    if names.keys() != set(SPREADSHEET):
        without, unknown = set(SPREADSHEET) - names.keys(), names.keys() - set(SPREADSHEET)
        wrong = {"a name for": without, "no": unknown}
        raise ValueError("; ".join(f"{k} {', '.join(sorted(v))}" for k, v in wrong.items() if v))
    return names


Count = Annotated[int, Field(ge=1)]
Filled = Annotated[str, Field(min_length=1)]
Of1 = Annotated[str, AfterValidator(_with("0"))]
Of2 = Annotated[str, AfterValidator(_with("0", "1"))]
Of3 = Annotated[str, AfterValidator(_with("0", "1", "2"))]


class Table(BaseModel):
    """A TOML table: no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Numbers(Table):
    """The marks of a number; `group` stands between groups of three digits."""

    decimal: Literal[",", "."]
    group: str
    percent: Filled


class Signs(Table):
    """The signs of worked arithmetic; `vector` opens a row of numbers, parts and closes it."""

    times: Literal["·", "×"]
    divided: Literal[":", "÷"]
    separator: Filled
    vector: tuple[Filled, Filled, Filled]


class Spreadsheet(Table):
    """How a spreadsheet in this language shows a formula."""

    separator: Literal[";", ","]
    functions: Annotated[Mapping[str, str], AfterValidator(_all_functions)]


class Functions(Table):
    """What functions are called in worked arithmetic."""

    max: Filled
    min: Filled
    rank: Filled
    sin: Filled
    cos: Filled


class Words(Table):
    """Formulas that need words, by the function that they call; {0} is its first argument."""

    choice: Annotated[str, AfterValidator(_with("yes", "condition", "no"))]
    is_number: Of1
    match: Of2
    rank: Of2
    count_equal: Of2
    count_at_most: Of2
    sum_below: Of3
    count_numbers: Of1
    count_blank: Of1
    length: Of1
    spelled: Of1
    pieces: Of1
    pair_at: Of2
    merged: Of2


class Headings(Table):
    """How a class list may head a column, without capitals, spaces and signs.

    `code`, `personal` and `running` numbers stand for an id where there is none.
    """

    id: list[Filled]
    code: list[Filled]
    personal: list[Filled]
    running: list[Filled]
    name: list[Filled]
    first: list[Filled]
    last: list[Filled]
    sentence: list[Filled]
    preset: list[Filled]
    level: list[Filled]
    language: list[Filled]
    group: list[Filled]


class Figure(Table):
    """The corpus of a figure: a word that grows from its letters in so many rounds."""

    word: Filled
    rounds: Count
    words: Mapping[str, Count]


class Corpus(Table):
    """Words of the sheet on byte-pair encoding, each with how often it occurs, and a new one."""

    new: Filled
    words: Mapping[str, Count]
    figure: Figure


class Locale(Table):
    """Everything of a language that is no phrase.

    `called` is what a class list may call it, in small letters, beside its code; `babel` its name
    in LaTeX; `sentence` that of an imported model that has none.
    """

    name: Filled
    called: list[Filled]
    babel: Filled
    sentence: Filled
    numbers: Numbers
    signs: Signs
    spreadsheet: Spreadsheet
    functions: Functions
    words: Words
    corpus: Corpus
    headings: Headings


@cache
def locale_of(language: str) -> Locale:
    """How a language writes; `UserError` for one that there is none of, or a wrong file."""
    require_language(language)
    locale, problems = read_locale(folders()[language] / FILE)
    if locale is None:
        raise UserError("\n".join(map(str, problems)))
    return locale


def read_locale(path: Path) -> tuple[Locale | None, list[Problem]]:
    """The typed file, or None and every problem of it."""
    raw, problems = tables(path)
    try:
        return (None, problems) if problems else (Locale.model_validate(raw), [])
    except ValidationError as error:
        return None, [of_schema(str(path), one) for one in error.errors(include_url=False)]


def tables(path: Path) -> tuple[dict[str, Any], list[Problem]]:
    """The tables of a TOML file, or the problem that there are none."""
    require_file(path, "language", LARGEST_TEXT)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")), []
    except OSError as error:
        return {}, [Problem(str(path), "", "missing", f"a file ({error.strerror})")]
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, [Problem(str(path), "", "wrong", "TOML in UTF-8", str(error))]
