"""The commands and their options; imports nothing heavy, so that `--help` answers at once.

Also here:

* The commands for a class and their options: batch, exam, reissue, grade.
* Options of worksheets and of the exercise workbook, of `make` and of `batch`.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from generator.cli import commands, languages, preset_commands, serving, values
from generator.cli import parser_parts as parts
from generator.cli.examples import (
    BATCH,
    EXAM,
    GALLERY,
    GENERATE,
    GRADE,
    LANGUAGES,
    MAIN,
    MAKE,
    PAGE,
    REISSUE,
    SERVE,
    SHEETS,
    TRACE,
    WALK,
)
from generator.presets.defaults import CLASS
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
    batch(into)
    exam(into)
    reissue(into)
    grade(into)
    _walk(into)
    _trace(into)
    _generate(into)
    preset_commands.presets(into)
    _languages(into)
    _sheets(into)
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
    add(one)
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


def _sheets(into: "Into") -> None:
    group = parts.command(into, "sheets", "list the sheets, check one of your own", SHEETS)
    what = group.add_subparsers(metavar="COMMAND", required=True)
    one = parts.command(what, "list", "list the shipped sheets")
    one.set_defaults(run=commands.sheets_list)
    one = parts.command(what, "check", "try a sheet of your own on every shipped preset")
    one.add_argument("folder", metavar="FOLDER", help="such as ./sheet7")
    one.set_defaults(run=commands.sheets_check)


def _serve(into: "Into") -> None:
    one = parts.command(into, "serve", "open a page in the browser that asks what to make", SERVE)
    one.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="who may come: "
                     "127.0.0.1 this computer alone (default), 0.0.0.0 the network")  # fmt: skip
    one.add_argument("--port", type=values.whole("--port", values.PORTS), default=8000,
                     metavar="N", help="(default: 8000)")  # fmt: skip
    net = one.add_argument_group("in a network")
    net.add_argument("--public-name", type=values.named("--public-name"), default=(),
                     metavar="NAMES", help="names in the page's address, such as "
                     "paperformer.school.example; others but localhost are refused")  # fmt: skip
    net.add_argument("--trusted-proxy", type=values.named("--trusted-proxy"), default=(),
                     metavar="ADDRESSES", help="of the web server before it, such as 127.0.0.1 or "
                     "172.30.0.0/24, whose word on who asks is taken")  # fmt: skip
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


def batch(into: "Into") -> None:
    """`batch`, everybody's own set for a class."""
    one = parts.command(into, "batch", "write everybody's own set for a class", BATCH)
    _pupils(one)
    who = one.add_argument_group("who gets what")
    who.add_argument("--vary", metavar="HOW", help="focus (default): other own "
                     "tokens, groups=2 to groups=6, numbers: everybody their own, or sentences: "
                     "on sheet 7d one for each group")  # fmt: skip
    who.add_argument("--versions", type=values.whole("--versions", values.VERSIONS), metavar="N",
                     help="make N versions; the last digits of an id say which one")  # fmt: skip
    _drawn(who)
    files = one.add_argument_group("what to write")
    parts.only(files)
    files.add_argument("--sheets", type=values.named("--sheets"), metavar="NAMES",
                       help="such as 4a,6 (default: 4a)")  # fmt: skip
    parts.sentences(files)
    files.add_argument("--info", metavar="HOW", help="info pages in class-blank.pdf: once "
                       "(default), each (with each pupil's set) or none")  # fmt: skip
    files.add_argument("--out", metavar="DIR|URL", help="where the batch goes (default: "
                       "outputs/<list>)")  # fmt: skip
    _running(one)
    add(one, alone=False)
    one.set_defaults(run=commands.batch)


def exam(into: "Into") -> None:
    """`exam`, papers with points."""
    one = parts.command(
        into, "exam", "write an exam: papers, marking scheme, grades, seating", EXAM
    )
    _pupils(one)
    who = one.add_argument_group("the exam")
    who.add_argument("--versions", type=values.named("--versions"), metavar="A,B", help="two to "
                     "six, by their letters (default: A,B)")  # fmt: skip
    who.add_argument("--vary", metavar="HOW", help="numbers: everybody their own, in place of "
                     "versions")  # fmt: skip
    who.add_argument("--minutes", type=values.whole("--minutes", values.EXAM), metavar="MIN",
                     help="working time (default: 45)")  # fmt: skip
    who.add_argument("--row", type=values.whole("--row", values.SEATS), metavar="N",
                     help="seats side by side in the room (default: 6)")  # fmt: skip
    who.add_argument("--aids", metavar="TEXT", help="what is allowed (default: a calculator)")
    who.add_argument("--grades", metavar="TABLE", help="15, 1-6, percent or none (default: 15 on "
                     "German papers, else percent)")  # fmt: skip
    who.add_argument("--scheme", type=Path, metavar="FILE", help="TOML file with own grades and "
                     "shares of credit, in place of --grades")  # fmt: skip
    _drawn(who)
    files = one.add_argument_group("what to write")
    files.add_argument("--only", type=values.named("--only"), metavar="OUTPUT", help="pdf "
                       "(default), xlsx or both with a comma: exercise workbooks")  # fmt: skip
    files.add_argument("--sheets", type=values.named("--sheets"), metavar="NAMES",
                       help="such as 4a,6 (default: 4a)")  # fmt: skip
    files.add_argument("--out", metavar="DIR", help="where the exam goes (default: "
                       "outputs/exam-<list>)")  # fmt: skip
    run = one.add_argument_group("how it runs")
    parts.jobs(run, "by size")
    run.add_argument("--resume", action="store_true", help="go on with a stopped exam, or add "
                     "late joiners")  # fmt: skip
    add_for_exam(one)
    one.set_defaults(run=commands.exam)


def reissue(into: "Into") -> None:
    """`reissue`, one pupil's files again."""
    one = parts.command(into, "reissue", "write one pupil's files of a batch again", REISSUE)
    one.add_argument("manifest", metavar="MANIFEST", help="teacher/manifest.json of the batch")
    one.add_argument("pupil", metavar="CODE", help="as it stands on each page, in capitals or "
                     "not; or the id, or the number beside the name line")  # fmt: skip
    one.add_argument("--out", metavar="DIR", help="another folder than the batch's")
    one.set_defaults(run=commands.reissue)


def grade(into: "Into") -> None:
    """`grade`, what a class handed in."""
    one = parts.command(
        into, "grade", "mark what a class handed in: points, causes, feedback", GRADE
    )
    one.add_argument("folder", metavar="FOLDER", help="with everything that was handed in")
    one.add_argument("--batch", metavar="DIR", help="the folder that the batch made (default: "
                     "FOLDER, or the folder that it is in)")  # fmt: skip
    one.add_argument("--scheme", metavar="FILE.toml", help="points, shares of credit, grades")
    one.add_argument("--prefer", default="latest", metavar="WHICH", help="of several files of a "
                     "pupil for one sheet: latest, the one saved last (default), or best, the one "
                     "that earns most")  # fmt: skip
    one.add_argument("--names", action="store_true", help="names beside the codes in the results")
    one.add_argument("--show-answers", action="store_true", help="right numbers on the feedback")
    one.add_argument("--language", metavar="CODE|FOLDER", help="of the results (default: the "
                     "teacher's papers')")  # fmt: skip
    one.add_argument("--template", action="store_true", help="write the empty list for answers on "
                     "paper instead, one row per pupil")  # fmt: skip
    parts.jobs(one.add_argument_group("how it runs"), "one a processor")
    one.set_defaults(run=commands.grade)


def _pupils(one: argparse.ArgumentParser) -> None:
    """Who gets something, and the model and sentence that a class has."""
    one.add_argument("pupils", metavar="CLASS|N", help="a class list, CSV or XLSX, or how many "
                     "pupils there are")  # fmt: skip
    parts.model(one, CLASS)


def _drawn(who: argparse._ArgumentGroup) -> None:
    """What individual numbers come from, and whether names are printed."""
    who.add_argument("--seed", metavar="TEXT", help="decides all individual numbers (default: "
                     "drawn by the operating system, kept in teacher/manifest.json)")  # fmt: skip
    who.add_argument("--print-names", action="store_true", help="print the names of the list")


def _running(one: argparse.ArgumentParser) -> None:
    run = one.add_argument_group("how it runs")
    parts.jobs(run, "by the size of the class")
    run.add_argument("--cluster", metavar="URL", help="compute on a Dask cluster, such as "
                     "tcp://scheduler:8786")  # fmt: skip
    run.add_argument("--resume", action="store_true", help="go on with a stopped batch, or add "
                     "pupils to a finished one")  # fmt: skip


def add(one: argparse.ArgumentParser, *, alone: bool = True) -> None:
    """Options by their name in `SheetOptions`, which has their defaults and checks them.

    What is `alone`, for no class, has both leaves in a file and is printed on one side.
    """
    sheet = one.add_argument_group("worksheets and exercise workbook")
    sheet.add_argument("--level", type=values.level, help="1, 2 (default) or 3: how much is asked")
    sheet.add_argument("--budget", type=values.whole("--budget", values.BUDGET), metavar="MIN",
                       help="take the largest level within so many minutes")  # fmt: skip
    if alone:
        sheet.add_argument("--part", help="info, work or both (default)")
    sheet.add_argument("--no-story", dest="story", action="store_false",
                       help="leave the story out")  # fmt: skip
    sheet.add_argument("--texts", type=values.texts, metavar="FILE", help="own story and tasks "
                       "(.toml or .txt) in place of the sheets' own")  # fmt: skip
    sheet.add_argument("--carry", help="given (default): start values from "
                       "earlier sheets are printed; own: pupils bring theirs")  # fmt: skip
    _print(sheet)
    _sides(sheet, alone)
    _judging(one)


def add_for_exam(one: argparse.ArgumentParser) -> None:
    """Those of an exam: no story, no help, no checks, no start values to bring."""
    sheet = one.add_argument_group("pages")
    sheet.add_argument("--level", type=values.level, help="1, 2 (default) or 3: how much is asked")
    sheet.add_argument("--texts", type=values.texts, metavar="FILE", help="own tasks "
                       "(.toml or .txt) in place of the sheets' own")  # fmt: skip
    _print(sheet, points=False)
    _sides(sheet, alone=False)


def _sides(sheet: argparse._ArgumentGroup, alone: bool) -> None:
    usual = "" if alone else " (default)"
    sheet.add_argument("--duplex", action="store_true", default=None, help="margins for printing "
                       f"on both sides{usual}")  # fmt: skip
    if not alone:
        sheet.add_argument("--single-sided", dest="duplex", action="store_false", default=None,
                           help="the wide margin on the left of every page")  # fmt: skip


def _judging(one: argparse.ArgumentParser) -> None:
    """What a pupil's workbook says of entries; in the file these settings are locked."""
    asked = one.add_argument_group("exercise workbook", "decided here, locked in the file")
    asked.add_argument("--check", metavar="WHEN", help="off: entries are never judged, as in a "
                       "test; block (default): when all cells of a block are filled; once: each as "
                       "soon as it is typed")  # fmt: skip
    asked.add_argument("--no-interim", dest="interim", action="store_false",
                       help="help 4, which inserts interim results, says nothing")  # fmt: skip
    asked.add_argument("--tolerance", type=values.whole("--tolerance", values.TOLERANCE),
                       metavar="N", help="count an answer as right that differs by N units of the "
                       "last decimal, 0 to 5 (default: 1)")  # fmt: skip


def _print(sheet: argparse._ArgumentGroup, *, points: bool = True) -> None:
    sheet.add_argument("--large-print", action="store_true", help="nothing below 18 pt, on A4 "
                       "across")  # fmt: skip
    sheet.add_argument("--qr", action="store_true", help="the code of each page as a QR code too")
    sheet.add_argument("--fillable", action="store_true", help="beside each blank PDF another one "
                       "whose boxes can be filled on a screen")  # fmt: skip
    if points:
        sheet.add_argument("--pdf-by", metavar="PROGRAM", help="weasyprint, which needs Pango; "
                       "chromium: Chrome, Edge or Chromium; auto (default): whichever is "
                       "there, WeasyPrint first")  # fmt: skip
    sheet.add_argument("--points", action="store_true", help="boxes for the marks of a test")
    sheet.add_argument("--header", metavar="TEXT", help="in the page header, such as "
                       "the class")  # fmt: skip
    sheet.add_argument("--author", metavar="NAME", help="in the page footer")
    sheet.add_argument("--licence", metavar="NAME", help="in the page footer (default: CC BY 4.0)")
