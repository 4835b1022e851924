"""Rows in which something is typed: own value, as delivered, in force, and why one is refused.

Whatever is typed is judged by a formula that gives "" or the message; drop-down lists and limits
of the program tell before. What was delivered is always among what is accepted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from openpyxl.utils import get_column_letter

from generator.engine.choices import STRATEGIES
from generator.engine.learning import LARGEST_RATE
from generator.engine.place import place_of
from generator.engine.predict import drawing_row
from generator.notation.shown import number
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout import start_layout as plan
from generator.render.workbook.layout.box import at, on, quoted
from generator.render.workbook.layout.tabs import TWO_DIGITS, accepted
from generator.render.workbook.pen import Pen
from generator.render.workbook.styles import ACCENT, LONGEST_ERROR, alarm, where
from generator.resources import table

ON_OFF = (1, 0)
FIRST_ROW = 5  # of the lists
LONGEST_PROMPT = 255
LIMITS: dict[str, tuple[float, float]] = {
    "temperature": (0.1, 100.0),  # beyond, e^(logit / T) runs out of what a cell can hold
    "k": (1, 1),  # as many as there are words
    "random": (0, TWO_DIGITS),
    "rate": (0, LARGEST_RATE),
}
TAKES: Mapping[str, str] = table("render/workbook/tabs.toml")["takes"]
BREAK = "CHAR(10)"  # stands between the words that a typed one is looked for in
END = "."
LONGEST_TEXT = 30_000  # of a cell, with room to spare
WORDS_A_CELL = 100


class EntryPen(Pen):
    """Writes such rows on one tab; remembers which messages the warning looks at.

    Each list is written once into the check column `lists`: typed into the rule, "0.5" would be a
    text. `running` is the pen of the tab with the running checks.
    """

    lists = plan.LISTS

    def __init__(self, draft: Draft, title: str = "") -> None:
        super().__init__(draft, title)
        self.last_check: dict[str, str] = {}
        self.running: EntryPen = self
        self._known: dict[tuple[float | str, ...], str] = {}
        self._list = get_column_letter(self.lists)
        self._free = FIRST_ROW

    # Rows -----------------------------------------------------------------------------------------

    def group(self, group: plan.ControlGroup) -> None:
        """The rows of a group of controls under its name."""
        self.put((group.row, 1), self.t(f"workbook.control.{group.key}"), "label")
        for entry in group.entries:
            self.put((entry.row, 1), self.name(entry), indent=1)
            self.entry(entry, self.message(entry), entry.cells.name)

    def name(self, entry: plan.ControlEntry) -> str:
        """What the row of a control is called."""
        names = {"number": entry.i + 1, "block": entry.i + 1, "head": entry.j + 1}
        preset, place = self.trace.preset, place_of(entry.step)
        key = f"workbook.control.{place.kind}" + ".later" * (place.round > 1)
        key += ".block" * (entry.step == "switch.heads" and preset.blocks > 1)
        key += ".drawing" * (entry.kind == "temperature" and entry.i == drawing_row(preset))
        return self.t(key, round=place.round, **names)

    def entry(self, entry: plan.ControlEntry, message: str, name: str) -> None:
        """One row: own value, as delivered, in force, message."""
        row = entry.cells
        delivered, shown = self.delivered(entry)
        self.put(row.own, None, "input", shown, "center")
        if entry.kind in ("word", "target"):  # by its number, so that a new spelling reaches it too
            words = self.trace["vocabulary.words"].values[:, 0].tolist()
            word = f'{self.draft.cell("vocabulary.words", words.index(delivered))}&""'
            self.live(row.delivered, word, delivered, "echo", align="center")
        else:
            self.put(row.delivered, delivered, "echo", shown, "center")
        shown = "General" if shown == "@" else shown
        self.live(row.force, self.start.force(entry)[1:], delivered, "inforce", shown, "center")
        self.judged(row, message, name)

    def delivered(self, entry: plan.ControlEntry) -> tuple[float | str, str]:
        """The value that an entry has as delivered, and its number format."""
        step = self.trace[entry.step]
        value = step.values[entry.i, entry.j]
        if step.text:
            return str(value), "@"
        return float(value), self.layout.looks[step.name].number

    def judged(self, row: plan.Cells, message: str, name: str) -> None:
        """The message, and the running check: the first message so far, with its name."""
        self.live(row.message, message, "", "alarm", indent=1)
        here = row.message if self.running is self else on(self.page.title, row.message)
        formula = f'IF({here}="","",{name}&": "&{here})'
        column = row.check.rstrip("0123456789")
        if before := self.last_check.get(column):
            formula = f'IF({before}<>"",{before},{formula})'
        self.running.live(row.check, formula, "")
        self.last_check[column] = row.check

    def titles(
        self, row: int, columns: plan.StartColumns, across: tuple[int, int], own: str = "own"
    ) -> None:
        """The column titles of a table in the columns `across`; of words they are others."""
        name = "number" if own == "word" else "name"
        keys = {columns.name: name, columns.own: own, columns.delivered: "delivered"}
        keys |= {columns.force: "force", columns.message: "message"}
        left = {columns.message} if own == "word" else {columns.name, columns.message}
        self.heads(row, keys, "workbook.start.column", across, left)

    def colour(self, columns: plan.StartColumns, entries: Sequence[plan.ControlEntry]) -> None:
        """Refused entries are framed in red, what differs from the delivered value is bold."""
        first, last = entries[0].row, entries[-1].row
        own, delivered, force, message = map(get_column_letter, columns[1:5])
        self.marks.add(f"{own}{first}:{own}{last}", alarm(f'${message}{first}<>""'))
        differs = f"NOT(EXACT(${force}{first},${delivered}{first}))"
        self.marks.add(f"{force}{first}:{force}{last}", where(differs, ACCENT, bold=True))

    def joined(self) -> list[str]:
        """Writes the vocabulary as one text in a check column, or as several; their addresses."""
        words = self.trace["vocabulary.words"].values[:, 0].tolist()
        addresses = []
        for row, part in enumerate(chunks(words), start=self.start.tables_row + 2):
            # Dots at both ends keep LibreOffice from trimming the outer breaks of a stored value.
            spelled = "".join(f"&{self.draft.cell('vocabulary.words', i)}&{BREAK}" for i in part)
            shown = f"{END}\n" + "".join(f"{words[i]}\n" for i in part) + END
            self.live((row, plan.JOINED), f'"{END}"&{BREAK}{spelled}&"{END}"', shown)
            addresses.append(at(row, plan.JOINED, fixed=True))
        return addresses

    # What may be typed ----------------------------------------------------------------------------

    def choices(self, entries: Iterable[plan.ControlEntry]) -> None:
        """Drop-down lists and limits of the controls; on Learn the list is in the rule itself."""
        kinds: dict[str, list[str]] = {}
        for entry in entries:
            kinds.setdefault(entry.kind, []).append(entry.cells.own)
        empty = self.t("workbook.control.empty")
        for kind, cells in kinds.items():
            if kind == "switch":
                self.choose(ON_OFF, empty, self.reason(kind), *cells)
            elif kind == "strategy":
                self.choose(STRATEGIES, empty, self.t("workbook.refused.strategy"), *cells)
            elif kind == "target":
                self.a_word(*cells)
            elif kind == "learns":
                title, error = self.t("workbook.refused.title"), self.reason(kind)
                said = {"prompt": empty, "error": error, "errorTitle": title}
                self.offer(*cells, formula1='"{},{}"'.format(*ON_OFF), **said)
            else:
                self.between(kind, "digits" if kind == "random" else "decimal", *cells)

    def choose(self, items: Iterable[float | str], prompt: str, reason: str, *cells: str) -> None:
        """A drop-down list of numbers or words in each of the cells."""
        known = tuple(items)
        if known not in self._known:
            for row, item in enumerate(known, start=self._free):
                self.put(f"{self._list}{row}", item, "tag", align="center")
            first, self._free = self._free, self._free + len(known) + 1
            self._known[known] = f"${self._list}${first}:${self._list}${self._free - 2}"
        more = {"error": f"{reason}. {prompt}"[:LONGEST_ERROR], "prompt": prompt[:LONGEST_PROMPT]}
        more |= {"errorTitle": self.t("workbook.refused.title")}
        self.offer(*cells, formula1=self._known[known], **more)

    def a_word(self, *cells: str) -> None:
        """A drop-down list of the vocabulary."""
        words = tuple(self.trace["vocabulary.words"].values[:, 0].tolist())
        self._known[words] = self.draft.area("vocabulary.words")
        prompt, reason = self.t("workbook.prompt.word"), self.t("workbook.refused.word")
        self.choose(words, prompt, reason, *cells)

    def between(self, kind: str, key: str, *cells: str) -> None:
        """Numbers only, of that kind of control."""
        prompt = self.t(f"workbook.control.{key}")
        reason, more = f"{self.reason(kind)}. {prompt}", {"prompt": prompt[:LONGEST_PROMPT]}
        self.only_numbers(self._limits(kind), reason, *cells, **more)

    def _limits(self, kind: str) -> tuple[float, float]:
        """The least and the greatest number that a control of that kind takes."""
        delivered = [self.delivered(x)[0] for x in self.start.entries if x.kind == kind]
        least, most = LIMITS.get(kind, (0, 1))
        if kind == "k":
            most = len(self.trace["vocabulary.words"].values)
        numbers = [value for value in delivered if isinstance(value, float)]
        return min([least, *numbers]), max([most, *numbers])

    def reason(self, kind: str) -> str:
        """In words, which numbers a control of that kind takes."""
        language = self.draft.catalogue.language
        least, most = (number(limit, None, language) for limit in self._limits(kind))
        key = {"learns": "switch", "rate": "p"}.get(kind, kind)
        return self.t(f"workbook.refused.{key}", least=least, most=most)

    # What is refused ------------------------------------------------------------------------------

    def message(self, entry: plan.ControlEntry) -> str:
        """The message about what stands in the own cell of a control."""
        own, kind = entry.cells.own, entry.kind
        if kind == "strategy":
            choices = ",".join(f'EXACT({own},"{name}")' for name in STRATEGIES)
            return _guarded(f'OR({own}="",{choices})', self.t("workbook.refused.strategy"))
        least, most = (f"{limit:g}" for limit in self._limits(kind))
        condition = TAKES[kind].format(own=own, least=least, most=most, drawn=accepted(own))
        return self._number(own, condition, self.reason(kind))

    def no_word(self, row: plan.Cells, joined: Sequence[str]) -> str:
        """The message about a word: the one typed in, else the one delivered, must be known."""
        word = f'IF({row.own}="",{row.delivered},{row.own}&"")'
        tests = [f"ISNUMBER(FIND({BREAK}&{word}&{BREAK},{cell}))" for cell in joined]
        known = tests[0] if len(tests) == 1 else f"OR({','.join(tests)})"
        single = f"ISERROR(FIND({BREAK},{row.own}))"
        return _guarded(f"AND({known},{single})", self.t("workbook.refused.word"))

    def no_whole(self, own: str, least: int, most: int) -> str:
        """The message about a whole number: a setting, or which experiment."""
        condition = f"AND({own}>={least},{own}<={most},{own}=INT({own}))"
        reason = self.t("workbook.refused.whole", least=least, most=most)
        return self._number(own, condition, reason)

    def _number(self, own: str, condition: str, reason: str) -> str:
        """The decimal sign is taken from the program that shows the sheet: half of 1 as text."""
        before, after = self.t("workbook.refused.text", sign="|").split("|")
        text = f'{quoted(before)}&MID(1/2&"",2,1)&{quoted(after)}'
        judged = f'IF({condition},"",{quoted(reason)})'
        return f'IFERROR(IF({own}="","",IF(ISNUMBER({own}),{judged},{text})),{quoted(reason)})'


def chunks(words: Sequence[str]) -> Iterator[range]:
    """The vocabulary in parts whose words, joined, fit into a cell and into a formula."""
    start, length = 0, 0
    for k, word in enumerate(words):
        longer = length + len(word) + 2
        if k > start and (longer > LONGEST_TEXT or k - start == WORDS_A_CELL):
            yield range(start, k)
            start, longer = k, len(word) + 2
        length = longer
    yield range(start, len(words))


def _guarded(condition: str, reason: str) -> str:
    """ "" where the condition holds, else the reason; also where the entry is an error itself."""
    return f'IFERROR(IF({condition},"",{quoted(reason)}),{quoted(reason)})'
