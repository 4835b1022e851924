"""The parser of the commands in commands.toml; imports nothing heavy: `--help` answers at once."""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from generator.cli.values import READERS, NumberTest, temperatures
from generator.errors import refused
from generator.resources import table
from generator.version import __version__

# An empty header is none; a sentence and a language have messages of their own.
MAY_BE_EMPTY = {"sentence", "language", "header", "author", "licence", "aids"}
LOOK: Any = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command; the parsed `run` says which function to call."""
    return _Commands().parser()


class _Commands:
    """The tables of commands.toml, and the examples of each command below its options."""

    def __init__(self) -> None:
        self.tables = table("cli/commands.toml")
        self.examples = table("cli/examples.toml")
        self.named = self.tables["lists"] | {k: [v] for k, v in self.tables["options"].items()}
        numbers = {name: NumberTest(**one) for name, one in self.tables["numbers"].items()}
        several = partial(temperatures, numbers["temperature"])
        self.readers: Mapping[str, Callable[[str, str], object]] = {
            **READERS,
            **numbers,
            "temperatures": several,
        }

    def parser(self) -> argparse.ArgumentParser:
        """The parser with all commands."""
        top = argparse.ArgumentParser(
            prog="paperformer",
            description="Worksheets and live-formula workbooks that compute a Transformer by hand, "
            "for a sentence of your choice.",
            epilog=self.examples["main"],
            **LOOK,
        )
        top.add_argument("--version", action="version", version=f"paperformer {__version__}")
        self.add_commands(top, self.tables["commands"])
        return top

    def add_commands(self, to: argparse.ArgumentParser, commands: Mapping[str, Any]) -> None:
        """Give a parser these commands with their options, each with its examples."""
        into = to.add_subparsers(metavar="COMMAND", required=True)
        for name, form in commands.items():
            says = form["says"]
            one = into.add_parser(
                name,
                help=says,
                description=f"{says[0].upper()}{says[1:]}.",
                epilog=self.examples.get(form.get("examples", name), ""),
                **LOOK,
            )
            one.register("action", None, _Said)
            self.add_rows(one, form.get("rows", []))
            if "commands" in form:
                self.add_commands(one, form["commands"])
            else:
                one.set_defaults(run=form["run"])

    def add_rows(self, to: argparse._ActionsContainer, rows: list[Any]) -> None:
        """Give a parser or a group of it these options, see the beginning of commands.toml."""
        for row in rows:
            if isinstance(row, str):
                self.add_rows(to, self.named[row])
            elif "group" in row:
                group = to.add_argument_group(row["group"], row.get("says"))
                self.add_rows(group, row["rows"])
            elif "one_of" in row:
                one_of = to.add_mutually_exclusive_group(required=row.get("required", False))
                self.add_rows(one_of, row["one_of"])
            else:
                flag, settings = row["flag"], {k: v for k, v in row.items() if k != "flag"}
                if "kind" in settings:
                    settings["type"] = partial(self.readers[settings.pop("kind")], flag)
                to.add_argument(flag, **settings)


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
            option, expected = option or str(self.metavar), self.metavar or "a name"
            raise refused("cli.empty", option=option, found=empty[0], expected=expected)
        setattr(namespace, self.dest, values)
