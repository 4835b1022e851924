"""Exams: a batch with other options, and the papers of those who mark it."""
