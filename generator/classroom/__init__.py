"""A whole class: who is in it, who gets what, and whether the numbers are fair."""
