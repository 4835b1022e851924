"""The commands and their options; imports nothing heavy, so that `--help` answers at once."""

import argparse
from typing import TYPE_CHECKING

from generator.cli import (
    class_parser,
    commands,
    languages,
    preset_parser,
    serving,
    sheet_options,
    values,
)
from generator.cli import parser_parts as parts
from generator.cli.examples import (
    GALLERY,
    GENERATE,
    LANGUAGES,
    MAIN,
    MAKE,
    PAGE,
    SERVE,
    TRACE,
    WALK,
)
from generator.version import __version__

if TYPE_CHECKING:
    from generator.cli.parser_parts import Into


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
    class_parser.batch(into)
    class_parser.exam(into)
    class_parser.reissue(into)
    class_parser.grade(into)
    _walk(into)
    _trace(into)
    _generate(into)
    preset_parser.presets(into)
    _languages(into)
    _serve(into)
    _page(into)
    _gallery(into)
    _doctor(into)
    return top


def _make(into: "Into") -> None:
    one = parts.command(into, "make", "write the workbooks and the worksheets of a sentence", MAKE)
    parts.model(one)
    _learning(one, "tabs on which the workbooks go N steps downhill, 1 to 5: gradients, new "
              "weights, and the computation with these")  # fmt: skip
    files = one.add_argument_group("what to write")
    parts.only(files)
    parts.sentences(files)
    files.add_argument("--sheets", type=values.sheets, metavar="NAMES", help="such as 4a; several "
                       "with commas; all: those that the preset can fill (default); the workbooks "
                       "then have just their tabs")  # fmt: skip
    files.add_argument("--variant", help="blank, solution or both (default)")
    files.add_argument("--rounds", type=values.whole("--rounds", values.ROUNDS), metavar="N",
                       help="how often the workbooks choose a next token, each time on tabs of "
                       "their own (default: 1)")  # fmt: skip
    files.add_argument("--out", default="outputs", metavar="DIR", help="where the folder of the "
                       "results is made (default: outputs)")  # fmt: skip
    parts.jobs(files, "one a processor")
    sheet_options.add(one)
    one.set_defaults(run=commands.make_files)


def _walk(into: "Into") -> None:
    one = parts.command(into, "walk", "show every step of the computation in the terminal", WALK)
    parts.model(one)
    _learning(one)
    one.add_argument("--all", action="store_true", help="all steps at once, without keys")
    one.add_argument("--step", metavar="NAME", help="only steps of that name or pattern")
    one.set_defaults(run=commands.walk)


def _trace(into: "Into") -> None:
    one = parts.command(into, "trace", "print every number of the computation as data", TRACE)
    parts.model(one)
    _learning(one)
    one.add_argument("--format", default="json", help="json (default), csv, latex or text")
    one.add_argument("--step", metavar="NAME", action="append", default=[],
                     help="only steps of that name or pattern (repeatable)")  # fmt: skip
    one.add_argument("--weights", action="store_true", help="with the weights of a model that has "
                     "more than 10,000 of them, too")  # fmt: skip
    one.add_argument("--rounds", type=values.whole("--rounds", values.ROUNDS), default=1,
                     metavar="N", help="how often a next token is chosen and appended "
                     "(default: 1)")  # fmt: skip
    one.add_argument("--out", metavar="FILE", help="write to a file instead of printing")
    one.set_defaults(run=commands.trace)


def _learning(one: argparse.ArgumentParser, says: str = "") -> None:
    """The options of training; where tabs say what it does (`says`), gradients alone are none."""
    how = one.add_argument_group("learning, with --next-word or --targets all")
    what = how.add_mutually_exclusive_group()
    if not says:
        what.add_argument("--grad", action="store_true", help="add the gradients of the loss")
    says = says or "go N steps downhill: gradients, new weights, and the computation with these"
    what.add_argument("--train", type=values.whole("--train", values.STEPS), default=0,
                      metavar="N", help=says)  # fmt: skip
    how.add_argument("--rate", type=values.rate, metavar="R", help="learning rate (default: 0.1)")
    how.add_argument("--learn", type=values.named("--learn"), metavar="NAMES", help="which "
                     "weights, such as output.matrix (default: all)")  # fmt: skip
    how.add_argument("--targets", default="last", help="last (default): the word after the "
                     "sentence, or all: every word of it")  # fmt: skip


def _generate(into: "Into") -> None:
    one = parts.command(into, "generate", "append token after token to a sentence", GENERATE)
    model = parts.which_model(one)
    model.add_argument("--temperature", metavar="T", help="a number above 0 (default: the "
                       "preset's)")  # fmt: skip
    parts.choosing(model)
    run = one.add_argument_group("how much and how")
    run.add_argument("--tokens", default="8", metavar="N", help="how many to append (default: 8)")
    run.add_argument("--seed", metavar="N", help="decides the draws: the same seed, the same text "
                     "(default: the preset's)")  # fmt: skip
    run.add_argument("--no-cache", action="store_true", help="compute everything anew for each "
                     "token, keep no keys and values")  # fmt: skip
    run.add_argument("--format", default="text", help="text (default) or json")
    one.set_defaults(run=commands.generate)


def _languages(into: "Into") -> None:
    group = parts.command(
        into, "languages", "list, begin and check languages of the sheets", LANGUAGES
    )
    what = group.add_subparsers(metavar="COMMAND", required=True)
    one = parts.command(what, "list", "list the languages")
    one.set_defaults(run=languages.languages_list)
    one = parts.command(what, "new", "write a folder with all that is to be translated, in English")
    one.add_argument("folder", metavar="FOLDER", help="called by the language's code, such as fr")
    one.set_defaults(run=languages.languages_new)
    one = parts.command(what, "check", "list what a folder lacks, key by key")
    one.add_argument("folder", metavar="FOLDER")
    one.add_argument("--format", default="csv", help="csv (default) or json")
    one.set_defaults(run=languages.languages_check)


def _serve(into: "Into") -> None:
    one = parts.command(into, "serve", "open a page in the browser that asks what to make", SERVE)
    one.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="who may come: "
                     "127.0.0.1 this computer alone (default), 0.0.0.0 the network")  # fmt: skip
    one.add_argument("--port", type=values.whole("--port", values.PORTS), default=8000,
                     metavar="N", help="(default: 8000)")  # fmt: skip
    runs = one.add_argument_group("how it runs")
    parts.jobs(runs, "one for every two processors")
    runs.add_argument("--log", action="store_true", help="write one line per request: method, "
                      "page, status, milliseconds; no address, sentence or name")  # fmt: skip
    one.set_defaults(run=serving.serve)


def _page(into: "Into") -> None:
    one = parts.command(
        into, "page", "write that page as files; a browser computes, no server does", PAGE
    )
    one.add_argument("folder", metavar="DIR", help="a new folder, or one that this command wrote")
    one.add_argument("--pyodide", required=True, metavar="FOLDER", help="Pyodide's full "
                     "distribution, unpacked: Python and NumPy for browsers")  # fmt: skip
    one.set_defaults(run=serving.page)


def _gallery(into: "Into") -> None:
    one = parts.command(
        into, "gallery", "write a site with every preset's files, ready made", GALLERY
    )
    one.add_argument("folder", metavar="DIR", help="a new folder, or a gallery made before: only "
                     "what has changed is made again")  # fmt: skip
    what = one.add_argument_group("what to write")
    what.add_argument("--preset", type=values.named("--preset"), metavar="NAMES", help="such as "
                      "paris,katze or a file (default: all shipped ones)")  # fmt: skip
    what.add_argument("--language", type=values.named("--language"), metavar="CODES", help="such "
                      "as de,en (default: all)")  # fmt: skip
    what.add_argument("--level", type=values.named("--level"), metavar="N", help="such as 1,2 "
                      "(default: 1,2,3)")  # fmt: skip
    what.add_argument("--small", action="store_true", help="at most 25 MB: level 2, all sheets of "
                      "the first preset, the main one of the others")  # fmt: skip
    what.add_argument("--address", metavar="URL", help="where it will stand, for search engines")
    what.add_argument("--docs", action="store_true", help="the handbook, too (in a checkout)")
    parts.jobs(one.add_argument_group("how it runs"), "one a processor")
    one.set_defaults(run=serving.gallery)


def _doctor(into: "Into") -> None:
    one = parts.command(into, "doctor", "say what is installed and what is missing")
    one.add_argument("--fix", action="store_true", help="install what is missing, or say how")
    one.add_argument("--tests", action="store_true", help="also what the tests need")
    one.set_defaults(run=commands.doctor)
