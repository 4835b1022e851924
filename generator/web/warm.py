"""Loads and lays out once what every sheet needs; whoever is forked from here begins at once.

The server lets its processes be forked from one that has imported this file.
"""

import contextlib
import gc

from generator.locales.folders import USUAL
from generator.render.worksheet.pdf import PangoMissing, load_engine
from generator.web import desk
from generator.web.form import CARDS, OWN, Choices

for card in CARDS.keys() - {OWN}:
    usual = Choices(lesson=card, words=USUAL)
    desk.overview(usual)
    desk.look(usual)
with contextlib.suppress(PangoMissing):  # the first set to be made says so, with what to install
    load_engine()
gc.collect()
gc.freeze()  # what is inherited is never garbage: looking through it would only copy it
