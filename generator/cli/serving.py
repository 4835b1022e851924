"""The command that starts the page for teachers."""

import argparse

from generator.errors import UserError

INSTALL = "pip install 'paperformer[web]', in a checkout: .venv/bin/pip install -e '.[web]'"


def serve(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    try:
        import uvicorn

        from generator.web.server import app
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "generator":
            raise
        raise UserError(f"serve needs {error.name}: {INSTALL}") from error
    print(f"http://{args.host}:{args.port}  (Ctrl-C ends it)", flush=True)
    try:
        uvicorn.run(app(args.jobs), host=args.host, port=args.port, log_level="warning")
    except SystemExit as error:
        raise UserError(
            f"--port {args.port}: the server could not start there, see the line above; "
            "another program may use that port, take another one, such as --port 8001"
        ) from error
    return 0
