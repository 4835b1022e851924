"""Models that others trained, read from their files and written as presets."""
