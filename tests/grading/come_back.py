"""Simulated pupils hand in real files: forms that were filled, workbooks that LibreOffice saved."""

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pikepdf

import generator
from generator.engine.step import Cell
from generator.grading.marking.question import Question, blank
from generator.grading.marking.task import batch_in
from generator.grading.reading.entries import WORKBOOK, Number
from generator.render.owner import Owner
from generator.render.worksheet.form_fields import AGAIN, field_name
from generator.sheets.series import SERIES, in_workbook
from tests.grading.papers import FILLED, usual
from tests.grading.pupils import Solved, solved
from tests.reference.options import Draws
from tests.render.workbook.test_read_back import convert
from tests.support.handed_in import collected, filled
from tests.support.views import render

Texts = Mapping[str, str]  # by the name of a field
Fill = Callable[[Sequence[tuple[bytes, Texts]]], list[bytes]]
TABS = ("4a", "5")  # of the workbooks


class Back(NamedTuple):
    """A pupil's paper, and what was read out of the file in which it came back."""

    asked: Question
    paper: Solved
    typed: Mapping[Cell, Number]


def forms(folder: Path, sheets: Iterable[str], pupils: int, fill: Fill) -> dict[str, list[Back]]:
    """So many forms of each sheet, filled in."""
    by_preset, every = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for sheet in FILLED:
        every[usual(sheet)].append(sheet)
    for sheet in sheets:
        by_preset[usual(sheet)].append(sheet)
    found: dict[str, list[Back]] = {sheet: [] for sheet in sheets}
    for preset, some in by_preset.items():
        place = _class(folder, preset, every[preset], 1)
        papers, files = list[tuple[Question, Solved]](), list[tuple[bytes, Texts]]()
        for asked, form in _empty(place, some):
            for number in range(pupils):
                paper = solved(asked, Draws(f"{asked.name} {number}"))
                papers.append((asked, paper))
                files.append((form, _texts(form, paper, number)))
        into = folder / f"filled {preset} {fill.__module__}"
        _write(into, "pdf", fill(files))
        for back in _read(place, into, "pdf", papers):
            found[back.asked.name].append(back)
    return found


def by_hand(some: Sequence[tuple[bytes, Texts]]) -> list[bytes]:
    """Forms whose fields pikepdf fills."""
    found = []
    for form, texts in some:
        with pikepdf.open(io.BytesIO(form)) as pdf:
            for field in pdf.Root.AcroForm.Fields:
                field.V = pikepdf.String(texts[str(field.T)])
            out = io.BytesIO()
            pdf.save(out)
            found.append(out.getvalue())
    return found


def workbooks(folder: Path, pupils: int, kind: str) -> list[Back]:
    """So many workbooks, filled in and saved by LibreOffice as "xlsx" or "ods"."""
    place = _class(folder, "katze", TABS, 3)
    batch, papers, files = batch_in(place), list[tuple[Question, Solved]](), list[bytes]()
    for number in range(pupils):
        code = list(batch.records)[number % len(batch.records)]
        (asked,) = batch.seat(code).in_workbook.questions()
        paper = solved(asked, Draws(f"{WORKBOOK} {kind} {number}"))
        papers.append((asked, paper))
        typed = {c: _text(v, number) if number % 2 else v for c, v in paper.typed.items()}
        files.append(filled(place, code, {c: v for c, v in typed.items() if not blank(v)}))
    convert(_write(folder / f"typed {kind}", "xlsx", files), kind, folder)
    return _read(place, folder / kind, kind, papers)


def _class(folder: Path, preset: str, sheets: Sequence[str], pupils: int) -> Path:
    """A class with own numbers, made once in a folder."""
    place = folder / f"class {preset} {pupils}"
    if not place.exists():
        made = generator.batch(
            pupils, place, preset=preset, only=["xlsx"] if any(in_workbook(sheets)) else ["html"],
            sheets=sheets, vary="numbers" if pupils > 1 else "focus", level=2,
            seed="what comes back", language="de", jobs=1,
        )  # fmt: skip
        assert (made.made, made.problems) == (pupils, [])
    return place


def _empty(place: Path, sheets: Sequence[str]) -> Iterator[tuple[Question, bytes]]:
    """What each sheet asks the one pupil of a class, and its form alone."""
    batch = batch_in(place)
    ((code, record),) = batch.records.items()
    for asked in (one for task in batch.seat(code).tasks for one in task.questions()):
        if asked.name in sheets:
            page, names = batch.seat(code).pages[asked.name], (SERIES[asked.name].name,)
            owner = Owner(batch.lesson.batch, code, names, record.level)
            yield asked, render(asked.name, *page.both, page.options, owner=owner)


def _texts(form: bytes, paper: Solved, number: int) -> Texts:
    """What the pupil types into each field: with comma or point, as this one is used to."""
    typed = {
        f"{field_name(name)}[{i}][{j}]": _text(value, number)
        for (name, i, j), value in paper.typed.items()
    }
    with pikepdf.open(io.BytesIO(form)) as pdf:
        names = [str(field.T) for field in pdf.Root.AcroForm.Fields]
    assert {name for name, text in typed.items() if text} <= set(names)
    return {name: typed.get(name.partition(AGAIN)[0], "") for name in names}


def _text(value: Number, number: int) -> str:
    if isinstance(value, str):
        return value
    text = np.format_float_positional(value, trim="-")
    return (text.replace(".", ","), text, text.replace("-", "−"))[number % 3]


def _write(folder: Path, kind: str, files: Sequence[bytes]) -> list[Path]:
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{number}.{kind}" for number in range(len(files))]
    for path, content in zip(paths, files, strict=True):
        path.write_bytes(content)
    return paths


def _read(
    place: Path, folder: Path, kind: str, papers: Sequence[tuple[Question, Solved]]
) -> list[Back]:
    """What the files of a folder hold, each beside the paper that it was made from."""
    found = collected(folder, place, every=True, jobs=2)
    assert not found.stray
    assert all(
        (one.source.kind, bool(one.changed)) == (kind, kind != "pdf") for one in found.entries
    )
    came = {one.source.file: one.typed for one in found.entries}
    assert set(came) == {f"{number}.{kind}" for number in range(len(papers))}
    return [Back(*paper, came[f"{number}.{kind}"]) for number, paper in enumerate(papers)]
