"""`paperformer serve` says what is wrong with the place where it is to be asked."""

import asyncio
import socket

import pytest
import uvicorn
from uvicorn.server import ServerState

from generator.cli import main
from generator.web import server, slow_clients
from generator.web.slow_clients import HeadInTime


@pytest.mark.parametrize("host", ["999.1.1.1", "192.0.2.1"])  # no address; nobody's (RFC 5737)
def test_an_address_that_is_not_ours_is_one_message(host: str, capsys) -> None:
    assert main(["serve", "--host", host, "--port", "8765"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"--host {host} --port 8765: the server cannot listen there" in said.err


async def read_back(*sent: bytes) -> list[bytes]:
    """What a server answers to each piece that is sent; b"" where it closes the connection."""
    config = uvicorn.Config(server.app(1), http=HeadInTime)
    config.load()
    begun = await asyncio.get_running_loop().create_server(
        lambda: HeadInTime(config, ServerState(), {}), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*begun.sockets[0].getsockname())
    found = []
    for piece in sent:
        writer.write(piece)
        found.append(await asyncio.wait_for(reader.read(100_000), 3))
    writer.close()
    begun.close()
    return found


def test_who_does_not_end_the_head_of_a_request_is_not_waited_for(monkeypatch) -> None:
    monkeypatch.setattr(slow_clients, "HEAD", 0.2)
    whole = b"GET /walk.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert asyncio.run(read_back(whole[:-2])) == [b""]
    first, second = asyncio.run(read_back(whole, whole[:-2]))  # on the same connection
    assert first.startswith(b"HTTP/1.1 200")
    assert second == b""


def test_a_port_in_use_is_one_message(capsys) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"--port {port}" in said.err
    assert "a port that no other program uses" in said.err
