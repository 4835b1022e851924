"""Tests, a folder per room of the generator."""
