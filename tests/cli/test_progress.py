"""The bar on a terminal: what it shows, and that it has no thread of its own."""

import io
import sys
import threading

from generator.cli.streams import bar


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
