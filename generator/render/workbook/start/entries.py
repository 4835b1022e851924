"""The tables of the Start tab in which a class changes something: controls, words, settings.

Also here:

* Rows in which something is typed: own value, as delivered, in force, and why one is refused.
* Drop-down lists and messages of the cells of the Start tab in which something is typed.
"""

from collections.abc import Iterable, Sequence

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.datavalidation import DataValidation

from generator.checks.judging import CHECKS, MOST_TOLERANCE
from generator.engine.choices import STRATEGIES
from generator.engine.place import place_of
from generator.engine.predict import drawing_row
from generator.render.workbook.dress.frames import refused
from generator.render.workbook.guards import LONGEST_ERROR, number_rule
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.controls import ControlEntry, ControlGroup, entry_key
from generator.render.workbook.layout.focus import focus_place
from generator.render.workbook.layout.start_layout import (
    CONTROL,
    DECIDED,
    DRAWING,
    JOINED,
    LAST_COLUMN,
    LEARNING,
    LISTS,
    SETTING,
    WORD,
    Cells,
    StartColumns,
    cells,
)
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.start.refusals import Refusals, chunks, join, joined
from generator.render.workbook.styles import ACCENT

NOTHING = ";;;"  # how a number is shown that only formulas read
LAST_LEFT, FIRST_RIGHT = 8, 9


class EntryTables:
    """Writes the tables and their rules."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.draft = pen.draft
        self.layout = pen.draft.layout
        self.start = self.layout.start
        self.trace = self.layout.trace
        self.t = pen.t
        self.lists = Lists(pen)
        self.rows = RowWriter(pen, self.lists)
        self.refusals = self.rows.refusals

    def write(self) -> None:
        """All of them."""
        self._experiment()
        self._controls()
        self._mirrored()
        self._words()
        self._settings()

    def warning(self, otherwise: str) -> str:
        """The formula of the first message of all; `otherwise` where every entry is accepted."""
        checks = list(self.rows.last_check.values())
        if draw := self.start.draw:
            checks.insert(1, on(draw.sheet, draw.refused))
        if learn := self.start.learn:
            checks.append(cells(LEARNING, learn.entries[-1].row).check)
        formula = f'{otherwise}&""'
        for check in reversed(checks):
            formula = f'IF({check}<>"",{self._announced(check)},{formula})'
        return f"={formula}"

    def _announced(self, check: str) -> str:
        return f'"{self.t("workbook.refused.warning")}"&{check}'

    # Controls -----------------------------------------------------------------------------------

    def _experiment(self) -> None:
        most = len(self.start.experiments)
        row = self.start.experiment
        if not most:
            self.pen.value(row.force, 0, "tag", NOTHING)
            return
        self.pen.text(*_place(row.name), self.t("workbook.start.experiment"), "strong")
        self.pen.value(row.own, 0, "input")
        self.rows.judged(CONTROL, row, self.refusals.whole(row.own, 0, most), row.name)
        force = f'=IF(AND({row.message}="",{row.own}<>""),{row.own},0)'
        self.pen.formula(row.force, force, 0, "inforce", align="center")
        prompt = self.t("workbook.prompt.experiment", most=most)
        reason = self.t("workbook.refused.whole", least=0, most=most)
        self.lists.choose([row.own], range(most + 1), prompt, reason)

    def _controls(self) -> None:
        groups = (*self.start.groups, *self.start.mirrored)
        if groups:
            top = self.start.tables_row
            self.pen.band(top, 1, LAST_LEFT, self.t("workbook.start.controls"))
            self.rows.heads(top + 1, CONTROL, (1, LAST_LEFT), "name")
            self.rows.colour(CONTROL, [e.row for group in groups for e in group.entries])
        for group in self.start.groups:
            self.rows.group(group, CONTROL)
        for box in self.start.boxes:
            self.draft.name(box)
        self.rows.choices(self.start.groups)

    def _mirrored(self) -> None:
        """What is typed in on the Draw tab, repeated and locked, with a link there."""
        draw = self.start.draw
        if draw is None:
            return
        for group, original in zip(self.start.mirrored, draw.groups, strict=True):
            self.pen.text(group.row, 1, self.t(f"workbook.control.{group.key}"), "label")
            target = at(original.row + 1, DRAWING.own)
            self.pen.link(group.row, CONTROL.delivered, draw.sheet, target, f"→ {draw.sheet}")
            for entry, typed in zip(group.entries, original.entries, strict=True):
                self.pen.text(entry.row, 1, self.rows.name(entry), indent=1)
                self._mirror(entry, typed)

    def _mirror(self, entry: ControlEntry, typed: ControlEntry) -> None:
        """One row that repeats a row of the Draw tab."""
        delivered, number = self.rows.delivered(typed)
        shown = "General" if number == "@" else number
        here, there = self.start.cells(entry), self.start.cells(typed)
        sheet = self.start.page(typed)
        own, message = on(sheet, there.own), on(sheet, there.message)
        self.pen.formula(here.own, f'=IF({own}="","",{own})', "", "echo", shown, "center")
        for cell, source in ((here.delivered, there.delivered), (here.force, there.force)):
            formula = f"={on(sheet, source)}"
            role = "inforce" if cell == here.force else "echo"
            self.pen.formula(cell, formula, delivered, role, shown, "center")
        self.pen.formula(here.message, f"={message}", "", "alarm", indent=1)

    # Words --------------------------------------------------------------------------------------

    def _words(self) -> None:
        if not self.start.words:
            return
        top = self.start.tables_row
        self.pen.band(top, FIRST_RIGHT, LAST_COLUMN, self.t("workbook.start.words"))
        self.rows.heads(top + 1, WORD, (FIRST_RIGHT, LAST_COLUMN), "number", "word")
        vocabulary = write_joined(self.pen, top + 2)
        for entry in self.start.words:
            row = self.start.cells(entry)
            self.pen.value(row.name, entry.i + 1, "label")
            message = self.refusals.word(row.own, row.delivered, vocabulary)
            name = f'"{self.t("workbook.refused.token")}"&{row.name}'
            self.rows.entry(WORD, entry, message, name)
        area = self.layout.home("vocabulary.words").area()
        own = [self.start.cells(entry).own for entry in self.start.words]
        prompt, reason = self.t("workbook.prompt.word"), self.t("workbook.refused.word")
        self.lists.from_area(own, area, prompt, reason)
        self.rows.colour(WORD, [entry.row for entry in self.start.words])

    # Settings -----------------------------------------------------------------------------------

    def _settings(self) -> None:
        top = self.start.settings_row
        self.pen.band(top, FIRST_RIGHT, LAST_COLUMN, self.t("workbook.start.settings"))
        self.rows.heads(top + 1, SETTING, (FIRST_RIGHT, LAST_COLUMN), "name")
        self._focus()
        if not self.draft.exercise.asked:
            self._there()
            place = _place(self.start.setting("judge").name)
            self.pen.text(*place, self.t("workbook.setting.tolerance.about"), "words")
            return
        for name in DECIDED:
            self._decided(name)

    def _focus(self) -> None:
        """Which token is in focus on all tabs."""
        name, row, most = "focus", self.start.setting("focus"), len(self.trace.tokens)
        initial = focus_place(self.trace, self.draft.exercise.asked) + 1
        self.pen.text(*_place(row.name), self.t(f"workbook.setting.{name}"))
        sheet, cell = self.layout.setting_inputs[name]
        elsewhere = on(sheet, cell)
        if sheet == self.start.sheet:
            self.pen.value(row.own, initial, "input", "0")
        else:
            mirror = f'=IF({elsewhere}="","",{elsewhere})'
            self.pen.formula(row.own, mirror, initial, "echo", "0", "center")
        message = self.refusals.whole(row.own, 1, most)
        self.rows.judged(SETTING, row, message, row.name)
        force = f'=IF(AND({row.message}="",{row.own}<>""),{row.own},{initial:g})'
        self.pen.formula(row.force, force, initial, "inforce", align="center")
        if sheet == self.start.sheet:
            note, title = self.t(f"workbook.setting.{name}.note"), self.t("workbook.refused.title")
            self.lists.choose([row.own], range(1, most + 1), note, title)

    def _there(self) -> None:
        """Where the focus token is chosen, if not here."""
        sheet, cell = self.layout.setting_inputs["focus"]
        if sheet != self.start.sheet:
            text = self.t("workbook.setting.focus.there", tab=sheet)
            self.pen.link(*_place(self.start.setting("tolerance").name), sheet, cell, text)

    def _decided(self, name: str) -> None:
        """What the teacher chose when the file was made: locked, with a list for the teacher."""
        row, judging = self.start.setting(name), self.draft.judging
        chosen: dict[str, tuple[float | str, Sequence[float | str]]] = {
            "judge": (self._spelled(judging.check), [self._spelled(key) for key in CHECKS]),
            "tolerance": (judging.tolerance, range(MOST_TOLERANCE + 1)),
            "interim": (int(judging.interim), ON_OFF),
        }
        value, items = chosen[name]
        self.pen.text(*_place(row.name), self.t(f"workbook.setting.{name}"))
        self.pen.value(row.force, value, "inforce", "@" if isinstance(value, str) else "0")
        self.pen.text(*_place(row.message), self.t("workbook.setting.decided"), "words", indent=1)
        note = self.t(f"workbook.setting.{name}.note")
        self.lists.choose([row.force], items, note, self.t("workbook.refused.title"))

    def _spelled(self, check: str) -> str:
        return self.t(f"workbook.judge.{check}")


def _place(address: str) -> tuple[int, int]:
    row, column = coordinate_to_tuple(address)
    return row, column


def write_joined(pen: Pen, top: int) -> list[str]:
    """The vocabulary as one text in a check column, or as several; gives their addresses."""
    home = pen.draft.layout.home("vocabulary.words")
    words = pen.draft.trace["vocabulary.words"].values[:, 0].tolist()
    addresses: list[str] = []
    for k, part in enumerate(chunks(words)):
        spelled = [on(home.sheet, home.cell(i, 0)) for i in part]
        pen.formula(at(top + k, JOINED), join(spelled), joined([words[i] for i in part]), "tag")
        addresses.append(f"${get_column_letter(JOINED)}${top + k}")
    return addresses


ON_OFF = (1, 0)


class Lists:
    """Writes each list once into a check column: typed into the rule, "0.5" would be a text."""

    def __init__(self, pen: Pen, column: int = LISTS) -> None:
        self.pen = pen
        self.column = column
        self.row = FIRST_ROW
        self._known: dict[tuple[float | str, ...], str] = {}

    def choose(
        self, cells: Sequence[str], items: Iterable[float | str], prompt: str, reason: str
    ) -> None:
        """A drop-down list of numbers or words in each of the cells."""
        self.from_area(cells, self._area(tuple(items)), prompt, reason)

    def from_area(self, cells: Sequence[str], area: str, prompt: str, reason: str) -> None:
        """A drop-down list of what stands in an area."""
        rule = DataValidation(type="list", formula1=area, allow_blank=True)
        rule.errorTitle = self.pen.t("workbook.refused.title")
        rule.error = f"{reason}. {prompt}"[:LONGEST_ERROR]
        self._add(rule, cells, prompt)

    def between(
        self, cells: Sequence[str], least: float, most: float, prompt: str, reason: str
    ) -> None:
        """Numbers only, from `least` to `most`."""
        reason = f"{reason}. {prompt}"
        rule = number_rule(self.pen.draft.catalogue, "decimal", least, most, reason)
        self._add(rule, cells, prompt)

    def _area(self, items: tuple[float | str, ...]) -> str:
        if items not in self._known:
            letter = get_column_letter(self.column)
            first, last = self.row, self.row + len(items) - 1
            for k, item in enumerate(items):
                self.pen.value(f"{letter}{first + k}", item, "tag")
            self._known[items] = f"${letter}${first}:${letter}${last}"
            self.row = last + 2
        return self._known[items]

    def _add(self, rule: DataValidation, cells: Sequence[str], prompt: str) -> None:
        rule.prompt = prompt[:LONGEST_PROMPT]
        rule.showErrorMessage = rule.showInputMessage = True
        for cell in cells:
            rule.add(cell)
        self.pen.page.add_data_validation(rule)


class RowWriter:
    """Writes such rows on one tab; remembers which messages the warning looks at."""

    def __init__(self, pen: Pen, lists: Lists) -> None:
        self.pen = pen
        self.draft = pen.draft
        self.start = pen.draft.layout.start
        self.trace = pen.draft.layout.trace
        self.t = pen.t
        self.lists = lists
        self.refusals = Refusals(self.trace, self.draft.catalogue)
        self.last_check: dict[int, str] = {}

    def group(self, group: ControlGroup, columns: StartColumns) -> None:
        """The rows of a group of controls under its name."""
        self.pen.text(group.row, 1, self.t(f"workbook.control.{group.key}"), "label")
        for entry in group.entries:
            self.pen.text(entry.row, 1, self.name(entry), indent=1)
            row = self.start.cells(entry)
            message = self.refusals.entry(entry, row.own)
            self.entry(columns, entry, message, row.name)

    def name(self, entry: ControlEntry) -> str:
        """What the row of a control is called."""
        names = {"number": entry.i + 1, "block": entry.i + 1, "head": entry.j + 1}
        key = entry_key(entry)
        if entry.step == "switch.heads" and self.trace.preset.blocks > 1:
            key += ".block"
        if entry.kind == "temperature" and entry.i == drawing_row(self.trace.preset):
            key += ".drawing"
        return self.t(key, round=place_of(entry.step).round, **names)

    def entry(self, columns: StartColumns, entry: ControlEntry, message: str, name: str) -> None:
        """One row: own value, as delivered, in force, message."""
        row = self.start.cells(entry)
        delivered, number = self.delivered(entry)
        self.pen.empty(row.own, "input", number)
        if entry.kind in ("word", "target"):
            word = self._word(str(delivered))
            self.pen.formula(row.delivered, word, delivered, "echo", align="center")
        else:
            self.pen.value(row.delivered, delivered, "echo", number)
        shown = "General" if number == "@" else number
        self.pen.formula(row.force, self.start.force(entry), delivered, "inforce", shown, "center")
        self.judged(columns, row, message, name)

    def delivered(self, entry: ControlEntry) -> tuple[float | str, str]:
        """The value that an entry has as delivered, and its number format."""
        step = self.trace[entry.step]
        value = step.values[entry.i, entry.j]
        if step.text:
            return str(value), "@"
        return float(value), self.draft.looks[step.name].number

    def _word(self, word: str) -> str:
        """A delivered word is looked up by its number, so that a new spelling reaches it too."""
        home = self.draft.layout.home("vocabulary.words")
        number = self.trace["vocabulary.words"].values[:, 0].tolist().index(word)
        return f'={on(home.sheet, home.cell(number, 0))}&""'

    def choices(self, groups: Sequence[ControlGroup]) -> None:
        """Drop-down lists and limits of the controls."""
        kinds: dict[str, list[str]] = {}
        for group in groups:
            for entry in group.entries:
                kinds.setdefault(entry.kind, []).append(self.start.cells(entry).own)
        for kind, places in kinds.items():
            if kind == "switch":
                empty = self.t("workbook.control.empty")
                self.lists.choose(places, ON_OFF, empty, self.refusals.reason(kind))
            elif kind == "strategy":
                prompt = self.t("workbook.control.empty")
                reason = self.t("workbook.refused.strategy")
                self.lists.choose(places, STRATEGIES, prompt, reason)
            else:
                key = "digits" if kind == "random" else "decimal"
                prompt = self.t(f"workbook.control.{key}")
                limits = self.refusals.limits(kind)
                self.lists.between(places, *limits, prompt, self.refusals.reason(kind))

    def heads(
        self, row: int, columns: StartColumns, across: tuple[int, int], name: str, own: str = "own"
    ) -> None:
        """The column titles of a table that takes the columns `across`."""
        keys = {columns.name: name, columns.own: own, columns.delivered: "delivered"}
        keys |= {columns.force: "force", columns.message: "message"}
        shown = {c: key for c, key in keys.items() if 0 < c <= across[1]}
        titles = {c: self.t(f"workbook.start.column.{key}") for c, key in shown.items()}
        left = {columns.name, columns.message} - {columns.name if own == "word" else 0}
        self.pen.heads(row, titles, across, left)

    def judged(self, columns: StartColumns, row: Cells, message: str, name: str) -> None:
        """The message, and the running check: the first message so far, with its name."""
        self.pen.formula(row.message, message, "", "alarm", indent=1)
        own = f'IF({row.message}="","",{name}&": "&{row.message})'
        before = self.last_check.get(columns.check)
        formula = f'=IF({before}<>"",{before},{own})' if before else f"={own}"
        self.pen.formula(row.check, formula, "", "tag")
        self.last_check[columns.check] = row.check

    def colour(self, columns: StartColumns, rows: Sequence[int]) -> None:
        """Refused entries are framed in red, what differs from the delivered value is bold."""
        first, last = rows[0], rows[-1]
        own, delivered, force, message = (
            get_column_letter(column)
            for column in (columns.own, columns.delivered, columns.force, columns.message)
        )
        changed = FormulaRule(
            formula=[f"NOT(EXACT(${force}{first},${delivered}{first}))"],
            font=Font(color=ACCENT, bold=True),
        )
        self.pen.page.conditional_formatting.add(
            f"{own}{first}:{own}{last}", refused(f'${message}{first}<>""')
        )
        self.pen.page.conditional_formatting.add(f"{force}{first}:{force}{last}", changed)


FIRST_ROW = 5
LONGEST_PROMPT = 255
