"""The solved workbook: every number of every step a live formula, from tokens to next token."""

from openpyxl.workbook.workbook import Workbook

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.workbook.file.package import LONGEST_TEXT, to_bytes
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.tabs import Tab
from generator.render.workbook.paper import Marks, paper, shape
from generator.render.workbook.start.start import Start, link
from generator.render.workbook.write.boxes import STEP_COLUMN, Writer
from generator.text.catalogue import Catalogue
from generator.version import __version__

MOST_TOKENS = 30
WAY_OUT = "take its numbers from `paperformer trace --format csv` (or json)"
MOST = {  # what still makes tables that a class can read
    "d_model": 32,
    "d_ff": 64,
    "heads": 12,
    "blocks": 6,
    "heads × d_head": 64,
    "words in the vocabulary": 200,
}
NORM = ("mean", "variance", "deviation", "normalised", "gain", "beta", "norm")
ABOUT = {"residual": "workbook.about.residual"} | dict.fromkeys(NORM, "workbook.about.layernorm")


def render(trace: Trace, catalogue: Catalogue) -> bytes:
    """`workbook-solution.xlsx`: tokens, words, weights, temperatures as cells, all else formulas.

    The trace is one with controls; tabs and texts are in the catalogue's language. Raises
    `UserError` for more than 30 tokens, a model too wide and a token that no cell can hold.
    """
    check(trace)
    layout = lay_out(trace, catalogue)
    workbook = new_workbook(trace, catalogue)
    writer = Writer(workbook, layout, catalogue)
    marks = marks_of(trace, catalogue)
    first = workbook.worksheets[0]
    Start(first, writer, layout, code(trace)).write()
    paper(first, marks)
    write_tabs(writer, marks)
    return to_bytes(workbook)


def write_tabs(writer: Writer, marks: Marks) -> None:
    """All tabs after the first one, each with a link back to it."""
    workbook = writer.workbook
    first = workbook.worksheets[0]
    for sheet in writer.layout.sheets:
        page = workbook.create_sheet(sheet.tab.title)
        writer.write(page, 1, 1, sheet.tab.title, "title")
        writer.write(page, 2, 1, about(sheet.tab, writer.catalogue), "subtitle")
        link(page, 1, STEP_COLUMN, first.title, writer, "← " + first.title)
        writer.sheet(page, sheet)
        shape(page, sheet, writer, marks)


def about(tab: Tab, catalogue: Catalogue) -> str:
    """What happens on a tab, in one line, true of this model."""
    own = f"workbook.about.{tab.kind}"
    if tab.kind == "input" and not any("position" in step.name for step in tab.steps):
        return catalogue.t(f"{own}.plain")
    if tab.kind not in ("attention", "feedforward"):
        return catalogue.t(own)
    found: dict[str, None] = {}  # in the order of the tab: a norm stands before or after
    for step in tab.steps:
        found[ABOUT.get(step.name.rpartition(".")[2].rstrip("12"), own)] = None
    text = " → ".join(map(catalogue.t, found))
    return text[0].upper() + text[1:]


def code(trace: Trace) -> str:
    """What makes the workbook known again: preset, short content hash, version."""
    return f"{trace.preset.name} · {trace.preset.sha256[:8]} · {__version__}"


def check(trace: Trace) -> None:
    """Raise a `UserError` for a trace that makes no readable workbook; the message says why.

    Also raises ValueError for a trace without controls: the workbook's switches are its steps.
    """
    if not trace.controls:
        raise ValueError("found a trace without controls, expected compute(…, controls=True)")
    _check_tokens(trace)
    _check_width(trace)


def _check_tokens(trace: Trace) -> None:
    count = len(trace.tokens) + trace.rounds - 1
    if count > MOST_TOKENS:
        more = f" and each of the {trace.rounds - 1} further rounds adds one"
        raise UserError(
            f"the sentence has {len(trace.tokens)} tokens{more if trace.rounds > 1 else ''}; a "
            f"workbook takes {MOST_TOKENS}, because each head fills tables of tokens × tokens that "
            f"must stay readable: shorten the sentence, or {WAY_OUT}"
        )
    for token in trace.tokens:
        if 2 * len(token) > LONGEST_TEXT:
            raise UserError(
                f"the token {token[:20]!r}… has {len(token)} characters; "
                f"a cell of a workbook takes {LONGEST_TEXT // 2}"
            )


def _check_width(trace: Trace) -> None:
    preset = trace.preset
    words = trace["vocabulary.words"].shape[0] if "vocabulary.words" in trace else 0
    attention, network = "attention" in preset.parts, "feedforward" in preset.parts
    found = {
        "d_model": preset.d_model,
        "d_ff": preset.d_ff if network else 0,
        "heads": preset.heads if attention else 0,
        "blocks": preset.blocks,
        "heads × d_head": preset.heads * preset.d_head if attention else 0,
        "words in the vocabulary": words,
    }
    for name, most in MOST.items():
        if found[name] > most:
            raise UserError(
                f"preset {preset.name!r}: found {found[name]} for {name}; a workbook takes {most}, "
                "because a wider table cannot be read on one tab: take a smaller model, cut one "
                "head and the first tokens out of this one with `paperformer presets cut`, "
                f"or {WAY_OUT}"
            )


def new_workbook(trace: Trace, catalogue: Catalogue) -> Workbook:
    """A workbook with its first sheet and the properties by which it is known again."""
    workbook = Workbook()
    workbook.worksheets[0].title = catalogue.t("workbook.tab.start")
    properties = workbook.properties
    properties.title = trace.preset.heading(catalogue.language)
    properties.creator = properties.lastModifiedBy = "Paperformer"
    properties.language = catalogue.language
    properties.identifier = f"paperformer/1|{trace.preset.name}|{trace.preset.sha256}|{__version__}"
    return workbook


def marks_of(trace: Trace, catalogue: Catalogue) -> Marks:
    """What every printed page says at its head and foot."""
    title = trace.preset.heading(catalogue.language)
    page = catalogue.t("workbook.page")
    return Marks(title, f"{code(trace)} · Paperformer", page)
