"""The commands whose files and texts are frozen, in slices that can be checked one by one."""

from collections.abc import Iterator
from typing import NamedTuple

PRESETS = (
    "ausgabe",
    "brille",
    "induction",
    "katze",
    "katze-trained",
    "mental",
    "nihao",
    "paris",
    "previous-word",
    "random",
    "same-word",
    "subject-verb",
)
LANGUAGES = ("de", "en")
CLASS = "id;name;sentence\n1;Ayşe Öz;\n2;Ben;Die Katze sitzt\n3;Çem;\n"
CLASS_FILES = {"8b.csv": CLASS, "groups.txt": "Die Katze sitzt auf\nDie Maus schläft auf\n"}
MORE = {  # options of a worksheet or workbook, each on its own
    "exact": "--rounding exact --only xlsx,pdf --sheets 4a,5,6",
    "large": "--large-print --only pdf --sheets 4a,6",
    "marks": "--points --qr --header 8b --author A.B. --duplex --only pdf --sheets 4a,5",
    "forms": "--fillable --only pdf --sheets 4a,6,7a",
    "plain": "--no-story --carry own --part work --only pdf",
    "short": "--budget 30 --only pdf,html --sheets 4a,5,6",
    "rounds": "--rounds 3 --strategy sample --random 0.37 --only xlsx --preset katze",
    "train": "--preset katze --next-word Matte --train 2 --only xlsx",
    "train-all": "--preset katze --targets all --train 1 --learn output.matrix --only xlsx",
    "test": "--check off --no-interim --tolerance 2 --only xlsx --sheets 4a,5",
    "tempered": "--temperature 0.5,1 --strategy top-p --p 0.9 --preset katze --sheets 6",
    "edited": "--preset katze --set block1.head1.weight.query[2,1]=0.3 --only xlsx,html",
}
BATCHES = {
    "focus": "4 --sheets 4a --vary focus",
    "numbers": "3 --sheets 4a,6 --vary numbers --fillable --header 8b",
    "list": "8b.csv --sheets 4a,5 --print-names --only pdf,html",
    "same": "2 same --preset brille --sheets 4a --only pdf",
    "groups": "4 --sheets 4a --vary groups=2 --only pdf --language en",
    "sentences": "4 --sheets 7d --sentences groups.txt --preset katze --only pdf",
    "versions": "4 --sheets 5 --versions 2 --level 3 --only html,xlsx --vary numbers",
}
EXAM = "4 --sheets 4a,6 --versions A,B --minutes 60 --seed frozen --out exam"
GRADED = "3 --sheets 4a,5 --vary numbers --level 2 --fillable --only pdf --seed frozen --out class"


class Case(NamedTuple):
    """One command, under a name of its own in its slice."""

    name: str
    words: list[str]


def slices() -> dict[str, list[Case]]:
    """All slices by name: the text ones take seconds, those with PDFs a minute or two."""
    found = {f"text-{preset}": list(_texts(preset)) for preset in PRESETS}
    found |= {f"html-{preset}": list(_made(preset, "html", (1, 2, 3))) for preset in PRESETS}
    found |= {f"xlsx-{preset}": list(_made(preset, "xlsx", (1, 2, 3))) for preset in PRESETS}
    found |= {f"pdf-{preset}": list(_made(preset, "pdf", (2,))) for preset in PRESETS}
    found["pdf-levels"] = list(_made("katze", "pdf", (1, 3)))
    found["options"] = [Case(name, ["make", *words.split()]) for name, words in MORE.items()]
    found["batch"] = [
        Case(name, ["batch", *words.split(), "--seed", "frozen", "--out", name])
        for name, words in BATCHES.items()
    ]
    found["exam"] = [Case("exam", ["exam", *EXAM.split()])]
    found["grade"] = [
        Case("batch", ["batch", *GRADED.split()]),
        Case("grade", ["grade", "handed-in", "--batch", "class", "--names", "--show-answers"]),
    ]
    found["gallery"] = [Case("gallery", ["gallery", "site", "--small", "--preset", "brille,katze"])]
    return found


def _texts(preset: str) -> Iterator[Case]:
    for language in LANGUAGES:
        of = ["--preset", preset, "--language", language]
        for form in ("json", "csv", "latex", "text"):
            yield Case(f"trace-{language}.{form}", ["trace", *of, "--format", form])
        yield Case(f"walk-{language}", ["walk", "--all", *of])
        yield Case(f"exact-{language}", ["walk", "--all", "--rounding", "exact", *of])
    yield Case("show", ["presets", "show", preset])


def _made(preset: str, only: str, levels: tuple[int, ...]) -> Iterator[Case]:
    for language in LANGUAGES:
        for level in levels:
            words = f"make --preset {preset} --language {language} --level {level} --only {only}"
            yield Case(f"{language}-{level}", words.split())
