"""A class of three with everything that a batch makes, made once in a run."""

from pathlib import Path

import generator
from tests.support.memo import once_below

SEED = "class 8b in autumn"
NAMES = {"K-90417": "Änne Ärmel", "K-90418": "Zoë Quandt", "K-90419": "Bo O’Neill"}
LIST = "id;name;seat\n" + "".join(f"{key};{name};Fensterplatz\n" for key, name in NAMES.items())
SHEETS = ("4a", "6")


def three(vary: str) -> Path:
    """The folder of the class, which nobody may change."""

    def make(folder: Path) -> None:
        (folder / "8b.csv").write_text(LIST, encoding="utf-8")
        made = generator.batch(
            folder / "8b.csv", folder / "8b", sheets=SHEETS, vary=vary, seed=SEED, level=1
        )
        assert (made.made, made.problems) == (3, [])

    return once_below(make, "three", vary) / "8b"
