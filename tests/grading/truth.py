"""The truth table of marking: what simulated pupils deserve, and what rule and causes say.

`python -m tests.grading.truth` prints it as it stands in docs/how-to/marking-rule.md: every pupil
hands in a real file. It needs LibreOffice and some minutes.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from generator.checks.verdict import RIGHT
from generator.grading.marking.causes import WrongEntry
from generator.grading.marking.question import Question
from generator.grading.marking.rule import EARNED, How, Judged, Paper
from tests.grading.come_back import Back, by_hand, forms, workbooks
from tests.grading.papers import FILLED
from tests.grading.pupils import Solved

PUPILS, OFFICE = 66, 60  # forms of each sheet, workbooks in each format
KINDS = ("xlsx", "ods")
HEAD = (
    "| sheet | boxes | withheld: right only | carried only | the rule | given wrongly "
    "| slips | named | among two or three | named wrongly | not told |"
)
SLIPS = ("named", "among", "other", "none")


def counted(papers: Iterable[Back]) -> Counter[str]:
    """What happened to the boxes of some simulated pupils."""
    found = Counter[str]()
    for asked, paper, typed in papers:
        read = Paper(asked, typed)
        for one in read.judged().values():
            found.update(_of_box(asked, paper, read, one))
    return found


def all_counted(pupils: int, office: int) -> dict[str, Counter[str]]:
    """What happened by sheet, and to workbooks by format; each pupil's file was really written."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = {sheet: counted(some) for sheet, some in forms(folder, FILLED, pupils, by_hand)}
        found |= {f"workbook, .{kind}": counted(workbooks(folder, office, kind)) for kind in KINDS}
    return found


def _of_box(asked: Question, paper: Solved, read: Paper, one: Judged) -> Iterator[str]:
    yield "boxes"
    if one.cell in paper.blank:
        return
    if one.cell in paper.slips or one.cell in paper.miswritten:
        if one.how in EARNED:
            yield "given"
        yield from _of_slip(paper, read, one)
        return
    yield "fair"
    if one.how not in EARNED:
        yield "withheld"
    if one.how is not How.ORIGINAL:
        yield "withheld by right"
    if asked.is_computed(one.cell):
        carried = read.own.verdict(one.cell) == RIGHT
    else:
        carried = one.how is How.ORIGINAL
    if not carried:
        yield "withheld by carried"


def _of_slip(paper: Solved, read: Paper, one: Judged) -> Iterator[str]:
    told = WrongEntry(read, one).causes()
    if one.cell in paper.miswritten:
        yield "miswritten"
        if len(told) == 1:
            yield "accused"
        return
    yield "slips"
    key = paper.slips[one.cell]
    if told == (key,):
        yield "named"
    elif key in told:
        yield "among"
    else:
        yield "other" if told else "none"


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
          f"{100 * share(whole, 'accused', 'miswritten'):.0f} % with a cause named")  # fmt: skip


if __name__ == "__main__":
    main()
