"""The command `presets`, its own commands and their options."""

from typing import TYPE_CHECKING

from generator.cli import parser_parts as parts
from generator.cli import preset_commands, values
from generator.cli.examples import IMPORT, PRESETS, TRAIN
from generator.locales.folders import ENGLISH

if TYPE_CHECKING:
    from generator.cli.parser_parts import Into


def presets(into: "Into") -> None:
    """`presets` and what can be done with them."""
    group = parts.command(
        into, "presets", "list, show, check, begin, train and import presets", PRESETS
    )
    what = group.add_subparsers(metavar="COMMAND", required=True)
    one = parts.command(what, "list", "list the shipped presets")
    one.set_defaults(run=preset_commands.presets_list)
    one = parts.command(
        what, "show", "print a preset's file, for reading or as a start of your own"
    )
    one.add_argument("preset", metavar="NAME|FILE")
    one.set_defaults(run=preset_commands.presets_show)
    one = parts.command(what, "check", "check presets and report all problems of each")
    one.add_argument("preset", metavar="NAME|FILE", nargs="+")
    one.set_defaults(run=preset_commands.presets_check)
    one = parts.command(what, "what-if", "change one thing: a question and the computed answer")
    one.add_argument("preset", metavar="NAME|FILE")
    one.add_argument("--language", metavar="CODE|FOLDER", help="(default: the preset's)")
    one.set_defaults(run=preset_commands.presets_what_if)
    one = parts.command(what, "new", "write a commented preset file to start from")
    one.add_argument("file", metavar="FILE", help="such as mine.toml")
    one.set_defaults(run=preset_commands.presets_new)
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
    one.add_argument("--gradients", default="own", metavar="KIND", help="own (default), or pytorch,"
                     " which is faster for large models and has to be installed")  # fmt: skip
    one.add_argument("--curve", action="append", default=[], metavar="FILE", help="write the loss "
                     "of every step, too: .csv a table, .svg or .png a picture; "
                     "repeatable")  # fmt: skip
    one.set_defaults(run=preset_commands.presets_train)


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
    one.set_defaults(run=preset_commands.presets_import)
    one = parts.command(what, "cut", "make a small preset of one head and the first tokens", IMPORT)
    one.add_argument("sentence", nargs="?", metavar="SENTENCE", help="by default the preset's own")
    one.add_argument("--preset", required=True, metavar="NAME|FILE")
    one.add_argument("--head", default="block1.head1", help="such as block5.head3 (default: "
                     "block1.head1)")  # fmt: skip
    one.add_argument("--tokens", default="4", metavar="N", help="how many first tokens, 2 to 6 "
                     "(default: 4)")  # fmt: skip
    one.add_argument("--out", required=True, metavar="FILE", help="the new preset")
    one.set_defaults(run=preset_commands.presets_cut)
