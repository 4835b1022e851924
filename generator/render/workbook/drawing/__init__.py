"""Writes the tab "Draw"; where things stand is in layout/draw_layout.py."""
