"""The picture of a PDF's first page; the only place that needs pypdfium2 and Pillow."""

import io
from importlib import metadata

from generator.errors import refused

WIDTH = 440  # pixels, in the gallery: titles and tables can be told apart
COLOURS = 16  # a page has few
LIBRARIES = ("pypdfium2", "pillow")


def versions(libraries: tuple[str, ...] = LIBRARIES) -> dict[str, str]:
    """The versions of what draws; `UserError`, saying how to install it, where it is missing."""
    try:
        return {name: metadata.version(name) for name in libraries}
    except metadata.PackageNotFoundError as error:
        raise refused("pictures.missing", name=error.name) from None


def first_page(pdf: bytes, width: int = WIDTH) -> bytes:
    """The first page as PNG so many pixels wide, the same bytes for the same page."""
    from pypdfium2 import PdfDocument

    document = PdfDocument(pdf)
    page = document[0]
    shot = page.render(scale=width / page.get_width()).to_pil().convert("RGB")
    document.close()
    out = io.BytesIO()
    shot.quantize(COLOURS, dither=0).save(out, "PNG", optimize=True)
    return out.getvalue()
