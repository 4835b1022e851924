"""What each sheet of the series promises: one row a sheet, looked at by `test_contracts.py`.

What is particular to a sheet (numbers of its source, slips by hand) stands in its own tests.
"""

from collections.abc import Mapping
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.sheets.options import SheetOptions
from tests.support.sheets import traces

WORD = "Donaudampfschifffahrtsgesellschaftskapitän"
LONG = f"Der {WORD} isst mit Appetit Kuchen am Tisch"
FEWER = f"Der {WORD} isst mit Appetit Kuchen"  # a vocabulary of 12 words with those of katze
TWELVE = "a b c d e f g h i j k l"
SIGNS = "<b> {{ 7*7 }} x"
TOO_LONG = ("katze", f"{TWELVE} m", ("13 tokens", "at most 12", "--only xlsx"))

Efforts = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
Refusal = tuple[str, str | None, tuple[str, ...]]


class Page(NamedTuple):
    """A sheet of a preset, language and level, with the pages of its blank."""

    preset: str
    language: str
    level: int
    pages: int
    sentence: str | None = None
    teacher: int = 1  # pages that only the solution has

    def traces(self) -> tuple[Trace, Trace]:
        return traces(self.preset, self.language, self.sentence)

    def options(self) -> SheetOptions:
        return SheetOptions(language=self.language, level=self.level)


class Contract(NamedTuple):
    """A sheet's row.

    `efforts`: boxes and minutes at each level, for presets with their own sentences. `pages`: what
    is looked at cell by cell and to the pixel. `refuses`: preset, sentence, parts of the message.
    """

    efforts: Mapping[str, Efforts]
    pages: tuple[Page, ...]
    refuses: tuple[Refusal, ...] = ()
    task: int = 15  # words of the longest task
    least: int = 20  # cells of a solution
    info: int = 0  # pages of the information, where it is always the same number


def _levels(*presets: str, pages: tuple[int, int, int], language: str = "de") -> tuple[Page, ...]:
    """Each of the presets at each level, the second level first."""
    return tuple(Page(p, language, k, pages[k - 1]) for p in presets for k in (2, 1, 3))


ATTENTION = (
    TOO_LONG,
    ("brille", "Hallo", ("1 token: write a", "longer sentence")),
    ("ausgabe", None, ("no attention", "'brille'")),
    ("paris", None, ("d_head = 4", "'katze'")),
)
NO_RESIDUAL = ("no attention with a residual", "'katze'")
LEARNED = "which sheet 7a lets learn; take 'katze'"
CONTRACTS = {
    "1": Contract(
        {"katze": ((12, 6), (20, 10), (20, 15))},
        (
            *(Page("katze", "de", 2, 2), Page("katze", "de", 1, 2), Page("katze", "en", 2, 2)),
            *(Page("random", "de", 3, 3), Page("random", "en", 1, 2), Page("brille", "de", 2, 2)),
            *(Page("nihao", "de", 2, 2), Page("nihao", "de", 3, 3), Page("nihao", "en", 3, 3)),
            *(Page("katze", "de", 2, 3, LONG), Page("katze", "de", 3, 3, TWELVE)),
            *(Page("katze", "de", 2, 3, SIGNS), Page("katze", "de", 1, 2, "ja nein ja")),
            *(Page("katze", "de", 1, 2, "Eins Zwei"), Page("katze", "de", 3, 3, "3 4 3 , 4 !")),
        ),
        (
            TOO_LONG,
            ("katze", "Hallo", ("two different words", "longer sentence")),
            ("katze", "ja ja !", ("two different words",)),
            ("ausgabe", None, ("does not look up words or characters", "'katze'")),
            ("nihao", "你你你", ("two different characters", "longer sentence")),
            ("paris", None, ("does not look up words", "'katze'")),
        ),
        info=1,
    ),
    "2": Contract(
        dict.fromkeys(("katze", "brille", "ausgabe"), ((3, 5), (10, 7), (14, 13))),
        (
            *(Page("katze", "de", 2, 3), Page("katze", "de", 1, 2), Page("brille", "de", 1, 2)),
            *(Page("brille", "de", 2, 3), Page("katze", "en", 2, 3), Page("brille", "en", 3, 3)),
            *(Page("random", "de", 3, 3), Page("random", "en", 1, 2), Page("random", "en", 2, 3)),
            *(Page("random", "de", 3, 3, LONG), Page("katze", "de", 2, 3, TWELVE)),
            Page("random", "de", 1, 2, SIGNS),
        ),
        (
            TOO_LONG,
            ("katze", "Hallo", ("four different words", "longer sentence")),
            ("random", "ja nein ja", ("four different words",)),
            ("random", "ja nein ja nein", ("four different words",)),
            ("paris", None, ("no table of embeddings", "'katze'")),
        ),
        info=1,
    ),
    "3": Contract(
        dict.fromkeys(("brille", "katze", "random"), ((8, 5), (16, 9), (24, 13))),
        (
            *_levels("katze", pages=(4, 4, 4)),
            *(Page("brille", "de", 2, 4), Page("brille", "en", 3, 4), Page("random", "en", 1, 4)),
            *(Page("katze", "de", k, 4, f"{LONG} und a b {WORD}") for k in (1, 2, 3)),
            *(Page("katze", "en", 2, 4, "Die Katze"), Page("katze", "en", 2, 4, TWELVE)),
        ),
        (
            TOO_LONG,
            ("ausgabe", None, ("no positions", "'katze' or 'brille'")),
            ("paris", None, ("no positions", "'katze' or 'brille'")),
            ("brille", "Hallo", ("too few", "longer sentence")),
        ),
    ),
    "slide": Contract(
        {
            "paris": ((9, 4), (21, 11), (37, 13)),
            "katze": ((7, 4), (17, 10), (25, 12)),
            "brille": ((10, 7), (29, 16), (43, 20)),
            "random": ((7, 4), (17, 12), (25, 14)),
        },
        (
            *(Page("paris", "de", 2, 4), Page("paris", "de", 1, 4), Page("paris", "en", 3, 4)),
            *(Page("katze", "de", 1, 4), Page("katze", "en", 2, 4), Page("brille", "en", 2, 4)),
            *(Page("brille", "de", 2, 4), Page("katze", "de", 3, 4, f"Der {WORD} isst Kuchen")),
            *(Page("katze", "de", 2, 6, TWELVE), Page("brille", "de", 2, 4, "Katze Katze <b>")),
        ),
        (
            TOO_LONG,
            ("ausgabe", None, ("no attention", "'paris'")),
            ("katze", "Hallo", ("1 token: write a", "longer sentence")),
        ),
    ),
    "slides": Contract(
        {"paris": ((3, 7), (3, 7), (3, 7))},
        (
            *(Page("paris", "de", 2, 15), Page("katze", "en", 2, 15)),
            Page("katze", "de", 2, 15, "Die Straßenbahnhaltestelle <b"),
            Page("katze", "de", 2, 15, "Katze Katze Katze"),
        ),
        (
            ("ausgabe", None, ("no attention", "'paris'")),
            ("katze", "a b c d e f g", ("7 tokens", "at most 6")),
            ("katze", "Hallo", ("1 token: write a", "longer sentence")),
            ("katze", f"Der {WORD} isst im Hafen Kuchen", ("9 lines", "room for 7", "Donau")),
        ),
    ),
    "4a": Contract(
        dict.fromkeys(("brille", "katze"), ((14, 10), (27, 16), (29, 17))),
        (
            *(Page("brille", "de", 2, 4), Page("brille", "en", 3, 4), Page("brille", "de", 1, 4)),
            *(Page("katze", "de", 3, 4), Page("katze", "en", 1, 4), Page("katze", "en", 2, 4)),
            *(Page("katze", "de", 1, 4, "Die Katze"), Page("katze", "de", 2, 5, LONG)),
            Page("katze", "de", 3, 7, TWELVE),
        ),
        ATTENTION,
        least=60,
    ),
    "4b": Contract(
        {"katze": ((10, 6), (25, 13), (25, 13))},
        (
            *_levels("katze", pages=(4, 4, 4)),
            *(Page("random", "de", k, 4) for k in (1, 2, 3)),
            *(Page("katze", "en", 3, 4), Page("random", "en", 1, 4)),
            *(Page("katze", "de", 2, 4, "Die Katze sitzt"), Page("katze", "de", 2, 5, LONG, 2)),
            *(Page("katze", "de", 2, 5, TWELVE, 2), Page("katze", "de", 1, 4, SIGNS)),
            Page("katze", "de", 3, 4, "die die die die die"),
        ),
        (
            TOO_LONG,
            ("katze", "Die Katze", ("2 tokens", "longer sentence")),
            ("katze", "Katze", ("masks nothing", "'katze'", "three words")),
            ("brille", None, ("masks nothing", "'katze'")),
            ("ausgabe", None, ("no attention", "'katze'")),
            ("paris", None, ("d_head = 4", "'katze'")),
        ),
    ),
    "5": Contract(
        {  # random: six hidden values, but fuller matrices
            "katze": ((16, 6), (39, 15), (58, 21)),
            "random": ((16, 6), (35, 19), (54, 25)),
        },
        (
            *_levels("katze", "random", pages=(4, 4, 5)),
            *(Page("katze", "en", 3, 5), Page("random", "en", 2, 4)),
            Page("katze", "de", 2, 4, f"Der {WORD} isst am Tisch"),
            *(Page("katze", "de", 2, 4, TWELVE), Page("katze", "de", 2, 4, "der der der der")),
            *(Page("katze", "de", 2, 4, SIGNS), Page("katze", "de", 2, 4, "Die Katze")),
        ),
        (
            TOO_LONG,
            ("katze", "Hallo", ("1 token: write a", "longer sentence")),
            *((preset, None, NO_RESIDUAL) for preset in ("ausgabe", "brille", "paris")),
        ),
        least=100,
    ),
    "6": Contract(
        {  # drawing takes about 5 minutes more; random has four words: fewer rows, four ends
            "katze": ((10, 7), (25, 12), (44, 19)),
            "ausgabe": ((10, 7), (25, 12), (44, 19)),
            "random": ((10, 6), (17, 9), (27, 13)),  # of which at T = 0.5 one P would be 0.00
        },
        (
            *_levels("katze", pages=(4, 4, 5)),
            *(Page("ausgabe", "en", 2, 4), Page("ausgabe", "en", 3, 5), Page("katze", "en", 3, 5)),
            *(Page("random", "de", 1, 4), Page("random", "de", 3, 5)),
            *(Page("katze", "de", 2, 5, FEWER), Page("katze", "de", 2, 4, "Die Die Katze")),
            Page("katze", "de", 2, 4, "Matte <b> Matte"),
        ),
        (
            ("brille", None, ("no output", "'katze'", "'ausgabe'")),
            ("paris", None, ("no output", "'katze'")),
            ("random", f"{TWELVE} m", ("13 words", "at most 12", "--only xlsx")),
            ("random", "Hallo", ("one word only", "longer sentence")),
        ),
        least=60,
    ),
    "generate": Contract(
        {
            # Ends of two rounds, of three, and of three with e^z, Σ and P of the last; from level 2
            # on the probability of the whole continuation and what a cache saves.
            "katze": ((12, 8), (18 + 2, 12), (18 + 2 + 13, 18)),
            "nihao": ((8, 6), (12 + 2, 10), (12 + 2 + 9, 14)),
            # Ten words: as many rounds as a level has numbers for; 6, 5 and 6 can be drawn.
            "katze-trained": ((6, 5), (11 + 2, 9), (17 + 2, 11)),
        },
        (
            *(Page("katze", "de", 2, 3), Page("katze", "en", 1, 3), Page("katze", "en", 3, 3)),
            *(Page("nihao", "de", 3, 3), Page("nihao", "en", 3, 3)),
            *(Page("katze-trained", "de", 1, 3), Page("katze-trained", "de", 2, 3)),
            *(Page("random", "de", k, 3) for k in (1, 2, 3)),
            *(Page("katze", "de", 2, 3, FEWER), Page("katze", "de", 2, 3, "Die Die Katze")),
            Page("katze", "de", 2, 3, "Matte <b> Matte"),
        ),
        (
            ("brille", None, ("predicts no next token", "'katze-trained'")),
            ("ausgabe", None, ("predicts no next token", "'katze'")),
            ("katze", "Katze", ("is one token", "longer sentence")),
        ),
    ),
    "7a": Contract(
        {
            "katze": ((15, 7), (23, 11), (31, 15)),
            "katze-trained": ((13, 7), (21, 11), (29, 15)),
            "nihao": ((15, 8), (25, 12), (35, 17)),
        },
        (Page("katze", "de", 2, 3), Page("katze-trained", "de", 3, 3), Page("nihao", "de", 1, 3)),
        (
            ("brille", None, ("preset 'brille' has no output, " + LEARNED,)),
            ("induction", None, ("preset 'induction' has 8 numbers for each word of the output",)),
        ),
        task=16,
    ),
    "7b": Contract(
        {
            "katze": ((8, 7), (20, 14), (20, 14)),
            "katze-trained": ((8, 8), (14, 11), (14, 11)),
            "nihao": ((8, 7), (14, 10), (14, 10)),
        },
        (Page("katze", "de", 2, 3), Page("katze-trained", "de", 3, 3), Page("nihao", "de", 2, 3)),
    ),
    "7c": Contract(
        dict.fromkeys(("katze", "katze-trained"), ((12, 8), (21, 15), (24, 16)))
        | {"random": ((12, 8), (21, 14), (24, 15))},
        (
            *(Page("katze", "de", 3, 3), Page("random", "de", 2, 3)),
            *(Page("katze-trained", "de", 3, 3), Page("katze", "de", 1, 3)),
        ),
        (
            ("brille", None, ("has no output, which sheet 7c lets learn; take 'katze'",)),
            ("ausgabe", None, ("has no attention, which sheet 7c is about",)),
        ),
        task=16,
    ),
    "7d": Contract(
        {"katze": ((38, 9), (100, 16), (100, 16)), "random": ((26, 10), (64, 17), (64, 17))},
        # info, a page for each group, two for the board of four groups
        (Page("katze", "de", 2, 7), Page("random", "de", 2, 4)),
        (
            ("nihao", None, ("has a bias for each word, for which the board",)),
            ("ausgabe", None, ("gives the last vector of one sentence only",)),
            ("katze", "Die Katze", ("write a longer sentence",)),
            ("katze-trained", None, ("no word that the model is visibly wrong about",)),
        ),
        task=16,
    ),
    "8": Contract(
        dict.fromkeys(("katze-trained", "nihao"), ((3, 8),) * 3),
        (
            Page("katze-trained", "de", 2, 2),
            *(Page(p, "en", k, 2) for p in ("nihao", "katze-trained") for k in (1, 2, 3)),
        ),
        (("katze", None, ("preset 'katze' keeps no history of its training",)),),
        task=16,
        least=3,
    ),
    "bpe": Contract(
        {"katze": ((10, 10), (18, 17), (26, 24))},
        (
            *_levels("katze", pages=(2, 2, 2)),
            *_levels("katze", pages=(2, 2, 2), language="en"),
            *(Page("ausgabe", "en", 3, 2), Page("paris", "en", 2, 2)),
            *(Page("katze", "de", 2, 2, one) for one in (LONG, TWELVE, "der der der", SIGNS)),
        ),
    ),
    "code": Contract(
        dict.fromkeys(("katze", "nihao"), ((0, 8),) * 3),
        (Page("katze", "de", 2, 2), Page("mental", "en", 2, 2)),
        (
            ("ausgabe", None, ("has no attention, which sheet code is about",)),
            (
                "induction",
                None,
                ("the first token looks at nobody, so the program of sheet code would",),
            ),
            ("paris", None, ("take 'katze' or 'brille'",)),
        ),
        least=0,
    ),
    "math": Contract(
        {},
        (
            *(Page("katze", "de", 2, 4), Page("katze", "en", 2, 4), Page("random", "en", 2, 4)),
            *(Page("paris", "de", 2, 2), Page("katze", "de", 2, 4, f"Der {WORD} isst")),
            Page("katze", "de", 2, 4, "<b> & </b> auf"),
            Page("katze", "de", 2, 4, f"{TWELVE} m n"),
        ),
        least=0,
    ),
    "formulas": Contract(
        {},
        tuple(
            Page(p, "en", 2, 1, None, 0) for p in ("katze", "brille", "random", "ausgabe", "paris")
        ),
        least=0,
    ),
}
