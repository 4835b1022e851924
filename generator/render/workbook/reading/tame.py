"""Whether a packed file can be unpacked safely: how large it gets, and no XML that grows."""

import zipfile

MOST_MEMBERS = 5_000
# An entity may repeat another one a thousand times, and so on; no spreadsheet program writes any.
_GROWING = tuple("<!DOCTYPE".encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be"))
_LOCKED = 1  # the bit of a member that has a password


def require_tame(archive: zipfile.ZipFile, largest: int) -> None:
    """Raise ValueError for a password, too many members, too many bytes, or XML with a DTD.

    `zipfile` unpacks no more of a member than it says of itself.
    """
    members = archive.infolist()
    if any(member.flag_bits & _LOCKED for member in members):
        raise ValueError("it has a password")
    if len(members) > MOST_MEMBERS:
        raise ValueError(f"it has {len(members)} parts, at most {MOST_MEMBERS} are read")
    if (size := sum(member.file_size for member in members)) > largest:
        raise ValueError(f"it unpacks to {size} bytes, at most {largest} are read")
    for member in members:
        if member.filename.endswith((".xml", ".rels")):
            content = archive.read(member)
            if any(sign in content for sign in _GROWING):
                raise ValueError(f"{member.filename} defines XML entities")
