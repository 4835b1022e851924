"""From openpyxl's cells to the bytes of a file."""
