"""How fast it is, against what one would otherwise use: `python -m tests.benchmarks`."""
