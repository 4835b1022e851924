"""Rows in which something is typed: own value, as delivered, in force, and why one is refused."""

from collections.abc import Sequence

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from generator.engine.choices import STRATEGIES
from generator.engine.place import place_of
from generator.engine.predict import drawing_row
from generator.render.workbook.dress.rules import refused
from generator.render.workbook.layout.box import on
from generator.render.workbook.layout.controls import Entry, Group, entry_key
from generator.render.workbook.layout.start_layout import Cells, Columns
from generator.render.workbook.start.drop_downs import Lists
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.start.refusals import Refusals
from generator.render.workbook.styles import ACCENT

ON_OFF = (1, 0)


class Rows:
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

    def group(self, group: Group, columns: Columns) -> None:
        """The rows of a group of controls under its name."""
        self.pen.text(group.row, 1, self.t(f"workbook.control.{group.key}"), "label")
        for entry in group.entries:
            self.pen.text(entry.row, 1, self.name(entry), indent=1)
            row = self.start.cells(entry)
            message = self.refusals.entry(entry, row.own)
            self.entry(columns, entry, message, row.name)

    def name(self, entry: Entry) -> str:
        """What the row of a control is called."""
        names = {"number": entry.i + 1, "block": entry.i + 1, "head": entry.j + 1}
        key = entry_key(entry)
        if entry.step == "switch.heads" and self.trace.preset.blocks > 1:
            key += ".block"
        if entry.kind == "temperature" and entry.i == drawing_row(self.trace.preset):
            key += ".drawing"
        return self.t(key, round=place_of(entry.step).round, **names)

    def entry(self, columns: Columns, entry: Entry, message: str, name: str) -> None:
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

    def delivered(self, entry: Entry) -> tuple[float | str, str]:
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

    def choices(self, groups: Sequence[Group]) -> None:
        """Drop-down lists and limits of the controls."""
        kinds: dict[str, list[str]] = {}
        for group in groups:
            for entry in group.entries:
                kinds.setdefault(entry.kind, []).append(self.start.cells(entry).own)
        for kind, cells in kinds.items():
            if kind == "switch":
                empty = self.t("workbook.control.empty")
                self.lists.choose(cells, ON_OFF, empty, self.refusals.reason(kind))
            elif kind == "strategy":
                prompt = self.t("workbook.control.empty")
                reason = self.t("workbook.refused.strategy")
                self.lists.choose(cells, STRATEGIES, prompt, reason)
            else:
                key = "digits" if kind == "random" else "decimal"
                prompt = self.t(f"workbook.control.{key}")
                limits = self.refusals.limits(kind)
                self.lists.between(cells, *limits, prompt, self.refusals.reason(kind))

    def heads(
        self, row: int, columns: Columns, across: tuple[int, int], name: str, own: str = "own"
    ) -> None:
        """The column titles of a table that takes the columns `across`."""
        keys = {columns.name: name, columns.own: own, columns.delivered: "delivered"}
        keys |= {columns.force: "force", columns.message: "message"}
        shown = {c: key for c, key in keys.items() if 0 < c <= across[1]}
        titles = {c: self.t(f"workbook.start.column.{key}") for c, key in shown.items()}
        left = {columns.name, columns.message} - {columns.name if own == "word" else 0}
        self.pen.heads(row, titles, across, left)

    def judged(self, columns: Columns, row: Cells, message: str, name: str) -> None:
        """The message, and the running check: the first message so far, with its name."""
        self.pen.formula(row.message, message, "", "alarm", indent=1)
        own = f'IF({row.message}="","",{name}&": "&{row.message})'
        before = self.last_check.get(columns.check)
        formula = f'=IF({before}<>"",{before},{own})' if before else f"={own}"
        self.pen.formula(row.check, formula, "", "tag")
        self.last_check[columns.check] = row.check

    def colour(self, columns: Columns, rows: Sequence[int]) -> None:
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
