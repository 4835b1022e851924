"""Reads single key presses, on Unix and on Windows."""

import sys
from collections.abc import Callable
from typing import TextIO

ReadKey = Callable[[], str]
INTERRUPT = "\x03"


def keyboard(stream: TextIO) -> ReadKey | None:
    """A function that waits for one key and gives it back; None where nobody sits at a keyboard.

    A stream that has ended reads as "q"; Ctrl-C raises KeyboardInterrupt.
    """
    if not stream.isatty():
        return None
    return lambda: _pressed(stream)


if sys.platform == "win32":
    import msvcrt

    def _pressed(stream: TextIO) -> str:
        return _checked(msvcrt.getwch())

else:
    import os
    import termios
    import tty

    def _pressed(stream: TextIO) -> str:
        terminal = stream.fileno()
        before = termios.tcgetattr(terminal)
        try:
            tty.setcbreak(terminal, termios.TCSADRAIN)  # a key pressed early still counts
            return _checked(os.read(terminal, 1).decode("ascii", "replace"))
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _checked(key: str) -> str:
    if key == INTERRUPT:
        raise KeyboardInterrupt
    return key or "q"
