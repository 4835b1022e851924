"""Sheet slide: the hand-out to the slides, attention with small numbers; the best first lesson."""

from generator.sheets.kind import Kind

KIND = Kind(order=45, slug="hand-out", board="tokens", small="paris")
