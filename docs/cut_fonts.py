"""Makes the cut fonts of `generator/sheets/cut_fonts.py`: python -m docs.cut_fonts.

Without hinting and mathematical layout; renamed, as their licence wants it of modified versions.
"""

from collections.abc import Iterator
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from generator.resources import templates
from generator.sheets.fonts import FACES, kept

FONTS: Path = templates() / "fonts"
FEATURES = ["kern", "liga", "clig", "calt", "ccmp", "locl", "mark", "mkmk", "rlig"]
OWN = {1: "{name}", 3: "{name} {version}", 4: "{name}", 6: "{name}", 16: "{name}"}
DROPPED = (2, 7, 8, 9, 10, 11, 12, 17, 18, 19, 21, 22, 25)  # the licence and the makers stay


def main() -> None:
    """Write each cut font."""
    for whole, cut in ((face.file, face.cut) for face in FACES if face.cut):
        font = TTFont(FONTS / whole, recalcTimestamp=False)
        cutter = subset.Subsetter(_options())
        cutter.populate(unicodes=list(_characters(whole, font)))
        cutter.subset(font)
        _rename(font, cut.partition(".")[0])
        font.flavor = "woff2"
        font.save(FONTS / cut)
        print(cut, len(font.getBestCmap()), (FONTS / cut).stat().st_size)


def _options() -> subset.Options:
    options = subset.Options()
    options.hinting, options.notdef_outline, options.glyph_names = False, True, False
    options.layout_features, options.name_IDs = FEATURES, ["*"]
    options.drop_tables += ["MATH"]
    return options


def _characters(whole: str, font: TTFont) -> Iterator[int]:
    """What is kept; of symbols only what the text fonts lack."""
    text = TTFont(FONTS / "SourceSans3-Regular.ttf").getBestCmap() if "STIX" in whole else {}
    return (sign for sign in font.getBestCmap() if kept(chr(sign)) and sign not in text)


def _rename(font: TTFont, name: str) -> None:
    names, version = font["name"], font["head"].fontRevision
    for record in list(names.names):
        if record.nameID in OWN:
            text = OWN[record.nameID].format(name=name, version=f"{version:.3f}")
            names.setName(text, record.nameID, record.platformID, record.platEncID, record.langID)
        elif record.nameID in DROPPED or record.nameID > 25:
            names.removeNames(nameID=record.nameID)


if __name__ == "__main__":
    main()
