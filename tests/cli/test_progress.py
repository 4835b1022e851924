"""The bar on a terminal: what it shows, and that it has no thread of its own."""

import io
import sys
import threading

from generator.cli import main
from generator.cli.streams import bar
from generator.site.build import Built


class Terminal(io.StringIO):
    """What is shown to somebody who looks."""

    def isatty(self) -> bool:
        return True


def test_it_shows_how_many_and_no_thread_keeps_processes_from_being_forked(
    monkeypatch,
) -> None:
    screen, threads = Terminal(), threading.active_count()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    with bar("sets", "sets made, now the papers") as told:
        told(1, 3)
        told(3, 3)
        assert threading.active_count() == threads
    assert "sets made, now the papers" in screen.getvalue()
    assert "3/3" in screen.getvalue()


def test_a_pipe_gets_nothing(capsys) -> None:
    with bar("sets", "sets made") as told:
        told(1, 1)
    assert capsys.readouterr() == ("", "")


def test_a_gallery_says_what_comes_after_its_parts(monkeypatch, capsys, tmp_path) -> None:
    def made(folder, told, **_):
        for done in (1, 2):
            told(done, 2)
        return Built(("de/paris", "en/paris"), (), (), (), 1_000_000)

    monkeypatch.setattr("generator.api.gallery", made)
    assert main(["gallery", str(tmp_path)]) == 0
    first, last = capsys.readouterr().err.splitlines()
    assert first == "1 of 2 parts made"
    assert last.startswith("2 of 2 parts made, now ")
