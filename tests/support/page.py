"""The page's server as tests ask it: orders, their end, and what is said to be wrong."""

import re
import time
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from generator.web import server

ORDER = {"lesson": "attention", "level": "1", "story": "on"}


@pytest.fixture(scope="module")
def page() -> Iterator[TestClient]:
    with TestClient(server.app(1), follow_redirects=True) as client:
        yield client


def finished(page: TestClient, url: str) -> str:
    """The order's page when it is done or has failed."""
    for _ in range(300):
        text = page.get(url).text
        if "http-equiv" not in text:
            return text
        time.sleep(0.2)
    raise AssertionError("no end")


def alerts(text: str) -> list[str]:
    """What is said at the fields."""
    found = re.findall(r'role="alert">([^<]+)', text)
    return [one.strip() for one in found if one.strip()]
