"""Fills the fields of a PDF as Chrome does, whose engine this is: click, type, leave, save."""

import ctypes
import io
from collections.abc import Mapping

import pikepdf
import pypdfium2
import pypdfium2.raw as chrome


def typed_in(form: bytes, texts: Mapping[str, str]) -> bytes:
    """The form after somebody typed these texts into the fields of these names."""
    document, out = pypdfium2.PdfDocument(form), io.BytesIO()
    document.init_forms()
    for page, fields in zip(document, _places(form), strict=True):
        chrome.FORM_OnAfterLoadPage(page.raw, document.formenv.raw)
        for name, (x, y) in fields.items():
            here = document.formenv.raw, page.raw
            chrome.FORM_OnMouseMove(*here, 0, x, y)
            chrome.FORM_OnLButtonDown(*here, 0, x, y)
            chrome.FORM_OnLButtonUp(*here, 0, x, y)
            chrome.FORM_ReplaceSelection(*here, _wide(texts[name]))
            chrome.FORM_ForceToKillFocus(here[0])
    document.save(out)
    return out.getvalue()


def _places(form: bytes) -> list[dict[str, tuple[float, float]]]:
    """The middle of each field, page by page."""
    with pikepdf.open(io.BytesIO(form)) as pdf:
        return [
            {
                str(one.T): (
                    (float(one.Rect[0]) + float(one.Rect[2])) / 2,
                    (float(one.Rect[1]) + float(one.Rect[3])) / 2,
                )
                for one in page.get("/Annots", ())
                if one.Subtype == "/Widget"
            }
            for page in pdf.pages
        ]


def _wide(text: str) -> ctypes.Array:
    data = f"{text}\0".encode("utf-16-le")
    return ctypes.cast(
        ctypes.create_string_buffer(data, len(data)), ctypes.POINTER(chrome.FPDF_WCHAR)
    )
