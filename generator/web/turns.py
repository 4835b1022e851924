"""Turns at the few places where work is done: whoever asks for much does not shut others out."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(eq=False)
class Turn:
    """What a client waits for, by a name; those of lower rounds come before it."""

    client: str
    name: str
    round: int
    come: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Turns:
    """So many `places` at a time; `line` has those who wait, the next first.

    A client's first turn comes in the next round, its second in the one after: after forty of one
    client, another's first comes once one or two of the forty are done.
    """

    places: int
    line: list[Turn] = field(default_factory=list)
    round: int = 0

    @asynccontextmanager
    async def taken(self, client: str, name: str = "") -> AsyncIterator[None]:
        """Within it the turn has come; whoever stops waiting leaves the line."""
        turn = self._asked(client, name)
        try:
            self._call()
            await turn.come.wait()
            yield
        finally:
            if turn.come.is_set():
                self.places += 1
                self._call()
            else:
                self.line.remove(turn)

    def _asked(self, client: str, name: str) -> Turn:
        last = max((one.round for one in self.line if one.client == client), default=self.round)
        turn = Turn(client, name, last + 1)
        self.line.append(turn)
        self.line.sort(key=lambda one: one.round)  # keeps who came first
        return turn

    def _call(self) -> None:
        while self.places and self.line:
            turn = self.line.pop(0)
            self.places, self.round = self.places - 1, turn.round
            turn.come.set()
