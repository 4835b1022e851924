"""WeasyPrint with our fonts and without what no sheet needs: the only file that imports it."""

import contextlib
import io
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from generator.errors import UserError, message
from generator.sheets.fonts import SCHEME, font_bytes, no_system_fonts
from generator.versions import require_tested

INSTALL_PANGO = message("pdf.install")

_NOTES = ("footnote", "note(")  # how a style sheet asks for notes
_OF_NOTES = ("::footnote-", "::note-")  # how their rules begin in WeasyPrint's own style sheet


class PangoMissing(UserError):
    """The system library that sets the text of a PDF is not installed, or only in part."""

    def __init__(self, found: str) -> None:
        super().__init__(message("pdf.pango", found=found, install=INSTALL_PANGO))


@dataclass(frozen=True)
class Engine:
    """WeasyPrint with our fonts loaded, shared by all documents of a process."""

    weasyprint: Any
    fonts: Any
    fetcher: Any
    lean: Any  # the class of a page without notes

    def page(self, html: str, css: Iterable[str]) -> Any:
        """A page to lay out; with styles of notes only where it may have notes."""
        noted = any(word in text for word in _NOTES for text in (html, *css))
        make = self.weasyprint.HTML if noted else self.lean
        return make(string=html, url_fetcher=self.fetcher)


@cache
def load_engine() -> Engine:
    """WeasyPrint, imported at the first call with no system font in sight.

    Raises PangoMissing, saying how to install it, where a library is not there, and Untested.
    """
    with no_system_fonts():
        weasyprint = _import_weasyprint()
        from weasyprint.text.fonts import FontConfiguration

        return Engine(weasyprint, FontConfiguration(), _closed_fetcher(), _lean(weasyprint))


def _import_weasyprint() -> Any:
    require_tested("weasyprint", "pydyf", "pikepdf")  # the last one finishes what the first wrote
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.filterwarnings("ignore", message="No fonts configured")  # that is what we want
        warnings.filterwarnings("ignore", message="HarfBuzz-Subset will be required")  # see below
        try:
            import weasyprint
            from weasyprint.text import ffi
        except OSError as error:
            raise PangoMissing(str(error).splitlines()[0]) from error
    if ffi.harfbuzz_subset is None:
        raise PangoMissing("its companion HarfBuzz-Subset is not installed")
    return weasyprint


def _lean(weasyprint: Any) -> Any:
    """Pages whose elements are given no styles of notes.

    WeasyPrint's own style sheet has them for every element, six in the place of one: with them
    half of the cascade and half of the memory goes into what is never drawn.
    """
    import tinycss2
    from weasyprint.html import UA

    style = weasyprint.CSS(string="".join(map(without_notes, tinycss2.parse_stylesheet(UA))))

    class Page(weasyprint.HTML):
        """HTML without footnotes."""

        def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
            return [style]

    return Page


def without_notes(rule: Any) -> str:
    """A rule of WeasyPrint's own style sheet; "" for notes, and for counters that it has anyway."""
    text: str = rule.serialize()
    if rule.type == "at-rule" and rule.lower_at_keyword == "counter-style":
        return ""
    if text.startswith(_OF_NOTES):
        return ""
    return f"li::marker, summary{text}" if text.startswith("::marker") else text


def _closed_fetcher() -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class ClosedFetcher(URLFetcher):
        """Answers with our fonts and refuses every other address."""

        def fetch(self, url: str, headers: Any = None) -> Any:
            if not url.startswith(SCHEME):
                raise ValueError("a sheet may not fetch anything from outside")
            return URLFetcherResponse(url, font_bytes(url.removeprefix(SCHEME)))

    return ClosedFetcher()
