"""Short codes for pupils: they tell nothing, and the class's seed alone decides them."""

from generator.engine.draws import draw

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nothing that a hand or a copier confuses
LENGTH = 8  # among 1,200 pupils two codes meet once in a million classes


def code_of(seed: str, key: str, prefix: str = "") -> str:
    """The code of a pupil or a version, such as "K7QX2MPD"; with a prefix "B-K7QX2MPD".

    It depends on seed and key alone, so a late joiner changes nobody's.
    """
    number = draw("code", seed, key, 0, len(ALPHABET) ** LENGTH)
    letters = ""
    for _ in range(LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        letters += ALPHABET[digit]
    return f"{prefix}-{letters}" if prefix else letters
