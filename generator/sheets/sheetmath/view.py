"""What the templates of the reference sheets may ask: steps, shapes, map, sizes, words, errata.

Also here:

* One step of learning, as sheet 7a teaches it, for the reference sheets: four steps to list.
* Which words of the trade a model needs, in the order in which a class meets them.
* What the overview says of its own model, each sentence with what must be true of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from markupsafe import Markup

from generator.engine.activations import ACTIVATIONS
from generator.engine.rounding import guarded_number
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.claims import Claim, Claims, widens
from generator.insight.errata import Erratum, errata
from generator.insight.output_step import GRADIENT, LOSS, NEW
from generator.locales.catalogue import load
from generator.locales.folders import ENGLISH
from generator.locales.locale import locale_of
from generator.notation.shown import grouped
from generator.sheets.context import Context
from generator.sheets.own_texts import phrased
from generator.sheets.sheet7a import plan as sheet7a
from generator.sheets.sheetmath.formula import Spoken, Typeset
from generator.sheets.sheetmath.overview import (
    ModelMap,
    StepEntry,
    model_map,
    norm_steps,
    overview,
    sizes,
)
from generator.steps import Letter
from generator.steps.kind import letter

LETTERS = ("n", "d_model", "d_k", "d_ff", "n_heads", "n_blocks", "n_vocab")
GPT2_ROWS = {
    "n": 6,
    "d_model": 1,
    "n_heads": 2,
    "d_k": 3,
    "d_ff": 4,
    "n_blocks": 5,
    "n_vocab": 0,
}
COUNTS = (
    "embedding",
    "position",
    "query_key_value",
    "attention_output",
    "feedforward",
    "norm",
    "bias",
    "block",
    "blocks",
    "output",
    "total",
)
SIGNS = {"·": "sheet.times", ":": "sheetmath.over"}
GAINS = ("gain", "beta")
# What is looked up or chosen has no formula; its letters are those of the registry.
STATEMENTS = {
    "ids": r"\mathrm{ID}_{i} \in \{0<and>1<and>\dots\}",
    "next": r"P_{\,<new>} = \max(P_{\,1}<and>P_{\,2}<and>\dots)",
    "next.drawn": r"\sum_{l<i} P_{\,l} \le \mathrm{rand} < \sum_{l\le i} P_{\,l}",
}


LETTER = "loss.probability"  # P of the right word: not listed, yet it has a letter here
MET = {
    "scale",
    "output.probabilities",
    "loss.onehot",
    LETTER,
}  # not listed, yet they have a letter here
SUMS = ("block", "blocks", "total")


class ModelSize(NamedTuple):
    """A letter of the shapes: its number here and in GPT-2 small ("" where there is no count)."""

    letter: str
    here: str
    gpt2: str


class Term(NamedTuple):
    """A word of the glossary; `also` is its English form on a sheet in another language."""

    key: str
    also: str


def fixed(trace: Trace, plan: object) -> bool:
    """Whether the norms of this model have neither gain nor shift of their own."""
    return not any(".gain" in name or ".beta" in name for name in trace.preset.weights)


CLAIMS = {
    "sheetmath.words.hidden": Claim(widens, "sheetmath.words.hidden.plain"),
    "sheetmath.counts.note": Claim(fixed),
}


@dataclass(frozen=True)
class ViewMath(Context):
    """The view of the sheets math and formulas."""

    claims: ClassVar[Claims] = CLAIMS

    @cached_property
    def entries(self) -> list[StepEntry]:
        """The steps of this preset's model, in order."""
        return overview(self.trace)

    @cached_property
    def learned(self) -> list[StepEntry]:
        """A step of learning, as sheet 7a does it; empty where that sheet cannot be filled."""
        return learned(self.trace)

    @cached_property
    def _taught(self) -> Trace:
        return taught(self.trace)

    def counted(self) -> str:
        """What is counted from 0 and what from 1."""
        key = "positions" if "position.angle" in self.trace else "ids"
        return self.catalogue.t(f"sheetmath.counted.{key}")

    def map(self) -> ModelMap:
        """The map of the model with this computation's shapes."""
        entries = self.entries
        return model_map(entries, [self.size(entry.step) for entry in entries])

    def shape(self, entry: StepEntry) -> str:
        """Rows and columns of a step in words: 6 × 4."""
        rows, columns = self._taught[entry.step].shape
        return self.catalogue.t("sheetmath.shape", rows=rows, columns=columns)

    def form(self, entry: StepEntry) -> Markup:
        """Rows and columns of a step in letters: n × d."""
        rows, columns = (self.letter(x) for x in entry.form)
        return Markup(self.catalogue.t("sheetmath.shape", rows="{}", columns="{}")).format(
            rows, columns
        )

    def letter(self, name: str) -> Markup:
        """A letter with its index set low: d_ff; a computed size stands in brackets."""
        parts = name.split(" ")
        size = Markup("").join(self._one_letter(part) for part in parts)
        return size if len(parts) == 1 else Markup("({})").format(size)

    def _one_letter(self, name: str) -> Markup:
        if name in SIGNS:
            return Markup(" {} ").format(self.catalogue.t(SIGNS[name]))
        head, _, low = name.partition("_")
        sub = Markup("<sub>{}</sub>").format(low) if low else Markup("")
        slanted = Markup("<i>{}</i>").format(head) if head.isalpha() else Markup(head)
        return slanted + sub

    def typeset(self, entry: StepEntry, inline: bool = True) -> Markup:
        """The formula of a step, with its spoken alternative."""
        if entry.key in STATEMENTS:
            mark = locale_of(self.options.language).signs.separator.strip()
            new = rf"\mathrm{{{self.catalogue.t('sheetmath.new')}}}"
            latex = STATEMENTS[entry.key].replace("<and>", rf"{{{mark}}}\, ").replace("<new>", new)
            return self.formula(f"math.{entry.key}", latex, inline)
        return self.formulas.image(*self._both(entry.step, {}), inline)

    def norm_formulas(self) -> list[Markup]:
        """How the norm's μ and σ come about, from a row r; empty where the model has no norm."""
        steps = norm_steps(self.trace)
        names = {steps[0].inputs[0]: letter("r")} if steps else {}
        both = [self._both(step.name, names) for step in steps]
        return [Markup(self.formulas.image(*one, inline=False)) for one in both]

    @cached_property
    def listed(self) -> set[str]:
        """The steps that have a letter in formulas; others are written out where they are read."""
        return {entry.step for entry in (*self.entries, *self.learned)} | MET

    def _both(self, step: str, names: Mapping[str, Letter]) -> tuple[str, str]:
        """A step's formula as LaTeX and in words, with other letters for the steps in `names`."""
        listed = self.listed
        both = (
            Typeset(self._taught, self.catalogue.language, listed, names),
            Spoken(self._taught, self.catalogue, listed, names),
        )
        latex, spoken = (one.formula(step) for one in both)
        return latex, spoken

    def repeated(self) -> tuple[int, int] | None:
        """The first and the last number of the steps inside a block."""
        inside = [
            k + 1 for k, e in enumerate(self.entries) if e.lane in ("attention", "feedforward")
        ]
        return (inside[0], inside[-1]) if inside else None

    def sizes(self) -> list[ModelSize]:
        """The letters of the shapes that this model has, in a fixed order."""
        here = sizes(self.trace)
        return [ModelSize(x, str(here[x]), self._gpt2(x)) for x in LETTERS if x in here]

    def _gpt2(self, letter: str) -> str:
        if "count.size" not in self.trace:
            return ""
        return self.grouped("count.size", GPT2_ROWS[letter], 1)

    def counts(self) -> list[str]:
        """The lines of the parameter count that are not 0 in both models."""
        if "count.total" not in self.trace:
            return []
        return [name for name in COUNTS if self.trace[f"count.{name}"].values.any()]

    def fixed_norms(self) -> bool:
        """Whether this model has norms whose gain and shift it fixes at 1 and 0."""
        learned = any(f".{name}1" in step.name for step in self.trace for name in GAINS)
        return bool(self.trace["count.norm"].values[0, 0]) and not learned

    def is_sum(self, name: str) -> bool:
        """Whether a line of the count adds up lines above it."""
        return name in SUMS

    def grouped(self, step: str, i: int, j: int) -> str:
        """A whole number in groups of three digits."""
        value = guarded_number(float(self.trace[step].values[i, j]), 0)
        return grouped(value, self.options.language)

    def glossary(self) -> list[Term]:
        """The words that this model needs, in the order in which they are met."""
        english = phrased(load(ENGLISH), (), preset=self.trace.preset)
        foreign = self.options.language != ENGLISH
        needed = []
        for key in terms(self.trace):
            also = english.t(f"sheetmath.term.{key}") if foreign else ""
            known = self.catalogue.t(f"sheetmath.term.{key}").lower()
            needed.append(Term(key, "" if also.lower() in known else also))
        return needed

    def column(self, erratum: Erratum) -> str:
        """The column of a misprint: its token, or its dimension as a letter with an index."""
        label = self.trace[erratum.step].columns[erratum.j]
        token = label in self.tokens
        return label if token else self.indexed(label[0], erratum.j)

    def questions(self) -> list[str]:
        """The questions to discuss that make sense for this model."""
        first = "shapes" if "attention" in self.trace.preset.parts else "output"
        large = self.counts() and "feedforward" in self.trace.preset.parts
        return [first, "parameters" if large else "learned"]

    def errata(self) -> list[Erratum]:
        """Wrong numbers of the teaching material that this preset comes from."""
        return errata(self.trace)


LANE = "learning"
EACH = ("n_vocab", "d_model")
LISTED = (
    StepEntry("loss", LANE, LOSS, ("1", "1"), ""),
    StepEntry("error", LANE, "grad.output.logits", ("1", "n_vocab"), ""),
    StepEntry("gradient", LANE, GRADIENT, EACH, ""),
    StepEntry("update", LANE, NEW, EACH, ""),
)


def learned(trace: Trace) -> list[StepEntry]:
    """Loss, error, gradient and new weights; none for a model that sheet 7a cannot let learn."""
    return list(LISTED) if _steps(trace) else []


def taught(trace: Trace) -> Trace:
    """The computation with a step of learning, if there is one."""
    return trace.with_steps(_steps(trace))


def _steps(trace: Trace) -> tuple[Step, ...]:
    try:
        return sheet7a.learning(trace, 1, sheet7a.SHEET).steps
    except UserError:  # the sheet says why; here it is only left out
        return ()


Needed = Callable[[Trace], bool]


def _always(trace: Trace) -> bool:
    return True


def _sentence(trace: Trace) -> bool:
    return trace.preset.start == "sentence"


def _positions(trace: Trace) -> bool:
    return _sentence(trace) and trace.preset.positions != "none"


def _waves(trace: Trace) -> bool:
    return _sentence(trace) and trace.preset.positions == "sinusoidal"


def _attention(trace: Trace) -> bool:
    return "attention" in trace.preset.parts


def _mask(trace: Trace) -> bool:
    return _attention(trace) and trace.preset.mask != "none"


def _concat(trace: Trace) -> bool:
    return _attention(trace) and trace.preset.heads > 1


def _residual(trace: Trace) -> bool:
    return "residual" in trace.preset.parts


def _norm(trace: Trace) -> bool:
    parts = trace.preset.parts & {"attention", "feedforward"}
    return bool(parts) and trace.preset.norm != "none"


def _feedforward(trace: Trace) -> bool:
    return "feedforward" in trace.preset.parts


def _relu(trace: Trace) -> bool:
    return _feedforward(trace) and ACTIVATIONS[trace.preset.activation].crosses_out


def _output(trace: Trace) -> bool:
    return "output.logits" in trace


WORDS: dict[str, Needed] = {
    "token": _always,
    "vocabulary": lambda trace: "vocabulary.words" in trace,
    "embedding": lambda trace: "vocabulary.words" in trace,
    "position": _positions,
    "radians": _waves,
    "vector": _always,
    "dot": _always,
    "falk": _attention,
    "matrix": lambda trace: _attention(trace) or _feedforward(trace),
    "query": _attention,
    "key": _attention,
    "value": _attention,
    "score": _attention,
    "scale": _attention,
    "mask": _mask,
    "exponential": _always,
    "softmax": _always,
    "share": _attention,
    "weighted": _attention,
    "head": _attention,
    "concat": _concat,
    "residual": _residual,
    "norm": _norm,
    "mean": _norm,
    "deviation": _norm,
    "feedforward": _feedforward,
    "hidden": _feedforward,
    "relu": _relu,
    "logit": _output,
    "temperature": _output,
    "probability": _output,
    "greedy": _output,
    "sampling": _output,
    "interval": _output,
    "next": _output,
    "parameter": _always,
    "check": _always,
    "carried": _always,
}


def terms(trace: Trace) -> list[str]:
    """The keys of the words (`sheetmath.term.<key>`, `sheetmath.meaning.<key>`) needed here."""
    return [key for key, needed in WORDS.items() if needed(trace)]
