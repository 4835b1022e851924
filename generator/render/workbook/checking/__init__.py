"""The checks of an exercise: verdicts, hints, progress."""
