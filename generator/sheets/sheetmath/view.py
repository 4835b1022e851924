"""What the templates of the reference sheets may ask: steps, shapes, map, sizes, words, errata.

Also here:

* One step of learning, as sheet 7a teaches it, for the reference sheets: four steps to list.
* Which words of the trade a model needs, in the order in which a class meets them.
* What the overview says of its own model, each sentence with what must be true of it.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from generator.engine.activations import ACTIVATIONS
from generator.engine.rounding import guarded_number
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.attention import is_identity
from generator.insight.claims import Claim, widens
from generator.insight.errata import Erratum, errata
from generator.insight.learned import parameters
from generator.locales.folders import ENGLISH
from generator.locales.locale import locale_of
from generator.notation.shown import grouped
from generator.notation.worked import Worked
from generator.sheets.context import Context
from generator.sheets.options import SheetOptions
from generator.sheets.own_texts import phrased
from generator.sheets.sheet7a import plan as sheet7a
from generator.sheets.sheetmath import overview
from generator.sheets.sheetmath.formula import Spoken, Typeset
from generator.sheets.sheetmath.overview import TABLES, ModelMap, StepEntry
from generator.sheets.slots import taken
from generator.steps import Letter
from generator.steps.kind import letter

LETTERS = ("n", "d_model", "d_k", "d_ff", "n_heads", "n_blocks", "n_vocab")
GPT2 = ("n_vocab", "d_model", "n_heads", "d_k", "d_ff", "n_blocks", "n")  # rows of `count.size`
COUNTS = (
    *("embedding", "position", "query_key_value", "attention_output", "feedforward", "norm"),
    *("bias", "block", "blocks", "output", "total"),
)
SIGNS = {"·": "sheet.times", ":": "sheetmath.over"}
# What is looked up or chosen has no formula; its letters are those of the registry.
STATEMENTS = {
    "ids": r"\mathrm{ID}_{i} \in \{0<and>1<and>\dots\}",
    "next": r"\mathrm{<new>} = \text{<word> } \max P_{\,i}",
    "next.drawn": r"\sum_{l<i} P_{\,l} \le \mathrm{rand} < \sum_{l\le i} P_{\,l}",
}


LAYERS = ("1", "2", "3", "4a", "4b", "5", "6", "7a")  # sheets, each about a layer
MOST_MAP = 140  # mm: below a map that is no taller the letters have room
ON_MAP, LETTERS_MM, ROW_MM = 208.0, 57.0, 4.7  # mm for all below the map's heading; of parts of it
LETTER = "loss.probability"  # P of the right word
TARGET = "loss.onehot"
MET = {"scale", "output.probabilities", TARGET, LETTER}  # not listed, yet with a letter here


class ModelSize(NamedTuple):
    """A letter of the shapes: its number here and in GPT-2 small ("" where there is no count)."""

    letter: str
    here: str
    gpt2: str


class Term(NamedTuple):
    """A word of the glossary; `also` is its English form on a sheet in another language."""

    key: str
    also: str


LEARNED = [  # a step of learning
    StepEntry(row["key"], "learning", step, row["form"])
    for step, row in TABLES["lanes"]["learning"].items()
]


def fixed(trace: Trace, plan: object) -> bool:
    """Whether this model has norms, with neither gain nor shift of their own."""
    norms = "count.norm" in trace and trace["count.norm"].values[0, 0]
    own = [name for name in trace.preset.weights if ".gain" in name or ".beta" in name]
    return bool(norms) and not own


def only_joins(trace: Trace, plan: object) -> bool:
    """Whether every W_O of this model is I."""
    outputs = [w for name, w in trace.preset.weights.items() if name.endswith(".weight.output")]
    return bool(outputs) and all(map(is_identity, outputs))


CLAIMS = {
    "sheetmath.words.hidden": Claim(widens, "sheetmath.words.hidden.plain"),
    "sheetmath.counts.note": Claim(fixed),
    "sheetmath.counts.joined": Claim(only_joins),
}


class ViewMath(Context):
    """The view of the sheets math and formulas."""

    claims = CLAIMS

    @cached_property
    def entries(self) -> list[StepEntry]:
        """The steps of this preset's model, in order."""
        return overview.overview(self.trace)

    @cached_property
    def learned(self) -> list[StepEntry]:
        """A step of learning, as sheet 7a does it; empty where that sheet cannot be filled."""
        return [] if self._taught is self.trace else list(LEARNED)

    @cached_property
    def _taught(self) -> Trace:
        return taught(self.trace)

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """The sheets that this model fills, in the order of its layers."""
        return tuple(name for name in LAYERS if taken(name, self.trace, self.plan.level))

    @property
    def short(self) -> bool:
        """Whether the letters have room below the map."""
        return self.map().height < MOST_MAP

    @property
    def layers_on_map(self) -> bool:
        """Whether the list of layers has room there, too."""
        below = LETTERS_MM * self.short + ROW_MM * (1 + len(self.layers))
        return not self.options.large_print and self.map().height + below <= ON_MAP

    def map(self) -> ModelMap:
        """The map of the model with this computation's shapes."""
        return overview.model_map(self.trace)

    def shape(self, entry: StepEntry) -> str:
        """Rows and columns of a step in words: 6 × 4."""
        rows, columns = self._taught[entry.step].shape
        return self.catalogue.t("sheetmath.shape", rows=rows, columns=columns)

    def form(self, entry: StepEntry) -> Markup:
        """Rows and columns of a step in letters: n × d."""
        rows, columns = (self.letter(x) for x in entry.form.split(" × "))
        return Markup(self.catalogue.t("sheetmath.shape", rows="{}", columns="{}")).format(
            rows, columns
        )

    def letter(self, name: str) -> Markup:
        """A letter with its index set low: d_ff; a computed size stands in brackets."""
        letters = Markup("").join(map(self._letter, name.split(" ")))
        return Markup("({})").format(letters) if " " in name else letters

    def _letter(self, name: str) -> Markup:
        if name in SIGNS:
            return Markup(" {} ").format(self.catalogue.t(SIGNS[name]))
        head, _, low = name.partition("_")
        slanted = Markup("<i>{}</i>" if head.isalpha() else "{}").format(head)
        return slanted + (Markup("<sub>{}</sub>").format(low) if low else "")

    def typeset(self, entry: StepEntry, inline: bool = True) -> Markup:
        """The formula of a step, with its spoken alternative."""
        if entry.key in STATEMENTS:
            mark = locale_of(self.options.language).signs.separator.strip()
            latex = STATEMENTS[entry.key].replace("<and>", rf"{{{mark}}}\, ")
            for word in ("new", "word"):
                latex = latex.replace(f"<{word}>", self.catalogue.t(f"sheetmath.{word}"))
            return self.formula(f"math.{entry.key}", latex, inline)
        target = self.catalogue.t("sheet7a.target")  # as sheet 7a calls it
        names = {TARGET: Letter(target, rf"\mathrm{{{target}}}")}
        return self.formulas.image(*self._both(entry.step, names), inline)

    def small(self, entry: StepEntry) -> str:
        """A step's arithmetic with small numbers, by the model's own operation; "" without any."""
        chain, step = self._taught.scratch(), self._taught[entry.step]
        given = TABLES["examples"].get(entry.kind, ())
        if not given or len(given) != len(step.inputs):
            return ""
        tables = [np.array(one, dtype=float) for one in given]
        *names, result = (f"example.{k}" for k in range(len(tables) + 1))
        for name, values in zip(names, tables, strict=True):
            chain.give(name, values, decimals=_places(values))
        chain.apply(result, step.op, *names, decimals=_places(step.op.value(*tables)))
        made = self._taught.with_steps(chain.new)
        return str(Worked(made, self.options.language).line(result, 0, 0))

    def norm_formulas(self) -> list[Markup]:
        """How the norm's μ and σ come about, from a row r; empty where the model has no norm."""
        steps = overview.norm_steps(self.trace)
        names = {steps[0].inputs[0]: letter("r")} if steps else {}
        both = [self._both(step.name, names) for step in steps]
        return [Markup(self.formulas.image(*one, inline=False)) for one in both]

    @cached_property
    def listed(self) -> set[str]:
        """The steps that have a letter in formulas; others are written out where they are read."""
        return {entry.step for entry in (*self.entries, *self.learned)} | MET

    def _both(self, step: str, names: Mapping[str, Letter]) -> tuple[str, str]:
        """A step's formula as LaTeX and in words, with other letters for the steps in `names`."""
        of = (self._taught, self.catalogue, self.listed, names)
        return Typeset(*of).formula(step), Spoken(*of).formula(step)

    def sizes(self) -> list[ModelSize]:
        """The letters of the shapes that this model has, in a fixed order, with those of GPT-2."""
        here, known = overview.sizes(self.trace), "count.size" in self.trace
        gpt2 = {x: self.grouped("count.size", k, 1) if known else "" for k, x in enumerate(GPT2)}
        gpt2["n"] = f"≤ {gpt2['n']}" if known else ""  # its longest context
        return [ModelSize(x, str(here[x]), gpt2[x]) for x in LETTERS if x in here]

    def counts(self) -> list[str]:
        """The lines of the parameter count that are not 0 in both models."""
        if "count.total" not in self.trace:
            return []
        return [name for name in COUNTS if self.trace[f"count.{name}"].values.any()]

    def grouped(self, step: str, i: int, j: int) -> str:
        """A whole number in groups of three digits."""
        value = guarded_number(float(self.trace[step].values[i, j]), 0)
        return grouped(value, self.options.language)

    def learned_of_them(self) -> str:
        """How many of the counted numbers the model has learned, as a sentence; "" if unknown."""
        count = parameters(self.trace)
        return self.catalogue.t("sheetmath.counts.learned", **count._asdict()) if count else ""

    def glossary(self) -> list[Term]:
        """The words that this model needs, in the order in which they are met."""
        english, needed = phrased(SheetOptions(language=ENGLISH), self.trace.preset), []
        for key in terms(self.trace):
            also = english.t(f"sheetmath.term.{key}")
            known = self.options.language == ENGLISH
            known |= also.lower() in self.catalogue.t(f"sheetmath.term.{key}").lower()
            needed.append(Term(key, "" if known else also))
        return needed

    def column(self, erratum: Erratum) -> str:
        """The column of a misprint: its token, or its dimension as a letter with an index."""
        label = self.trace[erratum.step].columns[erratum.j]
        token = label in self.tokens
        return label if token else self.indexed(label[0], erratum.j)

    def errata(self) -> list[Erratum]:
        """Wrong numbers of the teaching material that this preset comes from."""
        return errata(self.trace)


def _places(values: np.ndarray) -> int:
    """Decimals for small numbers: none for whole ones."""
    return 2 if (values % 1).any() else 0


def taught(trace: Trace) -> Trace:
    """The computation with a step of learning; as it is for a model that sheet 7a cannot teach."""
    try:
        return trace.with_steps(sheet7a.learning(trace, 1, sheet7a.SHEET).extra)
    except UserError:  # the sheet says why; here it is only left out
        return trace


def terms(trace: Trace) -> list[str]:
    """The keys of the words (`sheetmath.term.<key>`, `sheetmath.meaning.<key>`) needed here."""
    preset, parts = trace.preset, trace.preset.parts
    sentence, both = preset.start == "sentence", parts & {"attention", "feedforward"}
    attention, network = "attention" in both, "feedforward" in both
    has = {
        "": True,
        "words": "vocabulary.words" in trace,
        "positions": sentence and preset.positions != "none",
        "waves": sentence and preset.positions == "sinusoidal",
        "attention": attention,
        "matrices": bool(both),
        "mask": attention and preset.mask != "none",
        "heads": attention and preset.heads > 1,
        "residual": "residual" in parts,
        "norm": bool(both) and preset.norm != "none",
        "network": network,
        "relu": network and ACTIVATIONS[preset.activation].crosses_out,
        "output": "output.logits" in trace,
    }
    needed = (words for one, words in TABLES["glossary"]["order"] if has[one])
    return [word for words in needed for word in words.split()]
