"""Saves a long table as bytes without keeping its cells: openpyxl's write-only workbooks."""

import io
import shutil
import zipfile
from pathlib import Path
from typing import Any

from openpyxl.workbook.workbook import Workbook
from openpyxl.writer.excel import ExcelWriter

from generator.render.workbook.file.package import STAMP, StillZip, still


def streamed(workbook: Workbook) -> bytes:
    """The xlsx file of a write-only workbook; the same rows give the same bytes at any time.

    Raises TypeError for a workbook that keeps its cells.
    """
    if not workbook.write_only:
        raise TypeError("found a workbook that keeps its cells, expected a write-only one")
    workbook.properties.created = workbook.properties.modified = STAMP
    out = io.BytesIO()
    with _StreamZip(out, "w") as archive:
        ExcelWriter(workbook, archive).write_data()
    return out.getvalue()


class _StreamZip(StillZip):
    """A still archive that also takes members from files, as openpyxl's write-only sheets come."""

    def write(self, filename: Any, arcname: Any = None, *_: Any) -> None:
        """Adds a file's content piece by piece; its date is not looked at."""
        member = still(arcname)
        member.compress_type = zipfile.ZIP_DEFLATED
        with Path(filename).open("rb") as source, self.open(member, "w") as target:
            shutil.copyfileobj(source, target)
