"""Which ids can stand on paper, in tables and in names of files on every system."""

import re
import unicodedata

LONGEST = 64
FORBIDDEN = '<>:"/\\|?*'  # Windows; the slash everywhere
RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.I)
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # control, direction, none at all, lines


def unsafe(pupil_id: str) -> str:
    """Why an id (NFC, without spaces around it) cannot be used, and what would work; "" if it can.

    A file name must not be a device of Windows ("CON"), lead elsewhere ("../x"), or lose its end.
    """
    if not pupil_id:
        return "the id is empty; give each pupil one, such as a number"
    if len(pupil_id) > LONGEST:
        return f"the id has {len(pupil_id)} characters; at most {LONGEST}"
    if any(unicodedata.category(sign) in INVISIBLE for sign in pupil_id):
        return "the id holds a sign that nobody can see; type it anew"
    if forbidden := [sign for sign in FORBIDDEN if sign in pupil_id]:
        return f"the id holds {' '.join(forbidden)}, which no file name may hold; leave it out"
    if RESERVED.fullmatch(pupil_id):
        return "the id is a name that Windows keeps for a device; write another one"
    if pupil_id.endswith("."):
        return "the id ends with a dot, which Windows drops from file names; leave it out"
    return ""
