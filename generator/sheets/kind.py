"""What a sheet says of itself: its place in the series, its name in files, how it is used."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One sheet's kind, stated by its folder.

    `order` is its place in the series, `slug` its name in file names. What is for the `screen` has
    pages of its own: it is not in the booklet, and options for print do not apply. Where nothing is
    `filled` in, a class has the sheet in common; if it has no page for the teacher either, it is a
    `single` file, neither blank nor solution. `borrows` names sheets whose style it has too.
    A `complete` one holds every number, so there is no blank of it: it is for teachers, in a file
    of its own.

    One whose `levels` do not differ is the same for everybody and bears no mark of one, as are
    those that are shown, looked up or complete. A sheet that a class fills in `together` cannot be
    an exam's.

    `small` names the preset whose numbers it takes beside sheet 4a, whose it would repeat.
    `board` is what a class fills in together: the matrix of all tokens, or counts of the words.

    `steps` matches the steps that are the sheet's part of a workbook, and of the walk where
    `render/walk/sheets.toml` says nothing else. With `own_steps` its plan has a function of that
    name that writes further ones into the workbook; with `notes` one that says what whoever makes
    the sheet should know.
    """

    order: int
    slug: str
    screen: bool = False
    filled: bool = True
    single: bool = False
    complete: bool = False
    levels: bool = True
    together: bool = False
    borrows: tuple[str, ...] = ()
    board: Literal["", "tokens", "words"] = ""
    small: str = ""
    steps: str = ""
    own_steps: bool = False
    notes: bool = False

    def variants(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """What to make where these variants are wanted, of "blank" and "solution".

        A single file counts as blank, a complete one is a solution: of that no blank can be made,
        and whoever wants nothing else is told so by the sheet.
        """
        if self.single:
            return ("blank",)
        return ("solution",) if self.complete and "solution" in wanted else wanted

    @property
    def alike(self) -> bool:
        """Whether it is the same at every level, so that it bears no mark of one."""
        return not self.levels or self.screen or self.single or self.complete

    @property
    def in_booklet(self) -> bool:
        """Whether it is printed for pupils, so that the booklet has it and it may have help."""
        return not (self.screen or self.complete)

    @property
    def in_workbook(self) -> bool:
        """Whether the workbook has tabs of the sheet."""
        return bool(self.steps) or self.own_steps
