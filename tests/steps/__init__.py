"""The registry of steps."""
