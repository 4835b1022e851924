"""Sheet math, the reference: the whole model at a glance. Nothing to fill, no limit of tokens."""

from functools import partial

from generator.sheets.plan import nothing_asked

plan = partial(nothing_asked, "math")
