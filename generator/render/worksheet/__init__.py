"""Worksheets on paper: HTML, its fonts, formulas and figures, and the PDF made from it."""
