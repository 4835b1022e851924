"""How large cells and letters are."""

DIGIT = 7  # pixels of a digit, in which widths of columns are counted
POINTS = 0.75  # of a pixel
LETTER = 0.95  # of a letter of a link or of small bold type, in widths of a digit
