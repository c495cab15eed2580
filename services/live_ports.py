"""What the live gateway asks of accounts and tables, as it asks it."""

from typing import Literal

import msgspec

from engine.kernel import SPECTATOR
from services.accounts.accounts import Accounts
from services.api.commands import stored, stream_of
from services.tables.tables import Tables

PAGE = 200
"""Events that one read of the log gives the gateway."""
_encode = msgspec.json.Encoder().encode


class Doorkeeper:
    """Says who somebody is."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def player(self, token: str) -> str:
        return (await self._accounts.player(token)).id


class TableLog:
    """Says what a viewer may know of a table, and what it has missed."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def audience(self, player: str | None, table: str, as_: int | Literal["spectator"] | None) -> int:
        seat = SPECTATOR if as_ == "spectator" else as_
        with stored():
            return await self._tables.audience(stream_of(table), player, seat)

    async def missed(self, table: str, audience: int, after: int) -> list[bytes]:
        with stored():
            return [_encode(event) for event in await self._tables.events(stream_of(table), audience, after, PAGE)]
