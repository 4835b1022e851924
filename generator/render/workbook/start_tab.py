"""The first tab: what this is, what to do, experiments, switches, words, settings, a map."""

from collections.abc import Sequence

from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName

from generator.checks.judging import CHECKS, MOST_TOLERANCE
from generator.engine.choices import STRATEGIES
from generator.render.owner import APART, NAME
from generator.render.workbook.entries import ON_OFF
from generator.render.workbook.layout import start_layout as plan
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.styles import ARROW
from generator.render.workbook.tab_map import TabMap
from generator.render.workbook.troubles import Troubles

CONTENTS, NEXT, COMPARED = 3, 10, 13  # columns: beside a label, the next token, the delivered one
FIRST_RIGHT = 9
LEFT_HALF, WHOLE = (1, FIRST_RIGHT - 1), (1, plan.LAST_COLUMN)
RIGHT_HALF, LEGEND = ((first, plan.LAST_COLUMN) for first in (FIRST_RIGHT, FIRST_RIGHT - 1))
GAP, SENTENCE = 3.0, 55  # characters of a column, of a sentence in large type
LINE, TOP = 15.0, (28.0, 22.0, 16.0)  # points of a row, of the rows above
NOTHING = ";;;"  # how a number is shown that only formulas read
SOLUTION_SIGNS = ("given", "input", "computed", "echo", "inforce")
EXERCISE_SIGNS = ("entry", "right", "wrong", "text")
UNJUDGED_SIGNS = EXERCISE_SIGNS[:1]


class StartTab(TabMap):
    """Writes the first tab from top to bottom.

    In an exercise the map says how many entries of each tab are right.
    """

    def write(self) -> None:
        """Everything on the tab."""
        self._head()
        self._to_do()
        self._legend()
        self._experiments()
        self.changes()
        self._experiment()
        self._controls()
        self._mirrored()
        self._words()
        self._settings()
        if "sampling.strategy" in self.trace and not self.start.draw:
            for row, name in enumerate(STRATEGIES, start=self.start.strategies_row):
                self.put((row, 1), name, "words", indent=1)
                self.put((row, 2), self.t(f"workbook.control.strategy.{name}"), "words")
        last = self.map()
        self._warning()
        self._shape(max(last, self.start.map_row + 2))

    # The top --------------------------------------------------------------------------------------

    def _head(self) -> None:
        self.put((1, 1), self.trace.preset.heading(self.draft.catalogue.language), "title")
        self._mark()
        self.put((2, 1), self.t("workbook.start.now"), "label")
        tokens = [self.draft.cell("tokens", i) for i in range(len(self.trace.tokens))]
        joined = " | ".join(self.trace.tokens)
        look = "sentence" if len(joined) <= SENTENCE else "strong"
        self.live((2, CONTENTS), '&" | "&'.join(tokens), joined, look)
        self._next()
        texts = {
            "sentence": self.trace.sentence,
            "rounding": self.t(f"workbook.rounding.{self.trace.rounding}"),
            "guard": self.t("workbook.start.guard.text"),
            "numbers": self.t("workbook.start.chosen"),
        }
        lines = iter(self.start.shows)
        for row, key in enumerate(self.start.head, start=self.start.head_row):
            if key != "more":
                self.put((row, 1), self.t(f"workbook.start.{key}"), "label")
            self.put((row, CONTENTS), texts[key] if key in texts else next(lines))
        about = "workbook.start.about" + ".next" * ("sampling.next" in self.trace)
        self.put((plan.HEAD_ROW - 1, 1), self.t(about), "subtitle")

    def _mark(self) -> None:
        """Which workbook it is; where it has an owner whose, in a cell with a name of its own."""
        code, owner = self.draft.code, self.draft.owner
        mark = f"{code}{APART}{owner}" if owner else code
        self.put((1, plan.LAST_COLUMN), mark, "words", align="right")
        if owner:
            area = on(self.page.title, at(1, plan.LAST_COLUMN, fixed=True))
            self.draft.workbook.defined_names[NAME] = DefinedName(NAME, attr_text=area)

    def _next(self) -> None:
        """The next token, live; with several rounds all that were chosen."""
        later = (f"round{number}.sampling.next" for number in range(2, self.trace.rounds + 1))
        names = ["sampling.next", *later]
        if names[0] not in self.trace:
            return
        cells = [self.draft.cell(name) for name in names]
        joined = "&".join(f'{cell}&" "' for cell in cells)
        cached = " ".join(str(self.draft.shown(name, 0, 0)) for name in names).strip()
        formula = f"TRIM({joined})" if len(cells) > 1 else f'{cells[0]}&""'
        key = "workbook.start.next" + ".several" * (len(cells) > 1)
        self.put((2, COMPARED - 1), self.t(key), "label", align="right")
        formula = f'IFERROR({formula},"{plan.NOTHING_NEXT}")'
        self.live((2, COMPARED), formula, cached, "next", align="center")

    def _to_do(self) -> None:
        row, start, most = plan.HEAD_ROW, self.start, len(self.start.experiments)
        self.band(row, LEFT_HALF, self.t("workbook.start.todo"))
        keys = {
            "fill": self.asks,
            "read": not self.asks,
            "help": self.asks and self.draft.judging.helps,
            "later": self.asks and start.entries,
            "try": most,
            "own": start.groups and not start.words,
            "words": start.words,
            "reset": start.entries,
        }
        for k, key in enumerate((key for key, holds in keys.items() if holds), start=1):
            text = self.t(f"workbook.start.todo.{key}", most=most)
            self.put((row + k, 1), f"{k}.  {text}")
        if self.draft.checks:
            first = next(iter(self.draft.checks.values()))
            self.link((row + 1, 1), f"1.  {self.t('workbook.start.todo.fill')}", first.entry)

    def _legend(self) -> None:
        """What the signs mean: in the right half, or in two lines below the leading words' bars."""
        row, leads = self.start.legend_row, self.start.leads
        self.band(row, WHOLE if leads else LEGEND, self.t("workbook.start.legend"))
        judged = EXERCISE_SIGNS if self.draft.judging.judges else UNJUDGED_SIGNS
        for k, sign in enumerate(SOLUTION_SIGNS + (judged if self.asks else ())):
            spot = row + 1 + k % 5, LEGEND[0] + 4 * (k // 5)
            spot = (row + 1 + k // 3, 1 + 5 * (k % 3)) if leads else spot
            role = sign if sign in (*SOLUTION_SIGNS, "entry") else "strong"
            self.sample(spot, self.t(f"workbook.start.sign.{sign}"), role)
            says = "locked" if self.asks and sign == "given" else sign
            text = self.t(f"workbook.start.legend.{says}")
            self.put((spot[0], spot[1] + 1), text, indent=1)

    # Experiments ----------------------------------------------------------------------------------

    def _experiments(self) -> None:
        """What is tried, and what to look for."""
        row = self.start.experiments_row
        if not self.start.experiments:
            return
        self.band(row, WHOLE, self.t("workbook.start.experiments"))
        titles = {1: "number", 2: "what", 6: "question"}
        self.heads(row + 2, titles, "workbook.start.experiment", WHOLE, (2, 6))
        for k, experiment in enumerate(self.start.experiments, start=1):
            self.put((row + 2 + k, 1), str(k), "strong", align="center")
            self.put((row + 2 + k, 2), experiment.title(self.draft.catalogue))
            self.put((row + 2 + k, 6), self.t(f"workbook.experiment.{experiment.key}.question"))
        self.put((row + 1, 4), self.t("workbook.start.column.force"), "label", align="right")
        self._result(row + 1)

    def _result(self, row: int) -> None:
        """Beside the choice: the delivered next token, or where to look where there is none."""
        if "sampling.next" not in self.trace:
            heads = [sheet.tab.title for sheet in self.layout.sheets if sheet.tab.kind == "head"]
            self.put((row, NEXT - 1), self.t("workbook.start.look"), "label", align="right")
            for title in heads[:1]:
                self.link((row, NEXT), title, (title, "A1"))
            return
        if not self.asks:
            cached = str(self.page[at(2, COMPARED)].value.cached)
            delivered = self.t("workbook.start.next.delivered")
            self.put((row, COMPARED - 1), delivered, "label", align="right")
            self.put((row, COMPARED), cached, "echo", "@", "center")

    def _experiment(self) -> None:
        """Which experiment is in force."""
        most, row = len(self.start.experiments), self.start.experiment
        if not most:
            self.put(row.force, 0, "tag", NOTHING, "center")
            return
        self.put(row.name, self.t("workbook.start.experiment"), "strong")
        self.put(row.own, 0, "input", align="center")
        self.judged(row, self.no_whole(row.own, 0, most), row.name)
        force = f'IF(AND({row.message}="",{row.own}<>""),{row.own},0)'
        self.live(row.force, force, 0, "inforce", align="center")
        prompt = self.t("workbook.prompt.experiment", most=most)
        reason = self.t("workbook.refused.whole", least=0, most=most)
        self.choose(range(most + 1), prompt, reason, row.own)

    # Controls, words, settings --------------------------------------------------------------------

    def _controls(self) -> None:
        groups = (*self.start.groups, *self.start.mirrored)
        if groups:
            top = self.start.tables_row
            self.band(top, LEFT_HALF, self.t("workbook.start.controls"))
            self.titles(top + 1, plan.CONTROL, LEFT_HALF)
            self.colour(plan.CONTROL, [entry for group in groups for entry in group.entries])
        for group in self.start.groups:
            self.group(group)
        for box in self.start.boxes:
            self.draft.define(box)
        self.choices(entry for group in self.start.groups for entry in group.entries)

    def _mirrored(self) -> None:
        """What is typed in on the Draw tab, repeated and locked, with a link there."""
        draw = self.start.draw
        for group, original in zip(self.start.mirrored, draw.groups if draw else (), strict=True):
            sheet = original.entries[0].sheet
            self.put((group.row, 1), self.t(f"workbook.control.{group.key}"), "label")
            target = sheet, at(original.row + 1, plan.DRAWING.own)
            self.link((group.row, plan.CONTROL.delivered), f"→ {sheet}", target)
            for entry, typed in zip(group.entries, original.entries, strict=True):
                self.put((entry.row, 1), self.name(entry), indent=1)
                self._mirror(entry, typed)

    def _mirror(self, entry: plan.ControlEntry, typed: plan.ControlEntry) -> None:
        """One row that repeats a row of the Draw tab."""
        delivered, number = self.delivered(typed)
        shown = "General" if number == "@" else number
        here = entry.cells
        there = {key: on(typed.sheet, cell) for key, cell in typed.cells._asdict().items()}
        own = f'IF({there["own"]}="","",{there["own"]})'
        self.live(here.own, own, "", "echo", shown, "center")
        self.live(here.delivered, there["delivered"], delivered, "echo", shown, "center")
        self.live(here.force, there["force"], delivered, "inforce", shown, "center")
        self.live(here.message, there["message"], "", "alarm", indent=1)

    def _words(self) -> None:
        if not self.start.words:
            return
        top = self.start.tables_row
        self.band(top, RIGHT_HALF, self.t("workbook.start.words"))
        self.titles(top + 1, plan.WORD, RIGHT_HALF, "word")
        vocabulary = self.joined()
        rows = [entry.cells for entry in self.start.words]
        for entry, row in zip(self.start.words, rows, strict=True):
            self.put(row.name, entry.i + 1, "label", align="center")
            name = f'"{self.t("workbook.refused.token")}"&{row.name}'
            self.entry(entry, self.no_word(row, vocabulary), name)
        self.a_word(*(row.own for row in rows))
        self.colour(plan.WORD, self.start.words)

    def _settings(self) -> None:
        top, settings = self.start.settings_row, self.start.settings
        self.band(top, RIGHT_HALF, self.t("workbook.start.settings"))
        self.titles(top + 1, plan.SETTING, RIGHT_HALF)
        self._focus()
        if self.asks:
            for name in plan.DECIDED:
                self._decided(name)
            return
        sheet, cell = self.layout.setting_inputs["focus"]
        if sheet != self.start.sheet:  # it is chosen there
            text = self.t("workbook.setting.focus.there", tab=sheet)
            spot = self.start.settings_row + 2 + 2, plan.SETTING.name
            self.link(spot, text, (sheet, cell))
        self.put(settings["judge"].name, self.t("workbook.setting.tolerance.about"), "words")

    def _focus(self) -> None:
        """Which token is in focus on all tabs."""
        row, most = self.start.settings["focus"], len(self.trace.tokens)
        initial = self.draft.focus + 1
        self.put(row.name, self.t("workbook.setting.focus"))
        sheet, cell = self.layout.setting_inputs["focus"]
        elsewhere = on(sheet, cell)
        if sheet == self.start.sheet:
            self.put(row.own, initial, "input", "0", "center")
        else:
            mirror = f'IF({elsewhere}="","",{elsewhere})'
            self.live(row.own, mirror, initial, "echo", "0", "center")
        self.judged(row, self.no_whole(row.own, 1, most), row.name)
        force = f'IF(AND({row.message}="",{row.own}<>""),{row.own},{initial:g})'
        self.live(row.force, force, initial, "inforce", align="center")
        if sheet == self.start.sheet:
            note, title = self.t("workbook.setting.focus.note"), self.t("workbook.refused.title")
            self.choose(range(1, most + 1), note, title, row.own)

    def _decided(self, name: str) -> None:
        """What the teacher chose when the file was made: locked, with a list for the teacher."""
        row, judging = self.start.settings[name], self.draft.judging
        spelled = {check: self.t(f"workbook.judge.{check}") for check in CHECKS}
        chosen: dict[str, tuple[float | str, Sequence[float | str]]] = {
            "judge": (spelled[judging.check], list(spelled.values())),
            "tolerance": (judging.tolerance, range(MOST_TOLERANCE + 1)),
            "interim": (int(judging.interim), ON_OFF),
        }
        value, items = chosen[name]
        # What the file does not hold cannot be switched on.
        items = items if judging.judges or (name == "interim" and judging.helps) else [value]
        self.put(row.name, self.t(f"workbook.setting.{name}"))
        self.put(row.force, value, "inforce", "@" if isinstance(value, str) else "0", "center")
        self.put(row.message, self.t("workbook.setting.decided"), "words", indent=1)
        note = self.t(f"workbook.setting.{name}.note")
        self.choose(items, note, self.t("workbook.refused.title"), row.force)

    # The warning, screen and paper ----------------------------------------------------------------

    def _warning(self) -> None:
        """The first message of all; in an exercise that judging pauses, rather than it.

        Judging pauses while anything differs from as delivered: its numbers are not those that the
        exercise asks for.
        """
        checks = list(self.last_check.values())
        if draw := self.start.draw:
            checks.insert(1, on(draw.sheet, draw.refused))
        if learn := self.start.learn:
            checks.append(learn.entries[-1].cells.check)
        message = f'{Troubles(self.draft).write()}&""'
        for check in reversed(checks):
            says = f'"{self.t("workbook.refused.warning")}"&{check}'
            message = f'IF({check}<>"",{says},{message})'
        if self.asks:
            rows = [(entry.sheet, entry.cells) for entry in self.start.entries]
            force = '&"|"&'.join(on(sheet, row.force) for sheet, row in rows) or '""'
            delivered = '&"|"&'.join(on(sheet, row.delivered) for sheet, row in rows) or '""'
            paused = self.layout.paused[1]
            self.live(paused, f"IF(EXACT({force},{delivered}),0,1)", 0)
            message = f'IF({paused}>0,"{self.t("exercise.paused")}",{message})'
        self.live(self.layout.warning[1], message, "", "alarm")
        self._running()

    def _running(self) -> None:
        """Which experiment runs, in one line for the head of every tab; 0 brings all back."""
        force, first = self.start.experiment.force, self.start.experiments_row + 3
        formula = '""'
        if most := len(self.start.experiments):
            titles = f"{at(first, 2, True)}:{at(first + most - 1, 2, True)}"
            live = {"number": (force, ""), "title": (f"INDEX({titles},{force},1)", "")}
            text, _ = self.phrase("workbook.start.running", f"{ARROW} ", **live)
            formula = f'IF({force}>0,{text},"")'
        self.live(self.layout.running[1], formula, "")

    def _shape(self, last: int) -> None:
        page, first = self.page, plan.LAST_COLUMN + 2
        self.shape([plan.WIDTH] * plan.LAST_COLUMN, [*TOP, *[LINE] * (last - len(TOP))])
        page.column_dimensions[get_column_letter(first - 1)].width = GAP
        self.aside(first, plan.TROUBLES)
        self.put((plan.HEAD_ROW, first), self.t("workbook.start.check"), "tag")
        page.freeze_panes = page.cell(len(TOP) + 1, 1)
