"""What a command is made of, as data, and the parser that argparse makes of it."""

import argparse
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from generator.errors import UserError

# An empty header is none; a sentence and a language have messages of their own.
MAY_BE_EMPTY = {"sentence", "language", "header", "author", "licence", "aids"}
EXAMPLES = Path(__file__).with_name("examples.toml")
LOOK: Any = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}


class Option(NamedTuple):
    """An option or argument, and how argparse has it."""

    flag: str
    settings: dict[str, Any]


class OptionGroup(NamedTuple):
    """Options under a heading of their own."""

    title: str
    rows: "Rows"
    says: str | None = None


class OneOf(NamedTuple):
    """Options of which one at most is given, or just one where that is `required`."""

    rows: "Rows"
    required: bool = False


class CommandForm(NamedTuple):
    """A command: its name, what it does, the function or the commands below it, its options.

    Its examples stand in examples.toml under its name, or under that of `examples`.
    """

    name: str
    says: str
    run: "Callable[[argparse.Namespace], int] | tuple[CommandForm, ...]"
    rows: "Rows" = ()
    examples: str = ""


Rows: TypeAlias = tuple[Option | OptionGroup | OneOf, ...]


def option(
    flag: str,
    metavar: str | None = None,
    says: str | None = None,
    read: Callable[[str, str], object] | None = None,
    **settings: Any,
) -> Option:
    """An option with a value; `read` makes it of the option's name and the text."""
    if read is not None:
        settings["type"] = lambda text: read(flag, text)
    return Option(flag, {"metavar": metavar, "help": says, **settings})


def switch(flag: str, says: str, *, on: bool = True, **settings: Any) -> Option:
    """An option without a value, which turns something on, or off."""
    return Option(flag, {"help": says, "action": f"store_{str(on).lower()}", **settings})


def add_commands(to: argparse.ArgumentParser, commands: Iterable[CommandForm]) -> None:
    """Give a parser these commands with their options, each with its examples."""
    examples = tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))
    into = to.add_subparsers(metavar="COMMAND", required=True)
    for form in commands:
        one = into.add_parser(
            form.name,
            help=form.says,
            description=f"{form.says[0].upper()}{form.says[1:]}.",
            epilog=examples.get(form.examples or form.name, ""),
            **LOOK,
        )
        one.register("action", None, _Said)
        _add_rows(one, form.rows)
        if isinstance(form.run, tuple):
            add_commands(one, form.run)
        else:
            one.set_defaults(run=form.run)


def _add_rows(to: argparse._ActionsContainer, rows: Rows) -> None:
    for row in rows:
        match row:
            case Option(flag, settings):
                to.add_argument(flag, **settings)
            case OptionGroup(title, inner, says):
                _add_rows(to.add_argument_group(title, says), inner)
            case OneOf(inner, required):
                _add_rows(to.add_mutually_exclusive_group(required=required), inner)


class _Said(argparse.Action):
    """Keeps what an option or argument says; `UserError` where that is nothing.

    A shell gives "" for a variable that was never set: taken as a path it is the folder one is in,
    taken as a pattern it is all.
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option: str | None = None,
    ) -> None:
        """Keep the value under the option's name."""
        said = values if isinstance(values, list) else [values]
        empty = [one for one in said if isinstance(one, str) and not one.strip()]
        if empty and self.dest not in MAY_BE_EMPTY:
            raise UserError(
                f"{option or self.metavar}: found {empty[0]!r}, an empty text; expected "
                f"{self.metavar or 'a name'} (is a variable of the shell empty?)"
            )
        setattr(namespace, self.dest, values)
