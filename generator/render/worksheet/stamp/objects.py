"""PDF files from ready objects: those that all pupils share are packed once."""

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

HEADER = b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n"
ENTRY = 7  # bytes of a cross-reference: kind, place, place in an object stream
LEVEL = 1  # of compression: a class's files are many, and quickly made


@dataclass(frozen=True)
class Shared:
    """The objects that all pupils share, as bytes by number, and the trailer's references.

    `free` are the numbers kept for those that each pupil has.
    """

    packed: Mapping[int, bytes]
    whole: Mapping[int, bytes]
    root: int
    info: int
    free: frozenset[int] = frozenset()

    @cached_property
    def size(self) -> int:
        """The first number that is free for the object stream."""
        return max((*self.packed, *self.whole, *self.free)) + 1

    @cached_property
    def head(self) -> tuple[bytes, bytes, bytes]:
        """The file's beginning, the cross-references of what is in it, a digest of it."""
        out, entries = bytearray(HEADER), {0: bytes(ENTRY)}
        for number, data in self.whole.items():
            entries[number] = _at(len(out))
            out += indirect(number, data)
        entries |= {
            number: b"\x02" + self.size.to_bytes(4, "big") + k.to_bytes(2, "big")
            for k, number in enumerate(self.packed)
        }
        entries[self.size] = _at(len(out))
        out += indirect(self.size, object_stream(self.packed))
        table = b"".join(entries.get(number, bytes(ENTRY)) for number in range(self.size + 1))
        digest = hashlib.md5(out, usedforsecurity=False).hexdigest().encode()
        return bytes(out), table, digest

    def file(self, own: Mapping[int, bytes]) -> bytes:
        """A file with these further objects; they come in place of shared ones of their number."""
        head, shared_table, digest = self.head
        out, table, end = bytearray(head), bytearray(shared_table), self.size + 1
        for number, data in (*own.items(), (end, b"")):
            table[ENTRY * number : ENTRY * (number + 1)] = _at(len(out))
            out += indirect(number, data) if data else b""
        same = hashlib.md5(b"".join(own.values()), usedforsecurity=False).hexdigest().encode()
        trailer = b"/Type /XRef /W [1 4 2] /Size %d /Root %d 0 R /Info %d 0 R /ID [<%s> <%s>]" % (
            end + 1,
            self.root,
            self.info,
            digest,
            same,
        )
        start = len(out)
        out += indirect(end, stream(bytes(table), trailer))
        out += b"startxref\n%d\n%%%%EOF\n" % start
        return bytes(out)


def _at(offset: int) -> bytes:
    return b"\x01" + offset.to_bytes(4, "big") + b"\0\0"


def indirect(number: int, data: bytes) -> bytes:
    """An object as it stands in a file."""
    return b"%d 0 obj\n%b\nendobj\n" % (number, data)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream object."""
    short = zlib.compress(data, LEVEL)
    return b"<</Filter /FlateDecode /Length %d %b>>\nstream\n%b\nendstream" % (
        len(short),
        entries,
        short,
    )


def object_stream(packed: Mapping[int, bytes]) -> bytes:
    """Objects packed into one."""
    places, position = [], 0
    for number, data in packed.items():
        places += [number, position]
        position += len(data) + 1
    first = " ".join(map(str, places)).encode() + b"\n"
    entries = b"/Type /ObjStm /N %d /First %d" % (len(packed), len(first))
    return stream(first + b"\n".join(packed.values()) + b"\n", entries)


def shared(pdf: Any, leave_out: frozenset[int]) -> Shared:
    """The finished objects of a PDF, without those that differ from pupil to pupil."""
    packed: dict[int, bytes] = {}
    whole: dict[int, bytes] = {}
    if pdf.info and pdf.info.number is None:
        pdf.add_object(pdf.info)
    for one in pdf.objects:
        if one.free == "f" or one.number in leave_out:
            continue
        (packed if one.compressible else whole)[one.number] = one.data
    return Shared(packed, whole, pdf.catalog.number, pdf.info.number, leave_out)
