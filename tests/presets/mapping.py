"""The mapping file that the guide shows."""

import re
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "real-weights.md"


def shown() -> str:
    """The mapping of the guide, for the source's class GPT."""
    found = re.search(r"<!-- mapping: gpt -->\n```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.S)
    assert found
    return found[1]
