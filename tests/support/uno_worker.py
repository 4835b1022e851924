"""Reads recalculated workbooks over UNO; run by a Python that has `uno`, which ours may not be.

usage: python uno_worker.py PIPE SECONDS WORKBOOK ... | --end

Prints JSON, for each workbook `{sheet: rows from A1 on}` with null in every cell that shows an
error. Waits up to SECONDS for the office behind PIPE. `--end` ends that office.
"""

import json
import os
import sys
import time
from pathlib import Path

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

SHOWS_ERROR = 4  # com.sun.star.sheet.FormulaResult.ERROR


def main(pipe, seconds, *paths):
    desktop = connect(pipe, time.monotonic() + float(seconds))
    if paths == ("--end",):
        desktop.terminate()
        return
    json.dump([recalculated(desktop, Path(path)) for path in paths], sys.stdout)


def connect(pipe, deadline):
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    while True:
        try:
            context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            break
        except NoConnectException:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    return context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)


def recalculated(desktop, path):
    hidden = PropertyValue()
    hidden.Name, hidden.Value = "Hidden", True
    document = desktop.loadComponentFromURL(path.as_uri(), "_blank", 0, (hidden,))
    if document is None:
        raise ValueError(f"LibreOffice cannot open {path}")
    try:
        document.calculateAll()
        return {sheet.Name: rows(sheet) for sheet in document.Sheets}
    finally:
        document.close(True)


def rows(sheet):
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.RangeAddress
    area = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
    values = [list(row) for row in area.getDataArray()]
    for wrong in area.queryFormulaCells(SHOWS_ERROR).RangeAddresses:
        for row in values[wrong.StartRow : wrong.EndRow + 1]:
            width = wrong.EndColumn + 1 - wrong.StartColumn
            row[wrong.StartColumn : wrong.EndColumn + 1] = [None] * width
    return values


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # uno's writer thread may crash while Python tidies up, after all is said
