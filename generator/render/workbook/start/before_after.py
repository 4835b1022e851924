"""Before and after: the leading words with P now and as delivered, and how much has changed."""

from collections.abc import Mapping

from generator.render.workbook.dress.rules import bars, tinted
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.kept import COUNT, LARGEST, Kept
from generator.render.workbook.layout.start_layout import LAST_COLUMN, LEADING, NOTHING_NEXT
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.write.look_up import LookUp

RANK, WORD, NOW, THEN, LABEL, VALUE = 1, 2, 3, 4, 9, 13  # columns of the Start tab
LARGEST_NUMBER = "0.####"


def write(pen: Pen) -> None:
    """The table below the experiments, where a workbook keeps what it was delivered with."""
    kept, row = pen.draft.kept, pen.draft.layout.start.changes_row
    if not kept:
        return
    pen.band(row, 1, LAST_COLUMN, pen.t("workbook.changes"))
    _summary(pen, row + 1, kept)
    if "sampling.share" in pen.draft.trace:
        _leading(pen, row + 1)


def counted(pen: Pen, row: int, kept: Kept | None, columns: tuple[int, int]) -> None:
    """In the line of a tab: how many of its numbers have changed, and by how much at most."""
    if kept is not None:
        count, largest = (at(row, column) for column in columns)
        pen.formula(count, f"={kept.total(COUNT)}", 0.0, "text", "0", "center")
        pen.formula(largest, f"={kept.total(LARGEST)}", 0.0, "text", LARGEST_NUMBER, "center")


def tint(pen: Pen, first: str, last: str) -> None:
    """The tint of changed numbers for numbers of changes from one cell to another, if above 0."""
    rule = tinted(f"AND(ISNUMBER({first}),{first}>0)")
    pen.page.conditional_formatting.add(f"{first}:{last}", rule)


def _summary(pen: Pen, row: int, kept: Mapping[str, Kept]) -> None:
    """The number of changes of all tabs, and the largest of all."""
    lines = (("count", COUNT, "SUM", "0"), ("largest", LARGEST, "MAX", LARGEST_NUMBER))
    for k, (key, which, function, number) in enumerate(lines, start=1):
        cells = ",".join(one.total(which) for one in kept.values())
        pen.text(row + k, LABEL, pen.t(f"workbook.changes.{key}"), "label")
        pen.formula(at(row + k, VALUE), f"={function}({cells})", 0.0, "result", number, "center")
    tint(pen, at(row + 1, VALUE), at(row + 2, VALUE))
    pen.text(row + 3, LABEL, pen.t("workbook.changes.tint"), "label")
    pen.sample(row + 3, VALUE, pen.t("workbook.changes.sample"), "changed")


def _leading(pen: Pen, row: int) -> None:
    """The words of the first ranks now; a bar behind each probability."""
    find, trace = LookUp(pen.draft), pen.draft.trace
    titles = {RANK: "rank", WORD: "word", NOW: "now", THEN: "then"}
    heads = {column: pen.t(f"workbook.changes.{key}") for column, key in titles.items()}
    pen.heads(row, heads, (RANK, THEN), (WORD,))
    shares, words = trace["sampling.share"].values[0], find.ranked(LEADING)
    number = pen.draft.looks["sampling.share"].number
    for k, word in enumerate(words, start=1):
        place = f"MATCH({at(row + k, RANK)},{find.area('sampling.rank')},0)"
        pen.value(at(row + k, RANK), k, "label")
        shown = str(trace["vocabulary.words"].values[word, 0])
        looked_up = f'=IFERROR({find.at("vocabulary.words", place)}&"","{NOTHING_NEXT}")'
        pen.formula(at(row + k, WORD), looked_up, shown, "strong")
        share = float(shares[word])
        looked = find.at("sampling.share", place), find.kept("sampling.share", place)
        now, then = (f'=IFERROR({cell},"{NOTHING_NEXT}")' for cell in looked)
        pen.formula(at(row + k, NOW), now, share, "computed", number, "right")
        pen.formula(at(row + k, THEN), then, share, "echo", number, "right")
    for column in (NOW, THEN):
        span = f"{at(row + 1, column)}:{at(row + len(words), column)}"
        pen.page.conditional_formatting.add(span, bars(1))
