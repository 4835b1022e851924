"""The first tab."""
