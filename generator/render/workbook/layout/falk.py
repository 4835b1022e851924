"""Products in Falk's scheme: left factor left, right factor above, product where they cross."""

from collections.abc import Sequence

from generator.engine.trace import Step
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.canvas import SPINE, Canvas
from generator.render.workbook.layout.layout import Band, Label


def products(
    canvas: Canvas, steps: Sequence[Step], turned: bool = False, columns: bool = False
) -> None:
    """A band of products with one left factor; `turned` shows the right factors transposed.

    With `columns` the left one is, for a product of columns with columns.
    """
    trace = canvas.trace
    left = trace[steps[0].inputs[0]]
    rights = [trace[step.inputs[1]] for step in steps]
    biases = [bias(canvas, step) for step in steps]
    band = canvas.open([*canvas.homes(left, *rights, *biases), *steps])
    top = band.bottom + 1  # tags, column labels, right factors, (biases,) then the lower half
    wide = left.shape[0 if columns else 1]
    below = top + 2 + wide + any(biases)
    canvas.place(band, left, below + 2, SPINE + 1, below, below + 1, columns)
    column = SPINE + 1 + wide
    for step, right, shift in zip(steps, rights, biases, strict=True):
        column += 1
        over = canvas.place(band, right, top + 2, column, top, top + 1, turned)
        _sides(canvas, band, over, right)
        if shift:
            canvas.place(band, shift, over.bottom + 1, column)
            band.labels.append(Label(over.bottom + 1, column - 1, "b"))
        canvas.place(band, step, below + 2, column, below, below + 1)
        column += step.shape[1]
    canvas.spine(band, steps[0], below + 2)
    canvas.close(band)


def logits(canvas: Canvas, step: Step) -> None:
    """The vector above, one word per row below, each word's dot product at its right."""
    last, matrix = (canvas.trace[name] for name in step.inputs[:2])
    shift = bias(canvas, step)
    band = canvas.open([*canvas.homes(last, matrix, shift), step])
    top = band.bottom + 1
    canvas.place(band, last, top + 2, SPINE + 1, top, top + 1)
    band.labels.append(Label(top + 2, SPINE, "x"))
    row, tag, column = top + 5, top + 3, SPINE + 2 + last.shape[1]
    canvas.place(band, matrix, row, SPINE + 1, tag, tag + 1)
    if shift:
        canvas.place(band, shift, row, column, tag, tag + 1, turned=True)
        column += 2
    canvas.place(band, step, row, column, tag, tag + 1, turned=True)
    canvas.spine(band, step, row, turned=True)
    canvas.close(band)


def bias(canvas: Canvas, step: Step) -> Step | None:
    """The bias that a product adds, where it adds one."""
    return canvas.trace[step.inputs[2]] if len(step.inputs) > 2 else None


def _sides(canvas: Canvas, band: Band, over: Box, right: Step) -> None:
    names = right.columns if over.turned else right.rows
    live = not over.turned and canvas.by_token(right)[0]
    for k, name in enumerate(names):
        row, column = over.row + k, over.column - 1
        band.labels.append(canvas.token(row, column, k) if live else Label(row, column, name))
