"""Further sentences made from the words of one: a short one, two words swapped, signs and case."""

from collections.abc import Sequence

COMMA, STOP = ",", "."
SHORT = 3


def words(tokens: Sequence[str]) -> tuple[int, ...]:
    """The places of the tokens that hold a letter or a digit."""
    return tuple(k for k, token in enumerate(tokens) if any(map(str.isalnum, token)))


def short(tokens: Sequence[str]) -> tuple[str, ...]:
    """The last three words."""
    return tuple(tokens[k] for k in words(tokens)[-SHORT:])


def swap(tokens: Sequence[str]) -> tuple[int, int]:
    """The places of the second word and of the last word that differs from it."""
    places = words(tokens)
    second = places[1]
    return second, next(k for k in reversed(places) if tokens[k] != tokens[second])


def swapped(tokens: Sequence[str]) -> tuple[str, ...]:
    """The sentence with its second and its last word swapped."""
    a, b = swap(tokens)
    order = list(range(len(tokens)))
    order[a], order[b] = b, a
    return tuple(tokens[k] for k in order)


def repeated(tokens: Sequence[str]) -> tuple[str, ...]:
    """Eight tokens: three words, a comma, the first with its other initial, two words, full stop.

    The third word comes twice: "Die Katze sitzt, die Matte sitzt."
    """
    own_words = [tokens[k] for k in words(tokens)]
    first, second, third = own_words[0], own_words[1], own_words[min(2, len(own_words) - 1)]
    noun = own_words[-1] if len(own_words) > 3 else second
    return (first, second, third, COMMA, other_case(first), noun, third, STOP)


def other_case(word: str) -> str:
    """The word with a small initial where it has a capital one, and the other way round."""
    changed = word[0].lower() if word[0].isupper() else word[0].upper()
    return changed + word[1:] if len(changed) == 1 else word


def written(tokens: Sequence[str], kind: str = "word") -> str:
    """The tokens as one writes the sentence: no space before comma and full stop.

    `kind` is that of the tokenizer: characters follow each other without a gap.
    """
    if kind == "character":
        return "".join(tokens)
    return " ".join(tokens).replace(f" {COMMA}", COMMA).replace(f" {STOP}", STOP)
