"""Both workbooks and every sheet of a preset, as bytes, to be compared between Pythons.

python -m tests.support.made_files katze html   # their hashes, by any Python
"""

import hashlib
import json
import sys

import generator
from generator.locales.catalogue import load
from generator.render.workbook import exercise, solution
from generator.render.worksheet.worksheet import unfit
from generator.sheets.options import VARIANTS, SheetOptions
from generator.sheets.series import SHEETS
from tests.support.views import render


def made(preset: str, kind: str = "html") -> dict[str, bytes]:
    trace, exact = (generator.compute(preset=preset, rounding=one) for one in ("paper", "exact"))
    texts, options = load(trace.language), SheetOptions(language=trace.language)
    live = generator.compute(preset=preset, controls=True)
    files = {"solution": solution.render(live, texts), "exercise": exercise.render(live, texts, 2)}
    for sheet in SHEETS:
        if not unfit(sheet, trace):
            for variant in VARIANTS:
                files[f"{sheet}-{variant}"] = render(
                    sheet, trace, exact, options, kind=kind, variant=variant
                )
    return files


def hashes(preset: str, kind: str) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in made(preset, kind).items()}


if __name__ == "__main__":
    json.dump(hashes(*sys.argv[1:]), sys.stdout)
