"""The solved workbook: every number of every step a live formula, from tokens to next token."""

from openpyxl.workbook.workbook import Workbook

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.workbook import chart
from generator.render.workbook.bands import lay_out
from generator.render.workbook.layout import Layout
from generator.render.workbook.package import LONGEST_TEXT, to_bytes
from generator.render.workbook.paper import Marks, paper, shape
from generator.render.workbook.sheets import STEP_COLUMN, Writer
from generator.render.workbook.start import Start, link
from generator.text.catalogue import Catalogue
from generator.version import __version__

MOST_TOKENS = 30


def render(trace: Trace, catalogue: Catalogue) -> bytes:
    """`workbook-solution.xlsx`: tokens, words, weights, temperatures as cells, all else formulas.

    The tabs and texts are in the catalogue's language. Raises `UserError` for more than 30 tokens
    and for a token that no cell can hold.
    """
    _check(trace)
    layout = lay_out(trace, catalogue)
    workbook = _workbook(trace, catalogue)
    writer = Writer(workbook, layout, catalogue)
    marks = _marks(trace, catalogue)
    first = workbook.worksheets[0]
    Start(first, writer, layout, code(trace)).write()
    paper(first, marks)
    for sheet in layout.sheets:
        page = workbook.create_sheet(sheet.tab.title)
        writer.write(page, 1, 1, sheet.tab.title, "title")
        writer.write(page, 2, 1, catalogue.t(f"workbook.about.{sheet.tab.kind}"), "subtitle")
        link(page, 1, STEP_COLUMN, first.title, writer, "← " + first.title)
        writer.sheet(page, sheet)
        shape(page, sheet, writer, marks)
    _chart(workbook, layout, catalogue)
    return to_bytes(workbook)


def code(trace: Trace) -> str:
    """What makes the workbook known again: preset, short content hash, version."""
    return f"{trace.preset.name} · {trace.preset.sha256[:8]} · {__version__}"


def _check(trace: Trace) -> None:
    count = len(trace.tokens)
    if count > MOST_TOKENS:
        raise UserError(
            f"the sentence has {count} tokens; a workbook takes {MOST_TOKENS}, because each head "
            "fills tables of tokens × tokens that must stay readable: shorten the sentence, or "
            "take its numbers as json or csv"
        )
    for token in trace.tokens:
        if 2 * len(token) > LONGEST_TEXT:
            raise UserError(
                f"the token {token[:20]!r}… has {len(token)} characters; "
                f"a cell of a workbook takes {LONGEST_TEXT // 2}"
            )


def _workbook(trace: Trace, catalogue: Catalogue) -> Workbook:
    workbook = Workbook()
    workbook.worksheets[0].title = catalogue.t("workbook.tab.start")
    properties = workbook.properties
    properties.title = trace.preset.title[catalogue.language]
    properties.creator = properties.lastModifiedBy = "Paperformer"
    properties.language = catalogue.language
    properties.identifier = f"paperformer/1|{trace.preset.name}|{trace.preset.sha256}|{__version__}"
    return workbook


def _marks(trace: Trace, catalogue: Catalogue) -> Marks:
    title = trace.preset.title[catalogue.language]
    page = catalogue.t("workbook.page")
    return Marks(title, f"{code(trace)} · Paperformer", page)


def _chart(workbook: Workbook, layout: Layout, catalogue: Catalogue) -> None:
    if "output.probabilities" in layout.homes:
        page = workbook[layout.home("output.probabilities").sheet]
        chart.probabilities(page, layout, catalogue)
