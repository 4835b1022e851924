"""The commands for teachers without a terminal: the page, and the ready-made files as a site."""

import argparse
import signal
import sys
from pathlib import Path

from generator.cli import values
from generator.errors import UserError

INSTALL = "pip install 'paperformer[web]', in a checkout: .venv/bin/pip install -e '.[web]'"


def serve(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    try:
        import uvicorn

        from generator.web.server import app
        from generator.web.status import told
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "generator":
            raise
        raise UserError(f"serve needs {error.name}: {INSTALL}") from error
    if args.log:
        told()
    print(f"http://{args.host}:{args.port}  (Ctrl-C ends it)", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: what is ours goes
    try:
        uvicorn.run(app(args.jobs), host=args.host, port=args.port, log_level="warning")
    except SystemExit as error:
        raise UserError(
            f"--port {args.port}: the server could not start there, see the line above; "
            "another program may use that port, take another one, such as --port 8001"
        ) from error
    return 0


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
    for problem in built.problems:
        print(f"paperformer: {problem}", file=sys.stderr)
    print(f"{built}\n{Path(args.folder, 'index.html')}")
    return 1 if built.problems else 0
