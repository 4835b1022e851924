"""Looks for libraries, programs and LibreOffice's Python bridge on this computer."""

import ctypes
import ctypes.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# The names that WeasyPrint itself tries, by library, for Windows, Linux and macOS.
PANGO = (
    ("libgobject-2.0-0", "libgobject-2.0.so.0", "libgobject-2.0.0.dylib"),
    ("libharfbuzz-0", "libharfbuzz.so.0", "libharfbuzz.0.dylib"),
    ("libfontconfig-1", "libfontconfig.so.1", "libfontconfig.1.dylib"),
    ("libpangoft2-1.0-0", "libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib"),
    ("libpango-1.0-0", "libpango-1.0.so.0", "libpango-1.0.dylib"),
)
HARFBUZZ_SUBSET = (
    ("libharfbuzz-subset-0", "libharfbuzz-subset.so.0", "libharfbuzz-subset.0.dylib"),
)
WINDOWS_LIBRARIES = (r"C:\msys64\ucrt64\bin", r"C:\msys64\mingw64\bin")
OFFICE = (
    "soffice",
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.exe",
)
# Interpreters that may have LibreOffice's `uno`: the system's, and the one LibreOffice ships.
UNO_PYTHONS = (
    "/usr/bin/python3",
    "/Applications/LibreOffice.app/Contents/Resources/python",
    r"C:\Program Files\LibreOffice\program\python.exe",
)


def library_version(libraries: Sequence[Sequence[str]], symbol: str) -> str | None:
    """What the last library's function `symbol` says ("" if it has none); None if one is missing.

    Each library is given by its possible names, tried in order.
    """
    _windows_folders()
    loaded = [_load(names) for names in libraries]
    if not loaded or None in loaded:
        return None
    function = getattr(loaded[-1], symbol, None)
    if function is None:
        return ""
    function.restype = ctypes.c_char_p
    return str(function().decode())


def _windows_folders() -> None:
    if sys.platform == "win32":
        folders = os.environ.get("WEASYPRINT_DLL_DIRECTORIES")
        for folder in folders.split(";") if folders else WINDOWS_LIBRARIES:
            if Path(folder).is_dir():
                os.add_dll_directory(folder)


def _load(names: Sequence[str]) -> ctypes.CDLL | None:
    for name in names:
        path = ctypes.util.find_library(name) if sys.platform == "darwin" else None
        try:
            return ctypes.CDLL(path or name)
        except OSError:
            continue
    return None


def program_version(program: str, option: str) -> str | None:
    """The first number that a program prints about itself; None when there is no such program."""
    path = shutil.which(program)
    if path is None:
        return None
    asked = subprocess.run([path, option], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    number = re.search(r"\d+(\.\d+)+", asked.stdout + asked.stderr)
    return number[0] if number else ""


def calc_version() -> str | None:
    """LibreOffice's version; None without it, or when it came without Calc."""
    path = next((place for name in OFFICE if (place := shutil.which(name))), None)
    if path is None:
        return None
    calc = Path(path).resolve().parent / "libsclo.so"
    if sys.platform.startswith("linux") and not calc.is_file():
        return None
    return program_version(path, "--version")


def uno_version() -> str | None:
    """An empty text when an interpreter of this computer imports `uno`, None when none does."""
    for interpreter in UNO_PYTHONS:
        if Path(interpreter).is_file():
            asked = subprocess.run([interpreter, "-c", "import uno"], capture_output=True)
            if asked.returncode == 0:
                return ""
    return None
