"""A folder of what came back: ours is known again, the rest is named with its reason."""

import io
import os
import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from generator.classroom.pupils.pupil_codes import code_of
from generator.errors import UserError
from generator.grading.grade import Marking
from generator.grading.marking.marks import time_of
from generator.grading.marking.scheme import USUAL
from generator.grading.marking.task import batch_in
from generator.grading.reading.entries import WORKBOOK, Collected
from generator.grading.reading.raw import OUTLOOK, Reason
from generator.grading.reading.whose import FORMULA
from generator.grading.results.tables import ResultWords
from generator.locales.catalogue import load
from tests.support.handed_in import collected, filled, layout, with_parts, workbook
from tests.support.three import NAMES, SEED, three

CODES = [code_of(SEED, key) for key in NAMES]
BOMB = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>'


def some(place: Path, code: str, values: tuple[str | float, ...]) -> dict:
    """Values for the first asked cells of the pupil's workbook that are numbers."""
    task = batch_in(place).seat(code).in_workbook
    cells = [cell for cell in sorted(task.asked) if cell[0].endswith(("scores", "weights"))]
    return dict(zip(cells, values, strict=False))


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def claiming(data: bytes, size: int) -> bytes:
    """A packed file whose directory says that each of its files unpacks to so many bytes."""
    return re.sub(
        rb"(PK\x01\x02.{20}).{4}", rb"\g<1>" + size.to_bytes(4, "little"), data, flags=re.S
    )


def reasons(found: Collected) -> dict[str, str]:
    return {one.file: str(one.reason) for one in found.stray}


def test_renamed_moved_and_packed_files_are_known_again(tmp_path: Path):
    place, (first, second, third) = three("numbers"), CODES
    typed = {code: some(place, code, (0.25, "0,35", " 35 % ")) for code in CODES}
    (tmp_path / "mail" / "Änne Ärmel").mkdir(parents=True)
    (tmp_path / "mail" / "Änne Ärmel" / "Kopie von Kopie (2).xls").write_bytes(
        filled(place, first, typed[first])
    )
    inner = {"b/späte Abgabe.xlsx": filled(place, second, typed[second]), "b/.DS_Store": b"x"}
    (tmp_path / "download.zip").write_bytes(zipped(inner))
    (tmp_path / third).write_bytes(filled(place, third, typed[third]))
    (tmp_path / ".DS_Store").write_bytes(b"x")
    (tmp_path / "~$book.xlsx").write_bytes(b"x")
    found = collected(tmp_path, place, jobs=2)
    assert not found.stray
    assert [one.source.code for one in found.entries] == sorted(CODES)
    for one in found.entries:
        assert one.typed == typed[one.source.code or ""]
        assert one.source.sheets == (WORKBOOK,)
        assert str(tmp_path) not in one.source.file
        trace = batch_in(place).seat(one.source.code or "").in_workbook.trace
        assert len(one.given) > 50
        for (name, i, j), value in one.given.items():
            assert value == trace[name].values[i, j]
    assert "download.zip/b/späte Abgabe.xlsx" in {one.source.file for one in found.entries}


OLE = b"\xd0\xcf\x11\xe0"
NOT_OURS = {
    "half.xlsx": (lambda ours: ours[: len(ours) // 2], "damaged"),
    "empty.xlsx": (b"", "empty"),
    "locked.xlsx": (OLE + "EncryptedPackage".encode("utf-16-le"), "a password"),
    "old.xls": (OLE + b"\0" * 600, "an old version of Excel"),
    "photo.jpg": (b"\xff\xd8\xff\xe0 photo", "a picture"),
    "photo.heic": (b"\0\0\0\x18ftypheic" + b"\0" * 99, "a picture or a video"),
    "mail.eml": (b"From: a@b.example\nTo: c\n d\nSubject: Abgabe\n\n...", "an email; save its"),
    "mail.msg": (OLE + OUTLOOK, "an email; save its attachments"),
    "login.xlsx": (b"\n<!DOCTYPE html><title>Log in", "a web page"),
    "essay.docx": (lambda _: zipped({"word/document.xml": b"<a/>"}), "a Word document"),
    "torn.docx": (lambda ours: ours[: len(ours) // 2], "the wrong kind of file"),
    "macros.xlsm": (lambda ours: with_parts(ours, {"xl/vbaProject.bin": b"x"}), "contains macros"),
    "entities.xlsx": (lambda ours: with_parts(ours, {"xl/b.xml": BOMB}), "not a readable workbook"),
    "notes.txt": (b"Ich war krank.", "not the empty list"),
    "bytes.bin": (b"\0\1\2\3" * 50, "neither a workbook"),
    "sheet.pdf": (b"%PDF-1.7 nothing", "by hand"),
    "bomb.zip": (
        lambda _: claiming(zipped({"1": b"a", "2": b"a"}), 2 * 10**9),
        "unpacks to 4000 MB",
    ),
    "line\nbreak.txt": (b"x", "not the empty list"),
}


def marked(ours: bytes, mark: str, *, named: bool = False) -> bytes:
    """A workbook with another mark of its owner in its properties, and in its first tab."""
    book, out = openpyxl.load_workbook(io.BytesIO(ours)), io.BytesIO()
    book.properties.identifier = mark
    if not named:
        del book.defined_names["Paperformer_file"]
    book.save(out)
    return out.getvalue()


def test_what_is_not_ours_is_named_and_stops_nothing(tmp_path: Path):
    place, (first, second, _) = three("numbers"), CODES
    ours, batch = workbook(place, first), batch_in(place).lesson.batch
    files = {
        name: (content(ours) if callable(content) else content, reason)
        for name, (content, reason) in NOT_OURS.items()
    }
    mark = openpyxl.load_workbook(io.BytesIO(ours)).properties.identifier
    for name, other, reason in (
        ("foreign.xlsx", "", "not one of our workbooks"),
        ("solution.xlsx", mark.partition("|exercise")[0], "a solution"),
        ("old-version.xlsx", mark.partition("|paperformer")[0], "an older version"),
        ("other-batch.xlsx", mark.replace(batch, "ABCDEFGH"), "the batch A"),
        ("nobody.xlsx", mark.replace(batch, "–"), "made for nobody in particular"),
        ("unknown.xlsx", mark.replace(first, "ABCDEFGH"), "ABCDEFGH is not in this batch"),
        ("future.xlsx", mark.replace("paperformer/1 ·", "paperformer/2 ·"), "format 2, expected 1"),
    ):
        files[name] = marked(ours, other), reason
    files["two-minds.xlsx"] = marked(ours, mark.replace(first, second), named=True), "disagree"
    for name, (content, _) in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "good.xlsx").write_bytes(filled(place, first, some(place, first, (0.25,))))
    (tmp_path / "twice.zip").write_bytes(zipped({"inner.zip": zipped({"a.txt": b"a"})}))
    (tmp_path / "link.xlsx").symlink_to(tmp_path / "good.xlsx")
    os.mkfifo(tmp_path / "pipe.xlsx")
    found = collected(tmp_path, place, jobs=1)
    assert [one.source.file for one in found.entries] == ["good.xlsx"]
    told = reasons(found)
    wanted = {name.replace("\n", "\ufffd"): reason for name, (_, reason) in files.items()}
    wanted |= {
        "twice.zip/inner.zip": "within an archive",
        "link.xlsx": "a link",
        "pipe.xlsx": "pipe",
    }
    assert told.keys() == wanted.keys()
    for name, reason in wanted.items():
        assert reason in told[name], (name, told[name])
    for one in found.stray:  # the page of a German class says it in German
        assert one.reason.said(load("de")) != str(one.reason) == one.reason.said(load("en"))


def test_a_formula_without_its_value_is_not_taken_for_a_blank(tmp_path: Path):
    """Scripts save formulas without what they give; a person should look."""
    place, code = three("numbers"), CODES[0]
    first, second, third = some(place, code, (0.0, 0.0, 0.0))
    book = openpyxl.load_workbook(io.BytesIO(filled(place, code, {second: 0.5})))
    home = layout(place, code).home(first[0])
    book[home.sheet][home.cell(*first[1:])] = "=1/4"
    book.save(tmp_path / "script.xlsx")
    (entries,) = collected(tmp_path, place, jobs=1).entries
    assert entries.typed == {first: FORMULA, second: 0.5}
    (asked,) = batch_in(place).seat(code).in_workbook.questions()
    assert asked.boxes[first].read(FORMULA) is None
    assert third not in entries.typed


def test_of_several_files_one_is_taken_by_rule(tmp_path: Path):
    place, code = three("numbers"), CODES[0]
    files = {
        "a.xlsx": filled(place, code, some(place, code, (1.0, 2.0, 3.0)), "2026-05-01T10:00:00Z"),
        "b.xlsx": filled(place, code, some(place, code, (1.0,)), "2026-05-02T10:00:00Z"),
        "c.xlsx": filled(place, code, some(place, code, (1.0,)), "2026-05-02T10:00:00Z"),
        "d.xlsx": filled(place, code, {}, "2026-06-01T10:00:00Z"),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    found = collected(tmp_path, place, jobs=1)
    assert [(one.source.file, one.changed) for one in found.entries] == [
        ("c.xlsx", "2026-05-02T10:00:00Z")
    ]
    told = reasons(found)
    assert "saved later (2026-05-02T10:00:00Z; this one: 2026-05-01T10:00:00Z)" in told["a.xlsx"]
    assert "with the same entries" in told["b.xlsx"]
    assert "nothing was typed in" in told["d.xlsx"]
    assert all("gewertet ist c.xlsx" in one.reason.said(load("de")) for one in found.stray)
    everything = collected(tmp_path, place, jobs=1, every=True)
    assert [one.source.file for one in everything.entries] == list(files)
    with pytest.raises(UserError, match="expected the folder"):
        collected(tmp_path / "none", place)


def test_the_best_of_several_files_is_the_one_that_earns_most(tmp_path: Path):
    place, code = three("numbers"), CODES[0]
    task = batch_in(place).seat(code).in_workbook
    cells = [cell for cell in sorted(task.asked) if cell[0].endswith("scores")]
    right = {cell: float(task.trace[cell[0]].values[cell[1:]]) for cell in cells}
    wrong, (first, last) = dict.fromkeys(cells, 77.0), (f"2026-05-0{n}T10:00:00Z" for n in (1, 2))
    (tmp_path / "early.xlsx").write_bytes(filled(place, code, right, first))
    (tmp_path / "late.xlsx").write_bytes(filled(place, code, wrong, last))
    (tmp_path / "same.xlsx").write_bytes(filled(place, code, right | {cells[0]: " "}))
    every = collected(tmp_path, place, jobs=1, every=True)
    found = Marking(batch_in(place), USUAL, ResultWords("en")).marks(every, {})
    (marks,) = found.pupils[0].files
    assert (marks.source.file, marks.points) == ("early.xlsx", len(cells))
    told = reasons(found)
    assert told.keys() == {"late.xlsx", "same.xlsx"}
    assert f"which earns {len(cells)} of " in told["late.xlsx"]
    assert told["late.xlsx"].endswith("(this one: 0)")


def test_times_of_all_programs_can_be_compared():
    early = ["0001-01-01T00:00:00+23:59", "", None, "soon"]
    late = ["2026-05-01T10:00:00Z", "2026-05-01T12:30:00+02:00", "2026-05-01T11:00:00.123456"]
    found = [time_of(text) for text in (*early, *late)]
    assert found == sorted(found)


def test_a_file_that_takes_too_long_costs_only_itself(tmp_path: Path):
    place = three("numbers")
    for code in CODES:
        (tmp_path / f"{code}.xlsx").write_bytes(workbook(place, code))
    found = collected(tmp_path, place, jobs=1, seconds=0.001)
    assert {str(one.reason) for one in found.stray} == {str(Reason("lost"))}
    assert len(found.stray) == 3


@pytest.mark.ci
def test_a_file_that_takes_too_much_memory_costs_only_itself(tmp_path: Path):
    place, code = three("numbers"), CODES[0]
    grown = b"<a>" + b"<b/>" * 20_000_000 + b"</a>"
    bomb = zipped({"content.xml": grown, "meta.xml": b"<a/>"})
    (tmp_path / "a.ods").write_bytes(bomb)
    (tmp_path / "b.zip").write_bytes(zipped({"1.ods": bomb, "2.xlsx": workbook(place, code)}))
    found = collected(tmp_path, place, jobs=1)
    assert reasons(found).keys() == {"a.ods", "b.zip/1.ods"}
    assert all("not a readable workbook" in reason for reason in reasons(found).values())
    assert [one.source.file for one in found.entries] == ["b.zip/2.xlsx"]
