"""Paperformer: every number of a small Transformer, as live workbooks and printed worksheets."""

from generator.api import compute, load_preset, write
from generator.version import __version__

__all__ = ["__version__", "compute", "load_preset", "write"]
