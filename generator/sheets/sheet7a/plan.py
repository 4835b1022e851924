"""Sheet 7a, learning: how wrong a prediction is, and which way the output's numbers have to go."""

from dataclasses import dataclass

from generator.engine.predict import drawing_row
from generator.engine.scope import Scope
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.output_layer import LOGITS, SHARES, by_logit
from generator.insight.output_step import (
    AFTER,
    BIAS,
    BIAS_ERROR,
    ERROR,
    GRADIENT,
    LEAST_CHANCE,
    LOSS,
    NEW,
    NEW_BIAS,
    example_steps,
    fair,
    right_word,
    write_again,
)
from generator.sheets.plan import MOST_NUMBERS, MOST_SHOWN, Plan, minutes, require_level, seconds

SHEET = "7a"
MOST_MODEL = 6  # dimensions: each is two numbers for each row that learns
ROWS = {1: 1, 2: 2, 3: 3}  # rows of the output that pupils change


@dataclass(frozen=True, kw_only=True)
class Plan7(Plan):
    """`right` is the word that really comes next, `at` the row of the temperature 1.

    `rows` are the words whose rows pupils change, the right one first, then the likeliest wrong
    ones; `errors` the words whose P − target is asked. `rate` is the learning rate.
    """

    right: int
    at: int
    rows: tuple[int, ...]
    errors: tuple[int, ...]
    rate: float


@dataclass(frozen=True)
class Learning:
    """What sheets 7a and 7b have in common: the word, the rate, the rows and the steps."""

    right: int
    at: int
    rows: tuple[int, ...]
    rate: float
    steps: tuple[Step, ...]


def plan(trace: Trace, level: int) -> Plan7:
    """What sheet 7a shows and asks at a level; raises `UserError` as `learning` does."""
    require_level(level)
    learned = learning(trace, level, SHEET)
    width = _width(trace)
    asked: set[Cell] = {(LOSS, 0, 0)}
    asked |= {
        (name, j, k) for name in (GRADIENT, NEW) for j in learned.rows for k in range(_d(trace))
    }
    if BIAS in trace:
        asked |= {(name, 0, j) for name in (BIAS_ERROR, NEW_BIAS) for j in learned.rows}
    errors = _errors(trace, learned, MOST_NUMBERS[level] - len(asked))
    asked |= {(ERROR, 0, j) for j in errors}
    return Plan7(
        sheet=SHEET,
        level=level,
        asked=frozenset(asked),
        minutes=_minutes(len(errors), len(learned.rows) * width, len(learned.rows)),
        worked=len(trace.tokens) - 1,
        own=len(trace.tokens) - 1,
        extra=(*learned.steps, *example_steps(trace)),
        right=learned.right,
        at=learned.at,
        rows=learned.rows,
        errors=errors,
        rate=learned.rate,
    )


def learning(trace: Trace, level: int, sheet: str) -> Learning:
    """The step of learning that sheets 7a and 7b are about.

    Raises `UserError` where the preset has no output, one temperature that is not 1, another base
    than e, a shifted softmax, or more words and dimensions than paper has room for.
    """
    require_fit(trace, sheet)
    word = right_word(trace)
    rate, steps = fair(trace, word)
    at, words = drawing_row(trace.preset), trace[LOGITS].columns
    right = words.index(word)
    wrong = (j for j in by_logit(trace) if j != right)
    return Learning(right, at, (right, *wrong)[: ROWS[level]], rate, steps)


def own_steps(part: Scope, trace: Trace) -> None:
    """Write loss, gradient and new numbers into a workbook's part of a computation."""
    learned = learning(trace, 1, SHEET)
    write_again(part, trace, (s for s in learned.steps if not s.name.startswith(AFTER)))


def require_fit(trace: Trace, sheet: str) -> None:
    """Raise a `UserError` for a preset whose output no sheet about learning can take."""
    preset, way_out = trace.preset, "take 'katze'"
    if LOGITS not in trace:
        raise UserError(
            f"preset {preset.name!r} has no output, which sheet {sheet} lets learn; {way_out}"
        )
    v = len(trace[LOGITS].columns)
    if not 2 <= v <= MOST_SHOWN:
        raise UserError(
            f"the vocabulary has {v} words; sheet {sheet} shows 2 to {MOST_SHOWN}: write a "
            f"sentence with fewer new words, or {way_out}"
        )
    if _width(trace) > MOST_MODEL:
        raise UserError(
            f"preset {preset.name!r} has {_width(trace)} numbers for each word of the output; on "
            f"paper sheet {sheet} takes at most {MOST_MODEL}: {way_out}"
        )
    if preset.softmax_base is not None or "output.shifted" in trace:
        raise UserError(
            f"preset {preset.name!r} does not take powers of e as they are, for which P − target "
            f"alone would be wrong or sheet {sheet} has no column: {way_out}"
        )
    at = drawing_row(preset)
    if trace["temperature"].values[at, 0] != 1.0:
        raise UserError(
            f"preset {preset.name!r} has no temperature 1, with which models learn and which sheet "
            f"{sheet} is about: write it in temperatures of [sampling], or {way_out}"
        )


def _d(trace: Trace) -> int:
    return int(trace["last"].shape[1])


def _width(trace: Trace) -> int:
    """How many numbers belong to a word: its row, and its bias where there is one."""
    return _d(trace) + (BIAS in trace)


def _errors(trace: Trace, learned: Learning, most: int) -> tuple[int, ...]:
    """The words that P − target is asked for: those whose rows learn, then the likeliest."""
    return tuple(sorted(telling(trace, learned.rows, learned.at)[:most]))


def telling(trace: Trace, rows: tuple[int, ...], at: int) -> list[int]:
    """The words whose rows learn, then the others by P before learning, if that is not almost 0."""
    shares = trace[SHARES].values[at].tolist()
    order = sorted(by_logit(trace), key=lambda j: j not in rows)
    return [j for j in order if j in rows or shares[j] >= LEAST_CHANCE]


def _minutes(errors: int, numbers: int, rows: int) -> int:
    table = seconds()
    spent = table["exp"] + errors * table["add"]
    spent += numbers * (table["scale"] + table["scale"] + table["add"])
    return minutes(spent, 2 + rows)
