"""Fixtures that all tests share, and which cases run always."""

import pytest

from tests.support import always
from tests.support.chromium import browser as browser
from tests.support.memo import renderings as renderings
from tests.support.office import office as office


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what only `.ci/run` needs to run, before marks select anything."""
    always.mark(items)
