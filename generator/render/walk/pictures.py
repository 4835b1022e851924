"""Bars of shares and the table sorted by share."""

from collections.abc import Sequence

import numpy as np

from generator.engine.rounding import GUARD, guarded
from generator.engine.trace import Step
from generator.notation.numbers import number
from generator.render.walk.page import Chart, Table
from generator.render.walk.printed_numbers import Printed

MOST_BARS = 10


def charts(printed: Printed, step: Step) -> tuple[Chart, ...]:
    """The bars of a step of shares: the focus token's, or a chart for each temperature."""
    match step.place.kind:
        case "weights":
            return (_of_weights(printed, step),)
        case "output.probabilities":
            return tuple(_of_probabilities(printed, step, i) for i in range(step.shape[0]))
        case _:
            return ()


def ranking(printed: Printed, step: Step) -> tuple[Table, ...]:
    """The focus token's row sorted by share, with score and e^score; ties by position."""
    if step.place.kind != "weights":
        return ()
    t, trace, i = printed.catalogue.t, printed.trace, printed.focus(step)
    powers, scaled = trace[step.inputs[0]], trace[step.name.replace(".weights", ".scaled")]
    order = _seen_by_share(printed, step, i)
    cells = [tuple(printed.cell(s, i, j) for s in (step, scaled, powers)) for j in order]
    base = trace.preset.softmax_base
    shown = "e" if base is None else number(base, None, printed.language)
    exp = t("walk.sorted.exp") if base is None else t("walk.sorted.power", base=shown)
    columns = (t("walk.sorted.share"), t("walk.sorted.score"), exp)
    rows = tuple(step.columns[j] for j in order)
    return (Table(rows, columns, tuple(cells), title=t("walk.sorted")),)


def by_share(shares: np.ndarray) -> list[int]:
    """The places of shares [n] from the largest down; of equal ones the earlier first."""
    order: Sequence[int] = np.argsort(-guarded(shares, GUARD), kind="stable").tolist()
    return list(order)


def _of_weights(printed: Printed, step: Step) -> Chart:
    i = printed.focus(step)
    title = printed.catalogue.t("walk.bars", token=printed.quoted(step.rows[i]))
    return _chart(printed, step, i, _seen_by_share(printed, step, i), title)


def _of_probabilities(printed: Printed, step: Step, i: int) -> Chart:
    t = printed.catalogue.t
    order = by_share(step.values[i])[:MOST_BARS]
    title = t("walk.bars.probabilities", temperature=printed.labels(step.rows, step)[i])
    if len(order) < step.shape[1]:
        more = t("walk.bars.more", shown=len(order), all=step.shape[1])
        title = f"{title} ({more})"
    return _chart(printed, step, i, order, title)


def _chart(printed: Printed, step: Step, i: int, places: list[int], title: str) -> Chart:
    return Chart(
        title,
        tuple(step.columns[j] for j in places),
        tuple(float(step.values[i, j]) for j in places),
        tuple(printed.cell(step, i, j) for j in places),
    )


def _seen_by_share(printed: Printed, step: Step, i: int) -> list[int]:
    order = by_share(step.values[i])
    masked = step.name.replace(".weights", ".masked")
    if masked not in printed.trace:
        return order
    hidden = np.isinf(printed.trace[masked].values[i])
    return [j for j in order if not hidden[j]]
