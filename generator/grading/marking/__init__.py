"""Marks what was handed in: each box by one rule, and why it is wrong where it is."""
