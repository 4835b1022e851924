"""The tables of the Start tab in which a class changes something: controls, words, settings."""

from collections.abc import Sequence

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_to_tuple

from generator.checks.judging import CHECKS, MOST_TOLERANCE
from generator.engine.choices import STRATEGIES
from generator.engine.place import place_of
from generator.engine.predict import drawing_row
from generator.render.workbook.dress.blanks import REFUSED
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.controls import Entry, entry_key
from generator.render.workbook.layout.start_layout import (
    CONTROL,
    DECIDED,
    JOINED,
    LAST_COLUMN,
    SETTING,
    WORD,
    Cells,
    Columns,
)
from generator.render.workbook.start.drop_downs import Lists
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.start.refusals import (
    Refusals,
    chunks,
    join,
    joined,
)
from generator.render.workbook.styles import ACCENT, ALARM

ON_OFF = (1, 0)
NOTHING = ";;;"  # how a number is shown that only formulas read
LAST_LEFT, FIRST_RIGHT = 8, 9


class Entries:
    """Writes the tables and their rules; remembers which messages the warning looks at."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.draft = pen.draft
        self.layout = pen.draft.layout
        self.start = self.layout.start
        self.trace = self.layout.trace
        self.t = pen.t
        self.refusals = Refusals(self.trace, self.draft.catalogue)
        self.lists = Lists(pen)
        self.last_check: dict[int, str] = {}

    def write(self) -> None:
        """All of them."""
        self._experiment()
        self._controls()
        self._words()
        self._settings()

    def warning(self, otherwise: str) -> str:
        """The formula of the first message of all; `otherwise` where every entry is accepted."""
        formula = f'{otherwise}&""'
        for check in reversed(self.last_check.values()):
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
        self._judged(CONTROL, row, self.refusals.whole(row.own, 0, most), row.name)
        force = f'=IF(AND({row.message}="",{row.own}<>""),{row.own},0)'
        self.pen.formula(row.force, force, 0, "inforce", align="center")
        prompt = self.t("workbook.prompt.experiment", most=most)
        reason = self.t("workbook.refused.whole", least=0, most=most)
        self.lists.choose([row.own], range(most + 1), prompt, reason)

    def _controls(self) -> None:
        if not self.start.groups:
            return
        top = self.start.tables_row
        self.pen.band(top, 1, LAST_LEFT, self.t("workbook.start.controls"))
        self._heads(top + 1, CONTROL, "name")
        for group in self.start.groups:
            self.pen.text(group.row, 1, self.t(f"workbook.control.{group.key}"), "label")
            for entry in group.entries:
                self.pen.text(entry.row, 1, self._name(entry), indent=1)
                row = self.start.cells(entry)
                self._entry(entry, row, self.refusals.entry(entry, row.own), row.name)
        for box in self.start.boxes:
            self.draft.name(box)
        self._choices()
        self._colour(CONTROL, [e.row for g in self.start.groups for e in g.entries])

    def _name(self, entry: Entry) -> str:
        names = {"number": entry.i + 1, "block": entry.i + 1, "head": entry.j + 1}
        key = entry_key(entry)
        if entry.step == "switch.heads" and self.trace.preset.blocks > 1:
            key += ".block"
        if entry.kind == "temperature" and entry.i == drawing_row(self.trace.preset):
            key += ".drawing"
        return self.t(key, round=place_of(entry.step).round, **names)

    def _entry(self, entry: Entry, row: Cells, message: str, name: str) -> None:
        """One row: own value, as delivered, in force, message."""
        step = self.trace[entry.step]
        value = step.values[entry.i, entry.j]
        delivered = str(value) if step.text else float(value)
        number = "@" if step.text else self.draft.looks[step.name].number
        shown = "General" if step.text else number
        self.pen.empty(row.own, "input", number)
        if entry.kind == "word":
            self.pen.formula(row.delivered, self._word(str(value)), value, "echo", align="center")
        else:
            self.pen.value(row.delivered, delivered, "echo", number)
        self.pen.formula(row.force, self.start.force(entry), delivered, "inforce", shown, "center")
        self._judged(WORD if entry.kind == "word" else CONTROL, row, message, name)

    def _word(self, word: str) -> str:
        """A delivered word is looked up by its number, so that a new spelling reaches it too."""
        home = self.layout.home("vocabulary.words")
        number = self.trace["vocabulary.words"].values[:, 0].tolist().index(word)
        return f'={on(home.sheet, home.cell(number, 0))}&""'

    def _choices(self) -> None:
        kinds: dict[str, list[str]] = {}
        for group in self.start.groups:
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

    # Words --------------------------------------------------------------------------------------

    def _words(self) -> None:
        if not self.start.words:
            return
        top = self.start.tables_row
        self.pen.band(top, FIRST_RIGHT, LAST_COLUMN, self.t("workbook.start.words"))
        self._heads(top + 1, WORD, "number", "word")
        vocabulary = self._joined(top + 2)
        for entry in self.start.words:
            row = self.start.cells(entry)
            self.pen.value(row.name, entry.i + 1, "label")
            message = self.refusals.word(row.own, row.delivered, vocabulary)
            name = f'"{self.t("workbook.refused.token")}"&{row.name}'
            self._entry(entry, row, message, name)
        area = self.layout.home("vocabulary.words").area()
        cells = [self.start.cells(entry).own for entry in self.start.words]
        prompt, reason = self.t("workbook.prompt.word"), self.t("workbook.refused.word")
        self.lists.from_area(cells, area, prompt, reason)
        self._colour(WORD, [entry.row for entry in self.start.words])

    def _joined(self, top: int) -> list[str]:
        """The vocabulary as one text, or several where it is long; gives their addresses."""
        home = self.layout.home("vocabulary.words")
        words = self.trace["vocabulary.words"].values[:, 0].tolist()
        addresses: list[str] = []
        for k, part in enumerate(chunks(words)):
            cells = [on(home.sheet, home.cell(i, 0)) for i in part]
            cached = joined([words[i] for i in part])
            self.pen.formula(at(top + k, JOINED), join(cells), cached, "tag")
            addresses.append(f"${get_column_letter(JOINED)}${top + k}")
        return addresses

    # Settings -----------------------------------------------------------------------------------

    def _settings(self) -> None:
        top = self.start.settings_row
        self.pen.band(top, FIRST_RIGHT, LAST_COLUMN, self.t("workbook.start.settings"))
        self._heads(top + 1, SETTING, "name")
        self._focus()
        if not self.draft.exercise.asked:
            place = _place(self.start.setting("judge").name)
            self.pen.text(*place, self.t("workbook.setting.tolerance.about"), "words")
            return
        for name in DECIDED:
            self._decided(name)

    def _focus(self) -> None:
        """Which token is in focus on all tabs."""
        name, row, most = "focus", self.start.setting("focus"), len(self.trace.tokens)
        initial = 1 if self.trace.exercise is None else self.trace.exercise + 1
        self.pen.text(*_place(row.name), self.t(f"workbook.setting.{name}"))
        self.pen.value(row.own, initial, "input", "0")
        message = self.refusals.whole(row.own, 1, most)
        self._judged(SETTING, row, message, row.name)
        force = f'=IF(AND({row.message}="",{row.own}<>""),{row.own},{initial:g})'
        self.pen.formula(row.force, force, initial, "inforce", align="center")
        note = self.t(f"workbook.setting.{name}.note")
        self.lists.choose([row.own], range(1, most + 1), note, self.t("workbook.refused.title"))

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

    # Parts of all tables ------------------------------------------------------------------------

    def _heads(self, row: int, columns: Columns, name: str, own: str = "own") -> None:
        keys = {columns.name: name, columns.own: own, columns.delivered: "delivered"}
        keys |= {columns.force: "force", columns.message: "message"}
        titles = {c: self.t(f"workbook.start.column.{key}") for c, key in keys.items() if c}
        first, last = (1, LAST_LEFT) if columns is CONTROL else (FIRST_RIGHT, LAST_COLUMN)
        left = {columns.name, columns.message} - {WORD.name if columns is WORD else 0}
        self.pen.heads(row, titles, (first, last), left)

    def _judged(self, columns: Columns, row: Cells, message: str, name: str) -> None:
        """The message, and the running check: the first message so far, with its name."""
        self.pen.formula(row.message, message, "", "alarm", indent=1)
        own = f'IF({row.message}="","",{name}&": "&{row.message})'
        before = self.last_check.get(columns.check)
        formula = f'=IF({before}<>"",{before},{own})' if before else f"={own}"
        self.pen.formula(row.check, formula, "", "tag")
        self.last_check[columns.check] = row.check

    def _colour(self, columns: Columns, rows: Sequence[int]) -> None:
        """Refused entries are framed in red, what differs from the delivered value is bold."""
        first, last = rows[0], rows[-1]
        own, delivered, force, message = (
            get_column_letter(column)
            for column in (columns.own, columns.delivered, columns.force, columns.message)
        )
        refused = FormulaRule(
            formula=[f'${message}{first}<>""'],
            font=Font(color=ALARM, bold=True),
            fill=PatternFill("solid", bgColor=REFUSED),
        )
        changed = FormulaRule(
            formula=[f"NOT(EXACT(${force}{first},${delivered}{first}))"],
            font=Font(color=ACCENT, bold=True),
        )
        self.pen.page.conditional_formatting.add(f"{own}{first}:{own}{last}", refused)
        self.pen.page.conditional_formatting.add(f"{force}{first}:{force}{last}", changed)


def _place(address: str) -> tuple[int, int]:
    row, column = coordinate_to_tuple(address)
    return row, column
