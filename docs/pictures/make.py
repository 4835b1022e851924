"""Makes the pictures of the README anew: `python docs/pictures/make.py`; needs LibreOffice."""

import io
import subprocess
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image, ImageOps

import generator
from generator.render.workbook.solution import render as workbook
from generator.render.worksheet.options import SheetOptions
from generator.render.worksheet.sheet import render as worksheet
from generator.text.catalogue import load

HERE = Path(__file__).resolve().parent
EDGE = "#b8c0c6"


def pages(document: bytes, numbers: list[int], dpi: int) -> list[Image.Image]:
    """Some pages of a PDF as pictures with a thin edge."""
    pdf = pypdfium2.PdfDocument(io.BytesIO(document))
    shots = [pdf[n].render(scale=dpi / 72).to_pil().convert("RGB") for n in numbers]
    return [ImageOps.expand(shot, 1, EDGE) for shot in shots]


def beside(pictures: list[Image.Image], gap: int = 18) -> Image.Image:
    """Pictures side by side on white."""
    width = sum(p.width for p in pictures) + gap * (len(pictures) - 1)
    sheet = Image.new("RGB", (width, max(p.height for p in pictures)), "white")
    x = 0
    for picture in pictures:
        sheet.paste(picture, (x, 0))
        x += picture.width + gap
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
    """Write worksheet.png and workbook.png beside this file."""
    trace = generator.compute(preset="brille")
    exact = generator.compute(preset="brille", rounding="exact")
    sheets = {
        variant: worksheet("4a", trace, exact, SheetOptions(), kind="pdf", variant=variant)
        for variant in ("blank", "solution")
    }
    shots = [*pages(sheets["blank"], [1, 2], 72), *pages(sheets["solution"], [2], 72)]
    save(beside(shots), "worksheet.png")
    book = as_pdf(workbook(generator.compute(preset="katze"), load("de")))
    save(beside(pages(book, WORKBOOK_PAGES, 66)), "workbook.png")


WORKBOOK_PAGES = [0, 5]


def save(picture: Image.Image, name: str) -> None:
    """Write a picture with few colours: these are drawings."""
    small = picture.quantize(64, dither=Image.Dither.NONE)
    small.save(HERE / name, optimize=True)


if __name__ == "__main__":
    main()
