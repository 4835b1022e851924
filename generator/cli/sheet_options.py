"""Options of worksheets and of the exercise workbook, of `make` and of `batch`."""

import argparse

from generator.cli import values


def add(one: argparse.ArgumentParser, *, alone: bool = True) -> None:
    """Options by their name in `SheetOptions`, which has their defaults and checks them.

    What is `alone`, for no class, has both leaves in a file and is printed on one side.
    """
    sheet = one.add_argument_group("worksheets and exercise workbook")
    sheet.add_argument("--level", type=values.level, help="1, 2 (default) or 3: how much is asked")
    sheet.add_argument("--budget", type=values.whole("--budget", values.BUDGET), metavar="MIN",
                       help="take the largest level within so many minutes")  # fmt: skip
    if alone:
        sheet.add_argument("--part", help="info, work or both (default)")
    sheet.add_argument("--no-story", dest="story", action="store_false",
                       help="leave the story out")  # fmt: skip
    sheet.add_argument("--texts", type=values.texts, metavar="FILE", help="own story and tasks "
                       "(.toml or .txt) in place of the sheets' own")  # fmt: skip
    sheet.add_argument("--carry", help="given (default): start values from "
                       "earlier sheets are printed; own: pupils bring theirs")  # fmt: skip
    _print(sheet)
    _sides(sheet, alone)
    _judging(one)


def add_for_exam(one: argparse.ArgumentParser) -> None:
    """Those of an exam: no story, no help, no checks, no start values to bring."""
    sheet = one.add_argument_group("pages")
    sheet.add_argument("--level", type=values.level, help="1, 2 (default) or 3: how much is asked")
    sheet.add_argument("--texts", type=values.texts, metavar="FILE", help="own tasks "
                       "(.toml or .txt) in place of the sheets' own")  # fmt: skip
    _print(sheet, points=False)
    _sides(sheet, alone=False)


def _sides(sheet: argparse._ArgumentGroup, alone: bool) -> None:
    usual = "" if alone else " (default)"
    sheet.add_argument("--duplex", action="store_true", default=None, help="margins for printing "
                       f"on both sides{usual}")  # fmt: skip
    if not alone:
        sheet.add_argument("--single-sided", dest="duplex", action="store_false", default=None,
                           help="the wide margin on the left of every page")  # fmt: skip


def _judging(one: argparse.ArgumentParser) -> None:
    """What a pupil's workbook says of entries; in the file these settings are locked."""
    asked = one.add_argument_group("exercise workbook", "decided here, locked in the file")
    asked.add_argument("--check", metavar="WHEN", help="off: entries are never judged, as in a "
                       "test; block (default): when all cells of a block are filled; once: each as "
                       "soon as it is typed")  # fmt: skip
    asked.add_argument("--no-interim", dest="interim", action="store_false",
                       help="help 4, which inserts interim results, says nothing")  # fmt: skip
    asked.add_argument("--tolerance", type=values.whole("--tolerance", values.TOLERANCE),
                       metavar="N", help="count an answer as right that differs by N units of the "
                       "last decimal, 0 to 5 (default: 1)")  # fmt: skip


def _print(sheet: argparse._ArgumentGroup, *, points: bool = True) -> None:
    sheet.add_argument("--large-print", action="store_true", help="nothing below 18 pt, on A4 "
                       "across")  # fmt: skip
    sheet.add_argument("--qr", action="store_true", help="the code of each page as a QR code too")
    sheet.add_argument("--fillable", action="store_true", help="beside each blank PDF another one "
                       "whose boxes can be filled on a screen")  # fmt: skip
    if points:
        sheet.add_argument("--pdf-by", metavar="PROGRAM", help="weasyprint, which needs Pango; "
                       "chromium: Chrome, Edge or Chromium; auto (default): whichever is "
                       "there, WeasyPrint first")  # fmt: skip
    sheet.add_argument("--points", action="store_true", help="boxes for the marks of a test")
    sheet.add_argument("--header", metavar="TEXT", help="in the page header, such as "
                       "the class")  # fmt: skip
    sheet.add_argument("--author", metavar="NAME", help="in the page footer")
    sheet.add_argument("--licence", metavar="NAME", help="in the page footer (default: CC BY 4.0)")
