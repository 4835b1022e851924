"""The texts of a band: heading lines, formulas in functions, worked arithmetic, labels.

Also here:

* The heading over a table: letter, name, formula in symbols, role; as much as finds room.
* The rows above the first band of a tab: title, link back, focus token, message.
"""

from collections.abc import Iterator

from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.place import place_of
from generator.locales.catalogue import Catalogue
from generator.notation.excel import Functions, as_typed
from generator.notation.live import live_line, live_text
from generator.notation.shown import number
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import (
    SharedStyle,
    cell_at,
    put,
    put_text,
    write_formula,
    write_link,
    write_text,
)
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.layout.box import Box, on
from generator.render.workbook.layout.focus import (
    FOCUS,
    OWN,
    ROW,
    WORD,
    focus_place,
    focusable,
)
from generator.render.workbook.layout.formats import in_words
from generator.render.workbook.layout.glance import ROLES
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Band, HeadingLine, Sheet, TabLabel
from generator.render.workbook.layout.tabs import (
    LETTER,
    Tab,
    by_token,
    origin,
    round_prefix,
    tokens_of,
)
from generator.render.workbook.write.boxes import shown
from generator.steps import kind_of


def write(draft: Draft, page: Worksheet, sheet: Sheet, band: Band) -> None:
    """Everything that stands around the boxes of a band."""
    for line in band.lines:
        _line(draft, page, sheet, band, line)
        if line.live and line.step not in draft.exercise.steps:
            _worked(draft, page, line)
    letters = {line.step: line.letter for line in band.lines}
    for box, (row, column) in band.tags.items():
        title = title_over(draft, box, letters.get(box.step, ""), band)
        kind = place_of(box.step).kind.rpartition(".")[2]
        role = f"{kind} tag" if kind in ROLES else "tag"  # W_Q is in the colour of Q
        write_text(page, row, column, title, draft.styles.look(role))
    for label in band.labels:
        _label(draft, page, label)


def _line(draft: Draft, page: Worksheet, sheet: Sheet, band: Band, line: HeadingLine) -> None:
    """Title and formula in words of a step; in functions below, where there is room."""
    look, grid = draft.styles.look, draft.grids[sheet.tab.title]
    first = line is band.lines[0] and not band.rows
    above = "band " if first else ""
    if first:
        for column in range(1, grid.right + 1):
            cell_at(page, line.row, column, look("band"))
    title = draft.catalogue.step(line.step)
    if place_of(line.step).learning and not band.rows:  # of all tabs of the way forward in one
        title = f"{origin(draft.trace, draft.catalogue, line.step)} · {title}"
    title = f"({line.letter})  {title}" if line.letter else title
    step, turned = draft.trace[line.step], draft.layout.turned(line.step)
    words = in_words(draft.trace, step, draft.catalogue, turned)
    role = "strong" if band.rows else "band" if first else "line"
    write_text(page, line.row, 1, title, look(role))
    write_text(page, line.row, WORDS_COLUMN, words, look(f"{above}words"))
    _functions(draft, page, line)


def _functions(draft: Draft, page: Worksheet, line: HeadingLine) -> None:
    """The formula of the step's first cell, as a person reads it in the cell."""
    if line.functions:
        box = draft.layout.home(line.step)
        functions = Functions(draft.layout.addresses(box), draft.catalogue.language)
        place = draft.texts.telling(draft.trace[line.step])
        formula = functions.formula(draft.trace.cell(line.step, *place))
        texts = draft.texts.functions(box.cell(*place), formula, len(line.functions))
        for row, text in zip(line.functions, texts, strict=False):
            write_text(page, row, WORDS_COLUMN, text, draft.styles.look("functions"))


def _worked(draft: Draft, page: Worksheet, line: HeadingLine) -> None:
    """The arithmetic of the focus token's row of a step, which follows the focus and the cells."""
    trace, language = draft.trace, draft.catalogue.language
    address = draft.layout.addresses(draft.layout.home(line.step))
    formula = live_line(trace, line.step, 0, address, FOCUS, language)
    if formula is None:
        raise ValueError(f"{line.step} has a row for a live line but no such line")
    before, rest = draft.catalogue.phrases["workbook.live"].split("{number}")
    between, after = rest.split("{word}")
    text = f'"{before}"&{FOCUS}&"{between}"&{WORD}&"{after}"&{formula[1:]}'
    i, tokens = (
        focus_place(trace, draft.exercise.asked),
        tokens_of(trace, round_prefix(place_of(line.step).round)),
    )
    j = i if by_token(trace[line.step], tokens)[1] else 0
    head = f"{before}{i + 1}{between}{tokens[i]}{after}"
    worked = CellFormula(f'=IFERROR({text},"")', head + live_text(trace, line.step, i, j, language))
    write_formula(page, line.live, 1, worked, draft.styles.look("live"))


def _label(draft: Draft, page: Worksheet, label: TabLabel) -> None:
    """A text, or the cell that it repeats."""
    align = "right" if label.column > 1 else ""
    role = "head" if label.across else "label"
    wrap = label.across or (label.column == 1 and bool(label.step))
    style = draft.styles.look(role, "General", align, wrap)
    cell = cell_at(page, label.row, label.column, style)
    if not label.step:
        put_text(cell, label.shown(draft.catalogue))
        return
    at = Box("", page.title, label.row, label.column, 1, 1)
    step = draft.layout.home(label.step).step
    address = draft.layout.addresses(at)(step, label.cell, 0)
    if place_of(label.step).kind == "tokens":
        put(cell, CellFormula(f'="{label.cell + 1} "&{address}', label.text))
    elif label.step == "temperature":
        heat = number(
            float(draft.trace[step].values[label.cell, 0]), None, draft.catalogue.language
        )
        put(cell, CellFormula(f'="T = "&{as_typed(address)}', f"T = {heat}"))
    else:
        put(cell, CellFormula(f"={address}", shown(draft, step, label.cell, 0)))


def title_over(draft: Draft, box: Box, letter: str, band: Band) -> str:
    """The first of a table's possible headings that ends before the next one in its row."""
    width = _width(draft, box, band)
    if box.home:
        before = f"({letter}) " if letter else ""
        headings = [f"{before}{text}".rstrip() for text in _home(draft, box)]
    else:
        headings = [f"= {text}".rstrip() for text in _echo(draft, box, band)]
    return next((text for text in headings if len(text) * LETTER <= width), headings[-1])


def _width(draft: Draft, box: Box, band: Band) -> float:
    """The characters from the heading's column to the next heading in its row."""
    row, column = band.tags[box]
    grid = draft.grids[box.sheet]
    after = [c for r, c in band.tags.values() if r == row and c > column]
    return grid.span(column, min(after, default=grid.right + 1) - 1)


def _home(draft: Draft, box: Box) -> Iterator[str]:
    """ "Query Q = X · W_Q [C calculated]", and shorter ones."""
    names, step = draft.names, draft.trace[box.step]
    asked = any(cell[0] == step.name for cell in draft.exercise.asked)
    kind = "asked" if asked else step.kind
    sign, _, role = draft.catalogue.t(f"workbook.role.{kind}").partition("  ")
    symbol = names.symbol(step.name, box)
    silent = asked or (box.turned and symbol.endswith("ᵀ"))  # a formula is the first hint
    formula = "" if silent else names.formula(step.name)
    full = names.full(step.name, box)
    whole = [f"{names.name(step.name)} {formula}", formula] if formula else []
    for text in (*whole, full):
        yield f"{text} [{sign} {role}]"
        yield f"{text} [{sign}]"
    yield full
    if symbol:
        yield f"{symbol} [{sign}]"
        yield symbol
    yield ""


def _echo(draft: Draft, box: Box, band: Band) -> Iterator[str]:
    """ "Input X (tab Input)", and shorter ones."""
    here = band.lines[0].step if band.lines else ""
    home, symbol = draft.layout.home(box.step), draft.names.symbol(box.step, box, here)
    way = "above" if home.row <= box.row else "below"
    key = "tab" if home.sheet != box.sheet else way
    where = draft.catalogue.t(f"workbook.place.{key}", tab=home.sheet)
    full = draft.names.full(box.step, box, here)
    yield f"{full} ({where})"
    if symbol:
        yield f"{symbol} ({where})"
    yield full
    yield symbol


def tab_head_write(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The head of a tab, with a link back to the first one."""
    look, start = draft.styles.look, draft.start_page.title
    write_text(page, 1, 1, sheet.tab.title, look("title"))
    write_text(page, 2, 1, about(sheet.tab, draft.catalogue), look("subtitle"))
    write_link(
        page, 1, draft.grids[sheet.tab.title].link, "← " + start, on(start, "A1"), look("link")
    )
    _focus(draft, page, sheet)
    message = CellFormula(_message(draft, sheet), "")
    write_formula(page, ROW, WORDS_COLUMN, message, look("alarm"))


def about(tab: Tab, catalogue: Catalogue) -> str:
    """What happens on a tab, in one line, true of this model."""
    own = f"workbook.about.{tab.kind}"
    if tab.kind == "input" and not any("position" in step.name for step in tab.steps):
        return catalogue.t(f"{own}.plain")
    if tab.kind not in ("attention", "feedforward"):
        return catalogue.t(own)
    parts: dict[str, None] = {}  # in the order of the tab: a norm stands before or after
    for step in tab.steps:
        norm = "workbook.about.layernorm" if kind_of(step.name).layer_norm else own
        key = "workbook.about.residual" if step.place.kind == "residual" else norm
        parts[key] = None
    text = " → ".join(map(catalogue.t, parts))
    return text[0].upper() + text[1:]


def _focus(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """Which token is in focus, on a tab with token rows; in a solution one of the tab's own.

    An empty cell, or one with anything but such a number, means the token chosen for all tabs.
    """
    tokens = focusable(draft.trace, sheet)
    if not tokens:
        return
    look, place = draft.styles.look, focus_place(draft.trace, draft.exercise.asked)
    write_text(page, ROW, 1, draft.catalogue.t("workbook.focus", last=len(tokens)), look("label"))
    chosen = on(*draft.layout.settings["focus"])
    if not draft.exercise.asked:
        row, column = coordinate_to_tuple(OWN)
        cell_at(page, row, column, look("input", "0", "center"))
        chosen = f"IF({_accepted(len(tokens))},{OWN},{chosen})"
    force = CellFormula(f"={chosen}", place + 1)
    _at(page, FOCUS, force, look("inforce", "0", "center"))
    home = draft.layout.home(f"{sheet.tab.prefix}tokens")
    area = home.span() if home.sheet == page.title else home.area()
    _at(
        page,
        WORD,
        CellFormula(f'=IFERROR(INDEX({area},{FOCUS},1),"")', tokens[place]),
        look("strong"),
    )


def _accepted(tokens: int) -> str:
    """The condition that the tab's own focus token is one of its tokens."""
    number = f"IF(ISNUMBER({OWN}),{OWN},0)"
    return f"AND({number}>=1,{number}<={tokens},{number}=INT({number}))"


def _message(draft: Draft, sheet: Sheet) -> str:
    """The formula of what was refused: the tab's own focus token, else the first of all."""
    t, warning = draft.catalogue.t, f'{on(*draft.layout.warning)}&""'
    tokens = focusable(draft.trace, sheet)
    if draft.exercise.asked or not tokens:
        return f"={warning}"
    reason = t("workbook.refused.whole", least=1, most=len(tokens))
    message = f"{t('workbook.refused.warning')}{t('workbook.focus.title')}: {reason}"
    return f'=IF(OR(ISBLANK({OWN}),{_accepted(len(tokens))}),{warning},"{message}")'


def _at(page: Worksheet, cell: str, formula: CellFormula, style: SharedStyle) -> None:
    row, column = coordinate_to_tuple(cell.replace("$", ""))
    write_formula(page, row, column, formula, style)
