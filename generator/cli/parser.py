"""The commands and their options; imports nothing heavy, so that `--help` answers at once.

An option that several commands have stands here once, as a row or a table of rows; options of
worksheets are called as in `SheetOptions`, which has their defaults and checks them.
"""

import argparse
import tomllib
from pathlib import Path

from generator.cli import commands, languages, preset_commands, serving
from generator.cli import values as v
from generator.cli.parser_parts import (
    EXAMPLES,
    LOOK,
    CommandForm,
    OneOf,
    Option,
    OptionGroup,
    Rows,
    add_commands,
    option,
    switch,
)
from generator.locales.folders import ENGLISH
from generator.presets.defaults import CLASS, EXPLAINED
from generator.version import __version__


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command; the parsed `run` is the function to call."""
    top = argparse.ArgumentParser(
        prog="paperformer",
        description="Worksheets and live-formula workbooks that compute a Transformer by hand, "
        "for a sentence of your choice.",
        epilog=tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))["main"],
        **LOOK,
    )
    top.add_argument("--version", action="version", version=f"paperformer {__version__}")
    add_commands(top, COMMANDS)
    return top


# The model, and all that can be set of it.
SENTENCE = option("sentence", "SENTENCE", "by default the preset's own", nargs="?")
LANGUAGE = option("--language", "CODE|FOLDER", "of `paperformer languages list`, or a folder of "
    "your own (default: the preset's)")  # fmt: skip
ROUNDING = option("--rounding", None, "paper or exact (default: the preset's)")
CHOOSING = (
    option("--strategy", None, "greedy, sample, top-k or top-p"),
    option("--k", None, "words kept by top-k"),
    option("--p", None, "probability kept by top-p"),
)


def _preset(usual: str) -> Option:
    return option("--preset", "NAME|FILE", f"see `paperformer presets list` (default: {usual})")


def _model(usual: str = EXPLAINED) -> Rows:
    rows = (_preset(usual), LANGUAGE, ROUNDING,
        option("--set", "KEY=VALUE", "change a given number or token; may be repeated",
            action="append", default=[]),
        option("--next-word", "WORD", "the word that really comes next: adds its cross-entropy "
            "and perplexity"),
        option("--temperature", "T", "a number, or several with commas"), *CHOOSING,
        option("--random", "R", "the random number, from 0 to below 1"))  # fmt: skip
    return SENTENCE, OptionGroup("the model", rows)


def _learning(says: str, *instead: Option) -> OptionGroup:
    train = option("--train", "N", says, v.STEPS, default=0)
    return OptionGroup("learning, with --next-word or --targets all", (OneOf((*instead, train)),
        option("--rate", "R", "learning rate (default: 0.1)", v.RATE),
        option("--learn", "NAMES", "which weights, such as output.matrix (default: all)", v.names),
        option("--targets", None, "last (default): the word after the sentence, or all: every "
            "word of it", default="last")))  # fmt: skip


BY_STEPS = _learning("go N steps downhill: gradients, new weights, and the computation with these",
    switch("--grad", "add the gradients of the loss"))  # fmt: skip
# Where tabs say what training does, gradients alone are none.
BY_TABS = _learning("tabs on which the workbooks go N steps downhill, 1 to 5: gradients, new "
    "weights, and the computation with these")  # fmt: skip

# What is made, for whom, and how.
ONLY = option("--only", "OUTPUT", "xlsx, pdf, html, or several with commas (default: xlsx,pdf)",
    v.names)  # fmt: skip
SENTENCES = option("--sentences", "FILE", "what the groups of sheet 7d learn: 2 to 4 sentences, "
    "one a line, each with its last word (default: beginnings of the sentence)", v.sentences,
    default=())  # fmt: skip
PUPILS = option("pupils", "CLASS|N", "a class list, CSV or XLSX, or how many pupils there are",
    v.pupils)  # fmt: skip
CLASS_SHEETS = option("--sheets", "NAMES", "such as 4a,6 (default: 4a)", v.names)
DRAWN = (
    option("--seed", "TEXT", "decides all individual numbers (default: drawn by the operating "
        "system, kept in teacher/manifest.json)"),
    switch("--print-names", "print the names of the list"),
)  # fmt: skip


def _jobs(usual: str, *more: Option) -> Rows:
    return option("--jobs", "N", f"processes (default: {usual})", v.JOBS), *more


# How worksheets look and are judged.
LEVEL = option("--level", None, "1, 2 (default) or 3: how much is asked", v.level)
PART = option("--part", None, "info, work or both (default)")
CONTENT = (
    switch("--no-story", "leave the story out", on=False, dest="story"),
    option("--texts", "FILE", "own story and tasks (.toml or .txt) in place of the sheets' own",
        v.texts),
    option("--carry", None, "given (default): start values from earlier sheets are printed; own: "
        "pupils bring theirs"),
)  # fmt: skip
BUDGET = option("--budget", "MIN", "take the largest level within so many minutes", v.BUDGET)
PRINT = (
    switch("--large-print", "nothing below 18 pt, on A4 across"),
    switch("--qr", "the code of each page as a QR code too"),
    switch("--fillable", "beside each blank PDF another one whose boxes can be filled on a screen"),
)
PDF_BY = option("--pdf-by", "PROGRAM", "weasyprint, which needs Pango; chromium: Chrome, Edge or "
    "Chromium; auto (default): whichever is there, WeasyPrint first")  # fmt: skip
EDGES = (
    switch("--points", "boxes for the marks of a test"),
    option("--header", "TEXT", "in the page header, such as the class"),
    option("--author", "NAME", "in the page footer"),
    option("--licence", "NAME", "in the page footer (default: CC BY 4.0)"),
)
DUPLEX = switch("--duplex", "margins for printing on both sides", default=None)
OF_CLASS = (
    switch("--duplex", "margins for printing on both sides (default)", default=None),
    switch("--single-sided", "the wide margin on the left of every page", on=False, dest="duplex",
        default=None),
)  # fmt: skip
JUDGING = OptionGroup("exercise workbook", (
    option("--check", "WHEN", "off: entries are never judged, as in a test; block (default): when "
        "all cells of a block are filled; once: each as soon as it is typed"),
    switch("--no-interim", "help 4, which inserts interim results, says nothing", on=False,
        dest="interim"),
    option("--tolerance", "N", "count an answer as right that differs by N units of the last "
        "decimal, 0 to 5 (default: 1)", v.TOLERANCE),
), "decided here, locked in the file")  # fmt: skip
WORKSHEETS = "worksheets and exercise workbook"

LIST_OF_LANGUAGES = (
    CommandForm("list", "list the languages", languages.languages_list),
    CommandForm("new", "write a folder with all that is to be translated, in English",
        languages.languages_new,
        (option("folder", "FOLDER", "called by the language's code, such as fr"),)),
    CommandForm("check", "list what a folder lacks, key by key", languages.languages_check, (
        option("folder", "FOLDER"),
        option("--format", None, "csv (default) or json", default="csv"))),
)  # fmt: skip
LIST_OF_SHEETS = (
    CommandForm("list", "list the shipped sheets", commands.sheets_list),
    CommandForm("check", "try a sheet of your own on every shipped preset", commands.sheets_check,
        (option("folder", "FOLDER", "such as ./sheet7"),)),
)  # fmt: skip
LIST_OF_PRESETS = (
    CommandForm("list", "list the shipped presets", preset_commands.presets_list),
    CommandForm("show", "print a preset's file, for reading or as a start of your own",
        preset_commands.presets_show, (option("preset", "NAME|FILE"),)),
    CommandForm("check", "check presets and report all problems of each",
        preset_commands.presets_check, (option("preset", "NAME|FILE", nargs="+"),)),
    CommandForm("what-if", "change one thing: a question and the computed answer",
        preset_commands.presets_what_if, (
            option("preset", "NAME|FILE"),
            option("--language", "CODE|FOLDER", "(default: the preset's)"))),
    CommandForm("new", "write a commented preset file to start from", preset_commands.presets_new,
        (option("file", "FILE", "such as mine.toml"),)),
    CommandForm("train", "train a preset's numbers from a spec", preset_commands.presets_train, (
        option("spec", "SPEC.toml", "texts, architecture, seed, steps (with --from a shipped "
            "preset: its own)", nargs="?"),
        option("--out", "FILE", "the new preset (default: NAME.toml here)"),
        option("--from", "NAME|FILE", "go on from the numbers of this preset", dest="start"),
        option("--steps", "N", "so many steps in all (default: the spec's)", v.TRAINED),
        option("--curve", "FILE", "write the loss of every step, too: .csv a table, .svg or .png "
            "a picture; repeatable", action="append", default=[]))),
    CommandForm("import", "make a preset of a model's weights (safetensors)",
        preset_commands.presets_import, (
            option("weights", "FILE.safetensors"),
            OneOf((
                option("--config", "config.json", "of a GPT-2"),
                option("--mapping", "FILE.toml", "of any other program: which tensor is which "
                    "weight")), required=True),
            option("--tokens", "FILE", "tokenizer.json, or vocab.json with its merges.txt "
                "(default: those beside the weights, if any)"),
            option("--sentence", "TEXT", "the preset's own sentence"),
            option("--language", "CODE|FOLDER", f"of that sentence (default: {ENGLISH})",
                default=ENGLISH),
            option("--out", "FILE", "the new preset (default: named after the weights, here)"))),
    CommandForm("cut", "make a small preset of one head and the first tokens",
        preset_commands.presets_cut, (
            SENTENCE,
            option("--preset", "NAME|FILE", required=True),
            option("--head", None, "such as block5.head3 (default: block1.head1)",
                default="block1.head1"),
            option("--tokens", "N", "how many first tokens, 2 to 6 (default: 4)", default="4"),
            option("--out", "FILE", "the new preset", required=True)), "import"),
)  # fmt: skip

COMMANDS = (
    CommandForm("make", "write the workbooks and the worksheets of a sentence",
        commands.make_files, (*_model(), BY_TABS, OptionGroup("what to write", (ONLY, SENTENCES,
            option("--sheets", "NAMES", "such as 4a; several with commas; all: those that the "
                "preset can fill (default); the workbooks then have just their tabs", v.sheets),
            option("--variant", None, "blank, solution or both (default)"),
            option("--rounds", "N", "how often the workbooks choose a next token, each time on "
                "tabs of their own (default: 1)", v.ROUNDS),
            option("--out", "DIR", "where the folder of the results is made (default: outputs)",
                default="outputs"), *_jobs("one a processor"))),
        OptionGroup(WORKSHEETS,
            (LEVEL, BUDGET, PART, *CONTENT, *PRINT, PDF_BY, *EDGES, DUPLEX)), JUDGING)),
    CommandForm("batch", "write everybody's own set for a class", commands.batch, (
        PUPILS, *_model(CLASS), OptionGroup("who gets what", (
            option("--vary", "HOW", "focus (default): other own tokens, groups=2 to groups=6, "
                "numbers: everybody their own, or sentences: on sheet 7d one for each group"),
            option("--versions", "N", "make N versions; the last digits of an id say which one",
                v.VERSIONS), *DRAWN)),
        OptionGroup("what to write", (ONLY, CLASS_SHEETS, SENTENCES,
            option("--info", "HOW", "info pages in class-blank.pdf: once (default), each (with "
                "each pupil's set) or none"),
            option("--out", "DIR|URL", "where the batch goes (default: outputs/<list>)"))),
        OptionGroup("how it runs", _jobs("by the size of the class",
            option("--cluster", "URL", "compute on a Dask cluster, such as tcp://scheduler:8786"),
            switch("--resume", "go on with a stopped batch, or add pupils to a finished one"))),
        OptionGroup(WORKSHEETS,
            (LEVEL, BUDGET, *CONTENT, *PRINT, PDF_BY, *EDGES, *OF_CLASS)), JUDGING)),
    CommandForm("exam", "write an exam: papers, marking scheme, grades, seating", commands.exam, (
        PUPILS, *_model(CLASS), OptionGroup("the exam", (
            option("--versions", "A,B", "two to six, by their letters (default: A,B)", v.names),
            option("--vary", "HOW", "numbers: everybody their own, in place of versions"),
            option("--minutes", "MIN", "working time (default: 45)", v.EXAM),
            option("--row", "N", "seats side by side in the room (default: 6)", v.SEATS),
            option("--aids", "TEXT", "what is allowed (default: a calculator)"),
            option("--grades", "TABLE", "15, 1-6, percent or none (default: 15 on German papers, "
                "else percent)"),
            option("--scheme", "FILE", "TOML file with own grades and shares of credit, in place "
                "of --grades", type=Path), *DRAWN)),
        OptionGroup("what to write", (
            option("--only", "OUTPUT", "pdf (default), xlsx or both with a comma: exercise "
                "workbooks", v.names), CLASS_SHEETS,
            option("--out", "DIR", "where the exam goes (default: outputs/exam-<list>)"))),
        OptionGroup("how it runs", _jobs("by size",
            switch("--resume", "go on with a stopped exam, or add late joiners"))),
        # No story, no help, no checks, no start values to bring.
        OptionGroup("pages", (LEVEL,
            option("--texts", "FILE", "own tasks (.toml or .txt) in place of the sheets' own",
                v.texts), *PRINT, *EDGES, *OF_CLASS)))),
    CommandForm("reissue", "write one pupil's files of a batch again", commands.reissue, (
        option("manifest", "MANIFEST", "teacher/manifest.json of the batch"),
        option("pupil", "CODE", "as it stands on each page, in capitals or not; or the id, or the "
            "number beside the name line"),
        option("--out", "DIR", "another folder than the batch's"))),
    CommandForm("grade", "mark what a class handed in: points, causes, feedback", commands.grade, (
        option("folder", "FOLDER", "with everything that was handed in"),
        option("--batch", "DIR", "the folder that the batch made (default: FOLDER, or the folder "
            "that it is in)"),
        option("--scheme", "FILE.toml", "points, shares of credit, grades"),
        option("--prefer", "WHICH", "of several files of a pupil for one sheet: latest, the one "
            "saved last (default), or best, the one that earns most", default="latest"),
        switch("--names", "names beside the codes in the results"),
        switch("--show-answers", "right numbers on the feedback"),
        option("--language", "CODE|FOLDER", "of the results (default: the teacher's papers')"),
        switch("--template", "write the empty list for answers on paper instead, one row per "
            "pupil"), OptionGroup("how it runs", _jobs("one a processor")))),
    CommandForm("walk", "show every step of the computation in the terminal", commands.walk, (
        *_model(), BY_STEPS,
        switch("--all", "all steps at once, without keys"),
        option("--step", "NAME", "only steps of that name or pattern"))),
    CommandForm("trace", "print every number of the computation as data", commands.trace, (
        *_model(), BY_STEPS,
        option("--format", None, "json (default), csv, latex or text", default="json"),
        option("--step", "NAME", "only steps of that name or pattern (repeatable)",
            action="append", default=[]),
        switch("--weights", "with the weights of a model that has more than 10,000 of them, too"),
        option("--rounds", "N", "how often a next token is chosen and appended (default: 1)",
            v.ROUNDS, default=1),
        option("--out", "FILE", "write to a file instead of printing"))),
    CommandForm("generate", "append token after token to a sentence", commands.generate, (
        SENTENCE, OptionGroup("the model", (_preset(EXPLAINED), LANGUAGE, ROUNDING,
            option("--temperature", "T", "a number above 0 (default: the preset's)"), *CHOOSING)),
        OptionGroup("how much and how", (
            option("--tokens", "N", "how many to append (default: 8)", default="8"),
            option("--seed", "N", "decides the draws: the same seed, the same text (default: the "
                "preset's)"),
            switch("--no-cache", "compute everything anew for each token, keep no keys and values",
                on=False, dest="cache"),
            option("--format", None, "text (default) or json", default="text"))))),
    CommandForm("presets", "list, show, check, begin, train and import presets", LIST_OF_PRESETS),
    CommandForm("languages", "list, begin and check languages of the sheets", LIST_OF_LANGUAGES),
    CommandForm("sheets", "list the sheets, check one of your own", LIST_OF_SHEETS),
    CommandForm("serve", "open a page in the browser that asks what to make", serving.serve, (
        option("--host", "ADDRESS", "who may come: 127.0.0.1 this computer alone (default), "
            "0.0.0.0 the network", default="127.0.0.1"),
        option("--port", "N", "(default: 8000)", v.PORTS, default=8000),
        OptionGroup("in a network", (
            option("--public-name", "NAMES", "names in the page's address, such as "
                "paperformer.school.example; others but localhost are refused", v.names,
                default=()),
            option("--trusted-proxy", "ADDRESSES", "of the web server before it, such as "
                "127.0.0.1 or 172.30.0.0/24, whose word on who asks is taken", v.names,
                default=()))),
        OptionGroup("how it runs", _jobs("one for every two processors",
            switch("--log", "write one line per request: method, page, status, milliseconds; no "
                "address, sentence or name"))))),
    CommandForm("page", "write that page as files; a browser computes, no server does",
        serving.page, (
            option("folder", "DIR", "a new folder, or one that this command wrote"),
            option("--pyodide", "FOLDER", "Pyodide's full distribution, unpacked: Python and NumPy "
                "for browsers", required=True))),
    CommandForm("gallery", "write a site with every preset's files, ready made", serving.gallery, (
        option("folder", "DIR", "a new folder, or a gallery made before: only what has changed is "
            "made again"),
        OptionGroup("what to write", (
            option("--preset", "NAMES", "such as paris,katze or a file (default: all shipped ones)",
                v.names),
            option("--language", "CODES", "such as de,en (default: all)", v.names),
            option("--level", "N", "such as 1,2 (default: 1,2,3)", v.levels),
            switch("--small", "at most 25 MB: level 2, all sheets of the first preset, the main "
                "one of the others"),
            option("--address", "URL", "where it will stand, for search engines"),
            switch("--docs", "the handbook, too (in a checkout)"))),
        OptionGroup("how it runs", _jobs("one a processor")))),
    CommandForm("doctor", "say what is installed and what is missing", commands.doctor, (
        switch("--fix", "install what is missing, or say how"),
        switch("--tests", "also what the tests need"))),
)  # fmt: skip
