"""Tests of the worksheets, one file a sheet, and of an author's own."""
