"""Sheet 7c, learning: back through attention, from the loss to one number of W_Q."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight import way_back
from generator.insight.output_layer import LOGITS
from generator.insight.output_step import right_word
from generator.insight.way_back import RISE, SLOPE, Way, WayBack
from generator.notation.shown import shown_value
from generator.sheets.attending import Widest, require_attention
from generator.sheets.plan import Plan, dot, minutes, require_shown, seconds
from generator.sheets.sheet7a.plan import require_fit

SHEET = "7c"
WIDEST = Widest(model=6, head=4)
MOST_GATES = 4  # hidden values whose gate pupils look at
MOST_SUMS = 4  # numbers of which pupils add both paths
TOKENS = {1: 1, 2: 2, 3: 3}  # whose score's gradient pupils calculate
FULL = 2  # the first level that asks for value, average, query and the wiggle


@dataclass(frozen=True, kw_only=True)
class Plan7c(Plan):
    """`right` is the ID of the word that really comes next, `way` where the gradients stand.

    `gates` are the hidden values shown, `tokens` those whose gradients are asked, `content` the
    token whose value's gradient is. `wiggles`: whether the measured slope confirms the gradient.
    """

    right: int
    way: Way
    gates: tuple[int, ...]
    tokens: tuple[int, ...]
    content: int
    wiggles: bool


def plan(trace: Trace, level: int) -> Plan7c:
    """What sheet 7c shows and asks at a level.

    Raises `UserError` where the preset has no output or no attention, or is too wide, and where
    rounding leaves nothing of a gradient.
    """
    _require_fit(trace)
    word = right_word(trace)
    full = way_back.gradients(trace, word)
    back = way_back.way(full)
    seen = WayBack(full, back)
    tokens, wiggle = tuple(sorted(seen.by_slope[: TOKENS[level]])), seen.wiggled(word)
    gates = _gates(full, back)
    content = int(full[f"{back.at}.weights"].values[back.row].argmax())
    asked = {*_network(full, back, gates), *_head(full, back, tokens)}
    if level >= FULL:
        asked |= {*_further(full, back, content)}
        asked |= {(name, 0, 0) for name in (RISE, SLOPE) if wiggle}
    own = (step for name, step in full.steps.items() if step is not trace.steps.get(name))
    return Plan7c(
        asked=frozenset(asked),
        minutes=_minutes(trace.preset.d_head, asked, len(back.looked_at)),
        worked=back.row,
        own=back.row,
        extra=(*own, *wiggle, *way_back.example_steps(trace)),
        right=full[LOGITS].columns.index(word),
        way=back,
        gates=gates,
        tokens=tokens,
        content=content,
        wiggles=bool(wiggle),
    )


def slope_of(trace: Trace, back: Way) -> str:
    """The step with softmax's own gradient: that of the scaled scores, masked where a mask is."""
    return WayBack(trace, back).slope


def _require_fit(trace: Trace) -> None:
    require_fit(trace, SHEET)
    require_attention(trace, SHEET, WIDEST, "'katze'")
    require_shown(trace)
    if f"block{trace.preset.blocks}.head1.weight.query" not in trace:
        raise UserError(
            f"preset {trace.preset.name!r} has no W_Q of its own, which sheet 7c goes back to; "
            "take 'katze'"
        )


def _gates(trace: Trace, back: Way) -> tuple[int, ...]:
    """The hidden values that most comes back to: open and closed ones in turn."""
    if not back.hidden:
        return ()
    hidden = trace[back.hidden].values[back.row]
    step = trace[trace[f"grad.{back.hidden}"].inputs[0]]
    reached = [j for j in range(step.shape[1]) if shown_value(step, back.row, j)]
    reached.sort(key=lambda j: (-abs(float(step.values[back.row, j])), j))
    kinds = [[j for j in reached if bool(hidden[j] > 0.0) == opened] for opened in (False, True)]
    turns = [j for k in range(len(reached)) for kind in kinds for j in kind[k : k + 1]]
    return tuple(sorted(turns[:MOST_GATES]))


def _network(trace: Trace, back: Way, gates: tuple[int, ...]) -> Iterator[Cell]:
    yield from ((f"grad.{back.hidden}", back.row, j) for j in gates)
    if back.skip:
        width = trace[back.skip].shape[1]
        yield from ((f"grad.{back.skip}", back.row, j) for j in range(min(width, MOST_SUMS)))


def _head(trace: Trace, back: Way, tokens: tuple[int, ...]) -> Iterator[Cell]:
    for name in ("weights", "scaled", "scores"):  # the scaled ones as the last step of their chain
        yield from ((back.of(name), back.row, j) for j in tokens)
    yield from ((slope_of(trace, back), back.row, j) for j in tokens)  # where a mask is, another
    yield (back.of("weight.query"), back.line, back.column)


def _further(trace: Trace, back: Way, content: int) -> Iterator[Cell]:
    """Value, average and query."""
    value = back.of("value")
    yield from ((value, content, k) for k in range(trace[value].shape[1]))
    yield (back.of("weights.average"), back.row, 0)
    yield (back.of("query"), back.row, back.column)


def _minutes(width: int, asked: set[Cell], tokens: int) -> int:
    table, steps = seconds(), [step for step, _, _ in asked]
    times = dict.fromkeys(("scores", "value", "slope", "weight_query"), table["scale"])
    times |= {"hidden": table["copy"], "weights": dot(width)}
    times |= dict.fromkeys(("average", "query"), dot(tokens))
    times |= {"scaled": table["add"] + table["scale"], "masked": 0.0}  # the same number again
    kinds = (step.replace("weight.query", "weight_query").rpartition(".")[2] for step in steps)
    spent = sum(times.get(kind, table["add"]) for kind in kinds)
    return minutes(spent, 3 + len(set(steps)) // 3)
