"""Takes an author's own sheets out of this process again, so that no later test has them too."""

import sys

import pytest

from generator import resources, sheets


@pytest.fixture(autouse=True)
def own_sheets_are_forgotten():
    """After each test: no folder that it read is among the sheets and phrases of the next one."""
    yield
    if not resources._own_sheets:
        return
    from generator.sheets.series import SERIES

    packages = tuple(f"{sheets.__name__}.{name}" for name in resources._own_sheets)
    for module in [one for one in sys.modules if one.startswith(packages)]:
        del sys.modules[module]
    SERIES._own.clear()
    resources._own_sheets.clear()
