"""The truth table of marking: what simulated pupils deserve, and what rule and causes say.

`python -m tests.grading.truth` prints it as it stands in docs/how-to/marking-rule.md: every pupil
hands in a real file. It needs LibreOffice and some minutes.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from generator.grading.marking.causes import Told, told
from generator.grading.marking.rule import BoxMark, Paper
from generator.grading.marking.scheme import EARNED, How
from tests.grading.come_back import Back, by_hand, forms, workbooks
from tests.grading.papers import FILLED
from tests.grading.pupils import Solved

PUPILS, OFFICE = 66, 60  # forms of each sheet, workbooks in each format
KINDS = ("xlsx", "ods")
HEAD = (
    "| sheet | boxes | withheld: right only | carried only | the rule | given wrongly "
    "| slips | probably | possibly | probably another | not told |"
)
SLIPS = ("named", "among", "other", "none")


def counted(papers: Iterable[Back]) -> Counter[str]:
    """What happened to the boxes of some simulated pupils."""
    found = Counter[str]()
    for asked, paper, typed in papers:
        read = Paper(asked, typed)
        marks = read.judged().values()
        why = told(read, marks)
        for one in marks:
            found.update(_of_box(paper, read, one, why.get(one.cell, Told())))
    return found


def all_counted(pupils: int, office: int) -> dict[str, Counter[str]]:
    """What happened by sheet, and to workbooks by format; each pupil's file was really written."""
    # LibreOffice may still write there.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        back = forms(Path(name), FILLED, pupils, by_hand)
        back |= {f"workbook, .{kind}": workbooks(Path(name), office, kind) for kind in KINDS}
    return {name: counted(some) for name, some in back.items()}


def _of_box(paper: Solved, read: Paper, one: BoxMark, why: Told) -> Iterator[str]:
    yield "boxes"
    if one.cell in paper.blank:
        return
    if one.cell in paper.slips or one.cell in paper.miswritten:
        if one.how in EARNED:
            yield "given"
        yield from _of_slip(paper, why, one)
        return
    yield "fair"
    if one.how not in EARNED:
        yield "withheld"
    if one.how is not How.ORIGINAL:
        yield "withheld by right"
    box = read.question.boxes[one.cell]
    if not (read.own.is_right(box) if box.is_computed else one.how is How.ORIGINAL):
        yield "withheld by carried"


def _of_slip(paper: Solved, why: Told, one: BoxMark) -> Iterator[str]:
    if one.cell in paper.miswritten:
        yield "miswritten"
        if why.probable:
            yield "accused"
        return
    yield "slips"
    if paper.slips[one.cell] in why.causes:
        yield "named" if why.probable else "among"
    else:
        yield "other" if why.probable else "none"


def share(found: Counter[str], part: str, whole: str) -> float:
    """A count as a share of another one, 0 where there is none."""
    return found[part] / found[whole] if found[whole] else 0.0


def row(name: str, found: Counter[str]) -> str:
    """A line of the table."""
    withheld = [
        f"{100 * share(found, part, 'fair'):.1f} %"
        for part in ("withheld by right", "withheld by carried", "withheld")
    ]
    slips = [f"{100 * share(found, part, 'slips'):.0f} %" for part in SLIPS]
    wrong = found["slips"] + found["miswritten"]
    cells = [name, f"{found['boxes']:,}", *withheld, f"{found['given']} of {wrong}"]
    return f"| {' | '.join([*cells, str(found['slips']), *slips])} |"


def main() -> None:
    """Print the table."""
    found = all_counted(PUPILS, OFFICE)
    whole = sum(found.values(), Counter[str]())
    print(HEAD)
    print(f"|{'---|' * (HEAD.count('|') - 1)}")
    for name, one in {**found, "all": whole}.items():
        print(row(name, one))
    pupils = PUPILS * len(FILLED) + OFFICE * len(KINDS)
    print(f"{pupils:,} pupils; miswritten {whole['miswritten']:,}, of these "
          f"{100 * share(whole, 'accused', 'miswritten'):.0f} % with a probable cause")  # fmt: skip


if __name__ == "__main__":
    main()
