"""Finished games, ratings, statements and imports, for `AsyncClient`. `records.py` is generated from this module."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ludarium_client.async_runner import AsyncRunner
from ludarium_client.bodies import (
    CardStatistics,
    Cut,
    EventPage,
    FinishedPage,
    FramePage,
    HourPage,
    HourProof,
    Import,
    ImportPage,
    Leaderboard,
    PlayerRatings,
    Replay,
    SigningKeys,
    Statement,
    TableView,
)
from ludarium_client.follower import Viewer, Watcher
from ludarium_client.kept import Judgement, Kept


class AsyncRecords(AsyncRunner):
    async def records(self, **wanted: Any) -> FinishedPage:
        """Games that are over: by `player`, `tournament`, `ruleset`, `seats`, `outcome`, `bot`, `since`, `until`, `length`."""
        return await self._run(self._do.archive.records(**wanted))

    async def bulk_records(self, **wanted: Any) -> list[dict[str, Any]]:
        """The records of the games that `records` finds, at most 100 at a time; go on behind the last one's `table`."""
        return await self._run(self._do.archive.bulk_records(**wanted))

    async def card_statistics(
        self, ruleset: str, seats: int | None = None, seat: int | None = None, who: Literal["people", "bots"] = "people"
    ) -> CardStatistics:
        return await self._run(self._do.archive.card_statistics(ruleset, seats, seat, who))

    async def leaderboard(self, ruleset: str, size: Literal["two", "many"] = "two", limit: int = 100) -> Leaderboard:
        """Who is best at a ruleset, by rated games at tables of two seats or of many."""
        return await self._run(self._do.archive.leaderboard(ruleset, size, limit))

    async def ratings(self, player: str) -> PlayerRatings:
        """How good somebody is at each ruleset, and how that came."""
        return await self._run(self._do.archive.ratings(player))

    async def signing_keys(self) -> SigningKeys:
        """Those under which this server signs. Keep them where it cannot change them."""
        return await self._run(self._do.archive.signing_keys())

    async def statement(self, table: str) -> Statement:
        """How long the table's log is, and its last hash, under the server's name; `kept.is_signed` checks it."""
        return await self._run(self._do.archive.statement(table))

    async def check_kept(self, kept: Kept, keys: Sequence[str]) -> Judgement:
        """Whether the server still has the event that one has kept; if not, whether a signed cut excuses it."""
        return await self._run(self._do.archive.check_kept(kept, keys))

    async def cuts(self, table: str) -> list[Cut]:
        return (await self._run(self._do.archive.cuts(table))).cuts

    async def heads(self, since: str | None = None, limit: int = 100) -> HourPage:
        """An hour's root over the tables that were over in it; go on at `next` until it is None."""
        return await self._run(self._do.archive.heads(since, limit))

    async def hour_proof(self, table: str) -> HourProof:
        return await self._run(self._do.archive.hour_proof(table))

    async def bring_record(self, data: bytes) -> Import:
        """Keep the file of a game that was played elsewhere, to look at it here; the same one is kept once."""
        return await self._run(self._do.archive.bring_record(data))

    async def imports(self, after: str | None = None, limit: int = 50) -> ImportPage:
        """What one has brought here, the newest first."""
        return await self._run(self._do.archive.imports(after, limit))

    async def imported(self, import_: str) -> Import:
        return await self._run(self._do.archive.imported(import_))

    async def forget_import(self, import_: str) -> None:
        await self._run(self._do.archive.forget_import(import_))

    async def imported_record(self, import_: str) -> bytes:
        """The file as it was brought."""
        return await self._run(self._do.archive.imported_record(import_))

    async def imported_events(
        self, import_: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None
    ) -> EventPage:
        """As `events` of a table, by default as spectators saw them."""
        return await self._run(self._do.archive.imported_events(import_, after, limit, viewer))

    async def imported_view(self, import_: str, at: int | None = None, viewer: Viewer | None = None) -> TableView:
        return await self._run(self._do.archive.imported_view(import_, at, viewer))

    async def imported_replay(self, import_: str, viewer: Watcher | None = None) -> Replay:
        """The imported game event by event, as `viewer` saw it; "everything" has all hands."""
        return await self._run(self._do.archive.imported_replay(import_, viewer))

    async def imported_frames(
        self, import_: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None
    ) -> FramePage:
        """View by view; go on behind `next` until it is None."""
        return await self._run(self._do.archive.imported_frames(import_, after, limit, viewer))
