"""Makes an exam: the checks, the batch of everybody's papers, the papers for marking."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from generator import output
from generator.classroom.batch import Outcome, seed_for
from generator.classroom.batch import run as run_batch
from generator.classroom.pool import jobs_for
from generator.classroom.roster import listed
from generator.classroom.store import store
from generator.exams import choices, seating
from generator.exams.papers import papers
from generator.grading.mark_class import names_of
from generator.grading.task import batch_in
from generator.presets.defaults import CLASS
from generator.presets.load import load_preset
from generator.processes import Progress
from generator.sheets.series import in_order


def run(
    pupils: str | Path | int,
    folder: Path,
    *,
    sheets: Iterable[str] = ("4a",),
    versions: Iterable[str] | None = None,
    vary: str | None = None,
    minutes: int = choices.MINUTES,
    row: int = seating.ROW,
    scheme: Path | None = None,
    grades: str | None = None,
    only: Iterable[str] | None = None,
    seed: str | None = None,
    jobs: int | None = None,
    resume: bool = False,
    told: Progress = lambda done, of: None,
    **options: Any,
) -> Outcome:
    """See `generator.exam`, the function of the Python interface."""
    outputs, sheets = tuple(only or ("pdf",)), tuple(sheets)
    choices.require_outputs(outputs)
    choices.require_sheets(sheets)
    count = choices.how_many(None if versions is None else tuple(versions), vary)
    preset = options.pop("preset", CLASS)
    model = load_preset(preset) if isinstance(preset, str | Path) else preset
    rules = choices.scheme_of(scheme, grades, options.get("language") or model.language)

    entries = partial(listed, pupils)
    choices.require_pupils(entries, count)
    place = store(str(folder))
    lesson = choices.lesson_of(sheets=tuple(in_order(sheets)), versions=count, minutes=minutes,
                               scheme=rules, seed=seed_for(place, seed, resume),
                               outputs=outputs, preset=model, row=row if count else 0,
                               **options)  # fmt: skip
    rows = seating.in_versions(entries, count, row)
    outcome = run_batch(lesson, rows, place, resume=resume, told=told,
                        jobs=jobs_for(sum(1 for _ in rows()), jobs))  # fmt: skip
    if outcome.finished:
        batch = batch_in(folder)
        names = names_of(batch) if lesson.print_names else {}
        marking_papers = papers(batch, rules, row, names)
        output.write(
            {folder / "teacher" / name: content for name, content in marking_papers.items()}
        )
    return outcome
