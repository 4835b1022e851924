"""A teacher's own preset: its text goes into the page's address, packed, and is read from there.

So the server keeps nothing, and a link to the page gives a colleague the same model.
"""

import base64
import binascii
import zlib
from collections.abc import Iterator

from generator.engine.preset import Preset
from generator.errors import refused
from generator.files import tables_of
from generator.presets.load import parse
from generator.presets.schema import PresetError, PresetProblem

LONGEST = 40_000  # characters of the file
LONGEST_PACKED = 12_000  # characters of an address
SOURCE = "own.toml"  # what messages call it where its name is not known any more
CLOSED = "numbers and words written in the preset itself: a page reads no further file"


def packed(content: bytes, source: str = SOURCE) -> str:
    """A file's text as a piece of an address; `UserError` for what is no text or too long."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refused("file.text", file=source, byte=error.start + 1) from None
    code = base64.urlsafe_b64encode(zlib.compress(text.encode("utf-8"), 9)).decode().rstrip("=")
    if len(text) > LONGEST or len(code) > LONGEST_PACKED:
        most = {"most": LONGEST, "most_packed": LONGEST_PACKED}
        raise refused("web.preset", file=source, found=len(text), packed=len(code), **most)
    return code


def unpacked(code: str) -> str:
    """The text again; `UserError` for what `packed` has not made."""
    if len(code) <= LONGEST_PACKED:
        try:
            data = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
            text = zlib.decompressobj().decompress(data, 4 * LONGEST + 1).decode("utf-8")
            if len(text) <= LONGEST:
                return text
        except (ValueError, binascii.Error, zlib.error):
            pass
    raise refused("web.link", source=SOURCE)


def own_preset(code: str, source: str = SOURCE) -> Preset:
    """The preset; `UserError` for what is not TOML, `PresetError` with all its problems."""
    text = unpacked(code)
    if problems := list(_files(tables_of(text, source))):
        raise PresetError(source, problems)
    return parse(text, source)


def _files(value: object, key: str = "") -> Iterator[PresetProblem]:
    """Each place that names a file: on a server a preset must not read what lies there."""
    if isinstance(value, list):
        for one in value:
            yield from _files(one, key)
    if not isinstance(value, dict):
        return
    for name, one in value.items():
        where = f"{key}.{name}".removeprefix(".")
        if where == "vocabulary.table" or (
            # a word of that name has numbers or a translation
            name == "file" and not isinstance(one, list) and not key.startswith("translation.")
        ):
            yield PresetProblem(where, "a file", CLOSED)
        else:
            yield from _files(one, where)
