"""The commands of `paperformer presets`, one function each; each gives the exit code back.

Also here:

* The command `presets`, its own commands and their options.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from generator.cli import parser_parts as parts
from generator.cli import values
from generator.cli.examples import IMPORT, PRESETS, TRAIN
from generator.cli.streams import print_paths, say
from generator.errors import UserError
from generator.locales.folders import ENGLISH

if TYPE_CHECKING:
    from generator.cli.parser_parts import Into
    from generator.engine.preset import Preset
    from generator.presets.foreign.tensors import Imported


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
    say(*problems)
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
    """Write a commented preset to start from; `UserError` for an existing file."""
    from generator import output
    from generator.presets.new import new_preset_text

    path = Path(args.file)
    if path.name in ("", ".."):
        raise UserError(
            f"presets new {args.file}: this is a folder; expected a file, such as ./mine.toml"
        )
    if path.suffix != ".toml":  # a preset file is known by this ending
        path = path.with_name(f"{path.name}.toml")
    print_paths([output.write_new(path, new_preset_text(path.stem).encode("utf-8"))])
    return 0


def presets_train(args: argparse.Namespace) -> int:
    """Train a spec's preset and write it; an existing file is never replaced."""
    from generator.cli.streams import training_bar
    from generator.training import train

    with training_bar() as told:
        trained = train(
            args.spec,
            args.out,
            start=args.start,
            steps=args.steps,
            curves=args.curve,
            told=told,
        )
    print_paths(list(trained.files))
    say(f"learned; the stated next token is ahead by at least {trained.margin:.1f} points")
    return 0


def presets_import(args: argparse.Namespace) -> int:
    """Write the preset of a model's weights with its files; none may exist yet."""
    from generator import output

    imported = _mapped(args) if args.mapping is not None else _gpt2(args)
    print_paths(output.write_all_new(imported.files))
    say(imported.summary)
    return 0


def _mapped(args: argparse.Namespace) -> "Imported":
    """What a mapping file makes of a program's weights; it says the rest itself."""
    from generator.presets.foreign.mapping import import_mapped

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
    cut_head = cut(compute(args.sentence, preset=args.preset, rounding="exact"), args.head,
                count or 0, Path(args.out))  # fmt: skip
    print_paths([output.write_new(Path(args.out), cut_head.content)])
    say(*cut_head.notes)
    return 0


def _checked(name: str) -> str:
    """Print what a preset holds, or give back what is wrong with it."""
    from generator.api import compute, load_preset
    from generator.insight.behaviour import broken
    from generator.presets.schema import PresetError

    try:
        preset = load_preset(name)
        for language in preset.sentences:
            compute(preset=preset, language=language, controls=True)  # as `make` computes
        if problems := list(broken(preset)):
            raise PresetError(preset.source, problems)
    except UserError as error:
        return str(error)
    print(f"{preset.source}: no problems ({_size(preset)})")
    return ""


def _size(preset: "Preset") -> str:
    sizes = [f"d_model {preset.d_model}", f"heads {preset.heads}", f"blocks {preset.blocks}"]
    return ", ".join([*sizes, f"{len(preset.words)} words", "/".join(preset.sentences)])


def presets(into: "Into") -> None:
    """`presets` and what can be done with them."""
    group = parts.command(
        into, "presets", "list, show, check, begin, train and import presets", PRESETS
    )
    what = group.add_subparsers(metavar="COMMAND", required=True)
    one = parts.command(what, "list", "list the shipped presets")
    one.set_defaults(run=presets_list)
    one = parts.command(
        what, "show", "print a preset's file, for reading or as a start of your own"
    )
    one.add_argument("preset", metavar="NAME|FILE")
    one.set_defaults(run=presets_show)
    one = parts.command(what, "check", "check presets and report all problems of each")
    one.add_argument("preset", metavar="NAME|FILE", nargs="+")
    one.set_defaults(run=presets_check)
    one = parts.command(what, "what-if", "change one thing: a question and the computed answer")
    one.add_argument("preset", metavar="NAME|FILE")
    one.add_argument("--language", metavar="CODE|FOLDER", help="(default: the preset's)")
    one.set_defaults(run=presets_what_if)
    one = parts.command(what, "new", "write a commented preset file to start from")
    one.add_argument("file", metavar="FILE", help="such as mine.toml")
    one.set_defaults(run=presets_new)
    _training(what)
    _foreign(what)


def _training(what: "Into") -> None:
    one = parts.command(what, "train", "train a preset's numbers from a spec", TRAIN)
    one.add_argument("spec", metavar="SPEC.toml", nargs="?", help="texts, architecture, seed, "
                     "steps (with --from a shipped preset: its own)")  # fmt: skip
    one.add_argument("--out", metavar="FILE", help="the new preset (default: NAME.toml here)")
    one.add_argument("--from", dest="start", metavar="NAME|FILE", help="go on from the numbers of "
                     "this preset")  # fmt: skip
    one.add_argument("--steps", type=values.whole("--steps", values.TRAINED), metavar="N",
                     help="so many steps in all (default: the spec's)")  # fmt: skip
    one.add_argument("--curve", action="append", default=[], metavar="FILE", help="write the loss "
                     "of every step, too: .csv a table, .svg or .png a picture; "
                     "repeatable")  # fmt: skip
    one.set_defaults(run=presets_train)


def _foreign(what: "Into") -> None:
    one = parts.command(what, "import", "make a preset of a model's weights (safetensors)", IMPORT)
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
    one.set_defaults(run=presets_import)
    one = parts.command(what, "cut", "make a small preset of one head and the first tokens", IMPORT)
    one.add_argument("sentence", nargs="?", metavar="SENTENCE", help="by default the preset's own")
    one.add_argument("--preset", required=True, metavar="NAME|FILE")
    one.add_argument("--head", default="block1.head1", help="such as block5.head3 (default: "
                     "block1.head1)")  # fmt: skip
    one.add_argument("--tokens", default="4", metavar="N", help="how many first tokens, 2 to 6 "
                     "(default: 4)")  # fmt: skip
    one.add_argument("--out", required=True, metavar="FILE", help="the new preset")
    one.set_defaults(run=presets_cut)
