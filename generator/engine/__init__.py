"""The engine: from a preset and a sentence to a Trace. Knows no Excel, no HTML, no language."""
