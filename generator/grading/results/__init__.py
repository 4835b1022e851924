"""Says what was found: the pages of a class and of each pupil, and the tables."""
