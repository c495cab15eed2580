"""Commands from clients. HTTP and WebSocket requests are handled alike."""

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
        """Carry out a command that is given as JSON, and return the response as JSON.

        Args:
            body: a Command, as JSON.
            received: when the command arrived, by the monotonic clock, in seconds.
            lag: the last measured round trip to the sender, in seconds.
            minimal: leave the view out of the response.

        Returns:
            An Accepted, as JSON.

        Raises:
            Problem: if the command is refused.
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
        """Carry out a command.

        Args:
            minimal: leave the view out of the response.

        Raises:
            Problem: if the command is refused.
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
        """Refuse a command while another one with the same key is being processed.

        This covers commands in one process; the store detects equal keys in different processes.
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
    """Convert StoreUnavailable to the problem `unavailable`."""
    try:
        yield
    except StoreUnavailable as error:
        raise Problem("unavailable", retry_after=5) from error


def stream_of(table_id: str) -> UUID:
    """Decode a table's id.

    Raises:
        Problem: `not-found` if the id is malformed, as if there were no such table.
    """
    try:
        return ids.decode(table_id)
    except ValueError:
        raise Problem("not-found") from None
