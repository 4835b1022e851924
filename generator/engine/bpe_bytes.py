"""Byte level: text as UTF-8 bytes, each one sign for the merges, each shown as what it means.

The signs are GPT-2's: printable bytes stand for themselves, the other ones for letters from
U+0100 on. Readers never see them: a piece is shown as the text that its bytes are ("ä", not
"Ã¤"), a byte that is none on its own as "⟨C3⟩".
"""

import unicodedata

import regex

SPACE = "␣"
OPEN, CLOSE = "⟨", "⟩"

_PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTED]
SIGNS = {byte: chr(byte) for byte in _PRINTED} | {b: chr(256 + k) for k, b in enumerate(_OTHERS)}
_BYTES = {sign: byte for byte, sign in SIGNS.items()}

_BYTE = regex.compile(r"⟨([0-9A-F]{2})⟩|(.)", regex.DOTALL)
_FIRST_ESCAPED = 0xDC00  # where Python's "surrogateescape" puts bytes that are no text


def signs(text: str) -> str:
    """The text as merges read it: one sign for each of its bytes."""
    return "".join(SIGNS[byte] for byte in text.encode("utf-8"))


def shown(piece: str) -> str:
    """A piece of signs as a reader sees it; no two pieces look the same."""
    text = raw(piece).decode("utf-8", "surrogateescape")
    return "".join(_shown_letter(letter) for letter in text)


def read(label: str) -> str:
    """The signs of a piece as it is shown: the inverse of `shown`."""
    data = b"".join(
        bytes.fromhex(match[1]) if match[1] else _written(match[2])
        for match in _BYTE.finditer(label)
    )
    return "".join(SIGNS[byte] for byte in data)


def raw(piece: str) -> bytes:
    """The bytes that a piece of signs stands for."""
    return bytes(_BYTES[sign] for sign in piece)


def _written(letter: str) -> bytes:
    return b" " if letter == SPACE else letter.encode("utf-8")


def _shown_letter(letter: str) -> str:
    if letter == " ":
        return SPACE
    code = ord(letter)
    if _FIRST_ESCAPED <= code < _FIRST_ESCAPED + 256:
        return f"{OPEN}{code - _FIRST_ESCAPED:02X}{CLOSE}"
    if letter in (SPACE, OPEN, CLOSE) or unicodedata.category(letter)[0] in "CZ":
        return "".join(f"{OPEN}{byte:02X}{CLOSE}" for byte in letter.encode("utf-8"))
    return letter
