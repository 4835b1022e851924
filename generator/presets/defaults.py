"""The names of the presets that are taken where none is named; imports nothing heavy."""

LEARNED = "katze-trained"  # its text makes sense, but it knows few words
OPEN = "katze"  # takes any sentence; its numbers are set by hand
# A class list may have sentences of its own, and all of a class share one info leaf and one board:
# so a batch takes one preset for any sentence, and a line that is added later changes nobody
# else's. Numbers of one's own would not be learned either, and matrices of 0 and 1 take less time.
CLASS = OPEN
