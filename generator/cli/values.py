"""Option texts become values, and options that change the model become another Preset."""

import argparse
import dataclasses
import hashlib
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.engine.choices import STRATEGIES
from generator.errors import UserError, refused, require, require_known
from generator.typed import plainly, typed_count, typed_number

if TYPE_CHECKING:
    from generator.engine.preset import Preset

BELONGS = {"k": ("top-k",), "p": ("top-p",), "random": ("sample", "top-k", "top-p")}
OF_OUTPUT = ("temperature", "strategy", *BELONGS)
LARGEST_SENTENCES = 100_000  # bytes of a file of sentences
WORDS = ("tokens", "vocabulary.words", "loss.target")  # of these steps: "7" stays a word there
# Options that change the model: no choices of what is made of it.
OF_MODEL = ("preset", "set", "next_word", "train", "rate", "learn", "targets", *OF_OUTPUT)


@dataclasses.dataclass(frozen=True)
class NumberTest:
    """Limits of a number, and what they expect in words; called, it reads an option's text."""

    expected: str
    whole: bool = True
    least: float = -math.inf
    most: float = math.inf
    above: float = -math.inf
    below: float = math.inf

    def __call__(self, option: str, text: str) -> float:
        """The number that an option's text says; `UserError` for anything outside the limits."""
        value = typed_number(text)
        if value is None or not (
            self.least <= value <= self.most
            and self.above < value < self.below
            and (not self.whole or value == int(value))
        ):
            raise UserError(f"{option}: found {text!r}, expected {self.expected}{plainly(text)}")
        return int(value) if self.whole else value


def own_language(args: argparse.Namespace) -> None:
    """Where `--language` names a folder, add its language and put its code in place."""
    language = getattr(args, "language", None)
    if language and ("/" in language or "\\" in language):
        from generator.locales.check import added

        args.language = added(Path(language))


def said(args: argparse.Namespace, *without: str) -> dict[str, Any]:
    """The options that were used, by name; those left out are left to who has their default."""
    given = vars(args).items()
    return {k: v for k, v in given if v is not None and k != "run" and k not in without}


def pupils(option: str, text: str) -> str | int:
    """A number of pupils, or the path of a class list."""
    number = typed_count(text)
    return text if number is None else number


def level(option: str, text: str) -> int:
    """The level's number; `UserError` that names the levels for another text."""
    from generator.sheets.plan import LEVELS

    require_known("level", text, tuple(map(str, LEVELS)))
    return int(text)


def levels(option: str, text: str) -> tuple[int, ...]:
    """The levels in a comma list."""
    return tuple(level(option, one) for one in names(option, text))


def names(option: str, text: str) -> tuple[str, ...]:
    """The names in a comma list, each once; `UserError` where one is missing."""
    return tuple(dict.fromkeys(_listed(option, text, "a name, or several with commas")))


def temperatures(one: NumberTest, option: str, text: str) -> tuple[float, ...]:
    """The temperatures in a comma list; `UserError` where one is missing or stands there twice."""
    parts = _listed(option, text, "a number, or several with commas, such as 0.5,1")
    chosen = tuple(one(option, part) for part in parts)
    require(len({*chosen}) == len(chosen), "cli.temperatures", option=option, text=text)
    return chosen


def strategy(option: str, text: str) -> str:
    """A strategy by its name; `UserError` for another one."""
    require_known("strategy", text, STRATEGIES)
    return text


def _listed(option: str, text: str, expected: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    where = ": nothing stands before or after one of its commas" if any(parts) else ""
    names = {"text": text, "expected": expected, "where": where}
    require(all(parts), "cli.listed", option=option, **names)
    return parts


def sentences(option: str, path: str) -> tuple[str, ...]:
    """The lines of a file of sentences; `UserError` where it cannot be read or has none."""
    from generator.files import require_file

    file = Path(path)
    require_file(file, "sentences", LARGEST_SENTENCES)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise refused("cli.sentences", file=file) from None
    except (OSError, UnicodeDecodeError) as error:
        raise refused("file.no_text", file=file, error=error) from error
    lines = tuple(line.strip() for line in text.splitlines() if line.strip())
    require(lines, "cli.no_sentence", file=file)
    return lines


def all_edits(args: argparse.Namespace) -> dict[str, object]:
    """The edits of `--set`, and of `--next-word`, which is a short name for one of them."""
    word = {} if args.next_word is None else {"loss.target": args.next_word}
    return {**dict(args.set), **word}


def edit(option: str, pair: str) -> tuple[str, object]:
    """`KEY=VALUE` as an edit of the engine: a number is read, a word kept."""
    key, equals, value = pair.partition("=")
    key = key.strip()
    require(equals and key, "cli.edit", option=option, pair=pair)
    number = None if key.partition("[")[0] in WORDS else typed_number(value.strip())
    return key, value if number is None else number


def learning(args: argparse.Namespace) -> dict[str, Any]:
    """The options of training by their name in the Python interface.

    Raises `UserError` for options that would change nothing.
    """
    if getattr(args, "grad", False):
        require(args.rate is None, "cli.rate")
        return {}
    given = {"--rate": args.rate, "--learn": args.learn}
    idle = [name for name, value in given.items() if value is not None]
    idle += ["--targets"] if args.targets != "last" else []
    needs = "--train N or --grad" if "grad" in args else "--train N"
    require(args.train or not idle, "cli.idle", options=", ".join(idle), needs=needs)
    return {"train": args.train, "rate": args.rate, "only": args.learn, "targets": args.targets}


def changed(preset: "Preset", args: argparse.Namespace) -> "Preset":
    """The preset with the options of the output (`--temperature`, `--strategy`, …) put in.

    Its content's SHA-256 then covers the changes, so that footers and folders tell the two apart.
    Raises `UserError` for options that would change nothing.
    """
    fields = {name: v for name in OF_OUTPUT if (v := getattr(args, name)) is not None}
    if not fields:
        return preset
    options = ", ".join(f"--{name}" for name in fields)
    require(preset.output != "none", "cli.output", preset=preset, options=options)
    chosen = fields.get("strategy", preset.strategy)
    for name in fields:
        users = BELONGS.get(name, STRATEGIES)
        some = {"users": " or ".join(users), "first": users[0]}
        require(chosen in users, "cli.strategy", name=name, chosen=chosen, **some)
    content = "|".join([preset.sha256, *(f"{name}={value!r}" for name, value in fields.items())])
    if "temperature" in fields:
        fields["temperatures"] = fields.pop("temperature")
    sha256 = hashlib.sha256(content.encode("utf-8")).hexdigest()
    return dataclasses.replace(preset, **fields, sha256=sha256)


# How the text of an option is read, by its `kind` in commands.toml.
BY_NAME = (edit, names, level, levels, pupils, sentences, strategy)
READERS: Mapping[str, Callable[[str, str], object]] = {
    "path": lambda option, text: Path(text),
    **{one.__name__: one for one in BY_NAME},
}
