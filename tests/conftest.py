"""Fixtures that all tests share."""

from tests.support.office import office as office
