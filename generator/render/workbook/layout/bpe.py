"""The tab of byte-pair encoding: the corpus, each round of training, a new word; all live.

Row labels are the words in the pieces that they have at that stage.
"""

from collections.abc import Sequence

from generator.render.workbook.layout.canvas import LETTERS, SPINE, Canvas
from generator.render.workbook.layout.layout import Band, Line, box_for

LONG = ".pairs"  # a formula of a line for each word: read in its cell
COUNTS, ENCODING = "bpe.counts", "bpe.encoding"


def bands(canvas: Canvas) -> tuple[Band, ...]:
    """The bands of the tab, from top to bottom."""
    _corpus(canvas)
    _lengths(canvas, "bpe", True)
    rounds = sum(name.endswith(".winner") for name in canvas.mine)
    for m in range(1, rounds + 1):
        before = f"bpe.merge{m - 1}" if m > 1 else "bpe"
        _pairs(canvas, f"bpe.merge{m}", f"{before}.corpus", m == 1)
        _lengths(canvas, f"bpe.merge{m}", m == 1)
    _encoding(canvas, rounds)
    return tuple(canvas.done)


def _corpus(canvas: Canvas) -> None:
    band = _open(canvas, ("bpe.words", COUNTS), True)
    top = band.bottom + 1
    canvas.place(band, canvas.trace["bpe.words"], top + 1, SPINE, top)
    canvas.place(band, canvas.trace[COUNTS], top + 1, SPINE + 1, top, turned=True)
    canvas.close(band)


def _lengths(canvas: Canvas, at: str, explained: bool) -> None:
    """The corpus in pieces, how many they are, and all in all."""
    names = [f"{at}.{part}" for part in ("corpus", "sizes", "length")]
    band = _open(canvas, names, explained)
    corpus, sizes, length = (canvas.trace[name] for name in names)
    top = band.bottom + 1
    canvas.place(band, corpus, top + 1, SPINE, top)
    canvas.place(band, sizes, top + 1, SPINE + 1, top, turned=True)
    canvas.place(band, canvas.trace[COUNTS], top + 1, SPINE + 2, top, turned=True)
    canvas.place(band, length, top + 1, SPINE + 4, top)
    canvas.close(band)


def _pairs(canvas: Canvas, at: str, corpus: str, explained: bool) -> None:
    """The pairs at their places, beside them their counts, the best of each word, the winner."""
    names = [f"{at}.{part}" for part in ("places", "pairs", "most", "best", "winner")]
    band = _open(canvas, names, explained)
    places, pairs, most, best, winner = (canvas.trace[name] for name in names)
    top, wide = band.bottom + 1, places.shape[1]
    canvas.place(band, canvas.trace[corpus], top + 1, SPINE)
    column = SPINE + 1
    for step, after in ((places, 1), (pairs, 1), (most, 0), (best, 1), (winner, 0)):
        canvas.place(band, step, top + 1, column, top)
        column += (wide if step in (places, pairs) else 1) + after
    canvas.close(band)


def _encoding(canvas: Canvas, rounds: int) -> None:
    """The new word, rule by rule below each other; its letters and tokens beside it."""
    rules = [f"{ENCODING}.rule{m}" for m in range(1, rounds + 1)]
    listed = [f"{ENCODING}.{part}" for part in ("word", "spelled")]
    counted = [f"{ENCODING}.{part}" for part in ("letters", "tokens", "ratio")]
    band = _open(canvas, (*listed, rules[0], *counted), True)
    top = band.bottom + 2
    for k, name in enumerate((*listed, *rules)):
        box = box_for(canvas.trace[name], canvas.sheet, top + k, SPINE, False, True)
        band.boxes.append(box)
        canvas.here.add(name)
        if name in rules:
            winner = canvas.trace[f"bpe.merge{rules.index(name) + 1}.winner"]
            band.boxes.append(box_for(winner, canvas.sheet, top + k, SPINE + 1, False, home=False))
    band.bottom = top + 1 + rounds
    for k, name in enumerate(counted):
        canvas.place(band, canvas.trace[name], top + 1, SPINE + 3 + 2 * k, top)
    canvas.close(band)


def _open(canvas: Canvas, names: Sequence[str], explained: bool) -> Band:
    """A band with a heading line for each step; formulas in functions where they are explained."""
    band = Band(canvas.row, canvas.row - 1)
    for k, name in enumerate(names):
        if explained and not name.endswith(LONG):
            canvas.head(band, canvas.trace[name], LETTERS[k])
        else:
            band.bottom += 1
            band.lines.append(Line(band.bottom, name, LETTERS[k]))
    if any(name in canvas.asked for name in names):
        band.bottom += 1
        band.help_row = band.bottom
    return band
