"""One function a command; each imports what it needs when it runs, and returns the exit code."""

import argparse
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from generator.cli import streams, values
from generator.errors import UserError, first_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from generator.classroom.batch import Outcome
    from generator.engine.preset import Preset
    from generator.engine.trace import Trace
    from generator.make import Request
    from generator.presets.foreign.model_files import Imported


def make_files(args: argparse.Namespace) -> int:
    """Write what is asked for; 1 where something of it could not be made."""
    from generator.make import make

    request = _request(args)
    trace = _computed(args)
    made = make(trace, request, Path(args.out, request.folder(trace)))
    _print_paths(made.paths)
    _say(*made.notes, *made.problems)
    return 1 if made.problems else 0


def batch(args: argparse.Namespace) -> int:
    """Make a class's files, with a bar while it lasts; 1 where somebody got nothing."""
    from generator.api import batch as make_batch

    place = args.out or f"outputs/{values.class_name(values.pupils(args.pupils))}"
    return _class(args, place, ("sets", "sets made, now the papers for the class"), make_batch)


def exam(args: argparse.Namespace) -> int:
    """Make an exam's files, with a bar while it lasts; 1 where somebody got nothing."""
    from generator.api import exam as make_exam
    from generator.exams.run import run

    name = values.class_name(values.pupils(args.pupils)).removeprefix("class-")
    told = ("papers", "papers made, now those for marking")
    return _class(args, args.out or f"outputs/exam-{name}", told, make_exam, run)


def _class(
    args: argparse.Namespace,
    place: str,
    words: tuple[str, str],
    made_by: "Callable[..., Outcome]",
    *passed_to: "Callable[..., object]",
) -> int:
    """Make what a class gets into a place; the options are those of all that they are passed to."""
    from generator.api import load_preset
    from generator.classroom.lesson import Lesson
    from generator.cli.progress import bar
    from generator.presets.defaults import CLASS
    from generator.sheets.options import SheetOptions

    with bar(*words) as told:
        found = values.filled(
            made_by,
            args,
            *passed_to,
            Lesson,
            Lesson.asked,
            SheetOptions,
            pupils=values.pupils(args.pupils),
            folder=place,
            preset=values.changed(load_preset(args.preset or CLASS), args),
            edits=values.all_edits(args),
            told=told,
        )
    _say(*found.notes, *first_of(found.problems))
    print(f"{place}: {found}")
    if found.finished:
        print(f"for the class: {place}/hand-out\nfor you alone: {place}/teacher")
    return 1 if found.problems else 0


def reissue(args: argparse.Namespace) -> int:
    """Write one pupil's files again."""
    from generator.api import reissue as made_again

    _print_paths(made_again(args.manifest, args.pupil, args.out))
    return 0


def grade(args: argparse.Namespace) -> int:
    """Mark a folder, or write the list to type into; what was not marked is said."""
    from generator.api import grade as graded
    from generator.cli.progress import bar
    from generator.grading.grade import template

    batch_dir = None if args.batch is None else Path(args.batch)
    if args.template:
        _print_paths(template(Path(args.folder), batch_dir))
        return 0
    with bar("files", "files marked, now the pages") as told:
        found = graded(
            args.folder,
            args.batch,
            scheme=args.scheme,
            prefer=args.prefer,
            names=args.names,
            show_answers=args.show_answers,
            language=args.language,
            jobs=args.jobs,
            told=told,
        )
    _say(*first_of(found.notes))
    _print_paths(found.paths)
    return 0


def walk(args: argparse.Namespace) -> int:
    """Show the steps, page by page where somebody sits at a keyboard."""
    from generator.locales.catalogue import load
    from generator.render.walk import keyboard, pages, show, terminal

    trace = _computed(args)
    catalogue = load(trace.language)
    found = pages(trace, catalogue, args.step) if args.step else pages(trace, catalogue)
    by_key = sys.stdout.isatty() and not args.all
    show(found, catalogue, terminal(sys.stdout), keyboard(sys.stdin) if by_key else None)
    return 0


def trace(args: argparse.Namespace) -> int:
    """Print every number, always in UTF-8, or write it to a file, piece by piece."""
    from generator import output
    from generator.render.data import chosen, pieces

    found = _computed(args, args.rounds)
    of = chosen(found, args.step, weights=args.weights)
    text = pieces(found, args.format, of)
    if args.out is not None:
        _print_paths(output.write({Path(args.out): (one.encode("utf-8") for one in text)}))
    else:
        _write(text)
    _say(*filter(None, [of.message]))
    return 0


def generate(args: argparse.Namespace) -> int:
    """Print a sentence and the tokens that follow it, always in UTF-8."""
    from generator.api import generate as made
    from generator.generation.text_output import render

    model = {name: getattr(args, name) for name in ("preset", "language", "rounding")}
    found = made(args.sentence, **model, **values.generation(args))
    _say(*found.trace.notices)
    _write([render(found, args.format)])
    return 0


def presets_list(args: argparse.Namespace) -> int:
    """Print the shipped presets, each with what it is for."""
    from generator.presets.load import first_comment, shipped

    width = max(map(len, shipped()))
    for name in shipped():
        print(f"{name:<{width}}  {first_comment(name)}")
    return 0


def presets_show(args: argparse.Namespace) -> int:
    """Print a preset's file as it is written, after checking it."""
    from generator.presets.load import FOLDER, load_preset, shipped

    load_preset(args.preset)
    path = FOLDER / f"{args.preset}.toml" if args.preset in shipped() else Path(args.preset)
    sys.stdout.write(path.read_text(encoding="utf-8-sig"))
    return 0


def presets_check(args: argparse.Namespace) -> int:
    """Check each preset, its own sentence computed in each language; 1 where one has problems."""
    problems = [problem for name in args.preset if (problem := _checked(name))]
    _say(*problems)
    return 1 if problems else 0


def presets_what_if(args: argparse.Namespace) -> int:
    """Print what follows from changing one thing of a preset's own sentence, as questions."""
    from generator.api import compute
    from generator.locales.catalogue import load
    from generator.render.data.what_if import what_if

    trace = compute(preset=args.preset, language=args.language)
    for one in what_if(trace, load(trace.language)):
        print(one.change, one.question, one.answer, sep="\n", end="\n\n")
    return 0


def presets_new(args: argparse.Namespace) -> int:
    """Write a commented preset to start from; an existing file is never replaced."""
    from generator import output
    from generator.presets.new import new_preset_text

    path = Path(args.file)
    if path.name in ("", ".."):
        raise UserError(
            f"presets new {args.file}: this is a folder; expected a file, such as ./mine.toml"
        )
    if path.suffix != ".toml":  # a preset file is known by this ending
        path = path.with_name(f"{path.name}.toml")
    _print_paths([output.write_new(path, new_preset_text(path.stem).encode("utf-8"))])
    return 0


def presets_train(args: argparse.Namespace) -> int:
    """Train a spec's preset and write it; an existing file is never replaced."""
    from generator.cli.progress import training_bar
    from generator.training import train

    with training_bar() as told:
        trained = train(
            args.spec,
            args.out,
            start=args.start,
            steps=args.steps,
            gradients=args.gradients,
            curves=args.curve,
            told=told,
        )
    _print_paths(list(trained.files))
    _say(
        f"learned with {trained.made}; the stated next token is ahead by at least "
        f"{trained.margin:.1f} points"
    )
    return 0


def presets_import(args: argparse.Namespace) -> int:
    """Write the preset of a model's weights with its files; none may exist yet."""
    from generator import output

    found = _mapped(args) if args.mapping is not None else _gpt2(args)
    _print_paths(output.write_all_new(found.files))
    _say(found.summary)
    return 0


def _mapped(args: argparse.Namespace) -> "Imported":
    """What a mapping file makes of a program's weights; it says the rest itself."""
    from generator.presets.foreign.mapped import import_mapped

    for name in ("tokens", "sentence"):
        if getattr(args, name) is not None:
            raise UserError(f"--{name}: the mapping file says it; leave --{name} out")
    out = args.out if args.out is None else Path(args.out)
    return import_mapped(Path(args.weights), Path(args.mapping), out)


def _gpt2(args: argparse.Namespace) -> "Imported":
    from generator.presets.foreign.gpt2 import import_gpt2

    return import_gpt2(
        Path(args.weights),
        Path(args.config),
        args.out if args.out is None else Path(args.out),
        tokens=args.tokens if args.tokens is None else Path(args.tokens),
        sentence=args.sentence,
        language=args.language,
    )


def presets_cut(args: argparse.Namespace) -> int:
    """Write a small preset of one head of a large model; an existing file is never replaced."""
    from generator import output
    from generator.api import compute
    from generator.presets.foreign.cut import cut

    count = values.count("--tokens", args.tokens, values.FIRST)
    found = cut(compute(args.sentence, preset=args.preset, rounding="exact"), args.head,
                count or 0, Path(args.out))  # fmt: skip
    _print_paths([output.write_new(Path(args.out), found.content)])
    _say(*found.notes)
    return 0


def doctor(args: argparse.Namespace) -> int:
    """Print what is installed and missing, with `--fix` mend it."""
    from generator.doctor import run

    return run(args.fix, args.tests)


def _checked(name: str) -> str:
    """Print what a preset holds, or give back what is wrong with it."""
    from generator.api import compute, load_preset
    from generator.insight.promises import broken
    from generator.presets.problems import PresetError

    try:
        preset = load_preset(name)
        for language in preset.sentences:
            compute(preset=preset, language=language)
        if problems := list(broken(preset)):
            raise PresetError(preset.source, problems)
    except UserError as error:
        return str(error)
    print(f"{preset.source}: no problems ({_size(preset)})")
    return ""


def _size(preset: "Preset") -> str:
    sizes = [f"d_model {preset.d_model}", f"heads {preset.heads}", f"blocks {preset.blocks}"]
    return ", ".join([*sizes, f"{len(preset.words)} words", "/".join(preset.sentences)])


def _computed(args: argparse.Namespace, rounds: int = 1) -> "Trace":
    """The computation that the model options describe; what was cleaned is said."""
    from generator.api import compute
    from generator.engine.learning import to_learn
    from generator.engine.trace_gradients import with_gradients
    from generator.presets.computed import taken

    loaded, said = taken(args.preset, args.sentence, args.language)
    found = compute(
        args.sentence,
        preset=values.changed(loaded, args),
        rounding=args.rounding,
        language=args.language,
        edits=values.all_edits(args),
        rounds=rounds,
        sentences=getattr(args, "sentences", ()),
        **values.learning(args),
    )
    if getattr(args, "grad", False):
        found = with_gradients(found, to_learn(args.learn, args.targets))
    _say(*said, *found.notices)
    return found


def _request(args: argparse.Namespace) -> "Request":
    from generator.make import Request
    from generator.sheets.options import SheetOptions

    return values.filled(Request, args, worksheet=values.filled(SheetOptions, args))


def _print_paths(paths: list[Path]) -> None:
    """Print each path, from here where it is below here."""
    here = Path.cwd()
    for path in paths:
        print(path.relative_to(here) if path.is_relative_to(here) else path)


def _write(text: "Iterable[str]") -> None:
    """Print data piece by piece, in UTF-8 whatever the terminal's encoding is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for piece in text:
        sys.stdout.write(piece)


def _say(*messages: str) -> None:
    for message in messages:
        streams.tell(message)
