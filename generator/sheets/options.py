"""What a teacher may choose for a worksheet."""

from dataclasses import dataclass

from pydantic import ConfigDict

from generator.checks.judging import Judging
from generator.errors import require, require_known, require_shown
from generator.locales.folders import USUAL
from generator.sheets.plan import require_level

PARTS = ("info", "work", "both")
VARIANTS = ("blank", "solution")
KINDS = ("pdf", "html")
OUTPUTS = ("xlsx", *KINDS)
CARRIES = ("given", "own")
PDF_BY = ("auto", "weasyprint", "chromium")
LESSON = (20, 240)  # minutes
PRINTED = ("header", "author", "licence", "code", "mark", "pupil", "aids")  # texts that pages show


@dataclass(frozen=True)
class SheetOptions(Judging):
    """The choices for one worksheet; a value that does not exist is a `UserError`.

    How an exercise workbook judges is chosen with them, see `Judging`.

    `carry`: start values from an earlier sheet are "given", or boxes for the pupil's "own".
    `large_print`: nothing below 18 pt; `duplex`: margins for printing on both sides; `points`:
    boxes for the marks of a test. `texts` are own phrases by key, see `own_texts`. `code` stands on
    every page, with `qr` as a QR code too, and beside it the `mark` of the batch that it belongs
    to; `pupil` is a name to print. A solution ends with a page for the `teacher`, if it is not left
    out. `alone`: neighbours have other numbers, so nothing is filled in together. `others` are the
    tokens, by place from 0, that others of the class compute: their rows of the class matrix stay
    empty. `number` is the pupil's place in the class list, from 1, to print beside the name; 0 for
    none. `fillable`: beside each blank PDF another one with form fields; `mosaic`: beside
    those of some sheets a self-check of tiles, see `mosaic`. `pdf_by`: the program that
    makes PDFs; "auto" is WeasyPrint where Pango is, else a browser. `exam` are the minutes of an
    exam, 0 for a lesson: its pages have no help, no story and no checks, and marks on every task;
    `aids` are what is allowed in it, and `carried` says what share of the marks a right step with
    own wrong numbers earns. `route` names the route that a set is for, see `routes`: its lessons
    stand on the set's first page. `lesson` is how many minutes the teacher's page plans for, those
    of the language if none are said. `among` are the sheets of a set that is a chosen part of the
    series: its pages lead on to no other one and count none as taught. None of them stands for the
    whole series, or for single sheets of it.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")  # as a manifest holds it

    language: str = USUAL
    level: int = 2
    budget: int | None = None
    part: str = "both"
    story: bool = True
    header: str = ""
    author: str = ""
    licence: str = "CC BY 4.0"
    carry: str = "given"
    large_print: bool = False
    duplex: bool = False
    points: bool = False
    texts: tuple[tuple[str, str], ...] = ()
    code: str = ""
    mark: str = ""
    qr: bool = False
    pupil: str = ""
    teacher: bool = True
    alone: bool = False
    others: tuple[int, ...] = ()
    number: int = 0
    fillable: bool = False
    mosaic: bool = False
    pdf_by: str = PDF_BY[0]
    exam: int = 0
    aids: str = ""
    carried: float = 1.0
    route: str = ""
    lesson: int | None = None
    among: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        require_level(self.level)
        require_known("part", self.part, PARTS)
        require_known("carry", self.carry, CARRIES)
        least, most = LESSON
        known = self.lesson is None or least <= self.lesson <= most
        require(known, "sheet.lesson", lesson=self.lesson, least=least, most=most)
        require_known("program for PDFs", self.pdf_by, PDF_BY)
        require(not (self.mosaic and self.large_print), "sheet.mosaic")
        for what in PRINTED:
            require_shown(what, getattr(self, what))
        for key, text in self.texts:
            require_shown(f"own text {key}", text)


def among(sheets: tuple[str, ...]) -> tuple[str, ...]:
    """What a set of these sheets is of the series: a chosen part where it has several.

    A single one may be today's: others have been taught, or will be.
    """
    return sheets if len(sheets) > 1 else ()
