"""`paperformer serve` says what is wrong with the place where it is to be asked."""

import socket

import pytest

from generator.cli import main


@pytest.mark.parametrize("host", ["999.1.1.1", "192.0.2.1"])  # no address; nobody's (RFC 5737)
def test_an_address_that_is_not_ours_is_one_message(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--host", host, "--port", "8765"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"--host {host} --port 8765: the server cannot listen there" in said.err


def test_a_port_in_use_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"--port {port}" in said.err
    assert "a port that no other program uses" in said.err
