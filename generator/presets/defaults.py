"""The names of the presets that are taken where none is named; imports nothing heavy."""

LEARNED = "katze-trained"  # its text makes sense, but it knows few words
OPEN = "katze"  # takes any sentence; its numbers are set by hand
CLASS = OPEN  # others than learned numbers would predict nothing, and a class may get its own
EXPLAINED = f"{LEARNED}, for a sentence with words that it does not know {OPEN}"
