"""Tests of the presets: the shipped ones, the loader and every message of its check."""
