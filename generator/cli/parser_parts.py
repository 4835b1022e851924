"""Options that several commands have."""

import argparse
from typing import TYPE_CHECKING

from generator.cli import values
from generator.errors import UserError
from generator.presets.defaults import EXPLAINED

if TYPE_CHECKING:
    Into = argparse._SubParsersAction[argparse.ArgumentParser]

# An empty header is none; a sentence and a language have messages of their own.
MAY_BE_EMPTY = {"sentence", "language", "header", "author", "licence", "aids"}


def command(into: "Into", name: str, says: str, epilog: str = "") -> argparse.ArgumentParser:
    """A command with its help text; `epilog` are its examples."""
    one = into.add_parser(
        name,
        help=says,
        description=f"{says[0].upper()}{says[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    one.register("action", None, _Said)
    return one


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


def model(one: argparse.ArgumentParser, preset: str = EXPLAINED) -> None:
    """The model and all that can be set of it."""
    model = which_model(one, preset)
    model.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a "
                       "given number or token; may be repeated")  # fmt: skip
    model.add_argument("--next-word", metavar="WORD", help="the word that really comes next: adds "
                       "its cross-entropy and perplexity")  # fmt: skip
    model.add_argument("--temperature", metavar="T", help="a number, or several with commas")
    choosing(model)
    model.add_argument("--random", metavar="R", help="the random number, from 0 to below 1")


def which_model(one: argparse.ArgumentParser, preset: str = EXPLAINED) -> argparse._ArgumentGroup:
    """The sentence and the model; gives the group, for more options of the model."""
    one.add_argument("sentence", nargs="?", metavar="SENTENCE", help="by default the preset's own")
    model = one.add_argument_group("the model")
    model.add_argument("--preset", metavar="NAME|FILE", help="see `paperformer presets list` "
                       f"(default: {preset})")  # fmt: skip
    model.add_argument("--language", metavar="CODE|FOLDER", help="of `paperformer languages list`, "
                       "or a folder of your own (default: the preset's)")  # fmt: skip
    model.add_argument("--rounding", help="paper or exact (default: the preset's)")
    return model


def choosing(model: argparse._ArgumentGroup) -> None:
    """How the next token is chosen."""
    model.add_argument("--strategy", help="greedy, sample, top-k or top-p")
    model.add_argument("--k", help="words kept by top-k")
    model.add_argument("--p", help="probability kept by top-p")


def only(files: argparse._ArgumentGroup) -> None:
    """Which kinds of files are made."""
    files.add_argument("--only", type=values.named("--only"), metavar="OUTPUT", help="xlsx, pdf, "
                       "html, or several with commas (default: xlsx,pdf)")  # fmt: skip


def jobs(run: argparse._ArgumentGroup, usual: str) -> None:
    """How many processes; `usual` says how many there are by default."""
    run.add_argument("--jobs", type=values.whole("--jobs", values.JOBS), metavar="N",
                     help=f"processes (default: {usual})")  # fmt: skip


def sentences(files: argparse._ArgumentGroup) -> None:
    """The sentences that the groups of sheet 7d learn."""
    files.add_argument("--sentences", type=values.sentences, default=(), metavar="FILE",
                       help="what the groups of sheet 7d learn: 2 to 4 sentences, one a line, each "
                       "with its last word (default: beginnings of the sentence)")  # fmt: skip
