"""Makes the README's pictures and samples anew: `python -m docs.pictures.make`.

It needs LibreOffice, which draws the workbooks.
"""

import io
import subprocess
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image, ImageOps

import generator
from generator.locales.catalogue import load
from generator.render.workbook.solution import render as workbook
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.loss_chart import LossChart
from generator.sheets.options import SheetOptions
from tests.support.pupil import Desk, entries

HERE = Path(__file__).resolve().parent
EDGE = "#b8c0c6"
DPI = 170  # of the pages of a workbook
SAMPLES = HERE.parent / "samples"
TASKS = (17, 4, 200, 175)  # mm on the page: title, tasks, table, check
HEAD_MM = 12  # header and footer of a printed tab
SHOWN = "katze-trained"  # whose prediction means something
LEARNING = "learning.svg"


def pages(document: bytes, numbers: list[int], dpi: int) -> list[Image.Image]:
    """Some pages of a PDF as pictures with a thin edge."""
    pdf = pypdfium2.PdfDocument(io.BytesIO(document))
    shots = [pdf[n].render(scale=dpi / 72).to_pil().convert("RGB") for n in numbers]
    return [ImageOps.expand(shot, 1, EDGE) for shot in shots]


def tab_page(document: bytes, tab: str, nth: int) -> list[Image.Image]:
    """The nth page of a tab, whose title ends the header of each; of an upright one the top."""
    pdf = pypdfium2.PdfDocument(io.BytesIO(document))
    heads = [pdf[n].get_textpage().get_text_range().splitlines()[0] for n in range(len(pdf))]
    number = [n for n, head in enumerate(heads) if head.endswith(tab)][nth]
    width, height = pdf[number].get_size()
    if width > height:
        return pages(document, [number], DPI)
    (shot,) = pages(document, [number], round(DPI * height / width))
    return [shot.crop((0, 0, shot.width, round(shot.width * width / height)))]


def beside(pictures: list[Image.Image], gap: int = 18) -> Image.Image:
    """Pictures side by side on white."""
    width = sum(p.width for p in pictures) + gap * (len(pictures) - 1)
    sheet = Image.new("RGB", (width, max(p.height for p in pictures)), "white")
    x = 0
    for picture in pictures:
        sheet.paste(picture, (x, 0))
        x += picture.width + gap
    return sheet


def below(pictures: list[Image.Image], gap: int = 18) -> Image.Image:
    """Pictures one below the other on white."""
    height = sum(p.height for p in pictures) + gap * (len(pictures) - 1)
    sheet = Image.new("RGB", (max(p.width for p in pictures), height), "white")
    y = 0
    for picture in pictures:
        sheet.paste(picture, (0, y))
        y += picture.height + gap
    return sheet


def as_pdf(xlsx: bytes) -> bytes:
    """A workbook as LibreOffice prints it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book.xlsx")
        path.write_bytes(xlsx)
        profile = f"-env:UserInstallation={Path(folder, 'profile').as_uri()}"
        convert = ["--headless", "--convert-to", "pdf", "--outdir", folder, str(path)]
        subprocess.run(["soffice", profile, *convert], check=True, capture_output=True)
        return path.with_suffix(".pdf").read_bytes()


def main() -> None:
    """Write the pictures beside this file, and the samples."""
    (HERE / LEARNING).write_text(learning(), encoding="utf-8")
    save(worksheets(), "worksheet.png")
    save(workbooks(), "workbook.png")
    save(series(), "series.png")
    for language in ("de", "en"):
        samples(language)


def worksheets(sheet: str = "4a", number: int = 2, dpi: int = 130) -> Image.Image:
    """The tasks of a work page, blank beside its solution, large enough to read."""
    trace = generator.compute(preset=SHOWN)
    exact = generator.compute(preset=SHOWN, rounding="exact")
    shots = []
    for variant in ("blank", "solution"):
        document = PrintedSheet(sheet, trace, exact, SheetOptions()).file(variant=variant)
        shots += pages(document, [number], dpi)
    left, top, right, bottom = (round(mm * dpi / 25.4) for mm in TASKS)
    return beside(
        [ImageOps.expand(shot.crop((left, top, right, bottom)), 1, EDGE) for shot in shots]
    )


def workbooks() -> Image.Image:
    """Two tabs of the solution and a part of an exercise, as far as a screen shows them."""
    solution = as_pdf(workbook(generator.compute(preset=SHOWN, controls=True), load("de")))
    exercise = as_pdf(partly_filled())
    shots = [screen(solution, "Auf einen Blick", 0), screen(solution, "Ziehen", 0)]
    return below([*shots, screen(exercise, "Head 1", 0)])


def screen(document: bytes, tab: str, nth: int, *, width: int = 1366) -> Image.Image:
    """What a page of a tab holds between header and footer, screen wide."""
    (page,) = tab_page(document, tab, nth)
    margin = round(HEAD_MM * DPI / 25.4)
    inner = page.crop((4, margin, page.width - 4, page.height - margin))
    box = ImageOps.invert(inner.convert("L")).getbbox()
    assert box, tab
    shot = ImageOps.expand(inner.crop(box), 12, "white")
    size = (width, round(shot.height * width / shot.width))
    return ImageOps.expand(shot.resize(size, Image.Resampling.LANCZOS), 1, EDGE)


def samples(language: str) -> None:
    """Sheet 4a and the workbooks of a language, as `make` writes them, to look into."""
    trace, place = generator.compute(preset=SHOWN, language=language), SAMPLES / language
    generator.write(trace, place, ["pdf"], sheets=["4a"])
    generator.write(trace, place, ["xlsx"])


def learning() -> str:
    """How the preset has learned, as a curve."""
    history = generator.load_preset(SHOWN).history
    assert history is not None
    return LossChart(history.losses).svg("step", "loss", "en")


def series(columns: int = 7, dpi: int = 40) -> Image.Image:
    """The first info page and the first solved work page of each sheet, as a contact sheet."""
    trace = generator.compute(preset=SHOWN)
    exact = generator.compute(preset=SHOWN, rounding="exact")
    shots: list[Image.Image] = []
    leaves = [(name, part) for name in TAUGHT for part in ("info", "work")]
    for name, part in [*leaves, ("math", "both"), ("formulas", "both")]:
        options = SheetOptions(part=part)
        document = PrintedSheet(name, trace, exact, options).file(variant="solution")
        shots += pages(document, [0], dpi)
    rows = [beside(shots[k : k + columns]) for k in range(0, len(shots), columns)]
    return below(rows)


TAUGHT = ("1", "bpe", "2", "3", "4a", "4b", "5", "6", "generate", "7a", "7b", "7c", "8")


def partly_filled() -> bytes:
    """An exercise after a pupil's first half hour: a slip among the scores, the rest not begun."""
    desk = Desk(generator.compute(preset=SHOWN, controls=True), 2, "de")
    own = desk.plan.own
    wrong = ("block1.head1.scores", own, 1)
    begun = ("ids", "embedding", "similarity", "position", "input", "block1.head1.query")
    typed = {
        cell: value
        for cell, value in entries(desk.exercise, {wrong: -1.71}).items()
        if cell[0] in begun or cell[0] == wrong[0] or cell == ("block1.head1.scaled", own, 0)
    }
    return desk.filled(typed)


def save(picture: Image.Image, name: str) -> None:
    """Write a picture with few colours: these are drawings."""
    small = picture.quantize(64, dither=Image.Dither.NONE)
    small.save(HERE / name, optimize=True)


if __name__ == "__main__":
    main()
