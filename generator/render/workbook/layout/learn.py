"""The tab Learn: what is chosen and the loss above, below old weight, gradient and new weight."""

from generator.engine.place import step_prefix
from generator.engine.trace import Step
from generator.render.workbook.layout.canvas import SPINE, Canvas
from generator.render.workbook.layout.layout import Band, Label, Sheet, box_for
from generator.render.workbook.layout.learn_layout import (
    CHANCE,
    CHART_ROWS,
    FIRST_ROW,
    LOSS,
    PASS,
    LearnLayout,
    Strip,
    strips,
)
from generator.render.workbook.layout.tabs import learning, trainings

HEAD_ROWS = 4  # above the weights: heading, how to go on, the formula, names of the strips


def sheet(canvas: Canvas, learn: LearnLayout) -> Sheet:
    """The tab of one step of training; what is chosen stands on the first one only."""
    if canvas.tab.step == 1:
        _chosen(canvas, learn)
    head = Band(canvas.row, canvas.row + HEAD_ROWS - 1)
    canvas.done.append(head)
    canvas.row = head.bottom + 1
    top = canvas.row + 1  # of the first labels above columns, under the name of the weight
    kept = strips(canvas.trace, top, top)
    for name in learning(canvas.trace):
        _weight(canvas, learn, name, kept)
    bottom = canvas.done[-1].bottom
    return Sheet(canvas.tab, tuple(canvas.done), strips(canvas.trace, top, bottom))


def _chosen(canvas: Canvas, learn: LearnLayout) -> None:
    """A row for each entry; beside them P and loss of each pass, and their curve."""
    passes = trainings(canvas.trace) + 1
    rows = max(learn.rows, passes + (CHART_ROWS if passes > 2 else 0))
    band = Band(FIRST_ROW, learn.top + rows - 1)
    for k in range(passes):
        prefix = step_prefix(k + 1)
        band.labels.append(Label(learn.top + k, PASS, f"pass{k + 1}"))
        for column, name in ((CHANCE, "loss.probability"), (LOSS, "loss.cross_entropy")):
            if f"{prefix}{name}" in canvas.trace:
                step = canvas.trace[f"{prefix}{name}"]
                box = box_for(step, canvas.sheet, learn.top + k, column, False, False)
                band.boxes.append(box)
    canvas.close(band)


def _weight(
    canvas: Canvas, learn: LearnLayout, name: str, kept: tuple[Strip, Strip, Strip]
) -> None:
    """A weight as it was, its gradient, and as it becomes, in one shape."""
    trace, prefix = canvas.trace, step_prefix(canvas.tab.step)
    weight, new = trace[name], trace[f"{prefix}update.{name}"]
    before, slope = trace[new.inputs[0]], trace[new.inputs[2]]
    asked = new.name in canvas.asked
    band = canvas.open([new]) if asked else Band(canvas.row, canvas.row)
    row = band.bottom + 2
    for step, strip in zip((before, slope, new), kept, strict=True):
        _box(canvas, band, step, weight, row, strip.left)
    if not asked:
        band.labels.append(Label(band.top, SPINE, learn.titles[name]))
    canvas.spine(band, weight, row)
    canvas.done.append(band)
    canvas.row = band.bottom + 1


def _box(canvas: Canvas, band: Band, step: Step, shape: Step, row: int, column: int) -> None:
    """A table at home here if it belongs here, with labels above its columns."""
    home = step.name in canvas.mine and step.name not in canvas.here
    box = box_for(step, canvas.sheet, row, column, False, home)
    band.boxes.append(box)
    band.bottom = max(band.bottom, box.bottom)
    if home:
        canvas.here.add(step.name)
    canvas.heads(band, box, shape, row - 1)
