"""The wrong numbers of the usual slips on the way back through a head."""

from collections.abc import Iterator

from generator.engine.trace import Trace
from generator.insight.slips import Slip, changing
from generator.insight.way_back import RISE, SLOPE, Way, tempered


def back_slips(trace: Trace, found: Way, gates: tuple[int, ...]) -> list[Slip]:
    """A gate or a path forgotten, softmax without its average, √d, sign, undivided slope."""
    slips = (*_network(trace, found, gates), *_softmax(trace, found), *_end(trace, found))
    return changing(trace, slips)


def _network(trace: Trace, found: Way, gates: tuple[int, ...]) -> Iterator[Slip]:
    if found.hidden:
        after = trace[trace[f"grad.{found.hidden}"].inputs[0]].values[found.row]
        closed = [j for j in gates if trace[found.hidden].values[found.row, j] <= 0.0]
        if closed:
            j = max(closed, key=lambda j: (abs(float(after[j])), -j))
            yield Slip("gate", f"grad.{found.hidden}", found.row, j, float(after[j]))
    if found.skip:
        past, through = (trace[x].values[found.row] for x in trace[f"grad.{found.skip}"].inputs)
        j = int(abs(through).argmax())
        yield Slip("path", f"grad.{found.skip}", found.row, j, float(past[j]))


def _softmax(trace: Trace, found: Way) -> Iterator[Slip]:
    """Softmax's own gradient at the token that matters most, done wrong in three ways."""
    step = found.of(tempered(trace, found.at).rpartition(".")[2])
    j, row = strongest(trace, found), found.row
    share = float(trace[f"{found.at}.weights"].values[row, j])
    slope, average = (trace[found.of(name)].values[row] for name in ("weights", "weights.average"))
    away = float(slope[j] - average[0])
    yield Slip("no_average", step, row, j, share * float(slope[j]))
    yield Slip("reversed", step, row, j, -share * away)
    plain = float(slope[list(found.seen)].mean())
    yield Slip("plain_mean", step, row, j, share * float(slope[j] - plain))
    yield Slip("no_root", found.of("scores"), row, j, float(trace[step].values[row, j]))


def _end(trace: Trace, found: Way) -> Iterator[Slip]:
    c = found.column
    query = float(trace[found.of("query")].values[found.row, c])
    yield Slip("no_input", found.of("weight.query"), found.line, c, query)
    if RISE in trace:
        yield Slip("undivided", SLOPE, 0, 0, float(trace[RISE].values[0, 0]))


def strongest(trace: Trace, found: Way) -> int:
    """The token whose score changes the loss most."""
    slopes = trace[found.of("scores")].values[found.row]
    return max(found.telling, key=lambda j: (abs(float(slopes[j])), -j))
