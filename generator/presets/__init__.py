"""Presets: models as readable TOML files, checked completely, loaded as resolved data."""
