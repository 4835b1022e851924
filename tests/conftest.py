"""Fixtures that all tests share, which cases run when, and how a run begins."""

from collections.abc import Iterator

import pytest

from tests.support import always, cases, startup, turns
from tests.support.chromium import browser as browser
from tests.support.memo import renderings as renderings
from tests.support.office import office as office
from tests.support.own_sheets import own_sheets_are_forgotten as own_sheets_are_forgotten

startup.keep_what_is_compiled()


def pytest_addoption(parser: pytest.Parser) -> None:
    """How `.ci/run` asks for a share of the slow proofs."""
    parser.addoption(turns.OPTION, default="1/1", help="a share of what is selected, as 2/4")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Workers compile the tests together."""
    startup.share_imports(session)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    """Marks what only `.ci/run` needs to run before marks select anything; then the turn does."""
    always.mark(items)
    yield
    turns.select(config, items)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test runs for each row that stands under its name in the cases.toml beside it."""
    cases.give(metafunc)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are no part of a test's name: made at its import, they may differ between workers."""
    return argname if isinstance(val, bytes) else None


def pytest_collection_finish() -> None:
    """From here on only tests make anything."""
    startup.forget_the_past()
