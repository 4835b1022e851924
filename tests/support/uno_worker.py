"""Reads recalculated workbooks over UNO; run by a Python that has `uno`, which ours may not be.

usage: python uno_worker.py PIPE SECONDS [JOB]

Waits up to SECONDS for the office behind PIPE; without a job ends it. The job is a file of JSON:
what is to be done, and a list of workbooks, each with what is asked of it.

* "edited": a list of edits, each a list of [sheet, cell, number or text; null empties it]. Each is
  typed into the open workbook, which then computes what depends on it, and is taken back.
* "pasted": sheet, area, sheet, cell. The values of the area are laid upon the cells from there on,
  as "paste as values only" does; where one of them is locked, LibreOffice refuses.
* "typed": entries that are typed by keys into an open window, so that data validation speaks
  (`Office.typed` says which keys they and the answers have).

Prints JSON: for each workbook the grids as it is and after each edit, the grids after pasting, or
the answers. Grids are `{sheet: rows from A1 on}` with null in every cell that shows an error.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.table.CellContentType import EMPTY, FORMULA, TEXT

SECONDS_OF_AN_ANSWER = 20
SHOWS_ERROR = 4  # com.sun.star.sheet.FormulaResult.ERROR


def main(pipe, seconds, *job):
    desktop = created(pipe, time.monotonic() + float(seconds), "com.sun.star.frame.Desktop")
    if not job:
        desktop.terminate()
        return
    what, books = json.loads(Path(job[0]).read_text(encoding="utf-8"))
    do = {"edited": edited, "pasted": pasted, "typed": typed}[what]
    found = []
    for path, asked in books:
        document = opened(desktop, Path(path), hidden=do is not typed)
        try:
            document.calculateAll()
            found.append(do(document, asked))
        finally:
            document.close(True)
    json.dump(found, sys.stdout)


def created(pipe, deadline, service):
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
    return context.ServiceManager.createInstanceWithContext(service, context)


def edited(document, edits):
    return [grid(document), *(after(document, edit) for edit in edits)]


def after(document, edit):
    cells = [document.Sheets.getByName(sheet).getCellRangeByName(at) for sheet, at, _ in edit]
    before = [content(cell) for cell in cells]
    for cell, (_, _, value) in zip(cells, edit, strict=True):
        type_in(cell, value)
    found = grid(document)
    for cell, value in zip(cells, before, strict=True):
        type_in(cell, value)
    return found


def content(cell):
    if cell.Type == EMPTY:
        return ""  # a text without signs empties a cell
    return cell.String if cell.Type == TEXT else cell.Value


def type_in(cell, value):
    if cell.Type == FORMULA:
        raise ValueError(f"{cell.AbsoluteName} computes; only constant cells can be edited")
    if value is None or isinstance(value, str):
        cell.String = value or ""
    else:
        cell.Value = float(value)


def typed(document, entries):
    tester = created(sys.argv[1], time.monotonic(), "org.libreoffice.uitest.UITest")
    keys = tester.getTopFocusWindow().getChild("grid_window")
    return [entered(document, tester, keys, entry) for entry in entries]


def entered(document, tester, keys, entry):
    sheet = document.Sheets.getByName(entry["sheet"])
    cell, controller = sheet.getCellRangeByName(entry["cell"]), document.CurrentController
    before = cell.Formula
    controller.setActiveSheet(sheet)
    controller.select(cell)
    keys.executeAction("TYPE", properties(TEXT=entry["text"]))
    enter = threading.Thread(  # a question keeps this call waiting
        target=keys.executeAction, args=("TYPE", properties(KEYCODE="RETURN")), daemon=True
    )
    enter.start()
    buttons = answered(tester, enter, entry["keep"])
    looked, place = entry["look"]
    shown = document.Sheets.getByName(looked).getCellRangeByName(place)
    found = {"buttons": buttons, "formula": cell.Formula, "shown": shown.getDataArray()[0][0]}
    cell.Formula = before
    return found


def answered(tester, enter, keep):
    deadline = time.monotonic() + SECONDS_OF_AN_ANSWER
    while enter.is_alive() and time.monotonic() < deadline:
        enter.join(0.05)
        asking = tester.getTopFocusWindow()
        known = set(asking.getChildren())
        if enter.is_alive() and "ok" in known and "grid_window" not in known:
            pressed = "ok" if keep or "cancel" not in known else "cancel"
            asking.getChild(pressed).executeAction("CLICK", ())
            enter.join(SECONDS_OF_AN_ANSWER)
            return " ".join(sorted(known & {"ok", "cancel"}))
    if enter.is_alive():
        raise ValueError("Return was pressed and nothing happened")
    return ""


def properties(**named):
    found = []
    for name, value in named.items():
        found.append(PropertyValue())
        found[-1].Name, found[-1].Value = name, value
    return tuple(found)


def opened(desktop, path, hidden=True):
    document = desktop.loadComponentFromURL(
        path.as_uri(), "_blank", 0, properties(Hidden=True) if hidden else ()
    )
    if document is None:
        raise ValueError(f"LibreOffice cannot open {path}")
    return document


def grid(document):
    return {sheet.Name: rows(sheet) for sheet in document.Sheets}


def pasted(document, asked):
    sheet, area, other, cell = asked
    sheets = document.Sheets
    values = sheets.getByName(sheet).getCellRangeByName(area).getDataArray()
    target, home = sheets.getByName(other), sheets.getByName(other).getCellRangeByName(cell)
    left, top = home.RangeAddress.StartColumn, home.RangeAddress.StartRow
    right, bottom = left + len(values[0]) - 1, top + len(values) - 1
    target.getCellRangeByPosition(left, top, right, bottom).setDataArray(values)
    document.calculateAll()
    return [grid(document)]


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
