"""The worksheets in the order in which they are taught, found in the folders beside this file.

The folder `sheet4a` holds sheet 4a: its kind, its plan, its view. The folder of the same name below
`templates/sheets/` holds its page, its macros, its style and its phrases. An author's own sheet has
all of it in one folder, and the path of that folder is its name for `SERIES`.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

from generator.errors import require_known
from generator.sheets.own import OwnSheet
from generator.sheets.sheet import PREFIX, Sheet

FOLDER = Path(__file__).resolve().parent


class Series(Mapping[str, Sheet]):
    """The sheets by name, in their order; an own sheet by its folder, and then by its name too.

    Own sheets are not counted: "all" are the shipped ones. Nor is the complete run, of which there
    is no blank.
    """

    def __init__(self, sheets: Iterable[Sheet]) -> None:
        ordered = sorted(sheets, key=lambda sheet: sheet.kind.order)
        self._sheets = {sheet.name: sheet for sheet in ordered}
        self._own: dict[str, Sheet] = {}

    def __getitem__(self, name: str) -> Sheet:
        """The sheet; KeyError for an unknown name, `UserError` for a folder that is no sheet."""
        if name in self._sheets:
            return self._sheets[name]
        (key,) = resolved([name])
        if key not in self._own and is_folder(name):
            own = OwnSheet.read(Path(key), tuple(self._sheets))
            self._own |= {key: own, own.name: own}
        return self._own[key]

    def __iter__(self) -> Iterator[str]:
        return (name for name, sheet in self._sheets.items() if not sheet.kind.complete)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def is_folder(name: str) -> bool:
    """Whether a sheet is named by its folder."""
    return name not in SHEETS and (Path(name).name != name or Path(name).is_dir())


def resolved(names: Iterable[str]) -> tuple[str, ...]:
    """The names of sheets, with the whole path for an own one: a manifest is read elsewhere."""
    return tuple(str(Path(name).resolve()) if is_folder(name) else name for name in names)


def require_sheet(name: str) -> None:
    """Raise a `UserError` for an unknown name of a sheet, or a folder that is none."""
    if name not in SERIES:
        require_known("sheet", name, (*SHEETS, COMPLETE))


def in_order(names: Iterable[str]) -> list[str]:
    """The names of sheets in the order in which they are taught."""
    return sorted(names, key=lambda name: SERIES[name].kind.order)


def in_workbook(names: Iterable[str]) -> Iterator[str]:
    """Those of the sheets that the workbook has tabs of."""
    return (name for name in names if SERIES[name].kind.in_workbook)


def _shipped() -> Iterator[Sheet]:
    for folder in FOLDER.glob(f"{PREFIX}*/__init__.py"):
        name = folder.parent.name
        yield Sheet(name.removeprefix(PREFIX), import_module(f"{__package__}.{name}").KIND)


SERIES = Series(_shipped())
SHEETS = tuple(SERIES)
FILLABLE = "fillable"  # in a file's name: the blank as a form
TOGETHER = "7d"  # what groups learn together, each with a sentence of its own
COMPLETE = "run"  # the complete run, a teacher's alone
