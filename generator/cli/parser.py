"""The commands and their options; imports nothing heavy, so that `--help` answers at once."""

import argparse
from typing import TYPE_CHECKING

from generator.cli import commands
from generator.version import __version__

if TYPE_CHECKING:
    Into = argparse._SubParsersAction[argparse.ArgumentParser]

MAIN = """\
examples:
  paperformer make                                  the preset's own sentence
  paperformer make "Die Katze sitzt auf der Matte" --preset brille
  paperformer walk "The cat sits" --language en     step by step in the terminal
  paperformer doctor                                what is installed, what is missing
"""
MAKE = """\
examples:
  paperformer make "Die Katze sitzt auf der Matte"
  paperformer make --only xlsx --rounding exact
  paperformer make --sheets 4a --preset brille --level 1 --variant blank --only pdf
  paperformer make --set "block1.head1.weight.query[2,1]=0.3" --temperature 0.5,1

files go to OUT/<preset>-<words>-<language>/: hand-out (blank, exercise), teacher (solution)
"""
WALK = """\
examples:
  paperformer walk --preset paris
  paperformer walk "Die Katze sitzt" --all | less -R
  paperformer walk --step "block1.head1.*"

keys: space or Enter goes on, b back, q ends
"""
TRACE = """\
examples:
  paperformer trace "Die Katze sitzt" --format csv --out trace.csv
  paperformer trace --preset paris --format text
"""
PRESETS = """\
examples:
  paperformer presets list
  paperformer presets new mine.toml
  paperformer presets check mine.toml
  paperformer make --preset mine.toml
"""


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command; the parsed `run` is the function to call."""
    top = argparse.ArgumentParser(
        prog="paperformer",
        description="Worksheets and live-formula workbooks that compute a Transformer by hand, "
        "for a sentence of your choice.",
        epilog=MAIN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"paperformer {__version__}")
    into = top.add_subparsers(metavar="COMMAND", required=True)
    _make(into)
    _walk(into)
    _trace(into)
    _presets(into)
    _doctor(into)
    return top


def _command(into: "Into", name: str, says: str, epilog: str = "") -> argparse.ArgumentParser:
    return into.add_parser(
        name,
        help=says,
        description=f"{says[0].upper()}{says[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _make(into: "Into") -> None:
    one = _command(into, "make", "write the workbooks and the worksheets of a sentence", MAKE)
    _model(one)
    files = one.add_argument_group("what to write")
    files.add_argument("--only", metavar="OUTPUT", help="xlsx, pdf, html, or several with commas "
                       "(default: xlsx,pdf)")  # fmt: skip
    files.add_argument("--sheets", default="all", metavar="NAMES", help="such as 4a; several with "
                       "commas; all: those that the preset can fill (default); the workbooks then "
                       "have just their tabs")  # fmt: skip
    files.add_argument("--variant", default="both", help="blank, solution or both (default)")
    files.add_argument("--rounds", default="1", metavar="N", help="how often the workbooks choose "
                       "a next token, each time on tabs of their own (default: 1)")  # fmt: skip
    files.add_argument("--out", default="outputs", metavar="DIR", help="where the folder of the "
                       "results is made (default: outputs)")  # fmt: skip
    _sheet(one)
    one.set_defaults(run=commands.make_files)


def _sheet(one: argparse.ArgumentParser) -> None:
    sheet = one.add_argument_group("worksheets and exercise workbook")
    sheet.add_argument("--level", default="2", help="1, 2 (default) or 3: how much is asked")
    sheet.add_argument("--budget", metavar="MIN", help="take the largest level within so many "
                       "minutes")  # fmt: skip
    sheet.add_argument("--part", default="both", help="info, work or both (default)")
    sheet.add_argument("--no-story", action="store_true", help="leave the story out")
    sheet.add_argument("--texts", metavar="FILE", help="own story and tasks (.toml or .txt) in "
                       "place of the sheets' own")  # fmt: skip
    sheet.add_argument("--carry", default="given", help="given (default): start values from "
                       "earlier sheets are printed; own: pupils bring theirs")  # fmt: skip
    _print(sheet)


def _print(sheet: argparse._ArgumentGroup) -> None:
    sheet.add_argument("--large-print", action="store_true", help="nothing below 18 pt, on A4 "
                       "across")  # fmt: skip
    sheet.add_argument("--duplex", action="store_true", help="margins for printing on both sides")
    sheet.add_argument("--points", action="store_true", help="boxes for the marks of a test")
    sheet.add_argument("--header", default="", metavar="TEXT", help="in the page header, such as "
                       "the class")  # fmt: skip
    sheet.add_argument("--author", default="", metavar="NAME", help="in the page footer")
    sheet.add_argument("--licence", metavar="NAME", help="in the page footer (default: CC BY 4.0)")


def _walk(into: "Into") -> None:
    one = _command(into, "walk", "show every step of the computation in the terminal", WALK)
    _model(one)
    one.add_argument("--all", action="store_true", help="all steps at once, without keys")
    one.add_argument("--step", metavar="NAME", help="only steps of that name or pattern")
    one.set_defaults(run=commands.walk)


def _trace(into: "Into") -> None:
    one = _command(into, "trace", "print every number of the computation as data", TRACE)
    _model(one)
    one.add_argument("--format", default="json", help="json (default), csv, latex or text")
    one.add_argument("--rounds", default="1", metavar="N", help="how often a next token is chosen "
                     "and appended (default: 1)")  # fmt: skip
    one.add_argument("--out", metavar="FILE", help="write to a file instead of printing")
    one.set_defaults(run=commands.trace)


def _model(one: argparse.ArgumentParser) -> None:
    one.add_argument("sentence", nargs="?", metavar="SENTENCE", help="by default the preset's own")
    model = one.add_argument_group("the model")
    model.add_argument("--preset", default="katze", metavar="NAME|FILE", help="see `paperformer "
                       "presets list` (default: katze)")  # fmt: skip
    model.add_argument("--language", help="de or en (default: the preset's)")
    model.add_argument("--rounding", help="paper or exact (default: the preset's)")
    model.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a "
                       "given number or token; may be repeated")  # fmt: skip
    model.add_argument("--temperature", metavar="T", help="a number, or several with commas")
    model.add_argument("--strategy", help="greedy, sample, top-k or top-p")
    model.add_argument("--k", help="words kept by top-k")
    model.add_argument("--p", help="probability kept by top-p")
    model.add_argument("--random", metavar="R", help="the random number, from 0 to below 1")


def _presets(into: "Into") -> None:
    group = _command(into, "presets", "list, show, check and begin presets", PRESETS)
    what = group.add_subparsers(metavar="COMMAND", required=True)
    one = _command(what, "list", "list the shipped presets")
    one.set_defaults(run=commands.presets_list)
    one = _command(what, "show", "print a preset's file, for reading or as a start of your own")
    one.add_argument("preset", metavar="NAME|FILE")
    one.set_defaults(run=commands.presets_show)
    one = _command(what, "check", "check presets and report all problems of each")
    one.add_argument("preset", metavar="NAME|FILE", nargs="+")
    one.set_defaults(run=commands.presets_check)
    one = _command(what, "new", "write a commented preset file to start from")
    one.add_argument("file", metavar="FILE", help="such as mine.toml")
    one.set_defaults(run=commands.presets_new)


def _doctor(into: "Into") -> None:
    one = _command(into, "doctor", "say what is installed and what is missing")
    one.add_argument("--fix", action="store_true", help="install what is missing, or say how")
    one.add_argument("--tests", action="store_true", help="also what the tests need")
    one.set_defaults(run=commands.doctor)
