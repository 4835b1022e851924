"""Generated text."""
