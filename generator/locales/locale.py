"""How a language writes numbers, signs and functions: its `language.toml`, checked and typed.

Also here:

* One thing that a language's folder lacks, has too much, or says wrongly.
* What it says of shipped presets: its `presets.toml`.
* What a language says of a model whose norm is not the usual one, layer norm.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from generator.engine.choices import NormForm
from generator.errors import UserError
from generator.files import LARGEST_TEXT, require_file
from generator.locales.catalogue import Catalogue
from generator.locales.folders import FILE, PRESETS, folders, require_language


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
            value = detail["input"]
            shown = f"{len(value)} entries" if isinstance(value, dict) else str(value)
            return LocaleProblem(file, key, "wrong", expectation, shown)


# The spreadsheet functions that formulas call, by their English names.
SPREADSHEET = (
    *("ABS", "COS", "COUNT", "COUNTBLANK", "COUNTIF", "EXACT", "EXP", "IF", "IFERROR", "INDEX"),
    *("ISNUMBER", "LEN", "LN", "MATCH", "MAX", "MID", "MIN", "MMULT", "NORMDIST", "RANK", "REPT"),
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


def _known(language: str) -> str:
    if language not in folders():
        raise ValueError(f"one of {', '.join(folders())}")
    return language


Typed = TypeVar("Typed")
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
    in LaTeX; `sentence` that of an imported model that has none. `lesson` is how many minutes
    a lesson has in its schools. A shipped one can be another spelling `of` a language: `spelling`
    has that one's words, each with what stands in its place, and what it does not say is as there.
    """

    name: Filled
    called: list[Filled]
    babel: Filled
    sentence: Filled
    of: Annotated[str, AfterValidator(_known)] = ""
    spelling: Mapping[str, Filled] = {}
    lesson: Count = 45
    numbers: Numbers
    signs: Signs
    spreadsheet: Spreadsheet
    functions: FunctionNames
    words: FormulaWords
    corpus: CorpusWords
    headings: Headings


class Comparison(TomlTable):
    """What a source printed, in words."""

    title: Filled
    note: str = ""


class PresetWords(TomlTable):
    """A shipped preset's words in another language; see the same keys in a preset's file."""

    title: Filled
    sentence: Filled
    shows: str = ""
    translation: Mapping[str, Filled] = {}
    compare: Comparison | None = None


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
    return _read(path, TypeAdapter(Locale))


@cache
def preset_words(language: str) -> Mapping[str, PresetWords]:
    """The words of shipped presets in a language's folder, by preset; `UserError` if wrong."""
    path = folders()[language] / PRESETS
    words, problems = read_presets(path) if path.exists() else ({}, [])
    if problems:
        raise UserError("\n".join(map(str, problems)))
    return words


def read_presets(path: Path) -> tuple[Mapping[str, PresetWords], list[LocaleProblem]]:
    """The typed file, or nothing and every problem of it."""
    words, problems = _read(path, TypeAdapter(Mapping[str, PresetWords]))
    return words or {}, problems


def _read(path: Path, schema: TypeAdapter[Typed]) -> tuple[Typed | None, list[LocaleProblem]]:
    raw, problems = tables(path)
    # What another spelling of a language says nothing of, it has from that.
    if base := folders().get(str(raw.get("of"))):
        raw = {**tables(base / FILE)[0], **raw}
    try:
        return (None, problems) if problems else (schema.validate_python(raw), [])
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
ENDINGS = tuple(f".{form}" for form in get_args(NormForm) if form != USUAL)  # of their own phrases


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
    phrases, usual = catalogue.phrases, f"norm.{USUAL}"
    named, name = re.compile(re.escape(phrases[usual]), re.I), phrases[f"norm.{form}"]
    found = {
        key: text if key.endswith(ENDINGS) else named.sub(name, text)
        for key, text in phrases.items()
        if key != usual
    }
    for key in depending(phrases):
        found.pop(key, None)
        if (own := f"{key}.{form}") in phrases:
            found[key] = phrases[own]
    return Catalogue(catalogue.language, found)


def depending(phrases: Mapping[str, str]) -> set[str]:
    """The keys of the phrases that say something else of another form than layer norm."""
    bases = {key.removesuffix(end) for end in ENDINGS for key in phrases if key.endswith(end)}
    return bases & phrases.keys()
