"""A teacher's own story and tasks, from one text file, in place of the catalogue's phrases."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import TypeAlias

from generator.engine.preset import Preset
from generator.errors import UserError, did_you_mean, private_use, refused, require
from generator.files import LARGEST_TEXT, require_file
from generator.locales.catalogue import Catalogue, load
from generator.locales.folders import USUAL
from generator.locales.locale import ENDINGS, names_in, of_norm
from generator.sheets.options import SheetOptions

OWN = re.compile(r"sheet[^.]+\.(story|task)\..+")  # what may be replaced
CHECKS = "sheet.exam.checks"  # the sentences that ask for a check, with | between them
LARGE = ".large"  # the ending of a phrase that large print takes in place of the usual one
# The endings of phrases that sheets take for presets of a kind in place of the usual ones.
FOR_PRESETS: dict[str, Callable[[Preset], bool]] = {
    ".characters": lambda preset: preset.tokenizer == "character",
    ".learned": lambda preset: preset.positions == "learned",
    ".unplaced": lambda preset: preset.positions == "none",
    ".based": lambda preset: preset.softmax_base is not None,
    ".single": lambda preset: preset.heads == 1,
    ".bidirectional": lambda preset: preset.mask == "none",
    ".bare": lambda preset: not {"residual", "feedforward"} <= preset.parts,
    ".stretched": lambda preset: "block1.gain1" in preset.weights,
}
# What says "word" of each token; what is said of other models stays.
OF_TOKENS = re.compile(
    r"sheet(([2568]|4[ab]|7[a-d]|generate|slides?)\.(?!.*(reality|next\.general))"
    r"|math\.(letter|learned|words?\b|meaning\.(?!token)))"
)
CHARACTERS = "sheet.character"  # a character for a word: pairs, with | between them
MOST_WORDS = {"story": 60, "task": 15}
HEADING = re.compile(r"\[(?P<key>[^\]]+)\]\s*")

Texts: TypeAlias = tuple[tuple[str, str], ...]
AnyTexts: TypeAlias = str | Path | Mapping[str, str] | Texts  # a file, a table or pairs


def read_texts(path: str | Path) -> Texts:
    """Own phrases by key from a file: TOML, or text with `[sheet4a.task.bars]` above each phrase.

    Raises `UserError` for a file that cannot be read, a key that no sheet has, a name in braces
    that the phrase does not know, and an empty phrase.
    """
    file = Path(path)
    require_file(file, "own texts", LARGEST_TEXT)
    try:
        content = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise refused("file.no_text", file=file, error=error) from error
    return own_texts(_toml(file, content) if file.suffix == ".toml" else _plain(file, content))


def any_texts(texts: AnyTexts | None) -> Texts:
    """Own phrases that a file, a table or pairs say."""
    if isinstance(texts, Mapping):
        return own_texts(texts)
    return read_texts(texts) if isinstance(texts, str | Path) else texts or ()


def own_texts(texts: Mapping[str, str]) -> Texts:
    """Own phrases as a sheet's options hold them, checked as `read_texts` does."""
    problems = [problem for key, text in texts.items() for problem in _problems(key, text)]
    if problems:
        raise UserError("\n".join(problems))
    return tuple(texts.items())


def replaceable() -> tuple[str, ...]:
    """The keys of the phrases that may be replaced."""
    phrases = load(USUAL).phrases
    special = (LARGE, *FOR_PRESETS, *ENDINGS)
    return tuple(key for key in phrases if OWN.fullmatch(key) and not key.endswith(special))


def long_texts(texts: Texts) -> list[str]:
    """A message for each own phrase that is longer than pupils like to read."""
    return [
        f"own text {key}: {len(text.split())} words; better at most {most}"
        for key, text in texts
        if len(text.split()) > (most := MOST_WORDS[key.split(".")[1]])
    ]


def phrased(options: SheetOptions, preset: Preset) -> Catalogue:
    """The catalogue of a sheet with own phrases, and with those for large print, for a preset.

    In an exam no task asks for a check.
    """
    # The norm first: ".stretched.rms" comes before ".stretched".
    catalogue = of_norm(load(options.language), preset.norm_form)
    phrases, exam = dict(catalogue.phrases), options.exam
    if preset.tokenizer == "character":
        phrases |= _of_characters(phrases)
    endings = [ending for ending, fits in FOR_PRESETS.items() if fits(preset)]
    for ending in [LARGE, *endings] if options.large_print else endings:
        special = (key for key in catalogue.phrases if key.endswith(ending))
        phrases |= {key.removesuffix(ending): phrases[key] for key in special}
    asking = [one.strip() for one in phrases[CHECKS].split("|")] if exam else []
    for key, phrase in list(phrases.items()) if exam else ():
        if OWN.fullmatch(key) and phrase.endswith(tuple(asking)):
            phrases[key] = reduce(lambda text, one: text.removesuffix(one).rstrip(), asking, phrase)
    return Catalogue(catalogue.language, phrases | dict(options.texts))


def _of_characters(phrases: Mapping[str, str]) -> dict[str, str]:
    """The phrases about words for a model whose tokens are characters; names in braces stay."""
    pairs = dict(pair.strip().split("=") for pair in phrases[CHARACTERS].split("|"))
    names = re.compile(rf"(?<![\w{{])({'|'.join(pairs)})(?![\w}}])")
    about = ((key, text) for key, text in phrases.items() if OF_TOKENS.match(key))
    return {key: names.sub(lambda found: pairs[found[1]], text) for key, text in about}


def _toml(file: Path, content: str) -> dict[str, str]:
    try:
        return dict(_flat(tomllib.loads(content)))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{file.name}: is no TOML: {error}") from error


def _flat(table: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{key}.")
        elif isinstance(value, str):
            yield f"{above}{key}", value
        else:
            raise UserError(f"own text {above}{key}: found {value!r}, expected a text in quotes")


def _plain(file: Path, content: str) -> dict[str, str]:
    """Phrases below headings in square brackets; lines that begin with # are left out."""
    lines_of: dict[str, list[str]] = {}
    key = ""
    for line in content.splitlines():
        if heading := HEADING.fullmatch(line):
            key = heading["key"].strip()
            lines_of[key] = []
        elif line.strip() and not line.startswith("#"):
            require(key, "own.key", file=file, line=line)
            lines_of[key].append(line.strip())
    return {key: " ".join(lines) for key, lines in lines_of.items()}


def _problems(key: str, text: str) -> Iterator[str]:
    known = replaceable()
    if key not in known:
        hint = did_you_mean(key, known)
        sheet = key.partition(".")[0]
        near = [one for one in known if one.partition(".")[0] == sheet] or known
        yield f"own texts: there is no phrase {key!r}{hint}; choose from: {', '.join(near)}"
        return
    if problem := private_use(f"own text {key}", text):
        yield problem
    if not text.strip():
        yield f"own text {key}: is empty; to leave all stories out take --no-story"
    names = names_in(load(USUAL).phrases[key])
    try:
        unknown = sorted(names_in(text) - names)
    except ValueError:
        unknown = ["a lone brace"]
    if unknown:
        listed = ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"
        yield f"own text {key}: found {', '.join(unknown)} in braces; known names: {listed}"
