"""Names of result folders: readable, safe on every system, one for each preset and sentence."""

import hashlib
import re
import unicodedata

from generator.engine.trace import Trace

LONGEST = 40  # characters of the words in a slug
CODE = 8  # characters of a page's code
DIGITS = 6  # hexadecimal digits after them


def folder_name(trace: Trace) -> str:
    """`<preset>-<slug>-<language>`, such as "katze-die-katze-sitzt-9f3c2a-de".

    The slug ends in hexadecimal digits of preset content, sentence and edits: what differs only
    in accents, in a script that has no a to z or in an edited number has a folder of its own.
    """
    return f"{trace.preset.name}-{slug(trace.sentence, _content(trace))}-{trace.language}"


def slug(sentence: str, content: str) -> str:
    """The sentence's letters a to z and digits joined by hyphens, at most 40, and the content's
    six hexadecimal digits; these alone where the sentence has no such letters.
    """
    words = hyphened(sentence)[:LONGEST].rstrip("-")
    digits = hashlib.sha256(content.encode("utf-8")).hexdigest()[:DIGITS]
    return f"{words}-{digits}" if words else digits


def hyphened(text: str) -> str:
    """The text's letters a to z and digits joined by hyphens."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    letters = "".join(c for c in plain if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")


def code(trace: Trace) -> str:
    """Eight letters and digits that tell one computation from another, such as "9F3C2A17"."""
    return hashlib.sha256(_content(trace).encode("utf-8")).hexdigest()[:CODE].upper()


def _content(trace: Trace) -> str:
    changed = [f"{address}={value}" for address, value in sorted(trace.edits.items())]
    sentence = unicodedata.normalize("NFC", trace.sentence)
    return "|".join([trace.preset.sha256, sentence, *changed])
