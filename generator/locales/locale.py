"""How a language writes numbers, signs and functions: its `language.toml`, checked and typed.

Also here:

* What a language says of a model whose norm is not the usual one, layer norm.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from generator.engine.choices import NormForm
from generator.errors import UserError
from generator.files import LARGEST_TEXT, require_file
from generator.locales.catalogue import Catalogue
from generator.locales.folders import FILE, folders, require_language
from generator.locales.problem import LocaleProblem, of_schema

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


class TomlTable(BaseModel):
    """A TOML table: no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Numbers(TomlTable):
    """The marks of a number; `group` stands between groups of three digits."""

    decimal: Literal[",", "."]
    group: str
    percent: Filled


class Signs(TomlTable):
    """The signs of worked arithmetic; `vector` opens a row of numbers, parts and closes it."""

    times: Literal["·", "×"]
    divided: Literal[":", "÷"]
    separator: Filled
    vector: tuple[Filled, Filled, Filled]


class Spreadsheet(TomlTable):
    """How a spreadsheet in this language shows a formula."""

    separator: Literal[";", ","]
    functions: Annotated[Mapping[str, str], AfterValidator(_all_functions)]


class FunctionNames(TomlTable):
    """What functions are called in worked arithmetic."""

    max: Filled
    min: Filled
    rank: Filled
    sin: Filled
    cos: Filled


class FormulaWords(TomlTable):
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


class Headings(TomlTable):
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


class FigureCorpus(TomlTable):
    """The corpus of a figure: a word that grows from its letters in so many rounds."""

    word: Filled
    rounds: Count
    words: Mapping[str, Count]


class CorpusWords(TomlTable):
    """Words of the sheet on byte-pair encoding, each with how often it occurs, and a new one."""

    new: Filled
    words: Mapping[str, Count]
    figure: FigureCorpus


class Locale(TomlTable):
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
    functions: FunctionNames
    words: FormulaWords
    corpus: CorpusWords
    headings: Headings


@cache
def locale_of(language: str) -> Locale:
    """How a language writes; `UserError` for one that there is none of, or a wrong file."""
    require_language(language)
    locale, problems = read_locale(folders()[language] / FILE)
    if locale is None:
        raise UserError("\n".join(map(str, problems)))
    return locale


def read_locale(path: Path) -> tuple[Locale | None, list[LocaleProblem]]:
    """The typed file, or None and every problem of it."""
    raw, problems = tables(path)
    try:
        return (None, problems) if problems else (Locale.model_validate(raw), [])
    except ValidationError as error:
        return None, [of_schema(str(path), one) for one in error.errors(include_url=False)]


def tables(path: Path) -> tuple[dict[str, Any], list[LocaleProblem]]:
    """The tables of a TOML file, or the problem that there are none."""
    require_file(path, "language", LARGEST_TEXT)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")), []
    except OSError as error:
        return {}, [LocaleProblem(str(path), "", "missing", f"a file ({error.strerror})")]
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, [LocaleProblem(str(path), "", "wrong", "TOML in UTF-8", str(error))]


USUAL: Final[NormForm] = "layer"
OTHERS: Final[tuple[NormForm, ...]] = tuple(f for f in get_args(NormForm) if f != USUAL)
ENDINGS = tuple(f".{form}" for form in OTHERS)  # of phrases for models with norms of that form


@lru_cache(maxsize=16)
def of_norm(catalogue: Catalogue, form: NormForm) -> Catalogue:
    """The catalogue for a model with norms of that form: nothing in it is true of another alone.

    A phrase with the form's ending, such as `.rms`, takes the place of the one without. In all
    others the form's name ("norm.rms") stands where layer norm's does ("norm.layer"). A phrase
    that says something else of another form, but nothing of this one, is left out: whoever asks
    for it stops with a KeyError.
    """
    if form == USUAL:
        return catalogue
    phrases, own = catalogue.phrases, f".{form}"
    found = _renamed(phrases, form)
    for key in depending(phrases):
        found.pop(key, None)
        if key + own in phrases:
            found[key] = phrases[key + own]
    return Catalogue(catalogue.language, found)


def depending(phrases: Mapping[str, str]) -> set[str]:
    """The keys of the phrases that say something else of another form than layer norm."""
    return {base for key in phrases for base in _bases(key) if base in phrases}


def _bases(key: str) -> Iterator[str]:
    return (key.removesuffix(ending) for ending in ENDINGS if key.endswith(ending))


def _renamed(phrases: Mapping[str, str], form: NormForm) -> dict[str, str]:
    """All phrases with the form's name in place of layer norm's."""
    usual, name = re.compile(re.escape(phrases[f"norm.{USUAL}"]), re.I), phrases[f"norm.{form}"]
    return {key: text if key.endswith(ENDINGS) else usual.sub(name, text)
            for key, text in phrases.items() if key != f"norm.{USUAL}"}  # fmt: skip
