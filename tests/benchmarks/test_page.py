"""What measures the page gets answers from a real server, also from several teachers at once."""

import sys
from pathlib import Path

import pytest

from tests.benchmarks import page
from tests.support.page import served

pytestmark = [
    pytest.mark.ci,
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc what a process has used"),
]


def test_the_page_is_measured(tmp_path: Path):
    with served(tmp_path) as running:
        address, process = running.address, running.process.pid
        before = page.spent(process)
        assert len(page.teachers(address, 2, 1)) == 2
        assert page.spent(process) > before
        assert "Diese Datei ist nicht die ZIP-Datei der Klasse" in page.refused(address)
        assert page.resident(process) > 10
