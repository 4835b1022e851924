"""What a class is asked: the sheets, and the individual numbers, held to be fair."""
