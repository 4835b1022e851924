"""The page's server inside a browser: the same routes, asked by a worker, without a network.

What the server does in processes is done here one after the other, as a browser has none. Sheets
are HTML, which the browser prints: WeasyPrint does not run there.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.applications import Starlette
from starlette.formparsers import MultiPartParser
from starlette.types import Message

from generator.errors import UserError, refused
from generator.processes import Progress, nobody
from generator.web import workers
from generator.web.form import RefusedAnswers
from generator.web.guard import HANDED_IN
from generator.web.server import app
from generator.web.visits import LOOK

NAME = "browser"  # by which the server is asked, where there is no network
FIRST_SHOWN = 0.3  # seconds in which the page that shows an order is asked for, before work begins
FOR_PDF = ("weasyprint", "pydyf", "pikepdf")


class Desk:
    """Answers as the server does; `tell` hears how many of how many sets of an order are made."""

    def __init__(self, tell: Progress = nobody) -> None:
        self.tell, self.life = tell, AsyncExitStack()
        self.app: Starlette = app(1, names=[NAME], run=self.run, paper="html")
        MultiPartParser.spool_max_size = HANDED_IN  # a file on a disk would be read by a thread

    async def open(self) -> None:
        """Begin: a folder for orders."""
        await self.life.enter_async_context(self.app.router.lifespan_context(self.app))

    async def close(self) -> None:
        """End: orders and their folder are gone."""
        for task in self.app.state.jobs.tasks:
            task.cancel()
        await self.life.aclose()

    async def answer(
        self, method: str, address: str, headers: Mapping[str, str], body: bytes = b""
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and content of what the server would send."""
        messages: list[Message] = []

        async def send(message: Message) -> None:
            messages.append(message)

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(_scope(method, address, headers, body), receive, send)
        content = b"".join(message.get("body", b"") for message in messages[1:])
        headers_out = {name.decode(): value.decode() for name, value in messages[0]["headers"]}
        return messages[0]["status"], headers_out, content

    async def run(
        self,
        task: Callable[..., Any],
        *args: object,
        seconds: float,
        heard: Progress | None = None,
    ) -> Any:
        """What `workers.run` does in a process of its own, done here."""
        if seconds > LOOK:
            await asyncio.sleep(FIRST_SHOWN)

        def both(done: int, of: int) -> None:
            if heard:
                heard(done, of)
            self.tell(done, of)

        try:
            return task(*args, *([both] if heard else []))
        except (UserError, RefusedAnswers):
            raise
        except ModuleNotFoundError as error:
            if error.name not in FOR_PDF:
                raise
            raise refused("web.pdf") from None
        except MemoryError:
            raise refused("web.memory", has="a browser gives") from None
        except Exception as error:  # the browser's console says which one
            logging.getLogger(__name__).exception("a task of the page failed")
            raise workers.Defect("see the browser's console") from error


def _scope(method: str, address: str, headers: Mapping[str, str], body: bytes) -> dict[str, object]:
    """A request as servers hand it on (ASGI)."""
    parts = urlsplit(address)
    sent = {"host": NAME, "content-length": str(len(body)), **headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": parts.path,
        "raw_path": quote(parts.path).encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        "client": None,
        "server": (NAME, 80),
    }
