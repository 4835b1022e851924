"""Ends connections that begin a request and do not finish it: they would use up all places.

uvicorn waits without end for the head of a request, which is how "slowloris" keeps a server busy.
"""

import asyncio
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD = 20.0  # seconds that the head of a request may take


class HeadInTime(H11Protocol):
    """uvicorn's HTTP, which closes a connection whose request has no complete head in time."""

    late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(cast(asyncio.Transport, transport))
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on; whoever has sent a head is waited for no longer."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self.late is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self.late = self.loop.call_later(HEAD, self.transport.close)

    def _stop(self) -> None:
        if self.late is not None:
            self.late.cancel()
            self.late = None
