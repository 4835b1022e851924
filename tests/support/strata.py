"""Drawn cases of the series: each sheet, language, level, kind of sentence and preset in turn."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import count
from itertools import product as each_with_each
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SHEETS
from tests.support.filled import PRESETS, reason
from tests.support.sheets import traces

LANGUAGES, LEVELS = ("de", "en"), (1, 2, 3)
WORDS = {
    "de": "Der Die das Hund Katze sitzt schläft auf unter dem Tisch Matte und ein eine alte weiße "
    "Straßenbahnhaltestelle läuft . , ! ? Äpfel Kuchen mag isst Brille",
    "en": "The the a dog cat sits sleeps on under table mat and an old white "
    "counterrevolutionaries runs . , ! ? apples cake likes eats glasses",
}
ODD = ("=1+1", "<b>", "{{7*7}}", "1/2", "TRUE", "&amp;", "x²", "-1")
LONG = {
    "de": "Donaudampfschifffahrtsgesellschaftskapitän",
    "en": "pneumonoultramicroscopicsilicovolcanoconiosis",
}
KINDS = ("own", "short", "usual", "repeated", "long word", "odd", "twelve")


class Case(NamedTuple):
    """One worksheet to look at; an empty sentence stands for the preset's own."""

    preset: str
    sentence: str
    sheet: str
    language: str
    level: int

    def __str__(self) -> str:
        return "-".join((self.sheet, self.preset, self.language, str(self.level), self.sentence))

    def traces(self) -> tuple[Trace, Trace]:
        """Its computation as on paper, and exact."""
        return traces(self.preset, self.language, self.sentence or None)

    def options(self, **more: object) -> SheetOptions:
        """Its options."""
        return SheetOptions(language=self.language, level=self.level, **more)


def drawn(count: int, purpose: str) -> list[Case]:
    """So many different cases that can be filled; the same at every call."""
    found: dict[Case, None] = {}
    for case in _cases(purpose):
        if case not in found and fits(case):
            found[case] = None
        if len(found) == count:
            return list(found)
    raise AssertionError(f"only {len(found)} cases can be filled")


@cache
def paired() -> list[tuple[str, str, str, int]]:
    """Each sheet once in each language at each level, and so each preset too, as often as another.

    Sheets that few presets can fill choose first.
    """
    takers = {sheet: [p for p in PRESETS if not reason(sheet, p)] for sheet in SHEETS}
    used: Counter[tuple[object, ...]] = Counter()
    found = []
    for language, level in each_with_each(LANGUAGES, LEVELS):
        for sheet in sorted(SHEETS, key=lambda sheet: len(takers[sheet])):
            preset = min(takers[sheet], key=lambda p: (used[p, language, level], used[sheet, p]))
            used.update([(preset, language, level), (sheet, preset)])
            found.append((sheet, preset, language, level))
    return found


@cache
def swept(k: int) -> Case:
    """The case of a line of `paired`: with the first sentence drawn for it that the sheet takes."""
    sheet, preset, language, level = paired()[k]
    for n in count(k):
        seed = hashlib.sha256(f"sweep|{k}|{n}".encode()).digest()
        sentence = _sentence(KINDS[n % len(KINDS)], language, seed)
        case = Case(preset, sentence, sheet, language, level)
        if fits(case):
            return case
    raise AssertionError("the preset's own sentence always fits")


def product() -> list[tuple[str, str, str, int]]:
    """Every sheet with every preset that can fill it, in both languages, at all levels."""
    return [
        (sheet, preset, language, level)
        for sheet in SHEETS
        for preset in PRESETS
        if not reason(sheet, preset)
        for language in LANGUAGES
        for level in LEVELS
    ]


def sentences(sheet: str, preset: str, language: str, level: int) -> list[Case]:
    """The cases of one line of `product`: a sentence of each kind, as far as the sheet takes it."""
    found = []
    for kind in KINDS:
        seed = hashlib.sha256(f"whole|{preset}|{language}|{kind}".encode()).digest()
        case = Case(preset, _sentence(kind, language, seed), sheet, language, level)
        found += [case] if fits(case) else []
    return found


def fits(case: Case) -> bool:
    """Whether the sheet takes the preset and the sentence."""
    try:
        trace, _ = case.traces()
        planned(case.sheet, trace, case.options())
    except UserError:
        return False
    return True


def _cases(purpose: str) -> Iterator[Case]:
    """Sheets, languages, levels and kinds of sentences turn at different speeds."""
    for k in range(100_000):
        seed = hashlib.sha256(f"{purpose}|{k}".encode()).digest()
        sheet = SHEETS[k % len(SHEETS)]
        turn = k // len(SHEETS)
        language, level = LANGUAGES[turn % 2], 1 + turn // 2 % 3
        kind = KINDS[seed[0] % len(KINDS)]
        presets = [preset for preset in PRESETS if not reason(sheet, preset)]
        preset = presets[seed[1] % len(presets)]
        yield Case(preset, _sentence(kind, language, seed[2:]), sheet, language, level)


def _sentence(kind: str, language: str, seed: bytes) -> str:
    words = [WORDS[language].split()[b % len(WORDS[language].split())] for b in seed]
    match kind:
        case "own":
            return ""
        case "short":
            return " ".join(words[:3])
        case "repeated":
            return " ".join([words[0], words[1], words[0], words[2], words[0]])
        case "long word":
            return " ".join([*words[:2], LONG[language], *words[2 : 3 + seed[9] % 3]])
        case "odd":
            return " ".join([words[0], ODD[seed[8] % len(ODD)], *words[1 : 3 + seed[9] % 3]])
        case "twelve":
            return " ".join(f"{word}" for word in words[: 9 + seed[9] % 4])
    return " ".join(words[: 4 + seed[9] % 5])
