"""Paperformer: every number of a small Transformer, as live workbooks and printed worksheets."""

from importlib import import_module
from typing import TYPE_CHECKING

from generator.version import __version__

if TYPE_CHECKING:
    from generator.api import (
        add_language,
        batch,
        compute,
        exam,
        gallery,
        generate,
        grade,
        gradients,
        load_preset,
        plan,
        reissue,
        write,
    )

__all__ = [
    "__version__",
    "add_language",
    "batch",
    "compute",
    "exam",
    "gallery",
    "generate",
    "grade",
    "gradients",
    "load_preset",
    "plan",
    "reissue",
    "write",
]


def __getattr__(name: str) -> object:
    """The Python interface, loaded when it is used: the doctor runs without NumPy."""
    if name in __all__:
        return getattr(import_module("generator.api"), name)
    raise AttributeError(f"module 'generator' has no attribute {name!r}")
