"""What of a gallery is asked for: which presets, languages, levels, and how large it may be."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.engine.preset import Preset
from generator.errors import UserError, require, require_known
from generator.locales import folders
from generator.locales.folders import require_language
from generator.presets.defaults import LEARNED
from generator.presets.load import load_preset, shipped
from generator.processes import require_jobs
from generator.sheets.options import SheetOptions
from generator.sheets.plan import LEVELS
from generator.sheets.routes import ROUTES
from generator.sheets.series import COMPLETE, SHEETS

ADDRESS = re.compile(r"https?://[^\s/?#\"<>]+(/[^\s?#\"<>]*)?")
FIRST = (LEARNED, "paris", "katze")  # presets that a teacher meets first; the others by name
ATTENDING, TO_THE_OUTPUT = "4a", "6"  # one of them stands for a preset in a small gallery


@dataclass(frozen=True)
class GalleryRequest:
    """What of the gallery is made; a value that does not exist is a `UserError`.

    `small` takes the usual level alone, every sheet of the first preset, the main one of the
    others. `address` is where the site will stand, for search engines; on a stick it has none.
    `docs` adds the handbook, `room` a room in which a class computes and papers for planning.
    """

    presets: tuple[str, ...]
    languages: tuple[str, ...]
    levels: tuple[int, ...] = LEVELS
    small: bool = False
    address: str = ""
    docs: bool = False
    room: bool = False
    jobs: int | None = None

    def __post_init__(self) -> None:
        for language in self.languages:
            require_language(language)
        for level in self.levels:
            require_known("level", str(level), tuple(map(str, LEVELS)))
        require_jobs(self.jobs)
        complete = not self.address or ADDRESS.fullmatch(self.address)
        require(complete, "site.address", address=self.address)

    @property
    def loaded(self) -> tuple[Preset, ...]:
        """The presets; `UserError` for an unknown one, or two of the same name."""
        by_name = {name: load_preset(name) for name in self.presets}
        names = [preset.name for preset in by_name.values()]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise UserError(f"there are two presets named {twice!r}: their files would be mixed")
        return tuple(by_name.values())

    def levels_of(self, preset: Preset) -> tuple[int, ...]:
        """The levels of a preset; a small gallery has those of its routes, too."""
        own = (one.level for one in ROUTES.values() if one.preset == preset.name and self.small)
        return tuple(sorted({*self.levels, *own}))

    def sheets(self, preset: Preset) -> tuple[str, ...]:
        """The sheets of a preset, in the order of the series, the complete run last."""
        if self.small and preset.name != LEARNED:
            own = (one.sheets for one in ROUTES.values() if one.preset == preset.name)
            main = ATTENDING if "attention" in preset.parts else TO_THE_OUTPUT
            return tuple(dict.fromkeys((*(sheet for sheets in own for sheet in sheets), main)))
        return (*SHEETS, COMPLETE)


def middle(levels: tuple[int, ...]) -> int:
    """Of these levels the one that stands for all: the usual one, or the first."""
    return SheetOptions.level if SheetOptions.level in levels else levels[0]


def asked(
    presets: Iterable[str | Path] | None = None,
    languages: Iterable[str] | None = None,
    levels: Iterable[int] | None = None,
    *,
    small: bool = False,
    address: str | None = None,
    **further: Any,
) -> GalleryRequest:
    """What is asked for, with all that was not said: everything that is shipped."""
    usual = (SheetOptions.level,) if small else LEVELS
    where = (address or "").strip()
    further.setdefault("room", presets is None and not small)  # they would make it too large
    others = (name for name in shipped() if name not in FIRST)
    return GalleryRequest(
        tuple(map(str, presets)) if presets is not None else (*FIRST, *others),
        tuple(dict.fromkeys(languages)) if languages is not None else folders.written(),
        tuple(sorted(set(levels))) if levels is not None else usual,
        small,
        f"{where.rstrip('/')}/" if where else "",
        **further,
    )
