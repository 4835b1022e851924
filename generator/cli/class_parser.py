"""The commands for a class and their options: batch, exam, reissue, grade."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from generator.cli import commands, sheet_options, values
from generator.cli import parser_parts as parts
from generator.cli.examples import BATCH, EXAM, GRADE, REISSUE
from generator.presets.defaults import CLASS

if TYPE_CHECKING:
    from generator.cli.parser_parts import Into


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
    sheet_options.add(one, alone=False)
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
    sheet_options.add_for_exam(one)
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
