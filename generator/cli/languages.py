"""The commands for languages: list them, begin one as a folder, say what a folder lacks."""

import argparse
import csv
import json
import sys
from collections import Counter
from pathlib import Path

from generator import output
from generator.cli.streams import say
from generator.errors import require, require_known

FORMATS = ("csv", "json")


def languages_list(args: argparse.Namespace) -> int:
    """Print the languages with what they call themselves."""
    from generator.locales.folders import languages
    from generator.locales.locale import locale_of

    for code in languages():
        print(f"{code}  {locale_of(code).name}")
    return 0


def languages_new(args: argparse.Namespace) -> int:
    """Write a folder with all that is to be translated, in English; `UserError` where it exists."""
    from generator.locales.catalogue import files
    from generator.locales.folders import CODE, ENGLISH, FILE, PRESETS, folders
    from generator.presets.further import english_file
    from generator.presets.load import shipped_tables

    folder, english = Path(args.folder), folders()[ENGLISH]
    new = CODE.fullmatch(folder.name) and folder.name not in folders()
    require(new, "languages.new", folder=folder)
    copies = {FILE: english / FILE, **files(ENGLISH, english)}
    contents = {folder / name: path.read_bytes() for name, path in copies.items()}
    contents[folder / PRESETS] = english_file(shipped_tables()).encode("utf-8")
    print(f"{folder}: {len(output.write_all_new(contents))} files")
    return 0


def languages_check(args: argparse.Namespace) -> int:
    """Print each key of a folder that is missing, unknown, wrong or still English; 1 for wrong."""
    from generator.locales.check import problems_in
    from generator.locales.folders import code_of
    from generator.locales.locale import LocaleProblem
    from generator.presets import further
    from generator.presets.load import shipped_tables

    require_known("format", args.format, FORMATS)
    folder = Path(args.folder)
    code_of(folder)
    problems = [*problems_in(folder), *further.problems_in(folder, shipped_tables())]
    if args.format == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows([LocaleProblem._fields, *problems])
    else:
        print(json.dumps([one._asdict() for one in problems], ensure_ascii=False, indent=1))
    kinds = Counter(problem.kind for problem in problems)
    counted = ", ".join(f"{kinds[kind]} {kind}" for kind in ("missing", "unknown", "wrong", "same"))
    say(f"{folder}: {counted} as in English")
    return 1 if kinds.total() > kinds["same"] else 0
