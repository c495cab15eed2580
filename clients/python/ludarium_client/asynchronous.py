"""The client for asyncio: playing, and all that its base classes can do. `blocking.py` is generated from it."""
from __future__ import annotations

from typing import Self

from ludarium_client.async_people import AsyncPeople
from ludarium_client.async_primitives import Choose, Run
from ludarium_client.async_records import AsyncRecords
from ludarium_client.async_studies import AsyncStudies
from ludarium_client.async_tables import AsyncTables
from ludarium_client.async_tournaments import AsyncTournaments
from ludarium_client.bodies import (
    Accepted,
    ActionBody,
    Event,
    Preference,
    TableView,
)
from ludarium_client.follower import Follower, Reset, Viewer
from ludarium_client.settings import PATIENCE


class Events:
    """What `follow` gives. A loop over it may be left and taken up again; `seen` is the last `seq` that was given."""

    def __init__(self, run: Run, follower: Follower) -> None:
        self.follower = follower
        self._run = run

    @property
    def seen(self) -> int:
        return self.follower.seen

    @property
    def head(self) -> str | None:
        """Of the event `seen`."""
        return self.follower.head

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event | Reset:
        if self.follower.over:
            await self.close()
            raise StopAsyncIteration
        event: Event | Reset = await self._run(self.follower.next())
        return event

    async def close(self) -> None:
        await self._run(self.follower.close())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncClient(AsyncPeople, AsyncTables, AsyncRecords):
    """One person or program at a Ludarium server. Every method raises Problem or Unreachable."""

    def __init__(self, server: str, token: str | None = None, *, patience: float = PATIENCE) -> None:
        """
        Args:
            server: its URL.
            token: None for somebody who is still to become a guest, or only watches.
            patience: seconds for which requests that may be sent again are, and lost connections opened anew.
        """
        super().__init__(server, token, patience)
        self.tournaments = AsyncTournaments(self._run, self._do.tournaments)
        self.studies = AsyncStudies(self._run, self._do.studies)

    async def submit(
        self, table: str, seq: int, action: ActionBody, key: str | None = None, head: str | None = None
    ) -> Accepted:
        """Answer what one is asked. Acts once, however often it has to be sent; `key` by default is a new one.

        `head`: of the view that one has decided on. If the server has lost it, this raises Problem `lost-row`: look again.
        """
        return await self._run(self._do.submit(table, seq, action, key, head))

    async def undo(self, table: str, seq: int, key: str | None = None, head: str | None = None) -> Accepted:
        return await self._run(self._do.undo(table, seq, key, head))

    async def prefer(self, table: str, preference: Preference, key: str | None = None) -> Accepted:
        """Always pass a window from now on, or no longer."""
        return await self._run(self._do.prefer(table, preference, key))

    def follow(self, table: str, after: int = -1, viewer: Viewer | None = None, head: str | None = None) -> Events:
        """The events behind `after`, each once and in order, to the end of the game, whatever becomes of the connection.

        A Reset in between says that the server has lost what was told; `head`, of the event at `after`, lets it know.
        """
        return Events(self._run, self._do.follower(table, after, viewer, head))

    async def play(self, table: str, choose: Choose, seat: int | None = None) -> TableView:
        """Play to the end of the game: `choose` answers each view in which the seat is asked. The view of the end."""
        async with Events(self._run, self._do.follower(table, -1, seat)) as events:
            return await self._run(self._do.play(events.follower), choose)
