"""What a sheet says of itself: its place in the series, its name in files, how it is used."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One sheet's kind, stated by its folder.

    `order` is its place in the series, `slug` its name in file names. What is for the `screen` has
    pages of its own: it is not in the booklet, and options for print do not apply. Where nothing is
    `filled` in, a class has the sheet in common. `borrows` names sheets whose style it has too.
    """

    order: int
    slug: str
    screen: bool = False
    filled: bool = True
    borrows: tuple[str, ...] = ()
