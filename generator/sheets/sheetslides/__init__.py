"""Sheet slides: pages for a projector on which one token's attention grows step by step."""

from generator.sheets.kind import Kind

KIND = Kind(order=46, slug="projector", screen=True, filled=False, single=True, small="paris")
