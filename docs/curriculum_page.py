"""Writes the page "What curricula say": `python -m docs.curriculum_page`."""

from pathlib import Path

from generator.locales.catalogue import load
from generator.sheets.curriculum import LINES, CurriculumLine

PAGE = Path(__file__).with_name("curriculum.md")
HEADING = """\
# What curricula say

Written from `generator/sheets/curriculum.toml` by `python -m docs.curriculum_page`; a test
compares. The same lines stand, with their words, on each sheet's page in the
[gallery](how-to/gallery.md) and in the [papers for whoever plans](how-to/plan.md); a sheet's page
for the teacher names those that were read at their source. A line says only what could be found and
quoted. Where its words were read in somebody's copy, it says so here and wherever it is printed:
compare before you cite. The standards of the KMK for mathematics were not found in
words that can be quoted; Berlin's curriculum, which rests on them, stands for them.
"""


def page() -> str:
    """The whole page as Markdown."""
    return "\n".join([HEADING, *map(_line, LINES)])


def _line(line: CurriculumLine) -> str:
    t = load("en").t
    read = t("curriculum.checked") if line.checked else t("curriculum.unchecked", read=line.read)
    sheets = ", ".join(f"`{sheet}`" for sheet in line.sheets)
    return f"""\
## {line.short}

> {line.wording}

{line.source} ({line.date}). [{line.url.split("/")[2]}]({line.url}); {read}.
Sheets: {sheets}.
"""


def main() -> None:
    """Write the page beside this file."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
