"""A plain web server for the page without a server, with the strict policy that its guide names.

Where Python for browsers is not at hand, `relay` puts a worker in the place of the real one: it
sends each message of the page to the same desk in this process. All else is the real thing.
"""

import asyncio
import functools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote

from generator.web.alone.inside import Desk

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
RELAY = b"""
onmessage = async ({ data }) => {
  const about = JSON.stringify([data.method, data.address, data.headers]);
  const headers = { about: encodeURIComponent(about) };
  const answer = await fetch("relay", { method: "POST", headers, body: data.body });
  const [status, said] = JSON.parse(decodeURIComponent(answer.headers.get("about")));
  const body = new Uint8Array(await answer.arrayBuffer());
  const found = { kind: "answer", number: data.number, status, headers: said, body };
  postMessage(found, [body.buffer]);
};
postMessage({ kind: "ready" });
"""


class Handler(SimpleHTTPRequestHandler):
    """Sends files, and asks the desk where it has one."""

    ask = None

    def do_GET(self) -> None:
        if self.ask and self.path == "/worker.js":
            self._send(RELAY, {"content-type": "text/javascript"})
        else:
            super().do_GET()

    def do_POST(self) -> None:
        method, address, headers = json.loads(unquote(self.headers["about"]))
        body = self.rfile.read(int(self.headers["content-length"]))
        status, said, content = self.ask(method, address, headers, body)
        self._send(content, {"about": quote(json.dumps([status, said]))})

    def _send(self, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(200)
        for name, value in {**headers, "content-length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def end_headers(self) -> None:
        self.send_header("content-security-policy", POLICY)
        super().end_headers()

    def handle(self) -> None:
        with suppress(OSError):  # a browser that was closed
            super().handle()

    def log_message(self, *parts: object) -> None:
        pass


@contextmanager
def served(folder: Path, *, relay: bool = False) -> Iterator[str]:
    """The address under which a folder's files are sent."""
    kind = type("Served", (Handler,), {})
    with _desk() if relay else _nobody() as ask:
        kind.ask = staticmethod(ask) if ask else None
        server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(kind, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        server.server_close()


@contextmanager
def _nobody() -> Iterator[None]:
    yield None


@contextmanager
def _desk() -> Iterator[object]:
    """A desk in a thread of its own, as a worker is one."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def done(work):
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    desk = Desk()
    done(desk.open())
    yield lambda *asked: done(desk.answer(*asked))
    done(desk.close())
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
