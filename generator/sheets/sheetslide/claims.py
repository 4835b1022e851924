"""What the hand-out to the slides says of its own result, with what must be true of it."""

from generator.insight.claims import Claim
from generator.sheets.filling import fills
from generator.sheets.sheet4a.claims import of_answers, sees

CLAIMS = {
    **of_answers("sheetslide"),
    "sheetslide.sees.none": Claim(sees("none")),
    "sheetslide.sees.causal": Claim(sees("causal")),
    "sheetslide.sees.strict": Claim(sees("strict")),
    "sheetslide.reality.strict": Claim(sees("strict")),
    "sheetslide.first_row": Claim(sees("strict")),
    "sheetslide.next": Claim(fills("4a"), "sheetslide.next.general"),
}
