"""The server that the tests of the page ask."""

from tests.support.page import page as page
