"""Reading what a program shows on a pseudo-terminal, never longer than patience lasts."""

import os
import select
import time


def until(terminal: int, words: bytes, patience: float = 30) -> bytes:
    """Everything that the terminal shows up to and with these words; fails when they stay away."""
    found, deadline = b"", time.monotonic() + patience
    while words not in found:
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"no {words!r} within {patience} s, only {found[-500:]!r}"
        found += os.read(terminal, 65536)
    return found
