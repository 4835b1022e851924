"""The libraries that only PDFs need, imported when one is made and not before.

In a browser, or on a computer without them, all else works. Who takes them from here must not need
them to be imported itself: annotations that name them are not evaluated.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from generator.versions import require_tested


class Later:
    """Stands for a library until something of it is used; raises where it is missing or unfit."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, wanted: str) -> object:
        require_tested(self._name)
        return getattr(import_module(self._name), wanted)


if TYPE_CHECKING:
    import pikepdf as pikepdf
    import pydyf as pydyf
else:
    pikepdf, pydyf = Later("pikepdf"), Later("pydyf")
