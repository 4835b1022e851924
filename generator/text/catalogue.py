"""The catalogues under their former name, until every reader has moved to `generator.locales`."""

from generator.locales.catalogue import Catalogue, load, step_place, step_round
from generator.locales.folders import languages

LANGUAGES = languages()

__all__ = ["LANGUAGES", "Catalogue", "load", "step_place", "step_round"]
