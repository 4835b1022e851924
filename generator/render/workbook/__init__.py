"""The xlsx renderer: tabs of live formulas that carry their computed values."""

from generator.versions import require_tested

require_tested("openpyxl", "lxml")  # here, before any file of the package imports them
