"""The commands of `paperformer presets`, one function each; each gives the exit code back."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from generator.cli.streams import print_paths, say
from generator.errors import UserError, require

if TYPE_CHECKING:
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
    require(path.name not in ("", ".."), "cli.new", file=args.file)
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
            args.spec, args.out, start=args.start, steps=args.steps, curves=args.curve, told=told
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
        require(getattr(args, name) is None, "cli.mapped", name=name)
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

    trace = compute(args.sentence, preset=args.preset, rounding="exact")
    cut_head = cut(trace, args.head, args.tokens, Path(args.out))
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
