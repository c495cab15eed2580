"""Commands that a table accepted before, recognised by their Idempotency-Key.

They get their first response again, computed from the log.
"""
from __future__ import annotations

from uuid import UUID

from ludarium.platform.idempotency import Identity
from ludarium.platform.problems import Problem
from ludarium.tables.appends import RedactedEvent, answer_to, audience_for, events_of_append, new_commit
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.table_cache import TableCache
from ludarium.tables.timekeeping import Timekeeper


class Repeated(Exception):
    """This command was accepted before.

    Attributes:
        version: the version of its event.
    """

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class RepeatedCommands:
    def __init__(self, cache: TableCache, timekeeper: Timekeeper) -> None:
        self.cache, self.timekeeper = cache, timekeeper

    async def check(self, stream: UUID, identity: Identity | None) -> None:
        """Raise Repeated if this command was accepted before.

        Problem `key-reused` if its key was used for another.
        """
        known = await self.cache.store.command(stream, identity.key) if identity else None
        if known is None or identity is None:
            return
        request, version = known
        if request != identity.request:
            raise Problem("key-reused")
        raise Repeated(version)

    async def first_answer(self, stream: UUID, player: str, version: int) -> Accepted:
        events = await self.cache.events(stream)
        made = events_of_append(events, version)
        past = await self.cache.state_at(stream, events, version)
        audience = audience_for(past, player)
        own = [RedactedEvent(entry, {audience: entry.event.seen(past.shown(entry.version), audience)}) for entry in made]
        return answer_to(new_commit(past, own, [audience], self.timekeeper.outage_since(past, past.at)), player)
