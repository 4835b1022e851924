"""Reads a workbook that came back."""
