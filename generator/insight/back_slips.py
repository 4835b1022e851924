"""The wrong numbers of the usual slips on the way back through a head."""

from collections.abc import Iterator

from generator.engine.trace import Trace
from generator.insight.slips import Slip, changing
from generator.insight.way_back import RISE, SLOPE, Way, tempered


def back_slips(trace: Trace, back: Way, gates: tuple[int, ...]) -> list[Slip]:
    """A gate or a path forgotten, softmax without its average, √d, sign, undivided slope."""
    slips = (*_network(trace, back, gates), *_softmax(trace, back), *_end(trace, back))
    return changing(trace, slips)


def _network(trace: Trace, back: Way, gates: tuple[int, ...]) -> Iterator[Slip]:
    if back.hidden:
        after = trace[trace[f"grad.{back.hidden}"].inputs[0]].values[back.row]
        closed = [j for j in gates if trace[back.hidden].values[back.row, j] <= 0.0]
        if closed:
            j = max(closed, key=lambda j: (abs(float(after[j])), -j))
            yield Slip("gate", f"grad.{back.hidden}", back.row, j, float(after[j]))
    if back.skip:
        past, through = (trace[x].values[back.row] for x in trace[f"grad.{back.skip}"].inputs)
        j = int(abs(through).argmax())
        yield Slip("path", f"grad.{back.skip}", back.row, j, float(past[j]))


def _softmax(trace: Trace, back: Way) -> Iterator[Slip]:
    """Softmax's own gradient at the token that matters most, done wrong in three ways."""
    step = back.of(tempered(trace, back.at).rpartition(".")[2])
    j, row = strongest(trace, back), back.row
    share = float(trace[f"{back.at}.weights"].values[row, j])
    slope, average = (trace[back.of(name)].values[row] for name in ("weights", "weights.average"))
    away = float(slope[j] - average[0])
    yield Slip("no_average", step, row, j, share * float(slope[j]))
    yield Slip("reversed", step, row, j, -share * away)
    plain = float(slope[list(back.looked_at)].mean())
    yield Slip("plain_mean", step, row, j, share * float(slope[j] - plain))
    yield Slip("no_root", back.of("scores"), row, j, float(trace[step].values[row, j]))


def _end(trace: Trace, back: Way) -> Iterator[Slip]:
    c = back.column
    query = float(trace[back.of("query")].values[back.row, c])
    yield Slip("no_input", back.of("weight.query"), back.line, c, query)
    if RISE in trace:
        yield Slip("undivided", SLOPE, 0, 0, float(trace[RISE].values[0, 0]))


def strongest(trace: Trace, back: Way) -> int:
    """The token whose score changes the loss most."""
    slopes = trace[back.of("scores")].values[back.row]
    return max(back.telling, key=lambda j: (abs(float(slopes[j])), -j))
