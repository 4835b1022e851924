"""Where everything stands in a workbook; no cell is written here."""
