"""The Draw tab."""
