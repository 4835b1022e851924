"""The fonts of the sheets: complete, licensed, and a missing character is named."""

import hashlib
import io
import os
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from generator.errors import UserError
from generator.resources import templates
from generator.sheets import fonts

FOLDER = templates() / "fonts"
NEEDED = "0123456789−,.·×:√∞≈≤≥→∈ℝ⊤⊕₀₁²½μσεΣ„“‚‘”’–…✓✗●▲■□⚠äöüßÄÖÜéçñ |[]()%\u202f\xa0"


def test_every_face_has_its_file_and_every_file_its_face():
    assert {face.file for face in fonts.FACES} == {path.name for path in FOLDER.glob("*.ttf")}


@pytest.mark.parametrize("face", fonts.FACES, ids=lambda face: face.file)
def test_a_font_is_the_unmodified_one_of_the_readme(face):
    data = fonts.font_bytes(face.file)
    line = f"{hashlib.sha256(data).hexdigest()}  {face.file}"
    assert line in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_fonts_stay_small_and_bring_their_licences():
    assert sum(path.stat().st_size for path in FOLDER.glob("*.ttf")) < 4_000_000
    assert (FOLDER / fonts.HANZI.file).stat().st_size < 300_000
    licences = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("OFL-*.txt")}
    assert len(licences) == 4
    for name, licence in licences.items():
        assert ("STIX Fonts Project" if "STIX" in name else "Adobe") in licence
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence


@pytest.mark.parametrize("face", fonts.TEXT, ids=lambda face: face.file)
def test_digits_have_one_width_so_that_columns_stand_straight(face):
    font = TTFont(FOLDER / face.file)
    cmap, widths = font.getBestCmap(), font["hmtx"]
    assert len({widths[cmap[ord(digit)]][0] for digit in "0123456789"}) == 1


def test_all_characters_of_the_sheets_are_there():
    assert fonts.missing_glyphs(NEEDED) == []
    fonts.require_glyphs("Die Katze\nsitzt\tauf der Matte.", "sentence")


def test_chinese_sentences_for_beginners_can_be_set():
    fonts.require_glyphs("你好世界。猫坐在垫子上，狗喜欢喝水！", "sentence")
    assert "Hanzi" in fonts.embedded_font_face_css("你好")
    assert "STIX" not in fonts.embedded_font_face_css("你好")
    assert "Hanzi" not in fonts.embedded_font_face_css("x ∈ ℝ")
    assert "Source" not in str(TTFont(FOLDER / fonts.HANZI.file)["name"].getDebugName(1))


def test_missing_characters_come_once_and_in_order():
    assert fonts.missing_glyphs("a龘b😀龘") == ["龘", "😀"]
    assert fonts.missing_glyphs("x ∈ ℝ", fonts.TEXT) == ["∈", "ℝ"]


def test_the_message_names_character_and_place(text, named):
    with pytest.raises(UserError) as caught:
        fonts.require_glyphs(text, "vocabulary of preset 'katze'")
    assert named in str(caught.value)
    assert str(caught.value).startswith("vocabulary of preset 'katze':")
    assert caught.value.exit_code == 1


def test_only_our_files_can_be_read():
    with pytest.raises(KeyError):
        fonts.font_bytes("../print.css")


def test_css_names_each_face_and_embeds_the_mathematical_font_only_where_needed():
    css = fonts.font_face_css()
    assert css.count("@font-face") == len(fonts.FACES)
    assert all(face.file in css for face in fonts.FACES)
    plain, with_symbols = map(fonts.embedded_font_face_css, ("Katze", "x ∈ ℝ"))
    assert "STIX" not in plain
    assert "STIX" in with_symbols
    assert "Code" not in plain
    assert "Source Code Pro" in fonts.embedded_font_face_css("<code>i</code>")
    assert 'url("data:font/woff2;base64,d09GMg' in plain
    assert len(plain) < 250_000, "cut fonts: each file has its own"
    cyrillic = fonts.embedded_font_face_css("Кошка")
    assert cyrillic.count("data:font/ttf;base64,AAEAAAA") == len(fonts.TEXT), "whole fonts"


@pytest.mark.parametrize("whole", [face for face in fonts.FACES if face.cut])
def test_a_cut_font_draws_its_characters_as_the_whole_one_does(whole):
    cut, font = (
        TTFont(io.BytesIO(data)) for data in map(fonts.font_bytes, (whole.cut, whole.file))
    )
    known, all_known = cut.getBestCmap(), font.getBestCmap()
    lacking = {sign for sign in all_known.keys() - known.keys() if fonts.kept(chr(sign))}
    assert lacking <= TTFont(FOLDER / fonts.TEXT[0].file).getBestCmap().keys()
    assert ("STIX" in whole.file) == bool(lacking), (
        "symbols that the text fonts have are not repeated"
    )
    for sign in known:
        assert cut["hmtx"][known[sign]] == font["hmtx"][all_known[sign]], chr(sign)
    names = [str(record) for record in cut["name"].names if record.nameID in (1, 4, 6, 16)]
    assert names, "it has a name"
    assert not any("Source" in name or "STIX" in name for name in names), "and it is its own"


@pytest.mark.parametrize("before", [None, "/somewhere/fonts.conf"])
def test_the_environment_is_as_before(monkeypatch, before):
    monkeypatch.delenv("FONTCONFIG_FILE", raising=False)
    if before:
        monkeypatch.setenv("FONTCONFIG_FILE", before)
    with fonts.no_system_fonts():
        assert "<dir>" not in Path(os.environ["FONTCONFIG_FILE"]).read_text(encoding="utf-8")
    assert os.environ.get("FONTCONFIG_FILE") == before
