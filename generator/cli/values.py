"""Option texts become values, and options that change the model become another Preset."""

import argparse
import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from generator.checks.judging import MOST_TOLERANCE
from generator.engine.choices import STRATEGIES
from generator.errors import UserError, did_you_mean
from generator.typed import plainly, typed_count, typed_number

if TYPE_CHECKING:
    from generator.engine.preset import Preset

Filled = TypeVar("Filled")
BELONGS = {"k": ("top-k",), "p": ("top-p",), "random": ("sample", "top-k", "top-p")}
LARGEST_SENTENCES = 100_000  # bytes of a file of sentences
WORDS = (
    "tokens",
    "vocabulary.words",
    "loss.target",
)  # given steps that hold words; "7" stays a word there
# Options of the classes' commands that change the model or say where: no choices of a lesson.
NOT_OF_A_LESSON = {
    *("run", "pupils", "out", "preset", "set", "next_word"),
    *("temperature", "strategy", "k", "p", "random"),
}


class NumberTest(NamedTuple):
    """A test for a number and what it expects, in words."""

    fits: Callable[[float], bool]
    expected: str


TEMPERATURE = NumberTest(lambda x: x > 0, "a number above 0, such as 0.5")
K = NumberTest(lambda x: x >= 1 and x == int(x), "a whole number from 1")
P = NumberTest(lambda x: 0 < x <= 1, "a number above 0 and up to 1, such as 0.9")
RANDOM = NumberTest(lambda x: 0 <= x < 1, "a number from 0 to below 1, such as 0.37")
ROUNDS = NumberTest(lambda x: 1 <= x <= 30 and x == int(x), "a whole number from 1 to 30")
TOKENS = NumberTest(lambda x: 1 <= x <= 512 and x == int(x), "a whole number from 1 to 512")
SEED = NumberTest(lambda x: 0 <= x < 2**53 and x == int(x), "a whole number from 0, such as 7")
VERSIONS = NumberTest(lambda x: 1 <= x <= 100 and x == int(x), "a whole number from 1 to 100")
PORTS = NumberTest(lambda x: 1 <= x <= 65535 and x == int(x), "a whole number from 1 to 65535")
JOBS = NumberTest(
    lambda x: 1 <= x <= 61 and x == int(x), "a whole number of processes from 1 to 61"
)
FIRST = NumberTest(lambda x: 2 <= x <= 6 and x == int(x), "a whole number of tokens from 2 to 6")
TOLERANCE = NumberTest(
    lambda x: x in range(MOST_TOLERANCE + 1),
    f"whole units of the last decimal, 0 to {MOST_TOLERANCE}",
)
STEPS = NumberTest(lambda x: 1 <= x <= 50 and x == int(x), "a whole number from 1 to 50")
TRAINED = NumberTest(
    lambda x: 1 <= x <= 1_000_000 and x == int(x), "a whole number from 1 to 1,000,000"
)
RATE = NumberTest(lambda x: 0 < x <= 1000, "a number above 0 and up to 1000, such as 0.1")
EXAM = NumberTest(
    lambda x: 1 <= x <= 600 and x == int(x), "whole minutes from 1 to 600, such as 45"
)
SEATS = NumberTest(lambda x: 2 <= x <= 20 and x == int(x), "a whole number of seats from 2 to 20")
BUDGET = NumberTest(lambda x: x >= 1 and x == int(x), "whole minutes, such as 20")


def own_language(args: argparse.Namespace) -> None:
    """Where `--language` names a folder, add its language and put its code in place."""
    language = getattr(args, "language", None)
    if language and ("/" in language or "\\" in language):
        from generator.locales.check import added

        args.language = added(Path(language))


def number(option: str, text: str, limits: NumberTest) -> float:
    """The number that an option's text says; `UserError` for anything outside the limits."""
    value = typed_number(text)
    if value is None or not limits.fits(value):
        raise UserError(f"{option}: found {text!r}, expected {limits.expected}{plainly(text)}")
    return value


def count(option: str, text: str | None, limits: NumberTest) -> int | None:
    """The whole number that an option's text says, None without the option."""
    return None if text is None else int(number(option, text, limits))


def generation(args: argparse.Namespace) -> dict[str, Any]:
    """The options of `generate` by their name in the Python interface."""
    heat = args.temperature
    return {
        "tokens": count("--tokens", args.tokens, TOKENS),
        "strategy": args.strategy,
        "temperature": None if heat is None else number("--temperature", heat, TEMPERATURE),
        "k": count("--k", args.k, K),
        "p": None if args.p is None else number("--p", args.p, P),
        "seed": count("--seed", args.seed, SEED),
        "cache": not args.no_cache,
    }


def pupils(text: str) -> str | int:
    """A number of pupils, or the path of a class list."""
    number = typed_count(text)
    return text if number is None else number


def class_name(pupils: str | int) -> str:
    """What the folder of a class is called: its list's name, or "class-28"."""
    return f"class-{pupils}" if isinstance(pupils, int) else Path(pupils).stem


def filled(kind: Callable[..., Filled], args: argparse.Namespace, **further: object) -> Filled:
    """What a dataclass makes of the options that bear its fields' names.

    What was left out has its default.
    """
    names = {one.name for one in dataclasses.fields(cast("Any", kind))}
    given = {k: value for k, value in vars(args).items() if k in names and value is not None}
    return kind(**{**given, **further})


def whole(option: str, limits: NumberTest) -> Callable[[str], int]:
    """Reads the whole number that an option's text says."""
    return lambda text: int(number(option, text, limits))


def named(option: str) -> Callable[[str], tuple[str, ...]]:
    """Reads the names in an option's comma list."""
    return lambda text: names(option, text)


def rate(text: str) -> float:
    """The learning rate that an option's text says."""
    return number("--rate", text, RATE)


def sheets(text: str) -> tuple[str, ...] | None:
    """The sheets of a comma list, None for all."""
    return None if text == "all" else names("--sheets", text)


def texts(path: str) -> tuple[tuple[str, str], ...]:
    """The own texts in a file."""
    from generator.sheets.own_texts import read_texts

    return read_texts(path)


def level(text: str) -> int:
    """The level's number; `UserError` that names the levels for another text."""
    from generator.sheets.plan import LEVELS

    known = [str(one) for one in LEVELS]
    if text not in known:
        raise UserError(f"there is no level {text!r}; choose from: {', '.join(known)}")
    return int(text)


def names(option: str, text: str) -> tuple[str, ...]:
    """The names in a comma list, each once; `UserError` where one is missing."""
    return tuple(dict.fromkeys(_listed(option, text, "a name, or several with commas")))


def temperatures(text: str) -> tuple[float, ...]:
    """The temperatures in a comma list; `UserError` where one is missing or stands there twice."""
    option = "--temperature"
    parts = _listed(option, text, "a number, or several with commas, such as 0.5,1")
    chosen = tuple(number(option, part, TEMPERATURE) for part in parts)
    if len({*chosen}) < len(chosen):
        raise UserError(f"{option}: found {text!r}, expected each temperature once")
    return chosen


def _listed(option: str, text: str, expected: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        where = "" if not any(parts) else ": nothing stands before or after one of its commas"
        raise UserError(f"{option}: found {text!r}, expected {expected}{where}")
    return parts


def sentences(path: str) -> tuple[str, ...]:
    """The lines of a file of sentences; `UserError` where it cannot be read or has none."""
    from generator.files import require_file

    file = Path(path)
    require_file(file, "sentences", LARGEST_SENTENCES)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError(
            f"sentences {file}: there is no such file; expected 2 to 4 sentences, one a line"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: cannot be read as text in UTF-8: {error}") from error
    lines = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not lines:
        raise UserError(f"{file}: found no sentence, expected 2 to 4, one a line")
    return lines


def all_edits(args: argparse.Namespace) -> dict[str, object]:
    """The edits of `--set`, and of `--next-word`, which is a short name for one of them."""
    word = {} if args.next_word is None else {"loss.target": args.next_word}
    return {**edits(args.set), **word}


def learning(args: argparse.Namespace) -> dict[str, Any]:
    """The options of training by their name in the Python interface; none where a command has none.

    Raises `UserError` for options that would change nothing.
    """
    if getattr(args, "grad", False):
        if args.rate is not None:
            raise UserError("--rate belongs to --train: gradients alone go no step")
        return {}
    if "train" not in args:
        return {}
    given = {"--rate": args.rate, "--learn": args.learn}
    idle = [name for name, value in given.items() if value is not None]
    idle += ["--targets"] if args.targets != "last" else []
    if not args.train and idle:
        needs = "--train N or --grad" if "grad" in args else "--train N"
        raise UserError(f"{', '.join(idle)}: found without {needs}, which needs it")
    return {"train": args.train, "rate": args.rate, "only": args.learn, "targets": args.targets}


def edits(pairs: list[str]) -> dict[str, object]:
    """`KEY=VALUE` texts as edits of the engine: numbers parsed, words kept."""
    return dict(_edit(pair) for pair in pairs)


def _edit(pair: str) -> tuple[str, object]:
    key, equals, value = pair.partition("=")
    if not (equals and key.strip()):
        raise UserError(
            f"--set: found {pair!r}, expected KEY=VALUE, "
            'such as "block1.head1.weight.query[2,1]=0.3" or "tokens[3]=auf"'
        )
    key = key.strip()
    return key, value if key.partition("[")[0] in WORDS else _number_or_word(value)


def _number_or_word(text: str) -> float | str:
    number = typed_number(text.strip())
    return text if number is None else number


def changed(preset: "Preset", args: argparse.Namespace) -> "Preset":
    """The preset with the options of the output (`--temperature`, `--strategy`, …) put in.

    Its content's SHA-256 then covers the changes, so that footers and folders tell the two apart.
    Raises `UserError` for values out of range and for options that would change nothing.
    """
    given = dict(_given(args))
    if not given:
        return preset
    if preset.output == "none":
        options = ", ".join(f"--{name}" for name in given)
        raise UserError(
            f"preset {preset.name!r} ends before the output: {options} would change nothing; "
            "take a preset with an output, such as 'katze'"
        )
    _require_used(given, str(given.get("strategy", preset.strategy)))
    content = "|".join([preset.sha256, *(f"{name}={value!r}" for name, value in given.items())])
    fields = {"temperatures" if name == "temperature" else name: v for name, v in given.items()}
    fields["sha256"] = hashlib.sha256(content.encode("utf-8")).hexdigest()
    return dataclasses.replace(preset, **fields)


def _given(args: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """The options that were used, by name, with their values."""
    if args.temperature is not None:
        yield "temperature", temperatures(args.temperature)
    if args.strategy is not None:
        if args.strategy not in STRATEGIES:
            hint = did_you_mean(args.strategy, STRATEGIES)
            known = ", ".join(STRATEGIES)
            raise UserError(f"there is no strategy {args.strategy!r}{hint}; choose from: {known}")
        yield "strategy", args.strategy
    if args.k is not None:
        yield "k", int(number("--k", args.k, K))
    if args.p is not None:
        yield "p", number("--p", args.p, P)
    if args.random is not None:
        yield "random", number("--random", args.random, RANDOM)


def _require_used(given: Iterable[str], strategy: str) -> None:
    for name in given:
        users = BELONGS.get(name, STRATEGIES)
        if strategy not in users:
            raise UserError(
                f"--{name} belongs to strategy {' or '.join(users)}, and the strategy is "
                f"{strategy!r}: leave it out, or add --strategy {users[0]}"
            )
