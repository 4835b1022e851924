"""The page and the command ask for the same: no option is forgotten on either side."""

import argparse
import dataclasses

from generator.checks.judging import MOST_TOLERANCE
from generator.classroom.numbers.lesson import MOST_VERSIONS
from generator.cli.parser import parser
from generator.engine import learning
from generator.presets.defaults import LEARNED, OPEN
from generator.presets.load import load_preset
from generator.processes import MOST_JOBS
from generator.resources import table
from generator.sheets.options import SheetOptions
from generator.training import spec
from generator.web.form import MOST_MINUTES, Choices

# The page's field for an option of `make`, `batch` or `exam`.
FIELDS = {
    **{name: name for name in ("sentence", "preset", "sheets", "level", "story", "header")},
    "route": "lesson",
    **{name: name for name in ("fillable", "pupils", "vary", "minutes", "print_names")},
    "language": "words",
    "large_print": "large",
    "only": "workbook",  # beside the PDFs
    "versions": "vary",  # of an exam: as many as groups
}
FIELD_ALONE = {
    **dict.fromkeys(("complete", "who", "exam"), "choose sheets or a command"),
    **dict.fromkeys(("shown", "variant"), "which sheet stands beside the questions"),
    "own": "a preset's file",
    "notebook": "an output of `make --only`",
    "planning": "what `plan` makes",
}
OPTION_ALONE = {
    **dict.fromkeys(("out", "jobs", "cluster", "resume", "seed"), "the server's, or for long runs"),
    **dict.fromkeys(("set", "temperature", "strategy", "k", "p", "random"), "in an own preset"),
    **dict.fromkeys(("next_word", "train", "rate", "learn", "targets"), "learning is a card"),
    **dict.fromkeys(("sentences", "rounds", "texts", "scheme"), "files or tabs for who knows them"),
    **dict.fromkeys(("check", "interim", "tolerance"), "usual judging; the file itself says how"),
    **dict.fromkeys(
        ("rounding", "budget", "part", "carry", "info", "lesson"), "the sheets themselves say it"
    ),
    **dict.fromkeys(
        ("qr", "pdf_by", "points", "author", "licence", "duplex", "mosaic"), "how it is printed"
    ),
    **dict.fromkeys(("row", "aids", "grades"), "usual ones in an exam"),
}
LIMITS = {
    "tolerance": MOST_TOLERANCE,
    "versions": MOST_VERSIONS,
    "processes": MOST_JOBS,
    "steps": learning.MOST_STEPS,
    "steps_of_training": spec.MOST_STEPS,
    "minutes_of_exam": MOST_MINUTES,
}


def options(*commands: str) -> dict[str, argparse.Action]:
    """The options of these commands, by name."""
    (below,) = (one for one in parser()._actions if isinstance(one, argparse._SubParsersAction))
    found = (one for name in commands for one in below.choices[name]._actions)
    return {one.dest: one for one in found if one.dest != "help"}


def test_every_option_has_a_field_and_every_field_an_option_or_a_reason():
    assert options("make", "batch", "exam").keys() - {"variant"} == FIELDS.keys() | OPTION_ALONE
    fields = {one.name for one in dataclasses.fields(Choices)}
    assert fields == {*FIELDS.values(), *FIELD_ALONE}


def test_a_worksheets_choice_is_an_option_or_said_by_who_makes_it():
    made = {
        "code",
        "mark",
        "pupil",
        "teacher",
        "alone",
        "others",
        "number",
        "among",
    }  # of each file
    exam = {"exam", "carried", "hints"}  # what makes a lesson an exam
    names = {one.name for one in dataclasses.fields(SheetOptions)}
    assert names - options("make", "exam").keys() == made | exam


def test_what_help_says_is_usual_is():
    assert load_preset("katze").name == options("batch")["preset"].help.split()[-1].rstrip(")")
    said = {name: one.help for name, one in options("make").items() if one.help}
    for name in ("level", "part", "carry", "licence", "pdf_by", "check", "tolerance"):
        usual = str(getattr(SheetOptions, name))
        assert f"{usual} (default)" in said[name] or f"(default: {usual})" in said[name]
    assert f"0 to {MOST_TOLERANCE}" in said["tolerance"]
    assert f"(default: {LEARNED}, " in said["preset"]
    assert said["preset"].endswith(f" {OPEN})")


def test_limits_of_the_command_are_those_of_who_checks_them():
    numbers = table("cli/commands.toml")["numbers"]
    assert {name: numbers[name]["most"] for name in LIMITS} == LIMITS
