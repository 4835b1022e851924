"""What a teacher should know of a batch beside its problems: a sentence each."""

from collections.abc import Iterator

from generator.classroom.class_list import Roll
from generator.classroom.journal import Journal
from generator.classroom.lesson import Lesson
from generator.classroom.own_tokens import nearly_fit, own_tokens
from generator.classroom.seats import tasks_of, usual_seat
from generator.classroom.task import Task
from generator.classroom.variation import Variation, alike
from generator.errors import UserError
from generator.presets.defaults import LEARNED

CHOICES = ("sentence", "preset", "level", "language", "group")  # of single pupils


def notes(roll: Roll, journal: Journal) -> Iterator[str]:
    """What a teacher should know: sheets that do not differ, sets that nobody on the list has."""
    lesson, gone = roll.lesson, journal.codes()
    if lesson.versions and (unused := _own_choices(roll)):
        yield (
            f"with --versions nobody has an own {' or '.join(unused)}: what the list says of it is "
            "left out"
        )
    if (first := next(roll.pupils(), None)) and first.counted:
        yield (
            "the list has no column of ids, so its lines are numbered: keep their order, a late "
            "joiner comes last"
        )
    gone.difference_update(seat.code for seat in roll.seats([]))
    if gone:
        yield (
            f"the list has left out {len(gone)} whose sets are still there: "
            f"{', '.join(sorted(gone)[:5])}{' …' if len(gone) > 5 else ''}"
        )
    try:
        tasks = dict.fromkeys(tasks_of(lesson, usual_seat(lesson, "", "")).values())
        asked = [task for task in tasks if task.sheets]
        same = [sheet for task in asked for sheet in alike(task, lesson.variation, lesson.seed)]
    except UserError:  # nobody has the lesson's own sentence, which does not suit the sheets
        return
    for task in asked:
        if spared := _nearly_fit(task, lesson.variation):
            yield (
                f"few tokens of {task.base.sentence!r} are fit for all these sheets: {spared}"
                f"{_way_out(task)}"
            )
    if same:
        sheets = f"sheet{'s' * (len(same) > 1)} {', '.join(same)}"
        yield f"the same for everybody{_whose(lesson)}: {sheets}"


def _whose(lesson: Lesson) -> str:
    """By which option sheets are the same: an exam calls its groups versions."""
    if lesson.worksheet.exam and lesson.variation.groups:
        return ", whatever the version"
    return f" with --vary {lesson.variation}"


def _way_out(task: Task) -> str:
    """What to take instead: the learned preset, where this is another one."""
    other = "" if task.preset.name == LEARNED else f" or preset ({LEARNED!r})"
    return f"; to give everybody a fit one try another sentence{other}"


def _nearly_fit(task: Task, variation: Variation) -> str:
    """The tokens that pupils have though they are not quite fit, each with why."""
    given = nearly_fit(task) if variation.kind == "focus" else {}
    reasons = {k: why for k, why in given.items() if k in own_tokens(task)}
    return "; ".join(f"{task.base.tokens[k]!r} {why}" for k, why in reasons.items())


def _own_choices(roll: Roll) -> list[str]:
    """What the list decides for single pupils."""
    asked = {name for one in roll.pupils() for name in CHOICES if getattr(one, name) is not None}
    return [name for name in CHOICES if name in asked]
