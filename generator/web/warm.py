"""Loads and lays out once what every sheet needs; whoever is forked from here begins at once.

The server lets its processes be forked from one that has imported this file. What it writes for
fonts goes when it ends; a forked process leaves it alone.
"""

import atexit
import contextlib
import gc
import tempfile

from generator.locales.folders import USUAL, written
from generator.render.worksheet.pdf_engine import PangoMissing, load_engine
from generator.web.desk import WebWork, pictured
from generator.web.form import CARDS, OWN, Choices
from generator.web.workers import used_folder

_folder = contextlib.ExitStack()
tempfile.tempdir = str(_folder.enter_context(used_folder()))
atexit.register(_folder.close)
for card in CARDS.keys() - {OWN}:
    usual = WebWork(Choices(lesson=card, words=USUAL))
    usual.overview()
    usual.look()
for code in written():
    pictured(code)
with contextlib.suppress(PangoMissing):  # the first set to be made says so, with what to install
    load_engine()
gc.collect()
gc.freeze()  # what is inherited is never garbage: looking through it would only copy it
