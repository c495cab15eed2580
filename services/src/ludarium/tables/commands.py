"""Commands as clients send them, over HTTP or WebSocket, with the same meaning."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic
from uuid import UUID

import msgspec
from msgspec import UNSET

from ludarium.platform import ids, metrics
from ludarium.platform.idempotency import Identity, identity_of
from ludarium.platform.json_input import parsed
from ludarium.platform.problems import Problem
from ludarium.platform.traces import span
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.model.timing import Arrival
from ludarium.tables.schemas import Command
from ludarium.tables.service import Tables
from ludarium_engine.kernel.decoding import json_decoder
from ludarium_eventstore import StoreUnavailable, Unfinished

_decode = json_decoder(Command)
_encode = msgspec.json.Encoder().encode


class Commands:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._under_way: set[tuple[UUID, UUID]] = set()
        self.unfinished = Unfinished()

    async def submit(
        self, player: str | None, table: str, key: str | None, body: bytes, *, received: float, lag: float = 0,
        minimal: bool = False,
    ) -> bytes:  # fmt: skip
        """Carry out a command, from the JSON of a Command to the JSON of its answer.

        Raises Problem.

        Args:
            received: when it arrived, by the monotonic clock.
            lag: last measured round trip to its sender, in seconds.
        """
        if player is None:
            raise Problem("unauthenticated")
        waited = timedelta(seconds=monotonic() - received)
        arrival = Arrival(self._tables.server_clock.now() - waited, round(lag * 1000))
        return _encode(await self.take(player, table, key, parsed(body, _decode), arrival, minimal=minimal))

    async def take(
        self, player: str, table: str, key: str | None, command: Command, arrival: Arrival | None = None, *,
        minimal: bool = False,
    ) -> Accepted:  # fmt: skip
        """Carry out a command. Raises Problem.

        Args:
            minimal: leave the view out of the answer.
        """
        stream, identity = stream_of(table), identity_of(key, player, command)
        with (
            span("command", {"ludarium.table": table}), metrics.answered(metrics.commands, metrics.command_time),
            self._alone(stream, identity), stored(), self.unfinished.operation(),
        ):  # fmt: skip
            accepted = await self._tables.command(stream, player, command, identity, arrival)
        return msgspec.structs.replace(accepted, view=UNSET) if minimal else accepted

    @contextmanager
    def _alone(self, stream: UUID, identity: Identity | None) -> Iterator[None]:
        """Refuse a second command with the same key in this process.

        The store does so between processes.
        """
        if identity is None:
            yield
            return
        claim = stream, identity.key
        if claim in self._under_way:
            raise Problem("key-in-use", retry_after=1)
        self._under_way.add(claim)
        try:
            yield
        finally:
            self._under_way.remove(claim)


@contextmanager
def stored() -> Iterator[None]:
    """Turn a failing store into a problem. Raises Problem `unavailable`."""
    try:
        yield
    except StoreUnavailable as error:
        raise Problem("unavailable", retry_after=5) from error


def stream_of(table_id: str) -> UUID:
    """Decode a table's id.

    Raises:
        Problem: `not-found` if it is malformed, as for an unknown id.
    """
    try:
        return ids.decode(table_id)
    except ValueError:
        raise Problem("not-found") from None
