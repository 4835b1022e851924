"""The printers: one cell expression as an Excel formula, as arithmetic, as symbols."""
