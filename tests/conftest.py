"""Fixtures that all tests share."""

from tests.support.memo import renderings as renderings
from tests.support.office import office as office
