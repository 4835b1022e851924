"""One function a command; each imports what it needs when it runs, and returns the exit code."""

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generator.cli import values
from generator.cli.streams import print_paths, say, write_pieces
from generator.errors import first_of, message, together

if TYPE_CHECKING:
    from generator.engine.trace import Trace


def make_files(args: argparse.Namespace) -> int:
    """Write what is asked for, with a bar while it lasts; 1 where something could not be made."""
    from generator.cli.streams import bar
    from generator.make import Request, make
    from generator.sheets.routes import route_of

    of_trace = ("sentence", "sentences", "language", "rounding", "out", *values.OF_MODEL)
    request = Request.asked(**values.said(args, *of_trace))
    if args.route and not (args.preset or args.sentence):
        args.preset = route_of(args.route).preset
    trace = computed(args, taught=True)
    with bar("parts", "parts made, now the files") as told:
        result = make(trace, request, Path(args.out, request.folder(trace)), told)
    print_paths(result.paths)
    say(*result.notes, *result.problems)
    return 1 if result.problems else 0


class ForClass(NamedTuple):
    """A command that makes a class's files: where they go, what the bar calls them and the rest."""

    folder: str
    what: str
    then: str


def _for_class(form: ForClass, args: argparse.Namespace) -> int:
    """Make a class's files, say what came of it and where; 1 where somebody got nothing.

    Options are called as in the Python interface; those left out are left to it.
    """
    from generator import api
    from generator.classroom.pupils.roster import summary
    from generator.cli.streams import bar
    from generator.presets.defaults import CLASS
    from generator.sheets.routes import route_of

    name = f"class-{args.pupils}" if isinstance(args.pupils, int) else Path(args.pupils).stem
    place = args.out or form.folder + (name.removeprefix("class-") if form is FOR_EXAM else name)
    options = values.said(args, "pupils", "out", *values.OF_MODEL)
    routed = "route" in options and not args.sentence
    usual = route_of(options["route"]).preset if routed else CLASS
    options["preset"] = values.changed(api.load_preset(args.preset or usual), args)
    options["edits"] = values.all_edits(args)
    if not isinstance(args.pupils, int):
        say(f"{args.pupils}: {summary(Path(args.pupils))}")
    make = api.exam if form is FOR_EXAM else api.batch
    with bar(form.what, f"{form.what} made, now {form.then}") as told:
        outcome = make(args.pupils, place, told=told, **options)
    say(*outcome.notes, *together(outcome.problems))
    print(f"{place}: {outcome}")
    if outcome.finished:
        print(f"for the class: {place}/hand-out\nfor you alone: {place}/teacher")
    return 1 if outcome.problems else 0


FOR_EXAM = ForClass("outputs/exam-", "papers", "those for marking")
exam = partial(_for_class, FOR_EXAM)
batch = partial(_for_class, ForClass("outputs/", "sets", "the papers for the class"))


def room(args: argparse.Namespace) -> int:
    """Write the papers of the rooms in which a class computes."""
    from generator.api import room as made
    from generator.cli.streams import bar

    with bar("rooms", "rooms made, now the files") as told:
        paths = made(**{"folder": args.out, **values.said(args, "out")}, told=told)
    print_paths(paths)
    return 0


def plan(args: argparse.Namespace) -> int:
    """Write the papers for whoever plans; says which sheets have no run sheet of a length."""
    from generator.api import compute
    from generator.planning.papers import Planning
    from generator.presets.computed import taken

    loaded, reasons, _ = taken(args.preset, args.sentence, args.language)
    trace = compute(args.sentence, preset=loaded, language=args.language)
    papers = Planning.asked(trace, **values.said(args, "sentence", "preset", "language", "out"))
    print_paths(papers.write(args.out))
    say(*reasons, *trace.notices, *papers.notes)
    return 0


def reissue(args: argparse.Namespace) -> int:
    """Write one pupil's files again."""
    from generator.api import reissue as made_again

    print_paths(made_again(args.manifest, args.pupil, args.out))
    return 0


def grade(args: argparse.Namespace) -> int:
    """Mark a folder, or write the list to type into; 1 where files were not marked."""
    from generator.api import grade as graded
    from generator.cli.streams import bar
    from generator.grading.grade import Grading

    if args.template:
        batch_dir = None if args.batch is None else Path(args.batch)
        print_paths(Grading(Path(args.folder), batch_dir).template())
        return 0
    with bar("files", "files marked, now the pages") as told:
        result = graded(**values.said(args, "template"), told=told)
    print_paths(result.paths)
    say(*first_of(result.notes), result.summary)
    return 1 if result.lost else 0


def walk(args: argparse.Namespace) -> int:
    """Show the steps, page by page where somebody sits at a keyboard."""
    from generator.locales.catalogue import load
    from generator.render.walk import ALL, keyboard, pages, show, terminal

    trace = computed(args)
    catalogue = load(trace.language)
    chosen_pages = pages(trace, catalogue, args.step or ALL, args.sheets or ())
    by_key = sys.stdout.isatty() and not args.all
    show(chosen_pages, catalogue, terminal(sys.stdout), keyboard(sys.stdin) if by_key else None)
    return 0


def trace(args: argparse.Namespace) -> int:
    """Print every number, always in UTF-8, or write it to a file, piece by piece."""
    from generator import output
    from generator.render.data import chosen, pieces

    computation = computed(args, args.rounds)
    of = chosen(computation, args.step, weights=args.weights)
    text = pieces(computation, args.format, of)
    if args.out is not None:
        print_paths(output.write({Path(args.out): (one.encode("utf-8") for one in text)}))
    else:
        write_pieces(text)
    say(*filter(None, [of.message]))
    return 0


def generate(args: argparse.Namespace) -> int:
    """Print a sentence and the tokens that follow it, always in UTF-8."""
    from generator.api import generate as made
    from generator.generation.generate import render

    written = made(**values.said(args, "format"))
    say(*written.trace.notices)
    write_pieces([render(written, args.format)])
    return 0


def doctor(args: argparse.Namespace) -> int:
    """Print what is installed and missing, with `--fix` mend it."""
    from generator.doctor import run

    return run(args.fix, args.tests)


def computed(args: argparse.Namespace, rounds: int = 1, *, taught: bool = False) -> "Trace":
    """The computation that the model options describe; what was cleaned is said.

    Where it is `taught` and nobody names the word that comes next, one is taken that visibly
    learns, and said.
    """
    from generator.api import compute
    from generator.engine.learning import to_learn, training_of
    from generator.engine.loss import TARGET
    from generator.engine.trace_gradients import with_gradients
    from generator.insight.visible_word import visible_word
    from generator.presets.computed import taken

    loaded, reasons, _ = taken(args.preset, args.sentence, args.language)
    edits, learning = values.all_edits(args), values.learning(args)
    trace_of = partial(
        compute,
        args.sentence,
        preset=values.changed(loaded, args),
        rounding=args.rounding,
        language=args.language,
        rounds=rounds,
        sentences=getattr(args, "sentences", ()),
    )
    training = training_of(*learning.values()) if taught else None
    if training and training.targets == "last" and TARGET not in edits:
        word = visible_word(trace_of(edits=edits), training)
        edits |= {TARGET: word} if word else {}
        say(*([message("cli.taught", word=word)] if word else ()))
    trace = trace_of(edits=edits, **learning)
    if getattr(args, "grad", False):
        trace = with_gradients(trace, to_learn(args.learn, args.targets))
    say(*reasons, *trace.notices)
    return trace


def sheets_list(args: argparse.Namespace) -> int:
    """Print the shipped sheets, each with its title."""
    from generator.locales.catalogue import load
    from generator.locales.folders import ENGLISH
    from generator.sheets.series import SERIES, SHEETS

    catalogue = load(ENGLISH)
    for name in SHEETS:
        print(f"{name:<8}  {catalogue.t(SERIES[name].title)}")
    return 0


def sheets_check(args: argparse.Namespace) -> int:
    """Try an own sheet on every shipped preset; 1 where something is wrong or none fits."""
    from generator.render.worksheet.sheet_check import checked

    check = checked(args.folder)
    for problem in check.problems:
        print(problem)
    reasons = dict.fromkeys(check.left_out.values())
    say(*(f"left out: {reason}" for reason in reasons))
    count = len(check.problems)
    said = f"{count} problem{'s' * (count != 1)}" if count else "no problems"
    say(f"{args.folder}: {check.made} blanks and solutions made, {said}")
    return 1 if check.problems or not check.made else 0
