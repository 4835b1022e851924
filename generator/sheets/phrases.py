"""Phrases as they are set on paper: the letters with an index that plain text spells d_k."""

from collections.abc import Callable

from markupsafe import Markup, escape

from generator.locales.catalogue import Catalogue

INDEXED = ("d_k", "d_model", "d_ff", "n_heads", "n_blocks", "n_vocab")
TABLES = ("W_Q", "W_K", "W_V", "W_O", "W_U")
LETTERS = {
    name: Markup("<i>{}</i><sub>{}</sub>").format(*name.split("_")) for name in (*INDEXED, *TABLES)
}


def typesetting(catalogue: Catalogue) -> Callable[..., str]:
    """A catalogue's `t` for templates; a phrase that spells such a letter comes back as Markup."""

    def t(key: str, /, **names: object) -> str:
        phrase = catalogue.t(key, **names)
        return typeset(phrase) if any(letter in phrase for letter in LETTERS) else phrase

    return t


def typeset(phrase: str) -> Markup:
    """A phrase with its letters set; all else in it is escaped."""
    markup_so_far = escape(phrase)
    for letter, markup in LETTERS.items():
        markup_so_far = markup_so_far.replace(letter, markup)
    return markup_so_far
