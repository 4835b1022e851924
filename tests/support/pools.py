"""A program whose worker processes make more than a pipe takes: `python -m … FOLDER`."""

import os
import sys
import time
from pathlib import Path

from generator.classroom.files.pool import in_order, pool
from generator.errors import UserError

LARGE = 1 << 24  # bytes
WORKERS = 2


def large(folder: Path) -> bytes:
    """So many bytes, once the file `go` is there; who works leaves a file of its number."""
    (folder / f"{os.getpid()}.worker").touch()
    while not (folder / "go").exists():
        time.sleep(0.01)
    return bytes(LARGE)


def main() -> None:
    """Print how many results came, or what was wrong."""
    found = 0
    try:
        with pool(WORKERS, None) as workers:
            for _, result in in_order(workers, large, [Path(sys.argv[1])] * 40):
                found += len(result) == LARGE
    except UserError as error:
        print(error)
    else:
        print(found)


if __name__ == "__main__":
    main()
