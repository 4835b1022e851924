"""Sheet 7a, learning: how wrong a prediction is, and which way the output's numbers have to go."""

from dataclasses import dataclass, replace

from generator.engine.predict import drawing_row
from generator.engine.scope import Scope
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight import output_step
from generator.insight.output_layer import LOGITS, SHARES, by_logit
from generator.sheets.plan import MOST_NUMBERS, MOST_SHOWN, Plan, demand, effort, practised

SHEET = "7a"
MOST_MODEL = 6  # dimensions: each is two numbers for each row that learns
ROWS = {1: 1, 2: 2, 3: 3}  # rows of the output that pupils change
ERRORS = {1: 3, 2: 12, 3: 12}  # errors that pupils calculate, at most


@dataclass(frozen=True, kw_only=True)
class Plan7(Plan):
    """`right` is the word that really comes next, `at` the row of the temperature 1.

    `rows` are the words whose rows pupils change, the right one first, then the likeliest wrong
    ones; `errors` the words whose P − target is asked. `rate` is the learning rate. `words` are
    those whose new logit, power and P sheet 7b asks.
    """

    right: int
    at: int
    rows: tuple[int, ...]
    rate: float
    errors: tuple[int, ...] = ()
    words: tuple[int, ...] = ()


def plan(trace: Trace, level: int) -> Plan7:
    """What sheet 7a shows and asks at a level; raises `UserError` as `learning` does."""
    learned = learning(trace, level, SHEET)
    rows, numbers = learned.rows, range(trace["last"].shape[1])
    asked: set[Cell] = {(output_step.LOSS, 0, 0)}
    asked |= {
        (name, j, k)
        for name in (output_step.GRADIENT, output_step.NEW)
        for j in rows
        for k in numbers
    }
    if output_step.BIAS in trace:
        asked |= {
            (name, 0, j) for name in (output_step.BIAS_ERROR, output_step.NEW_BIAS) for j in rows
        }
    most = min(ERRORS[level], MOST_NUMBERS[level] - len(asked))
    errors = tuple(sorted(telling(trace, learned)[:most]))
    count = len(rows) * _width(trace)
    return replace(
        learned,
        asked=frozenset(asked) | {(output_step.ERROR, 0, j) for j in errors},
        minutes=effort(2 + len(rows), exp=1, add=len(errors) + count, scale=2 * count),
        beside=practised(sum=len(trace[LOGITS].columns), compare=1),
        extra=(*learned.extra, *output_step.example_steps(trace)),
        errors=errors,
    )


def learning(trace: Trace, level: int, sheet: str) -> Plan7:
    """The step of learning that sheets 7a and 7b are about, with its own steps; nothing is asked.

    Raises `UserError` where the preset has no output, one temperature that is not 1, another base
    than e, a shifted softmax, or more words and dimensions than paper has room for.
    """
    require_fit(trace, sheet)
    word, last = output_step.right_word(trace), len(trace.tokens) - 1
    rate, steps = output_step.fair(trace, word)
    right = trace[LOGITS].columns.index(word)
    return Plan7(
        worked=last,
        own=last,
        extra=steps,
        right=right,
        at=drawing_row(trace.preset),
        rows=(right, *(j for j in by_logit(trace) if j != right))[: ROWS[level]],
        rate=rate,
    )


def own_steps(part: Scope, trace: Trace) -> None:
    """Write loss, gradient and new numbers into a workbook's part of a computation."""
    steps = learning(trace, 1, SHEET).extra
    output_step.write_again(
        part, trace, (s for s in steps if not s.name.startswith(output_step.AFTER))
    )


def require_fit(trace: Trace, sheet: str) -> None:
    """Raise a `UserError` for a preset whose output no sheet about learning can take."""
    preset, names = trace.preset, {"sheet": sheet, "most": MOST_MODEL}
    demand(LOGITS in trace, "learning.output", trace, **names)
    words = len(trace[LOGITS].columns)
    fits, width = 2 <= words <= MOST_SHOWN, _width(trace)
    demand(fits, "learning.words", trace, sheet=sheet, words=words, most=MOST_SHOWN)
    demand(width <= MOST_MODEL, "learning.wide", trace, width=width, **names)
    plain = preset.softmax_base is None and "output.shifted" not in trace
    demand(plain, "learning.powers", trace, **names)
    temperature = trace["temperature"].values[drawing_row(preset), 0]
    demand(temperature == 1.0, "learning.temperature", trace, **names)


def _width(trace: Trace) -> int:
    """How many numbers belong to a word: its row, and its bias where there is one."""
    return int(trace["last"].shape[1]) + (output_step.BIAS in trace)


def telling(trace: Trace, plan: Plan7) -> list[int]:
    """The words whose rows learn, then the others by P before learning, if that is not almost 0."""
    shares = trace[SHARES].values[plan.at].tolist()
    order = sorted(by_logit(trace), key=lambda j: j not in plan.rows)
    return [j for j in order if j in plan.rows or shares[j] >= output_step.LEAST_CHANCE]
