"""Sheet 7c, learning: back through attention, from the loss to one number of W_Q."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight import way_back
from generator.insight.output_layer import LOGITS
from generator.insight.output_step import right_word
from generator.insight.way_back import RISE, SLOPE, Way, WayBack
from generator.sheets.attending import Widest, require_attention
from generator.sheets.plan import Plan, demand, dot, minutes, practised, require_shown, seconds
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
    seen = way_back.way_back(trace, word)
    full, back, wiggle = seen.trace, seen.way, seen.wiggled(word)
    tokens, gates = tuple(sorted(seen.by_slope[: TOKENS[level]])), seen.gates(MOST_GATES)
    content = int(full[f"{back.at}.weights"].values[back.row].argmax())
    asked = {*_network(seen, gates), *_head(seen, tokens)}
    if level >= FULL:
        asked |= {*_further(seen, content), *((name, 0, 0) for name in (RISE, SLOPE) if wiggle)}
    own = (step for name, step in full.steps.items() if step is not trace.steps.get(name))
    return Plan7c(
        asked=frozenset(asked),
        minutes=_minutes(trace.preset.d_head, asked, len(back.looked_at)),
        beside=practised(sum=len(back.looked_at), compare=1 + bool(wiggle)),
        worked=back.row,
        own=back.row,
        opening=12,  # five rules, a chain of letters and nine lines of arithmetic
        extra=(*own, *wiggle, *way_back.example_steps(trace)),
        right=full[LOGITS].columns.index(word),
        way=back,
        gates=gates,
        tokens=tokens,
        content=content,
        wiggles=bool(wiggle),
    )


def _require_fit(trace: Trace) -> None:
    require_fit(trace, SHEET)
    require_attention(trace, SHEET, WIDEST, "'katze'")
    require_shown(trace)
    demand(f"block{trace.preset.blocks}.head1.weight.query" in trace, "7c.query", trace)


def _network(seen: WayBack, gates: tuple[int, ...]) -> Iterator[Cell]:
    hidden, skip, row = seen.way.hidden, seen.way.skip, seen.way.row
    yield from ((f"grad.{hidden}", row, j) for j in gates)
    if skip:
        yield from ((f"grad.{skip}", row, j) for j in range(seen.trace[skip].shape[1])[:MOST_SUMS])


def _head(seen: WayBack, tokens: tuple[int, ...]) -> Iterator[Cell]:
    back = seen.way  # the scaled scores as the last step of their chain; where a mask is, another
    names = (*map(back.of, ("weights", "scaled", "scores")), seen.slope)
    yield from ((name, back.row, j) for name in names for j in tokens)
    yield (back.of("weight.query"), back.line, back.column)


def _further(seen: WayBack, content: int) -> Iterator[Cell]:
    """Value, average and query."""
    back, value = seen.way, seen.way.of("value")
    yield from ((value, content, k) for k in range(seen.trace[value].shape[1]))
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
