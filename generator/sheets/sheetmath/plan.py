"""Sheet math, the reference: the whole model at a glance. Nothing to fill, no limit of tokens."""

from generator.sheets.plan import nothing_asked

plan = nothing_asked
