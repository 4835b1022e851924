"""`python -m generator` is the command `paperformer`."""

from generator.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
