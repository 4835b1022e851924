"""The commands for teachers without a terminal: the page, and the ready-made files as a site."""

import argparse
import contextlib
import ipaddress
import os
import re
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from generator.cli import values
from generator.cli.streams import say
from generator.errors import UserError, refused, require
from generator.versions import INSTALL_WEB

NAME = re.compile(r"(?=.{1,253}\Z)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
LONGEST_SOCKET = 103  # bytes of a socket's name: 108 on Linux, 104 on macOS, with the end mark


def serve(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    with _installed("serve"):
        import uvicorn

        from generator.web.guard import log_requests
        from generator.web.server import app
        from generator.web.slow_clients import HeadInTime
    if args.log:
        log_requests()
    config = uvicorn.Config(
        app(args.jobs, names=(args.host, *map(_name, args.public_name))),
        log_level="warning",
        http=HeadInTime,
        forwarded_allow_ips=list(map(_network, args.trusted_proxy)),
    )
    _require_short(tempfile.gettempdir())
    place = _listening(args.host, args.port)
    server = uvicorn.Server(config)
    named = f"[{args.host}]" if ":" in args.host else args.host
    print(f"http://{named}:{args.port}  (Ctrl-C ends it)", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: what is ours goes
    with place, contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[place])
    return 0


def _name(name: str) -> str:
    """A name by which the server is asked; `UserError` for anything longer than the name."""
    require(NAME.fullmatch(name), "serve.name", name=name)
    return name


def _network(proxy: str) -> str:
    """The address of a web server, or its network; `UserError` for what is none."""
    try:
        return str(ipaddress.ip_network(proxy))
    except ValueError as error:
        raise refused("serve.proxy", proxy=proxy, error=error) from None


def _require_short(folder: str) -> None:
    """Processes find each other by a socket in this folder; the system keeps its name short."""
    most, size = LONGEST_SOCKET - len("/pymp-12345678/listener-12345678"), len(os.fsencode(folder))
    short = sys.platform == "win32" or size <= most
    require(short, "serve.temporary", folder=folder, size=size, most=most)


def _listening(host: str, port: int) -> socket.socket:
    """The place where the server is asked; `UserError` where this computer has none such free."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        raise refused("serve.place", host=host, port=port, error=error) from None


def page(args: argparse.Namespace) -> int:
    """Write the page as static files: a browser computes in place of the server."""
    with _installed("page"):
        from generator.web.alone.build import page as written

    paths = written(args.folder, pyodide=args.pyodide)
    size = sum(path.stat().st_size for path in paths) // 1_000_000
    print(f"{len(paths)} files, {size} MB\n{Path(args.folder, 'index.html')}")
    return 0


@contextlib.contextmanager
def _installed(command: str) -> Iterator[None]:
    """Within it, a library that is not installed becomes a message that says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "generator":
            raise
        raise UserError(f"{command} needs {error.name}: {INSTALL_WEB}") from error


def gallery(args: argparse.Namespace) -> int:
    """Write the gallery; 1 where a part of it could not be made."""
    from generator.api import gallery as written

    def told(done: int, of: int) -> None:
        rest = ", now the routes' ZIPs, further papers and the pages: that may take minutes"
        print(f"{done} of {of} parts made{rest if done == of else ''}", file=sys.stderr)

    built = written(**values.said(args), told=told)
    say(*built.problems)
    print(f"{built}\n{Path(args.folder, 'index.html')}")
    return 1 if built.problems else 0
