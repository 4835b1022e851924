"""Simulated pupils hand in real files: forms that were filled, workbooks that LibreOffice saved."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pikepdf

import generator
from generator.engine.step import Cell
from generator.grading.marking.marks import questions_of
from generator.grading.marking.question import Question
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading.entries import WORKBOOK
from generator.grading.reading.meant import Number, blank
from generator.render.owner import Owner
from generator.render.worksheet.form_fields import AGAIN, field_name
from generator.render.worksheet.worksheet import render
from generator.sheets.series import SERIES, in_workbook
from tests.grading.papers import FILLED, usual
from tests.grading.pupils import Solved, solved
from tests.reference.options import Draws
from tests.render.workbook.test_read_back import convert
from tests.support.handed_in import collected, filled

Texts = Mapping[str, str]  # by the name of a field
Fill = Callable[[Sequence[tuple[bytes, Texts]]], list[bytes]]
TABS = ("4a", "5")  # of the workbooks
SEED = "what comes back"


class Back(NamedTuple):
    """A pupil's paper, and what was read out of the file in which it came back."""

    asked: Question
    paper: Solved
    typed: Mapping[Cell, Number]


def forms(
    folder: Path, sheets: Iterable[str], pupils: int, fill: Fill
) -> Iterator[tuple[str, list[Back]]]:
    """So many forms of each sheet, filled in."""
    for preset, some in _by_preset(sheets).items():
        place = _class(folder, preset, _by_preset(FILLED)[preset], 1)
        papers, files = list[tuple[Question, Solved]](), list[tuple[bytes, Texts]]()
        for asked, empty in _empty(batch_in(place), some):
            for number in range(pupils):
                paper = solved(asked, Draws(f"{asked.name} {number}"))
                papers.append((asked, paper))
                files.append((empty, _texts(empty, paper, number)))
        came = list(_written(folder / f"filled {preset} {fill.__module__}", "pdf", fill(files)))
        back = _read(place, came[0].parent, "pdf", papers)
        for sheet in some:
            yield sheet, [one for one in back if one.asked.name == sheet]


def _by_preset(sheets: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for sheet in sheets:
        found.setdefault(usual(sheet), []).append(sheet)
    return found


def _empty(batch: Batch, sheets: Sequence[str]) -> Iterator[tuple[Question, bytes]]:
    """What each sheet asks the one pupil of a class, and its form."""
    (code,) = batch.records
    for task in batch.seat(code).tasks:
        for asked in questions_of(task.trace, task.plans):
            if asked.name in sheets:
                yield asked, _form(batch, code, asked.name)


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
        task = batch.seat(code).in_workbook
        (asked,) = questions_of(task.trace, task.plans)
        paper = solved(asked, Draws(f"{WORKBOOK} {kind} {number}"))
        papers.append((asked, paper))
        files.append(filled(place, code, {c: v for c, v in paper.typed.items() if not blank(v)}))
    sources = list(_written(folder / f"typed {kind}", "xlsx", files))
    convert(sources, kind, folder)
    return _read(place, folder / kind, kind, papers)


def _class(folder: Path, preset: str, sheets: Sequence[str], pupils: int) -> Path:
    """A class with own numbers, made once in a folder."""
    place = folder / f"class {preset} {pupils}"
    if not place.exists():
        made = generator.batch(
            pupils, place, preset=preset, only=["xlsx"] if any(in_workbook(sheets)) else ["html"],
            sheets=sheets, vary="numbers" if pupils > 1 else "focus", level=2, seed=SEED,
            language="de", jobs=1,
        )  # fmt: skip
        assert (made.made, made.problems) == (pupils, [])
    return place


def _form(batch: Batch, code: str, sheet: str) -> bytes:
    """The sheet as the pupil's form; a whole batch with forms would lay out much besides."""
    page, level = batch.seat(code).pages[sheet], batch.records[code].level
    owner = Owner(batch.lesson.batch, code, (SERIES[sheet].name,), level)
    return render(sheet, *page.both, page.options, owner=owner)


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


def _written(folder: Path, kind: str, files: Sequence[bytes]) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    for number, content in enumerate(files):
        path = folder / f"{number}.{kind}"
        path.write_bytes(content)
        yield path


def _read(
    place: Path,
    folder: Path,
    kind: str,
    papers: Sequence[tuple[Question, Solved]],
) -> list[Back]:
    """What the files of a folder hold, each beside the paper that it was made from."""
    found = collected(folder, place, prefer="all", jobs=2)
    assert not found.stray
    came = {one.source.file: one.typed for one in found.entries}
    names = [f"{number}.{kind}" for number in range(len(papers))]
    assert set(came) == set(names)
    return [Back(*paper, came[name]) for paper, name in zip(papers, names, strict=True)]
