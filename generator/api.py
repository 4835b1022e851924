"""The Python interface: compute a sentence, load a preset, write the files."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from generator import output
from generator.engine.learning import to_learn, training_of
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.engine.trace_gradients import gradients_of, with_gradients
from generator.errors import UserError
from generator.generation import generate as generate
from generator.locales.check import added
from generator.presets.computed import computed
from generator.presets.load import load_preset as load_preset
from generator.processes import Progress, nobody
from generator.sheets.attending import AT
from generator.sheets.options import SheetOptions

if TYPE_CHECKING:
    from generator.classroom.batch import Outcome
    from generator.grading.grade import Graded
    from generator.site.build import Built


def compute(
    sentence: str | None = None,
    *,
    preset: str | Path | Preset | None = None,
    rounding: str | None = None,
    language: str | None = None,
    edits: Mapping[str, object] | None = None,
    controls: bool = False,
    rounds: int = 1,
    next_word: str | None = None,
    train: int = 0,
    rate: float | None = None,
    only: Iterable[str] | str | None = None,
    targets: str = "last",
    sentences: Iterable[str] = (),
) -> Trace:
    """Every intermediate value of a small Transformer for a sentence, as a Trace.

    `preset` is a shipped name, a TOML file or a loaded Preset, by default katze-trained and for a
    sentence with words that it does not know katze; without a sentence its own is taken. `rounding`
    is "paper" or "exact", by default the preset's; `language`, such as "en", takes the preset's
    words in that language, also in the sentence. `controls` adds the switches of a workbook as
    steps; `rounds` above 1 appends the chosen token and computes again (`round2.…`), up to a stop.

    `next_word` is the word that really comes next: it adds the loss. `train` is how many steps of
    gradient descent follow, with `rate` (by default 0.1): gradients (`grad.block1.head1.scores`),
    new weights (`update.vocabulary.embedding`) and the computation with these (`step2.input`).
    `only` names the weights that learn, by default all; with `targets` "all" the loss is the mean
    over every position's next word. `sentences` are what the groups of sheet 7d learn, each with
    its last word; they change nothing else. Raises `UserError` for anything a user can mend.
    """
    if next_word is not None:
        edits = {**(edits or {}), "loss.target": next_word}
    trace = computed(
        sentence,
        preset=preset,
        rounding=rounding,
        language=language,
        edits=edits,
        controls=controls,
        rounds=rounds,
        training=training_of(train, rate, only, targets),
    )
    return replace(trace, sentences=tuple(sentences))


def gradients(
    trace: Trace,
    *,
    next_word: str | None = None,
    only: Iterable[str] | str | None = None,
    targets: str = "last",
) -> Mapping[str, np.ndarray]:
    """How the loss changes with each number of a Trace: arrays by the name of the step.

    The loss is that of a Trace computed with `next_word`, or of the word named here, or with
    `targets` "all" the mean over every position. A step has a gradient where the loss depends on
    some weight through it; `only` names these weights, by default all. In paper arithmetic each
    gradient is rounded, as on paper. Raises `UserError` where the loss means nothing.
    """
    return gradients_of(with_gradients(trace, to_learn(only, targets), next_word))


def add_language(folder: str | Path) -> str:
    """Make the language of a folder known, which must be complete; gives its code back.

    Presets that were loaded before do not speak it. Raises `UserError` for what the folder lacks,
    see `paperformer languages check`.
    """
    return added(Path(folder))


def write(
    trace: Trace,
    folder: str | Path | None = None,
    only: Iterable[str] | None = None,
    **options: Any,
) -> list[Path]:
    """Write a Trace's workbooks and worksheets below a folder; gives the paths back.

    Without a folder it is the one that `paperformer make` takes, below "outputs".
    `only` names outputs ("xlsx", "pdf", "html", "ipynb"), by default the workbooks and PDFs;
    `sheets` names worksheets, by default all that the preset can fill, and leaves only their tabs
    in the workbooks; `variant` is "blank", "solution" or "both"; `rounds` is how often the
    workbooks choose a next token, fewer where a stop token ends the text; `jobs` are processes, by
    default one a processor. Further options are those of a worksheet: `level`, `budget`, `part`,
    `story`, `header`, `author`, `licence`, `carry`, `large_print`, `duplex`, `points` (see
    `SheetOptions`); `route` names lessons whose sheets and level are taken, such as "45" or "3x45";
    `level` is the exercise's too, `check`, `interim` and `tolerance` are only its own. `texts` are
    own story and tasks: a file, or phrases by key (see `own_texts`). Raises `UserError` where one
    could not be made; the others are then written all the same.
    """
    from generator.make import Request, make  # renderers are heavy: loaded when they are needed

    request = Request.asked(only, **options)
    place = Path("outputs", request.folder(trace)) if folder is None else Path(folder)
    result = make(trace, request, place)
    if result.problems:
        raise UserError("\n".join(result.problems))
    return result.paths


def batch(
    pupils: str | Path | int,
    folder: str | Path,
    *,
    only: Iterable[str] | None = None,
    seed: str | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    resume: bool = False,
    told: Progress = nobody,
    **options: Any,
) -> "Outcome":
    """Everybody's own set and the teacher's papers for a class, below a folder or an address.

    `pupils` is a class list (CSV, XLSX, ODS, see `classroom.pupils.roster`) or their number.
    Without a `seed` the operating system gives one, which stands in teacher/manifest.json. `jobs`
    are processes, `cluster` is the address of a Dask scheduler in their place. `resume` goes on
    with a stopped batch. `told` hears how many of how many sets are done.
    Further options are those of a lesson: `preset`, `sheets`, `sentence`, `language`, `rounding`,
    `edits`; `vary` is "focus", "groups=2" to "groups=6", "numbers" or "sentences", for
    sheet 7d, whose groups learn `sentences`; with `versions` that many
    sets are made; `print_names`; `info` is "once", "each" or "none"; and those of a worksheet and
    a `route`, as for `write`, but that `duplex` is on if it is not said to be off.
    Gives back what was made and which pupils got nothing, and why. Raises `UserError` where that is
    everybody.
    """
    from generator.classroom.batch import BatchRun, seed_for
    from generator.classroom.files.store import store
    from generator.classroom.numbers.lesson import Lesson
    from generator.classroom.pupils.roster import listed
    from generator.make import usual_outputs
    from generator.render.worksheet.pdf import browser_notes
    from generator.sheets.routes import by_route

    chosen = SheetOptions(pdf_by=options.get("pdf_by", SheetOptions.pdf_by))
    outputs, notes = usual_outputs(chosen) if only is None else (tuple(only), [])
    notes += browser_notes(chosen) if "pdf" in outputs else []
    place = store(str(folder))
    lesson = Lesson.asked(seed=seed_for(place, seed, resume), outputs=outputs, **by_route(options))
    rows = partial(listed, pupils)
    outcome = BatchRun(lesson, rows, place, jobs, cluster, resume, told).run()
    outcome.notes[:0] = notes
    return outcome


def exam(pupils: str | Path | int, folder: str | Path, **options: Any) -> "Outcome":
    """An exam for a class below a folder: everybody's paper, and all that marking it needs.

    `pupils` is a class list or how many there are. `sheets` are those whose tasks it has,
    `versions` letters such as "AB" (the default) or `vary` "numbers"; `minutes` is the working time
    (45), `row` how many seats stand side by side (6), `aids` what is allowed. `grades` is "15",
    "1-6", "percent" or "none", `scheme` a TOML file in its place, see `grade`. `only` names "pdf"
    and "xlsx". Further options are those of `batch` that an exam leaves open, such as `preset`,
    `sentence`, `level`, `language`, `seed`, `fillable`, `header`, `print_names`, `jobs`, `resume`.

    Besides the batch's own files, teacher/ gets expectation.pdf, solutions, seating.pdf,
    second-marking.pdf and scheme.toml, by which `grade` marks. Raises `UserError` for sheets
    without points, too little time, fewer pupils than versions, and as `batch` does.
    """
    from generator.exams.run import Exam

    return Exam.of(pupils=pupils, folder=Path(folder), **options).run()


def reissue(manifest: str | Path, pupil: str, folder: str | Path | None = None) -> list[Path]:
    """Write one pupil's files of a batch again, byte by byte the same; gives the paths back.

    `manifest` is the batch's teacher/manifest.json, `pupil` the code on the pages, the id, the
    number beside the name line, or the name in the names.csv beside it. Without a folder they go
    where the batch had put them. Raises `UserError` for an edited manifest, an unknown pupil, and
    where the installed versions would make other bytes.
    """
    from generator.classroom.desk.reissue import reissue as made

    path = Path(manifest)
    place = path.parent.parent if folder is None else Path(folder)
    return output.write({place / name: data for name, data in made(path, pupil).items()})


def grade(
    folder: str | Path,
    batch: str | Path | None = None,
    *,
    scheme: str | Path | None = None,
    **options: Any,
) -> "Graded":
    """Mark what a class handed in, below a folder; results go to `marks/` in it.

    `batch` is the folder that the batch made, by default the folder itself or the one around it.
    `scheme` is a TOML file with points, shares of credit and a table of grades. Further options are
    those of `Grading`: of several files of a pupil for one sheet the "latest" counts, with `prefer`
    "best" the one that earns most; results speak codes, with `names` also names; `show_answers`
    prints right numbers on the feedback; `language`, `jobs`, and `told`, as for `batch`.
    Gives back the marks, the paths, and which files were not marked and why. The same files give
    the same bytes; the teacher's `marks/decisions.toml` is applied and never written over. Raises
    `UserError` for a folder without a batch or without anything of it, and for a wrong scheme.
    """
    from generator.grading.grade import Grading

    where = {"batch_dir": batch, "scheme": scheme}
    paths: dict[str, Any] = {k: Path(path) for k, path in where.items() if path is not None}
    return Grading(Path(folder), **paths, **options).grade()


def room(
    pupils: str | Path | int,
    folder: str | Path | None = None,
    *,
    form: str = "45",
    header: str = "",
    talk: bool = False,
    told: Progress = nobody,
    **options: Any,
) -> list[Path]:
    """A room in which a whole class computes one forward pass, below a folder; gives the paths.

    `pupils` is how many there are, or a class list, of which only the length is taken. `form` is
    the lesson in minutes, "25", "45" or "90"; it has a preset and sentences of its own. With
    `preset` or `sentence` every room computes the same and may vote; `tables` is "none", "few" or
    "all". Above five or six pupils a token there are several rooms. Without a folder the papers go
    below "outputs". Raises `UserError` for what no room can compute, and where so few pupils would
    need longer than the form has.

    A `talk` is one ZIP: the papers with slides, presenter's notes and a brief for whoever invites.
    """
    from generator.classroom.pupils.roster import Pupil, listed
    from generator.room.forms import class_rooms, room_files

    count = pupils
    if not isinstance(count, int):
        count = sum(isinstance(row, Pupil) for row in listed(pupils))
    rooms = class_rooms(count, form, **options)
    language = rooms[0].trace.language
    kind = "talk" if talk else "room"
    place = Path("outputs", f"{kind}-{form}-{count}-{language}") if folder is None else Path(folder)
    files = room_files(rooms, header, told)
    if talk:
        from generator.room.talk import TalkPapers

        files = {"talk.zip": output.zipped(TalkPapers(rooms, language, header).files() | files)}
    return output.write({place / name: data for name, data in files.items()})


def plan(
    trace: Trace,
    folder: str | Path | None = None,
    *,
    sheets: Iterable[str] | None = None,
    minutes: int | None = None,
    header: str = "",
    twin: str | Path | Preset | None = None,
    head: str = AT,
    pupils: int = 0,
    level: int = SheetOptions.level,
) -> list[Path]:
    """Papers for whoever plans lessons with a Trace's sheets, below a folder; gives the paths.

    Run sheets (minute, teacher, pupils, material, board) for lessons of 25, 45 and 90 `minutes`,
    or of one length; quoted lines of curricula; a page for parents and colleagues; the words as
    cards to cut out; a list "I can". Without `sheets` all that the Trace can fill. Without a folder
    they go below "outputs". Raises `UserError` for a sheet that cannot be filled or is not taught,
    and where none fits the length.
    With the preset of a `twin`, such as an imported GPT-2, two leaves lay one of its heads beside
    the Trace's first one. For so many `pupils` there are run sheets of `room`, too. Sheets are
    planned at their `level`, or at another one where that does not fit.
    """
    from generator.planning.papers import Planning

    chosen = None if sheets is None else tuple(sheets)
    return Planning.asked(trace, chosen, minutes, header, twin, head, pupils, level).write(folder)


def gallery(folder: str | Path, *, told: Progress = nobody, **options: Any) -> "Built":
    """Every preset's files, ready made, as a static site below a folder; gives what was made.

    Without `presets`, `languages`, `levels` all that are shipped; `small` stays below 25 MB.
    `address` is where the site will stand, for search engines; `docs` adds the handbook; `jobs` are
    processes. In a folder that holds a gallery only what has changed is made again. `told` hears
    how many of how many parts are made. Raises `UserError` for a folder with something else in it,
    and where nothing could be made.
    """
    from generator.site.asked import asked
    from generator.site.build import build

    return build(asked(**options), Path(folder), told)
