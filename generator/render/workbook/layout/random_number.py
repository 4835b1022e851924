"""A random number as it is typed: from 0 to below 1, or drawn as two digits, 37 for 0.37."""

TWO_DIGITS = 99  # the largest number of two digits
PERCENT = 100  # a whole number from 1 on is a draw of two digits


def accepted(own: str) -> str:
    """The condition, as a formula, that the number in a cell is one of these."""
    return f"AND({own}>=0,OR({own}<1,AND({own}<={TWO_DIGITS},{own}=INT({own}))))"


def between_0_and_1(own: str) -> str:
    """The formula of the number that such a cell stands for."""
    return f"IF({own}<1,{own},{own}/{PERCENT})"
