"""What a worksheet's template may ask: places of cells, labels, symbols, facts. Never a number.

Also here:

* The picture-signs of the story, one for each role: glasses for the query, a tag for the key.
* To how many decimals the asked numbers of a sheet are rounded, said once: the steps' own.
* A pupil's code as a QR code, drawn as outlines.
* Phrases as they are set on paper: the letters with an index that plain text spells d_k.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partialmethod
from pathlib import Path
from typing import ClassVar, NamedTuple

import segno
from markupsafe import Markup, escape

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight import tolerances
from generator.insight.behaviour import drawn_words
from generator.insight.claims import GENERAL, SHOWS, CheckedCatalogue, Claims
from generator.insight.slips import Slip, Unrounded
from generator.insight.tolerances import Rounding
from generator.locales.catalogue import Catalogue
from generator.locales.locale import locale_of
from generator.notation.latex import OPERATORS
from generator.notation.shown import (
    SUBSCRIPTS,
    number,
    percent,
    shown_decimals,
    shown_value,
    with_position,
)
from generator.sheets.curriculum import CurriculumLine, curriculum
from generator.sheets.geometry import AXIS_MM, BESIDE_MM, Mm
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan
from generator.sheets.slots import CARRIED, FIRST, RELATION, TERMS, no_such_cell, slot, taken
from generator.version import stamp


class Help(NamedTuple):
    """A help card: its phrases (`sheet<id>.help.<key>`, `.title`, `.keys`), formula, first cell.

    `like` is the place of a cell of the worked example, which stands there with its numbers,
    `token` the one that the first cell is about, where it is about two.
    """

    key: str
    formula: Markup
    step: str
    i: int
    j: int
    like: tuple[int, int] | None = None
    token: str = ""


@dataclass(frozen=True)
class Context:
    """The view of one worksheet that its template has.

    `claims` are the sheet's sentences about the result at hand, see `generator.insight.claims`.
    """

    claims: ClassVar[Claims] = GENERAL

    plan: Plan
    trace: Trace
    exact: Trace
    options: SheetOptions
    catalogue: CheckedCatalogue
    formulas: Formulas
    blank: bool

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence's tokens."""
        return self.trace.tokens

    @property
    def width(self) -> int:
        """How many numbers stand for a token."""
        return self.trace.preset.d_model

    @property
    def own(self) -> str:
        """The token that pupils compute."""
        return self.word(self.plan.own)

    @property
    def example(self) -> str:
        """The token of the worked example."""
        return self.word(self.plan.worked)

    def word(self, j: int) -> str:
        """A token of the sentence, see `with_position`."""
        return with_position(self.tokens, j)

    @property
    def repeats(self) -> bool:
        """Whether the sentence has a token several times."""
        return len(set(self.tokens)) < len(self.tokens)

    @property
    def name(self) -> str:
        """What the sheet is called on its pages."""
        return self.catalogue.t(f"sheet{self.plan.sheet}.name")

    @property
    def kicker(self) -> str:
        """The sheet's name as it stands above its title: "Sheet 4a", "Mathematics sheet"."""
        word = self.name[:1].isalpha() and self.name[1:].islower()
        return self.catalogue.t("sheet.kicker.named" if word else "sheet.kicker", sheet=self.name)

    def topic(self, sheet: str) -> str:
        """What a sheet is about: its title without its name, with a capital as a heading has it."""
        about = self.catalogue.t(f"sheet{sheet}.title").split(": ", 1)[-1]
        return about[:1].upper() + about[1:]

    def stamp(self, leaf: str = "teacher") -> str:
        """Preset, content, version; teachers read the name that they order by, too."""
        preset, name = self.trace.preset, self.called
        ordered = f" ({preset.name})" if leaf == "teacher" and name != preset.name else ""
        return stamp(name + ordered, preset.sha256)

    @property
    def called(self) -> str:
        """The preset as pupils call it, in their language."""
        name = self.trace.preset.name
        return self.catalogue.phrases.get(f"preset.{name}", name)

    @property
    def lesson(self) -> int:
        """How many minutes a lesson has."""
        return self.options.lesson or locale_of(self.options.language).lesson

    def curriculum(self) -> list[CurriculumLine]:
        """What curricula say that the sheet is about, in words that were read at their source."""
        return [one for one in curriculum(self.options.language, self.plan.sheet) if one.checked]

    def leaf(self, leaf: str) -> str:
        """The end of the key that names a leaf: a work leaf is called otherwise in an exam."""
        return "exam" if self.options.exam and leaf == "work" else leaf

    def square(self) -> Markup:
        """The code and the sheet as a QR code, where it is asked for."""
        return qr_code(f"{self.options.code} {self.name}") if self.options.qr else Markup("")

    def sign(self, role: str, mm: float = 8) -> Markup:
        """The story's picture-sign of a role, see `signs`; nothing without the story."""
        if not self.options.story:
            return Markup("")
        name, drawing = signs()[role]
        called = self.catalogue.t(f"sheet.sign.{name}")
        return SVG.format(mm=mm, units=UNITS, name=called, drawing=drawing, stroke=STROKE)

    def holds(self, claim: str) -> bool:
        """Whether a claim, by its key, holds here; the catalogue asks the same before it says it.

        For what stands around it: a heading, a task, the space of an answer.
        """
        return self.catalogue.holds(claim)

    def has(self, name: str) -> bool:
        """Whether the Trace has a step."""
        return name in self.trace

    def size(self, name: str) -> tuple[int, int]:
        """Rows and columns of a step."""
        return self.trace[name].shape

    def columns(self, name: str) -> tuple[str, ...]:
        """The column labels of a step: d1, d2, …"""
        return self.trace[name].columns

    def label(self, word: str) -> str:
        """A word as a label: one without a letter or digit, such as ".", in quotation marks."""
        return word if any(map(str.isalnum, word)) else self.catalogue.t("sheet.quoted", text=word)

    def asks(self, step: str, i: int, j: int) -> bool:
        """Whether a cell is one to fill."""
        return (step, i, j) in self.plan.asked

    def _slot(self, kind: str, step: str, i: int, j: int) -> Markup:
        """A slot; a `UserError` here, where the template's line is known, for no such cell."""
        if reason := no_such_cell(self.trace, step, i, j):
            raise UserError(f"prints {(step, i, j)}, but {reason}")
        return slot(kind, step, i, j)

    # Slots of the cell (step, i, j): its number; a share as per cent; its line of arithmetic; one
    # that does not break at its sign; how that begins, without its result; the line without its
    # result; its sign, "=" or "≈", alone.
    cell = partialmethod(_slot, "number")
    percent = partialmethod(_slot, "percent")
    line = partialmethod(_slot, "line")
    equation = partialmethod(_slot, "equation")
    first = partialmethod(_slot, FIRST)
    terms = partialmethod(_slot, TERMS)
    relation = partialmethod(_slot, RELATION)

    def carried(self, *cell: *Cell) -> Markup:
        """The slot of a start value from an earlier sheet: a number, or the pupil's to bring."""
        return self._slot(CARRIED if self.carries else "number", *cell)

    @property
    def carries(self) -> bool:
        """Whether start values are boxes that pupils fill from their earlier sheets."""
        return self.options.carry == "own"

    def had(self, sheet: str, *cells: Cell) -> bool:
        """Whether pupils have cells from an earlier sheet: asked there at the same level.

        From none that their route leaves out.
        """
        if self.options.route and not self.plan.beside_it(sheet):
            return False
        before = taken(sheet, self.trace, self.plan.level)
        return before is not None and before.asked.issuperset(cells)

    def row_of_own(self, *steps: str) -> Iterator[Cell]:
        """The cells of the own token's whole row of steps."""
        return ((step, self.plan.own, j) for step in steps for j in range(self.size(step)[1]))

    def marks(self) -> Markup:
        """The slot of the marks that the whole sheet can give."""
        return slot("marks", "", 0, 0)

    def place(self, slip: Slip) -> str:
        """Where a slip shows, in words (`sheet<id>.slip.in.<last name of the step>`)."""
        last = slip.step.rpartition(".")[2]
        return self.catalogue.t(f"sheet{self.plan.sheet}.slip.in.{last}", **self.named(slip))

    def named(self, slip: Slip) -> dict[str, str]:
        """The names in the phrase of a slip's place."""
        return {}

    def slips(self) -> list[Slip]:
        """What usual slips give. Only for solutions."""
        return []

    def telling(self) -> dict[str, str]:
        """The names in the expected answers of the discussion, and in the finding.

        Only for solutions.
        """
        return {}

    @property
    def concludes(self) -> bool:
        """Whether the last task asks for what the own numbers show."""
        return not self.options.exam and f"sheet{self.plan.sheet}.finding" in self.catalogue.phrases

    def finding(self) -> str:
        """What the own numbers show, in a sentence (`sheet<id>.finding`). Only for solutions."""
        return self.catalogue.t(f"sheet{self.plan.sheet}.finding", **self.telling())

    def ends(self) -> Iterable[tuple[str, Cell]]:
        """The cells that the sheet ends with, each with its label."""
        return ()

    def differing(self) -> list[tuple[str, str, str]]:
        """What ends differently if pupils round none of their results. Only for solutions.

        Label, as on paper, without rounding: from the numbers that the sheet gives them.
        """
        if self.trace.rounding != "paper":
            return []
        differing, free = [], Unrounded(self.trace, self.plan.asked)
        for label, (step, i, j) in self.ends():
            paper = self.shown(step, i, j)
            other = self.show(step, free.values(step)[i, j])
            differing += [(label, paper, other)] if paper != other else []
        return differing

    def decimals_of(self, step: str) -> str:
        """To how many decimals a step is rounded here, as it is printed."""
        return str(shown_decimals(self.trace[step]))

    def rounded(self, names: Iterable[str], sheet: str = "") -> str:
        """To how many decimals pupils round the named steps (`sheet<id>.places.<name>`)."""
        t, others = self.catalogue.t, []
        by_count = places(self.trace, self.plan.asked, names)
        for count in sorted(by_count.keys() - {most := usual(by_count)}):
            key = f"sheet{sheet or self.plan.sheet}.places"
            words = self.in_a_row(t(f"{key}.{name}") for name in by_count[count])
            others.append(t("sheet.places.each", count=count, names=words))
        if most is None:
            return t("sheet.places.all", places=", ".join(others))
        key = "sheet.places.several" if others else "sheet.places"
        return t(key, others=", ".join(others), count=most)

    def in_a_row(self, names: Iterable[str]) -> str:
        """Names in a row, the last one after "and"."""
        *first, last = names or ("",)
        before = [", ".join(first)] if first else []
        return f" {self.catalogue.t('sheet.and')} ".join([*before, last])

    def phase(self, phase: str) -> str:
        """The key of what happens in a part of the lesson: `….alone` where all have one token.

        Then there is no matrix that a class could fill in together: its other rows are printed.
        """
        key = f"sheet{self.plan.sheet}.phase.{phase}"
        alone = f"{key}.alone"
        return alone if not self.options.others and alone in self.catalogue.phrases else key

    def class_row(self, i: int) -> tuple[str, ...]:
        """A row of the matrix that a class fills in, as text; empty for a sheet without one."""
        return ()

    def hints(self) -> tuple[str, ...]:
        """The blocks that have a hint on the work leaf (`sheet<id>.hint.<key>` and `.title`)."""
        return ()

    def helps(self) -> tuple[Help, ...]:
        """The help cards, where they say what the worked example cannot: which keys to press."""
        return ()

    def pressed(self) -> dict[str, str]:
        """The names in the keys of help cards."""
        return {}

    def shows(self) -> str:
        """What there is to see in this model; empty where its preset does not say, or not here."""
        return self.catalogue.only(SHOWS, self.trace.preset.shows.get(self.options.language, ""))

    def new_words(self, key: str = "sheet.drawn.some") -> str:
        """Which words have random numbers as embeddings, as a sentence; empty where none has."""
        t, preset = self.catalogue.t, self.trace.preset
        words = self.in_a_row([t("sheet.quoted", text=word) for word in drawn_words(self.trace)])
        drawn = [self.indexed("d", k) for k in range(preset.d_model) if k not in preset.reserved]
        return t(key, words=words, dimensions=self.in_a_row(drawn))

    def behaviour(self) -> str:
        """What the teacher page says of it; a sheet on which it can be seen gives `shows`."""
        return ""

    @property
    def latex_times(self) -> str:
        """The sign of a product in formulas."""
        return OPERATORS[locale_of(self.options.language).signs.times]

    def formula(self, key: str, latex: str, inline: bool = True) -> Markup:
        """A formula with its spoken alternative from the catalogue (`spoken.<key>`)."""
        return self.formulas.image(latex, self.catalogue.t(f"spoken.{key}"), inline)

    def indexed(self, letter: str, k: int) -> str:
        """A letter with an index counted from 1: q₁ for 0."""
        return letter + str(k + 1).translate(SUBSCRIPTS)

    def slack(self, *roundings: Rounding) -> str:
        """By how much a check may miss what it should be; empty where no rounding enters."""
        return tolerances.said(self.trace, roundings, self.options.language)

    def telling_slack(self, *roundings: Rounding) -> str:
        """The same; empty also where it is so much that a check would tell nothing."""
        tells = tolerances.allowed(self.trace, *roundings) < tolerances.VACUOUS
        return self.slack(*roundings) if tells else ""

    def share_slack(self, shares: str, exp: str, total: str, count: int) -> str:
        """By how much so many shares may miss 1; empty where that would tell nothing.

        A rounded Σ makes all shares too large or too small. As it is the pupils' own, only its
        half digit is printed: … : Σ.
        """
        rounded = self.telling_slack((count, shares))
        more = rounded and tolerances.coarser(self.trace, total, exp)
        sign = locale_of(self.options.language).signs.divided
        return f"{rounded} + {self.slack((1, total))} {sign} Σ" if more else rounded

    def base(self) -> str:
        """The base of the powers: e, or the preset's number."""
        base = self.trace.preset.softmax_base
        return "e" if base is None else self.plain(base)

    def show(self, step: str, value: float) -> str:
        """A number with the decimals of a step."""
        return number(value, shown_decimals(self.trace[step]), self.options.language)

    def shown(self, step: str, i: int, j: int) -> str:
        """A number of a step as it is printed."""
        return self.show(step, float(self.trace[step].values[i, j]))

    def share(self, step: str, i: int, j: int) -> str:
        """A share as per cent, as it is printed."""
        decimals = max(0, shown_decimals(self.trace[step]) - 2)
        return percent(float(self.trace[step].values[i, j]), decimals, self.options.language)

    def bar(self, name: str, i: int, j: int, beside: bool = False) -> str:
        """The length of a share's bar, 1 mm for 1 per cent; 0 for a share that is printed as 0.

        `beside`: it begins beside the axis, not in its middle, and ends at the same number.
        """
        step = self.trace[name]
        length = float(step.values[i, j]) * AXIS_MM - BESIDE_MM * beside
        return str(Mm(max(0.0, length) if shown_value(step, i, j) else 0.0))

    def unrounded(self, next_word: Callable[[Trace], str]) -> str:
        """Which word comes next where nothing is rounded, as a sentence; empty for the same one."""
        chosen, word = map(next_word, (self.trace, self.exact))
        same = chosen == word
        return "" if same else self.catalogue.t("sheet.unrounded", word=word, chosen=chosen)

    def plain(self, value: float) -> str:
        """A number with as many decimals as it has."""
        return number(value, None, self.options.language)


def places(trace: Trace, asked: Iterable[Cell], names: Iterable[str]) -> dict[int, list[str]]:
    """By number of decimals, which of the asked steps have it, by their last names in this order.

    A name is a step's without the number of a norm, `mean` for `block1.mean2`. Of one that stands
    in several heads each number of decimals is listed.
    """
    kinds = ((step.rpartition(".")[2].rstrip("0123456789"), step) for step, _, _ in asked)
    wanted = {(kind, shown_decimals(trace[step])) for kind, step in kinds}
    by_count: dict[int, list[str]] = {}
    for name in names:
        for count in sorted(count for last, count in wanted if last == name):
            by_count.setdefault(count, []).append(name)
    return by_count


def usual(by_count: Mapping[int, list[str]]) -> int | None:
    """The number of decimals that most names have; None where as many have another."""
    most = max(map(len, by_count.values()))
    largest = [count for count, names in by_count.items() if len(names) == most]
    return largest[0] if len(largest) == 1 else None


DRAWN = Path(__file__).with_name("signs.toml")
UNITS, STROKE = 24, 1.3  # of a drawing's width, of its lines
SVG = Markup(
    '<span class="pictogram"><svg role="img" width="{mm}mm" height="{mm}mm" '
    'viewBox="0 0 {units} {units}">'
    '<title>{name}</title><path d="{drawing}" fill="none" stroke="#14202b" stroke-width="{stroke}" '
    'stroke-linecap="round" stroke-linejoin="round"/></svg></span>'
)


@cache
def signs() -> dict[str, tuple[str, str]]:
    """For each role the object of the story that stands for it, and that object's drawing."""
    table = tomllib.loads(DRAWN.read_text(encoding="utf-8"))
    return {role: (name, one["drawing"]) for name, one in table.items() for role in one["roles"]}


ERROR = "m"  # a sixth of the squares may be spoilt by the copier
QUIET = 2  # white squares around it


@lru_cache(maxsize=256)
def qr_code(text: str) -> Markup:
    """The text as a QR code in SVG; it says nothing to a screen reader but what it is."""
    code = segno.make(text, error=ERROR, boost_error=False, micro=False)
    rows = enumerate(code.matrix_iter(border=QUIET))
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in rows for x, dark in enumerate(row) if dark)
    return Markup(
        '<svg class="qr" viewBox="0 0 {0} {0}"><title>QR</title><path d="{1}"/></svg>'
    ).format(code.symbol_size(border=QUIET)[0], path)


INDEXED = ("d_k", "d_model", "d_ff", "n_heads", "n_blocks", "n_vocab")
TABLES = ("W_Q", "W_K", "W_V", "W_O", "W_U", "Ŝ_M")
LETTERS = {
    name: Markup("<i>{}</i><sub>{}</sub>").format(*name.split("_")) for name in (*INDEXED, *TABLES)
}


def typesetting(catalogue: Catalogue) -> Callable[..., str]:
    """A catalogue's `t` for templates; a phrase that spells such a letter comes back as Markup."""

    def t(key: str, /, **names: object) -> str:
        phrase = catalogue.t(key, **names)
        return typeset(phrase) if any(letter in phrase for letter in LETTERS) else phrase

    return t


def typeset(phrase: str) -> Markup:
    """A phrase with its letters set; all else in it is escaped."""
    markup_so_far = escape(phrase)
    for letter, markup in LETTERS.items():
        markup_so_far = markup_so_far.replace(letter, markup)
    return markup_so_far
