"""What a teacher gets for the whole class: class PDFs, solutions, key, check page, manifest."""

import csv
import io
import math
from collections.abc import Iterator, Mapping
from itertools import islice

from generator.classroom import class_pdfs, class_sheets
from generator.classroom.class_list import Roll
from generator.classroom.class_pdfs import Part
from generator.classroom.csv_cells import cell
from generator.classroom.journal import MANIFEST, Journal
from generator.classroom.key_rows import answer_key
from generator.classroom.manifest import opened, sealed, versions_for
from generator.classroom.one_by_one import Papers, attempted
from generator.classroom.pool import Pool, in_order
from generator.classroom.roster import Pupil
from generator.classroom.seat_record import FORMAT, Record
from generator.classroom.seats import Seat, version_key, version_of
from generator.classroom.shared_rows import taken
from generator.classroom.store import Store, sha256
from generator.classroom.workload import Effort, Spread, spread
from generator.errors import UserError
from generator.presets.portable import to_data

NAMES, KEY = "teacher/names.csv", "teacher/answer-key.xlsx"
PART = 200  # pupils in one class PDF: a stack that a copier takes, and flat memory


def finish(roll: Roll, journal: Journal, workers: Pool) -> list[str]:
    """Make and write everything that is for the class as a whole; gives back what failed.

    Papers of an earlier, smaller or larger class that are not made any more are taken away. Raises
    `UserError` where the manifest cannot be written.
    """
    problems: list[str] = []
    digests: dict[str, str] = {}
    store, before = journal.store, _earlier(journal.store)
    for files, problem in _all_papers(roll, journal, workers):
        if problem := problem or _written(store, files):
            problems.append(problem)
        else:
            digests.update((path, sha256(content)) for path, content in files.items())
    for path in sorted(before - digests.keys()):
        store.remove_file(path)
    store.write({MANIFEST: manifest(roll, journal, digests)})
    return problems


def _all_papers(roll: Roll, journal: Journal, workers: Pool) -> Iterator[Papers]:
    for _, papers in in_order(workers, class_pdfs.make, _parts(roll, journal)):
        yield from papers
    if not roll.lesson.worksheet.exam:  # it has neither info leaf nor board
        rows = taken(roll.lesson, finished(roll, journal))
        yield from class_sheets.make(roll.lesson, finished(roll, journal), rows)
    known = ((seat, journal.record(seat.code)) for seat in finished(roll, journal))
    yield attempted(KEY, lambda: {KEY: answer_key(roll.lesson, known)})
    yield Papers({NAMES: names(roll, journal)})


def _earlier(store: Store) -> set[str]:
    """The papers of the batch that is being enlarged."""
    content = store.read(MANIFEST)
    return set() if content is None else set(opened(content, f"{store}/{MANIFEST}")["papers"])


def finished(roll: Roll, journal: Journal) -> Iterator[Seat]:
    """The seats whose files are in place, in the list's order."""
    return (seat for seat in roll.seats([]) if seat.code in journal)


def _written(store: Store, files: Mapping[str, bytes]) -> str:
    """Write files; gives back why that could not be, "" where it could."""
    try:
        store.write(files)
    except UserError as error:
        return str(error)
    return ""


def _parts(roll: Roll, journal: Journal) -> Iterator[Part]:
    several = sum(1 for _ in finished(roll, journal)) > PART
    seats, number = finished(roll, journal), 0
    while some := tuple(islice(seats, PART)):
        number += 1
        records = tuple(journal.record(seat.code) for seat in some)
        yield Part(roll.lesson, some, records, f"-{number}" if several else "")


def names(roll: Roll, journal: Journal) -> bytes:
    """Who has which code: the only file with names, as a CSV that Excel opens (semicolons, BOM).

    Further columns of the class list stand behind, as they were. An apostrophe stands before what
    a spreadsheet would take for a formula.
    """
    codes = {seat.key: seat.code for seat in finished(roll, journal)}
    text = io.StringIO()
    table = csv.writer(text, delimiter=";", lineterminator="\r\n")
    heading: list[str] | None = None
    for pupil in roll.pupils():
        if heading is None:
            heading = [name for name, _ in pupil.extra]
            table.writerow(["code", "id", "name", *map(cell, heading)])
        extra = dict(pupil.extra)
        further = (extra.get(name, "") for name in heading)
        cells = (pupil.id, pupil.name, *further)
        table.writerow([codes.get(_key(roll, pupil), ""), *map(cell, cells)])
    return text.getvalue().encode("utf-8-sig")


def _key(roll: Roll, pupil: Pupil) -> str:
    if not roll.lesson.versions:
        return pupil.id
    return version_key(version_of(roll.lesson, pupil.id))


def manifest(roll: Roll, journal: Journal, papers: Mapping[str, str]) -> bytes:
    """The manifest's bytes: choices, seed, presets, and the record of each seat; no names.

    `papers` has the SHA-256 of each file that is for the class as a whole, by its path.
    """
    lesson = roll.lesson
    records = (journal.record(seat.code) for seat in finished(roll, journal))
    presets = {seat.preset.sha256: seat.preset for seat in finished(roll, journal)}
    presets[lesson.preset.sha256] = lesson.preset
    return sealed(
        {
            "format": FORMAT,
            "made_with": versions_for(lesson),
            "seed": lesson.seed,
            "settings": dict(lesson.settings()),
            "effort": _spread(roll, journal)._asdict(),
            "presets": {digest: to_data(one) for digest, one in sorted(presets.items())},
            "papers": dict(sorted(papers.items())),
        },
        records,
    )


def effort(roll: Roll, journal: Journal) -> str:
    """How even the class's work is, and how often numbers were redrawn, in words."""
    return str(_spread(roll, journal))


def _spread(roll: Roll, journal: Journal) -> Spread:
    records = (journal.record(seat.code) for seat in finished(roll, journal))
    return spread(_effort(record) for record in records)


def _effort(record: Record) -> Effort:
    """What all sheets of a seat take together, and how often its numbers were redrawn."""
    parts = (record, *record["apart"].values())
    return Effort(math.fsum(one["seconds"] for one in parts), sum(one["draws"] for one in parts))
