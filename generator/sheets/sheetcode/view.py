"""What the template of sheet code may ask: the program, the steps from word to word."""

import numpy as np
from markupsafe import Markup

from generator.engine.expr import If
from generator.engine.rounding import guarded_number
from generator.insight.claims import Claim, Predicate, in_turn, or_plain
from generator.notation.latex import Latex
from generator.notation.program import Program, without_choice
from generator.notation.shown import shown_values
from generator.sheets.attending import AT, visible_to
from generator.sheets.context import Context
from generator.sheets.maths import full_size
from generator.sheets.slots import fills

SOUGHT = ("scores", "scaled", "weights", "output")


def as_on(sheet: str, *, masked: bool) -> Predicate:
    """Whether the head is, with its mask or without one, what a sheet computes."""
    return lambda trace, plan: (f"{AT}.mask" in trace) == masked and fills(sheet)(trace, plan)


FREE, MASKED = as_on("4a", masked=False), as_on("4b", masked=True)
CLAIMS = {
    **in_turn({"sheetcode.prints": {"": FREE, ".masked": MASKED}}),
    **or_plain(lambda *of: FREE(*of) or MASKED(*of), "sheetcode.finding.ask", "sheetcode.finding"),
    "sheetcode.places": Claim(lambda trace, plan: f"{AT}.mask" in trace),
    "sheetcode.prerequisites": Claim(MASKED, "sheetcode.prerequisites.free"),
}


class _Tables(Latex):
    """Formulas of whole tables, as the program computes them; the `powers` are called as on 4a."""

    powers = ""

    def named(self, name: str, index: str) -> str:
        powers = rf"\mathrm{{{self.powers}}}"
        return powers if name == f"{AT}.exp" else super().named(name, index)

    def choice(self, node: If) -> str:
        plain = without_choice(node)
        return super().choice(node) if plain is node else self.write(plain, self.inside)


class ViewCode(Context):
    """The view of sheet code."""

    claims = CLAIMS

    def program(self) -> list[tuple[str, Markup]]:
        """The lines of the first head's program, each with the formula that it spells, if any.

        The numbers in it are those that nobody rounded.
        """
        spelled = Program(self.exact, AT).spelled()
        return [(line, self._formula(step) if step else Markup("")) for line, step in spelled]

    def places(self) -> list[tuple[str, int]]:
        """The steps whose lines are looked for, each with the number of its line."""
        names = [step for _, step in Program(self.exact, AT).spelled()]
        return [(kind, names.index(f"{AT}.{kind}") + 1) for kind in SOUGHT]

    def telling(self) -> dict[str, str]:
        n, width, own = len(self.tokens), self.trace.preset.d_head, self.trace.exercise or 0
        counts = {"n": n, "width": width, "place": (place := n // 2) + 1, "row": own + 1}
        head = [line for line, _ in self.program() if " = " in line and "np.array" not in line]
        counts |= {"lines": len(head), "products": n**2 * width, "more": 4 * n**2 * width}
        seen = self.in_a_row(str(i + 1) for i in range(n) if place in visible_to(self.trace, i))
        names = {"seen": seen, "own": self.tokens[own]}
        return names | {key: str(count) for key, count in counts.items()}

    def on_paper(self) -> str:
        """By how much the output differs on paper at most, as a sentence."""
        apart = abs(shown_values(self.trace[f"{AT}.output"]) - self._printed)
        most = guarded_number(float(apart.max()), 9)
        key = "sheetcode.program.note" if most else "sheetcode.program.note.same"
        return self.catalogue.t(key, most=self.plain(most))

    @property
    def _printed(self) -> np.ndarray:
        return self.exact[f"{AT}.output"].values.round(2)

    def printed(self) -> str:
        """What the program prints, as NumPy lays it out."""
        return str(self._printed)

    def _formula(self, step: str) -> Markup:
        tables = _Tables(self.trace, self.options.language)
        tables.powers = self.catalogue.t("sheet4a.column.exp")
        return self.formulas.image(full_size(tables.step(step)), self.catalogue.step(step), True)
