"""The commands and their options; imports nothing heavy, so that `--help` answers at once."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from generator.cli import commands, languages, serving, sheet_options, values
from generator.cli.examples import (
    BATCH,
    EXAM,
    GALLERY,
    GENERATE,
    GRADE,
    IMPORT,
    LANGUAGES,
    MAIN,
    MAKE,
    PRESETS,
    REISSUE,
    SERVE,
    TRACE,
    TRAIN,
    WALK,
)
from generator.locales.folders import ENGLISH
from generator.presets.defaults import CLASS, EXPLAINED
from generator.version import __version__

if TYPE_CHECKING:
    Into = argparse._SubParsersAction[argparse.ArgumentParser]


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
    _batch(into)
    _exam(into)
    _reissue(into)
    _grade(into)
    _walk(into)
    _trace(into)
    _generate(into)
    _presets(into)
    _languages(into)
    _serve(into)
    _gallery(into)
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
    _learning(one, "tabs on which the workbooks go N steps downhill, 1 to 5: gradients, new "
              "weights, and the computation with these")  # fmt: skip
    files = one.add_argument_group("what to write")
    _only(files)
    _sentences(files)
    files.add_argument("--sheets", type=values.sheets, metavar="NAMES", help="such as 4a; several "
                       "with commas; all: those that the preset can fill (default); the workbooks "
                       "then have just their tabs")  # fmt: skip
    files.add_argument("--variant", help="blank, solution or both (default)")
    files.add_argument("--rounds", type=values.whole("--rounds", values.ROUNDS), metavar="N",
                       help="how often the workbooks choose a next token, each time on tabs of "
                       "their own (default: 1)")  # fmt: skip
    files.add_argument("--out", default="outputs", metavar="DIR", help="where the folder of the "
                       "results is made (default: outputs)")  # fmt: skip
    _jobs(files, "one a processor")
    sheet_options.add(one)
    one.set_defaults(run=commands.make_files)


def _batch(into: "Into") -> None:
    one = _command(into, "batch", "write everybody's own set for a class", BATCH)
    one.add_argument("pupils", metavar="CLASS|N", help="a class list, CSV or XLSX, or how many "
                     "pupils there are")  # fmt: skip
    _model(one, CLASS)
    who = one.add_argument_group("who gets what")
    who.add_argument("--vary", metavar="HOW", help="focus (default): other own "
                     "tokens, groups=2 to groups=6, numbers: everybody their own, or sentences: "
                     "on sheet 7d one for each group")  # fmt: skip
    who.add_argument("--versions", type=values.whole("--versions", values.VERSIONS), metavar="N",
                     help="make N versions; the last digits of an id say which one")  # fmt: skip
    who.add_argument("--seed", metavar="TEXT", help="decides all individual numbers (default: "
                     "drawn by the operating system, kept in teacher/manifest.json)")  # fmt: skip
    who.add_argument("--print-names", action="store_true", help="print the names of the list")
    files = one.add_argument_group("what to write")
    _only(files)
    files.add_argument("--sheets", type=values.named("--sheets"), metavar="NAMES",
                       help="such as 4a,6 (default: 4a)")  # fmt: skip
    _sentences(files)
    files.add_argument("--info", metavar="HOW", help="info pages in class-blank.pdf: once "
                       "(default), each (with each pupil's set) or none")  # fmt: skip
    files.add_argument("--out", metavar="DIR|URL", help="where the batch goes (default: "
                       "outputs/<list>)")  # fmt: skip
    _running(one)
    sheet_options.add(one, alone=False)
    one.set_defaults(run=commands.batch)


def _exam(into: "Into") -> None:
    one = _command(into, "exam", "write an exam: papers, marking scheme, grades, seating", EXAM)
    one.add_argument("pupils", metavar="CLASS|N", help="a class list, CSV or XLSX, or how many "
                     "pupils there are")  # fmt: skip
    _model(one, CLASS)
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
    who.add_argument("--seed", metavar="TEXT", help="decides all individual numbers (default: "
                     "drawn by the operating system, kept in teacher/manifest.json)")  # fmt: skip
    who.add_argument("--print-names", action="store_true", help="print the names of the list")
    files = one.add_argument_group("what to write")
    files.add_argument("--only", type=values.named("--only"), metavar="OUTPUT", help="pdf "
                       "(default), xlsx or both with a comma: exercise workbooks")  # fmt: skip
    files.add_argument("--sheets", type=values.named("--sheets"), metavar="NAMES",
                       help="such as 4a,6 (default: 4a)")  # fmt: skip
    files.add_argument("--out", metavar="DIR", help="where the exam goes (default: "
                       "outputs/exam-<list>)")  # fmt: skip
    run = one.add_argument_group("how it runs")
    _jobs(run, "by size")
    run.add_argument("--resume", action="store_true", help="go on with a stopped exam, or add "
                     "late joiners")  # fmt: skip
    sheet_options.add_for_exam(one)
    one.set_defaults(run=commands.exam)


def _sentences(files: argparse._ArgumentGroup) -> None:
    files.add_argument("--sentences", type=values.sentences, default=(), metavar="FILE",
                       help="what the groups of sheet 7d learn: 2 to 4 sentences, one a line, each "
                       "with its last word (default: beginnings of the sentence)")  # fmt: skip


def _only(files: argparse._ArgumentGroup) -> None:
    files.add_argument("--only", type=values.named("--only"), metavar="OUTPUT", help="xlsx, pdf, "
                       "html, or several with commas (default: xlsx,pdf)")  # fmt: skip


def _jobs(run: argparse._ArgumentGroup, usual: str) -> None:
    run.add_argument("--jobs", type=values.whole("--jobs", values.JOBS), metavar="N",
                     help=f"processes (default: {usual})")  # fmt: skip


def _running(one: argparse.ArgumentParser) -> None:
    run = one.add_argument_group("how it runs")
    _jobs(run, "by the size of the class")
    run.add_argument("--cluster", metavar="URL", help="compute on a Dask cluster, such as "
                     "tcp://scheduler:8786")  # fmt: skip
    run.add_argument("--resume", action="store_true", help="go on with a stopped batch, or add "
                     "pupils to a finished one")  # fmt: skip


def _reissue(into: "Into") -> None:
    one = _command(into, "reissue", "write one pupil's files of a batch again", REISSUE)
    one.add_argument("manifest", metavar="MANIFEST", help="teacher/manifest.json of the batch")
    one.add_argument("pupil", metavar="CODE", help="as it stands on each page, in capitals or "
                     "not; or the id, or the number beside the name line")  # fmt: skip
    one.add_argument("--out", metavar="DIR", help="another folder than the batch's")
    one.set_defaults(run=commands.reissue)


def _grade(into: "Into") -> None:
    one = _command(into, "grade", "mark what a class handed in: points, causes, feedback", GRADE)
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
                     "paper instead, a row a pupil")  # fmt: skip
    _jobs(one.add_argument_group("how it runs"), "one a processor")
    one.set_defaults(run=commands.grade)


def _walk(into: "Into") -> None:
    one = _command(into, "walk", "show every step of the computation in the terminal", WALK)
    _model(one)
    _learning(one)
    one.add_argument("--all", action="store_true", help="all steps at once, without keys")
    one.add_argument("--step", metavar="NAME", help="only steps of that name or pattern")
    one.set_defaults(run=commands.walk)


def _trace(into: "Into") -> None:
    one = _command(into, "trace", "print every number of the computation as data", TRACE)
    _model(one)
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
    one = _command(into, "generate", "append token after token to a sentence", GENERATE)
    model = _which(one)
    model.add_argument("--temperature", metavar="T", help="a number above 0 (default: the "
                       "preset's)")  # fmt: skip
    _choosing(model)
    run = one.add_argument_group("how much and how")
    run.add_argument("--tokens", default="8", metavar="N", help="how many to append (default: 8)")
    run.add_argument("--seed", metavar="N", help="decides the draws: the same seed, the same text "
                     "(default: the preset's)")  # fmt: skip
    run.add_argument("--no-cache", action="store_true", help="compute everything anew for each "
                     "token, keep no keys and values")  # fmt: skip
    run.add_argument("--format", default="text", help="text (default) or json")
    one.set_defaults(run=commands.generate)


def _model(one: argparse.ArgumentParser, preset: str = EXPLAINED) -> None:
    model = _which(one, preset)
    model.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a "
                       "given number or token; may be repeated")  # fmt: skip
    model.add_argument("--next-word", metavar="WORD", help="the word that really comes next: adds "
                       "its cross-entropy and perplexity")  # fmt: skip
    model.add_argument("--temperature", metavar="T", help="a number, or several with commas")
    _choosing(model)
    model.add_argument("--random", metavar="R", help="the random number, from 0 to below 1")


def _which(one: argparse.ArgumentParser, preset: str = EXPLAINED) -> argparse._ArgumentGroup:
    one.add_argument("sentence", nargs="?", metavar="SENTENCE", help="by default the preset's own")
    model = one.add_argument_group("the model")
    model.add_argument("--preset", metavar="NAME|FILE", help="see `paperformer presets list` "
                       f"(default: {preset})")  # fmt: skip
    model.add_argument("--language", metavar="CODE|FOLDER", help="of `paperformer languages list`, "
                       "or a folder of your own (default: the preset's)")  # fmt: skip
    model.add_argument("--rounding", help="paper or exact (default: the preset's)")
    return model


def _choosing(model: argparse._ArgumentGroup) -> None:
    model.add_argument("--strategy", help="greedy, sample, top-k or top-p")
    model.add_argument("--k", help="words kept by top-k")
    model.add_argument("--p", help="probability kept by top-p")


def _presets(into: "Into") -> None:
    group = _command(into, "presets", "list, show, check, begin, train and import presets", PRESETS)
    what = group.add_subparsers(metavar="COMMAND", required=True)
    one = _command(what, "list", "list the shipped presets")
    one.set_defaults(run=commands.presets_list)
    one = _command(what, "show", "print a preset's file, for reading or as a start of your own")
    one.add_argument("preset", metavar="NAME|FILE")
    one.set_defaults(run=commands.presets_show)
    one = _command(what, "check", "check presets and report all problems of each")
    one.add_argument("preset", metavar="NAME|FILE", nargs="+")
    one.set_defaults(run=commands.presets_check)
    one = _command(what, "what-if", "change one thing: a question and the computed answer")
    one.add_argument("preset", metavar="NAME|FILE")
    one.add_argument("--language", metavar="CODE|FOLDER", help="(default: the preset's)")
    one.set_defaults(run=commands.presets_what_if)
    one = _command(what, "new", "write a commented preset file to start from")
    one.add_argument("file", metavar="FILE", help="such as mine.toml")
    one.set_defaults(run=commands.presets_new)
    _training(what)
    _foreign(what)


def _training(what: "Into") -> None:
    one = _command(what, "train", "train a preset's numbers from a spec", TRAIN)
    one.add_argument("spec", metavar="SPEC.toml", nargs="?", help="texts, architecture, seed, "
                     "steps (with --from a shipped preset: its own)")  # fmt: skip
    one.add_argument("--out", metavar="FILE", help="the new preset (default: NAME.toml here)")
    one.add_argument("--from", dest="start", metavar="NAME|FILE", help="go on from the numbers of "
                     "this preset")  # fmt: skip
    one.add_argument("--steps", type=values.whole("--steps", values.TRAINED), metavar="N",
                     help="so many steps in all (default: the spec's)")  # fmt: skip
    one.add_argument("--gradients", default="own", metavar="KIND", help="own (default), or pytorch,"
                     " which is faster for large models and has to be installed")  # fmt: skip
    one.add_argument("--curve", action="append", default=[], metavar="FILE", help="write the loss "
                     "of every step, too: .csv a table, .svg a picture; repeatable")  # fmt: skip
    one.set_defaults(run=commands.presets_train)


def _foreign(what: "Into") -> None:
    one = _command(what, "import", "make a preset of a model's weights (safetensors)", IMPORT)
    one.add_argument("weights", metavar="FILE.safetensors")
    kind = one.add_mutually_exclusive_group(required=True)
    kind.add_argument("--config", metavar="config.json", help="of a GPT-2")
    kind.add_argument("--mapping", metavar="FILE.toml", help="of any other program: which tensor "
                      "is which weight")  # fmt: skip
    one.add_argument("--tokens", metavar="FILE", help="tokenizer.json, or vocab.json with its "
                     "merges.txt (default: those beside the weights, if any)")  # fmt: skip
    one.add_argument("--sentence", metavar="TEXT", help="the preset's own sentence")
    one.add_argument("--language", default=ENGLISH, metavar="CODE|FOLDER", help="of that sentence "
                     f"(default: {ENGLISH})")  # fmt: skip
    one.add_argument("--out", metavar="FILE", help="the new preset (default: named after the "
                     "weights, here)")  # fmt: skip
    one.set_defaults(run=commands.presets_import)
    one = _command(what, "cut", "make a small preset of one head and the first tokens", IMPORT)
    one.add_argument("sentence", nargs="?", metavar="SENTENCE", help="by default the preset's own")
    one.add_argument("--preset", required=True, metavar="NAME|FILE")
    one.add_argument("--head", default="block1.head1", help="such as block5.head3 (default: "
                     "block1.head1)")  # fmt: skip
    one.add_argument("--tokens", default="4", metavar="N", help="how many first tokens, 2 to 6 "
                     "(default: 4)")  # fmt: skip
    one.add_argument("--out", required=True, metavar="FILE", help="the new preset")
    one.set_defaults(run=commands.presets_cut)


def _languages(into: "Into") -> None:
    group = _command(into, "languages", "list, begin and check languages of the sheets", LANGUAGES)
    what = group.add_subparsers(metavar="COMMAND", required=True)
    one = _command(what, "list", "list the languages")
    one.set_defaults(run=languages.languages_list)
    one = _command(what, "new", "write a folder with all that is to be translated, in English")
    one.add_argument("folder", metavar="FOLDER", help="called by the language's code, such as fr")
    one.set_defaults(run=languages.languages_new)
    one = _command(what, "check", "list what a folder lacks, key by key")
    one.add_argument("folder", metavar="FOLDER")
    one.add_argument("--format", default="csv", help="csv (default) or json")
    one.set_defaults(run=languages.languages_check)


def _serve(into: "Into") -> None:
    one = _command(into, "serve", "open a page in the browser that asks what to make", SERVE)
    one.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="who may come: "
                     "127.0.0.1 this computer alone (default), 0.0.0.0 the network")  # fmt: skip
    one.add_argument("--port", type=values.whole("--port", values.PORTS), default=8000,
                     metavar="N", help="(default: 8000)")  # fmt: skip
    _jobs(one.add_argument_group("how it runs"), "one for every two processors")
    one.set_defaults(run=serving.serve)


def _gallery(into: "Into") -> None:
    one = _command(into, "gallery", "write a site with every preset's files, ready made", GALLERY)
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
    _jobs(one.add_argument_group("how it runs"), "one a processor")
    one.set_defaults(run=serving.gallery)


def _doctor(into: "Into") -> None:
    one = _command(into, "doctor", "say what is installed and what is missing")
    one.add_argument("--fix", action="store_true", help="install what is missing, or say how")
    one.add_argument("--tests", action="store_true", help="also what the tests need")
    one.set_defaults(run=commands.doctor)
