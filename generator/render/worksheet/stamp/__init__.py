"""Stamping: a sheet is laid out once, then each pupil's numbers are put into the finished pages."""
