"""What the projector's pages say of their own result, with what must be true of it."""

from generator.insight.claims import Claim
from generator.insight.general_claims import GENERAL
from generator.sheets.sheet4a.claims import sees

CLAIMS = {
    "sheetslides.chosen": GENERAL["sheet.chosen"],
    "sheetslides.sees.none": Claim(sees("none")),
    "sheetslides.sees.causal": Claim(sees("causal")),
    "sheetslides.sees.strict": Claim(sees("strict")),
    "sheetslides.first_row": Claim(sees("strict")),
}
