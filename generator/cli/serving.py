"""The commands for teachers without a terminal: the page, and the ready-made files as a site."""

import argparse
import contextlib
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from generator.cli import values
from generator.cli.printing import say
from generator.errors import UserError

INSTALL = "pip install 'paperformer[web]', in a checkout: .venv/bin/pip install -e '.[web]'"


def serve(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    with _installed("serve"):
        import uvicorn

        from generator.web.server import app
        from generator.web.slow_clients import HeadInTime
        from generator.web.status import log_requests
    if args.log:
        log_requests()
    place = _listening(args.host, args.port)
    config = uvicorn.Config(app(args.jobs), log_level="warning", http=HeadInTime)
    server = uvicorn.Server(config)
    named = f"[{args.host}]" if ":" in args.host else args.host
    print(f"http://{named}:{args.port}  (Ctrl-C ends it)", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: what is ours goes
    with place, contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[place])
    return 0


def _listening(host: str, port: int) -> socket.socket:
    """The place where the server is asked; `UserError` where this computer has none such free."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        raise UserError(
            f"--host {host} --port {port}: the server cannot listen there ({error.strerror}); "
            "expected an address of this computer, such as 127.0.0.1, and a port that no other "
            "program uses, such as 8001"
        ) from None


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
        raise UserError(f"{command} needs {error.name}: {INSTALL}") from error


def gallery(args: argparse.Namespace) -> int:
    """Write the gallery; 1 where a part of it could not be made."""
    from generator.api import gallery as written

    built = written(
        args.folder,
        presets=args.preset,
        languages=args.language,
        levels=args.level and [values.level(one) for one in args.level],
        small=args.small,
        address=args.address,
        docs=args.docs,
        jobs=args.jobs,
        told=lambda done, of: print(f"{done} of {of} parts made", file=sys.stderr),
    )
    say(*built.problems)
    print(f"{built}\n{Path(args.folder, 'index.html')}")
    return 1 if built.problems else 0
