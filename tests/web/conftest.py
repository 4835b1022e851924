"""The servers that the tests of the page ask: in this process, and as the command starts it."""

from tests.support.page import address as address
from tests.support.page import page as page
