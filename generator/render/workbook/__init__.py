"""The xlsx renderer: tabs of live formulas that carry their computed values."""
