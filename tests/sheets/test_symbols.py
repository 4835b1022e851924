"""One letter, one meaning: on every sheet, in the workbook's words and in the walk.

`letters.toml` has the whole alphabet. A letter that is printed and not listed, or printed on a
sheet that its thing does not belong to, fails; so does a thing that is named with another letter.
"""

import re
import tomllib
from pathlib import Path

import pytest

import generator
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.render.worksheet.worksheet import planned
from generator.sheets.context import INDEXED
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SHEETS
from generator.steps import KINDS
from tests.support.covering import first
from tests.support.views import page

TABLE = tomllib.loads(Path(__file__).with_name("letters.toml").read_text(encoding="utf-8"))


def sheets_of(names: str) -> set[str]:
    """The sheets that are named, alone or as a group."""
    groups = TABLE["groups"] | {"everywhere": " ".join(SHEETS)}
    return {
        sheet
        for name in names.split()
        for sheet in (sheets_of(groups[name]) if name in groups else {name})
    }


LETTERS = {letter: sheets_of(where) for letter, (_, where) in TABLE["letters"].items()}
EXPONENT = re.compile(r"<i>e</i><sup><i>x</i></sup>")  # the name of a function and of a key
NAMES = ("alpha", "beta", "gamma", "mu", "sigma", "varphi", "varepsilon", "Sigma", "Phi")
GREEK = dict(zip(NAMES, "αβγμσφεΣΦ", strict=True))
LETTER = r"([A-Za-zμσγβφαŷ]′?|RMS|CE|PP)(?![\w’'-])"
NO_NAMES = {"a", "I", "p"}  # English words of one letter; p, which a sum reaches


class Recorded(Formulas):
    """The formulas of a page, with what was asked of them."""

    def __init__(self):
        super().__init__()
        self.latex: list[str] = []

    def image(self, latex, alt, inline=True):
        self.latex.append(latex)
        return super().image(latex, alt, inline)


def in_latex(latex: str) -> set[str]:
    bare = re.sub(r"\\(mathrm|text|mathsf)\{[^{}]*\}|\\(begin|end)\{\w+\}(\{l\})?", " ", latex)
    greek = re.sub(r"\\([A-Za-z]+)", lambda found: f" {GREEK.get(found[1], '')} ", bare)
    return set(re.findall(r"[A-Za-zα-ωΣΦ]", greek))


def printed(preset: str, language: str, sheet: str) -> set[str]:
    """The letters of a solution's formulas and of its tables."""
    trace = generator.compute(preset=preset, language=language)
    found: set[str] = set()
    for level in (2, 3):
        options, formulas = SheetOptions(language=language, level=level), Recorded()
        try:
            plan = planned(sheet, trace, options)
        except UserError:
            continue
        shown = EXPONENT.sub("", page(plan, trace, trace, options, formulas, blank=False))
        found |= {letter for latex in formulas.latex for letter in in_latex(latex)}
        found |= {one for text in re.findall(r"<i>([^<]{1,2})</i>", shown) for one in text}
    return found


def table(letter: str) -> str:
    """The letter as it is listed: a row's as its table's, where the row has none of its own."""
    return letter if letter in LETTERS else letter.upper()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("preset", first(1, ["katze", "ausgabe", "nihao", "paris", "random"]))
def test_every_printed_letter_has_its_one_meaning(preset, language):
    found = {(one, sheet) for sheet in SHEETS for one in printed(preset, language, sheet)}
    assert len(found) > 30
    unknown = {one for one, _ in found} - {"ŷ"} - {c for one in LETTERS for c in (one, one.lower())}
    assert not unknown
    astray = {(one, at) for one, at in found if one != "ŷ" and at not in LETTERS[table(one)]}
    assert not astray


@pytest.mark.parametrize("language", languages())
def test_a_thing_is_named_with_its_own_letter(language):
    checked, wrong = 0, []
    for key, phrase in load(language).phrases.items():
        for letter, words in TABLE["named"].items():
            for found in re.findall(rf"\b(?:{words}) {LETTER}", phrase):
                small = found.removesuffix("′")
                checked += 1
                if small not in NO_NAMES and small != letter and small.lower() != letter:
                    wrong.append((key, words, found))
    assert checked > 30
    assert not wrong


def test_letters_of_the_registry_mean_one_thing():
    """Two kinds of steps share a letter only where they are the same thing."""
    same = {
        frozenset(group)
        for group in (
            {"exp", "output.exp"},  # powers
            {"sum", "output.sum"},
            {"max", "output.max"},
            {"position", "position.new"},
            {"position.index", "position.index.new"},
            {"normalised", "norm", "last"},  # a norm's result; at the end the last token's
            {"output.logits", "output.all.logits"},
            {"sampling.next", "output.all.next"},
            *({f"loss.{x}", f"loss.all.{x}"} for x in ("target", "onehot", "id", "probability")),
            {"key", "sampling.k"},  # top-k and top-p are names that others have given
            {"output.probabilities", "sampling.p"},
        )
    }
    by_letter: dict[str, set[str]] = {}
    for kind in KINDS.values():
        if kind.letter is not None:
            plain = kind.letter.plain
            small = plain.lower() if plain.isascii() else plain
            by_letter.setdefault(small, set()).add(kind.name)
    shared = {frozenset(names) for names in by_letter.values() if len(names) > 1}
    assert shared == same
    single = {k.letter.plain for k in KINDS.values() if k.letter and len(k.letter.plain) == 1}
    assert single - {"N", "B", "k", "p", "Ŝ"} <= {c for one in LETTERS for c in (one, one.lower())}


def test_sizes_have_names_that_no_table_has():
    """N tokens; heads, blocks and words by name, for H are hidden values and V are values."""
    names = {name for name in INDEXED if name.startswith("n_")}
    assert names == {"n_heads", "n_blocks", "n_vocab"}
    for language in languages():
        told = [k for k in load(language).phrases if k.startswith("sheetmath.letter.")]
        assert {k.rpartition(".")[2] for k in told} == {"n", *INDEXED}


@pytest.mark.parametrize(("language", "written"), [("de", "10\N{NARROW NO-BREAK SPACE}000"),
                                                   ("en", "10,000")])  # fmt: skip
def test_english_has_its_own_signs_and_separators(language, written):
    trace = generator.compute(preset="katze", language=language)
    formulas, options = Recorded(), SheetOptions(language=language)
    page(planned("formulas", trace, options), trace, trace, options, formulas, blank=True)
    latex = " ".join(formulas.latex)
    mark = {"de": "{;}", "en": "{,}"}[language]
    assert rf"\{{0{mark}\, 1{mark}\, \dots\}}" in latex
    assert rf"H{mark}\, 0" in latex
    assert {"de": r"10\,000", "en": "10{,}000"}[language] in latex
    assert "10000" not in latex
    assert {"de": r"\div", "en": " : "}[language] not in latex
    assert written in load(language).phrases["formula.position.divisor"]
