"""Finds the files that travel with the program: templates, style sheets and fonts."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
MARK = "print.css"  # another project's `templates/` beside the package must not be taken for ours


def templates() -> Path:
    """The folder of templates: the checkout's, else the copy inside the installed package.

    Raises FileNotFoundError, naming both places, when the installation is incomplete.
    """
    places = (PACKAGE.parent / "templates", PACKAGE / "_templates")
    for place in places:
        if (place / MARK).is_file():
            return place
    looked = " and ".join(str(place) for place in places)
    raise FileNotFoundError(f"no templates: looked for {MARK} in {looked}")
