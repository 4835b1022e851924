"""What the hand-out to the slides says of its own result, with what must be true of it."""

from generator.insight.claims import Claim
from generator.sheets.filling import fills
from generator.sheets.sheet4a.claims import of_answers, one_decides, one_leads, sees, several_lead

CLAIMS = {
    **of_answers("sheetslide"),
    "sheetslide.answer.why": Claim(one_leads, "sheetslide.answer.even"),
    "sheetslide.answer.even": Claim(several_lead),
    "sheetslide.answer.factor": Claim(one_decides),
    "sheetslide.sees.none": Claim(sees("none")),
    "sheetslide.sees.causal": Claim(sees("causal")),
    "sheetslide.sees.strict": Claim(sees("strict")),
    "sheetslide.reality.strict": Claim(sees("strict")),
    "sheetslide.first_row": Claim(sees("strict")),
    "sheetslide.next": Claim(fills("4a"), "sheetslide.next.general"),
}
