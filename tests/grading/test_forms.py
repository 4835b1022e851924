"""PDF forms that came back: read whoever saved them; what is in no field is left to a hand."""

import io
import shutil
import subprocess
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

import generator
from generator.classroom.desk.reissue import reissue
from generator.classroom.pupils.columns import written
from generator.engine.draws import draw
from generator.grading.marking.task import batch_in
from generator.grading.reading.whose import list_rows
from generator.locales.catalogue import load
from tests.support.handed_in import collected
from tests.support.leaks import readable
from tests.support.pdfium import typed_in

SHEETS = ("3", "4a")
DAMAGED = 66  # files of each kind
pytestmark = pytest.mark.ci


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A class of two with forms of two sheets."""
    folder = tmp_path_factory.mktemp("forms") / "8c"
    options = {"vary": "numbers", "level": 1, "language": "en", "fillable": True}
    made = generator.batch(
        2, folder, only=["pdf", "xlsx"], sheets=SHEETS, seed="the forms", **options
    )
    assert (made.made, made.problems) == (2, [])
    return folder


def codes(place: Path) -> list[str]:
    return list(batch_in(place).records)


def blank(place: Path, code: str, sheet: str = "4a-self-attention") -> pikepdf.Pdf:
    return pikepdf.open(place / "hand-out" / code / f"{sheet}-fillable.pdf")


def fill(pdf: pikepdf.Pdf) -> dict[str, str]:
    """Another text in each field, in the ways in which programs spell texts."""
    typed = {}
    for k, field in enumerate(pdf.Root.AcroForm.Fields):
        text = ("0,35", "−1.5", " 35 % ", "猫", "12")[k % 5]
        typed[str(field.T)] = text
        field.V = pdf.make_stream(text.encode()) if text == "12" else String(text)
    return typed


def saved(pdf: pikepdf.Pdf, **how) -> bytes:
    out = io.BytesIO()
    pdf.save(out, **how)
    return out.getvalue()


def by_name(typed) -> dict[str, str]:
    return {f"{n.replace('.', '_')}[{i}][{j}]": str(v) for (n, i, j), v in typed.items()}


def test_what_was_typed_is_read_whoever_saved_the_file(place: Path, tmp_path: Path):
    one, other = codes(place)
    wanted = {}
    for code, sheet in ((one, "4a-self-attention"), (one, "3-position"), (other, "3-position")):
        with blank(place, code, sheet) as pdf:
            pdf.docinfo.ModDate = String("D:20260501120000+02'00'")
            empty = saved(pdf)
            texts = fill(pdf)
            full = saved(pdf, object_stream_mode=pikepdf.ObjectStreamMode.disable)
        wanted[code, sheet.partition("-")[0]] = texts
        (tmp_path / f"{code}{sheet}").write_bytes(typed_in(empty, texts) if code == one else full)
    found = collected(tmp_path, place, jobs=1)
    assert not found.stray
    read = {(e.source.code, *e.source.sheets): by_name(e.typed) for e in found.entries}
    assert read == wanted
    assert {one.source.kind for one in found.entries} == {"pdf"}
    assert {one.changed for one in found.entries} == {"2026-05-01T12:00:00+02:00"}


def test_what_was_written_by_hand_is_left_to_a_hand(place: Path, tmp_path: Path):
    code = codes(place)[0]
    pen = Dictionary(Type=Name.Annot, Subtype=Name.Ink, Rect=Array([0, 0, 9, 9]))
    with blank(place, code) as pdf:
        (tmp_path / "nothing.pdf").write_bytes(saved(pdf))
        pdf.pages[0].Annots.append(pdf.make_indirect(pen))
        (tmp_path / "pen.pdf").write_bytes(saved(pdf))
        fill(pdf)
        (tmp_path / "both.pdf").write_bytes(saved(pdf))
        (tmp_path / "locked.pdf").write_bytes(
            saved(pdf, encryption=pikepdf.Encryption(owner="a", user="b"))
        )
        for page in pdf.pages:
            if "/Annots" in page:
                del page["/Annots"]
        del pdf.Root.AcroForm
        (tmp_path / "flat.pdf").write_bytes(saved(pdf))
        del pdf.docinfo["/Keywords"], pdf.Root["/Metadata"]
        (tmp_path / "foreign.pdf").write_bytes(saved(pdf))
    whole = (tmp_path / "both.pdf").read_bytes()
    (tmp_path / "half.pdf").write_bytes(whole[: len(whole) // 9])
    printed = shutil.which("pdftocairo")
    assert printed, "poppler-utils is missing: apt-get install poppler-utils"
    out = tmp_path / "printed.pdf"
    subprocess.run([printed, "-pdf", tmp_path / "both.pdf", out], check=True)
    found = collected(tmp_path, place, jobs=1)
    told = {one.file: str(one.reason) for one in found.stray}
    hand = {name for name, reason in told.items() if "by hand" in reason}
    assert hand == {"pen.pdf", "flat.pdf", "foreign.pdf", "half.pdf", "printed.pdf"}
    assert "fields are gone" in told["flat.pdf"]
    assert "written on beside its fields, and there is nothing in" in told["pen.pdf"]
    assert "a password" in told["locked.pdf"]
    assert "please check" in told["both.pdf"]
    assert [(e.source.file, bool(e.typed)) for e in found.entries] == [("both.pdf", True)]
    everything = collected(tmp_path, place, jobs=1, every=True)
    assert [e.source.file for e in everything.entries] == ["both.pdf", "nothing.pdf"]


def test_a_form_whose_pages_are_another_pupils_is_named_and_stops_nobody(
    place: Path, tmp_path: Path
):
    """By its properties one pupil's, on paper another's: as after a page was exchanged."""
    one, other = codes(place)
    with blank(place, one) as mine, blank(place, other) as theirs:
        fill(mine), fill(theirs)
        (tmp_path / "mine.pdf").write_bytes(saved(mine))
        theirs.docinfo.Keywords = mine.docinfo.Keywords
        del theirs.Root["/Metadata"]
        (tmp_path / "renamed.pdf").write_bytes(saved(theirs))
        theirs.pages[-1].Annots = Array()
        mine.pages.append(theirs.pages[-1])
        (tmp_path / "joined.pdf").write_bytes(saved(mine))
        last = len(mine.pages)
    found = collected(tmp_path, place, jobs=1)
    assert [entries.source.file for entries in found.entries] == ["mine.pdf"]
    told = {stray.file: str(stray.reason) for stray in found.stray}
    said = "its properties say {}, its page {} says {}; ask whose it is"
    assert told == {
        "renamed.pdf": said.format(one, 1, other),
        "joined.pdf": said.format(one, last, other),
    }
    words = found.stray[0].reason.said(load("de"))
    assert words.startswith(f"laut Eigenschaften gehört sie {one}, auf Seite {last} steht {other}")


def damaged(data: bytes, kind: str, number: int) -> bytes:
    """A file with bytes exchanged, with its end cut off, or with a piece left out."""
    place, value = (draw(what, kind, str(number), 0, len(data)) for what in ("place", "value"))
    if number % 3 == 0:
        return data[:place] + bytes([value % 256] * (1 + number // 9)) + data[place + 1 :]
    return data[:place] + (data[place + 1 + value % 400 :] if number % 3 == 1 else b"")


def test_no_damage_stops_the_others_or_makes_an_entry_that_nobody_typed(
    place: Path, tmp_path: Path
):
    batch, code = batch_in(place), codes(place)[0]
    with blank(place, code) as pdf:
        typed = set(fill(pdf).values())
        files = {"pdf": saved(pdf)}
    files["xlsx"] = (place / "hand-out" / code / "workbook-exercise.xlsx").read_bytes()
    files["csv"] = written(zip(*list_rows(batch), strict=True), ";")
    for kind, content in files.items():
        for k in range(DAMAGED):
            (tmp_path / f"{kind} {k}").write_bytes(damaged(content, kind, k))
    for name in ("whole", "whole (1).txt", "Kopie von whole.pdf"):  # doubled, under other names
        (tmp_path / name).write_bytes(files["xlsx"])
    found = collected(tmp_path, place, every=True)
    named = {one.file.partition(":")[0] for one in found.stray}
    taken = {one.source.file for one in found.entries}
    assert len(named | taken) == 3 * DAMAGED + 3 > 200
    assert len(named) > 90
    assert {"whole", "whole (1).txt", "Kopie von whole.pdf"} <= taken
    assert not any("Traceback" in str(one) for one in found.stray)
    whole = [e for e in found.entries if e.source.kind == "pdf" and e.source.file not in named]
    assert all(set(map(str, one.typed.values())) <= typed for one in whole)
    assert all(one.typed for one in whole), "a form that lost what was typed counts as empty"


def test_a_form_tells_no_secret_and_is_made_again(place: Path):
    again = reissue(place / "teacher/manifest.json", next(iter(batch_in(place).records)))
    forms = {path: data for path, data in again.items() if "fillable" in path}
    assert len(forms) == 2
    for path, content in forms.items():
        assert content == (place / path).read_bytes()
        found = readable(path, content)
        assert str(batch_in(place).lesson.batch) in found
        assert "the forms" not in found
