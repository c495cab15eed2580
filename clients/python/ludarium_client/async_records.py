"""Finished games, ratings, statements and imports (source of `records.py`)."""
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
    ImportBody,
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
    """Methods about finished games: records, ratings, signatures and imports."""

    async def records(self, **wanted: Any) -> FinishedPage:
        """Search finished public games.

        Args:
            wanted: `player`, `tournament`, `ruleset`, `seats`, `outcome`, `bot`, `since` and `until` (days in UTC), `length`
                (a range of events such as "100-300"), `sort`, `after` (the `next` of a page) and `limit`.
        """
        return await self._run(self._do.archive.records(**wanted))

    async def bulk_records(self, **wanted: Any) -> list[dict[str, Any]]:
        """Download the records of the games that `records` finds, at most 100 a call.

        For the next part, send the last record's `table` as `after`.
        """
        return await self._run(self._do.archive.bulk_records(**wanted))

    async def card_statistics(
        self, ruleset: str, seats: int | None = None, seat: int | None = None, who: Literal["people", "bots"] = "people"
    ) -> CardStatistics:
        """Return how often seats that held a certain card won, in finished public games."""
        return await self._run(self._do.archive.card_statistics(ruleset, seats, seat, who))

    async def leaderboard(self, ruleset: str, size: Literal["two", "many"] = "two", limit: int = 100) -> Leaderboard:
        """Return the best-rated players of a ruleset, at tables of two seats or of many."""
        return await self._run(self._do.archive.leaderboard(ruleset, size, limit))

    async def ratings(self, player: str) -> PlayerRatings:
        """Return a player's rating in each ruleset, game by game."""
        return await self._run(self._do.archive.ratings(player))

    async def signing_keys(self) -> SigningKeys:
        """Return the keys with which this server signs or has signed.

        Store them where the server cannot change them.
        """
        return await self._run(self._do.archive.signing_keys())

    async def statement(self, table: str) -> Statement:
        """Return a table's length, last hash and places, signed if the server has a key.

        `kept.is_signed` verifies the signature.
        """
        return await self._run(self._do.archive.statement(table))

    async def check_kept(self, kept: Kept, keys: Sequence[str]) -> Judgement:
        """Check whether the server still has an event, or a signed cut explains its loss.

        Args:
            kept: the event's `seq`, `head` and time, as saved earlier.
            keys: trusted public keys (Ed25519), in hexadecimal.
        """
        return await self._run(self._do.archive.check_kept(kept, keys))

    async def cuts(self, table: str) -> list[Cut]:
        """List the losses of log events that may have affected a table."""
        return (await self._run(self._do.archive.cuts(table))).cuts

    async def heads(self, since: str | None = None, limit: int = 100) -> HourPage:
        """List hours with the Merkle root over the tables that ended in them.

        Continue with `next` as `since` until it is None.
        """
        return await self._run(self._do.archive.heads(since, limit))

    async def hour_proof(self, table: str) -> HourProof:
        """Return the proof that a finished table's last hash is in its hour's root."""
        return await self._run(self._do.archive.hour_proof(table))

    async def bring_record(self, data: bytes) -> ImportBody:
        """Import the record file of a game that was played elsewhere.

        Only you can see it. Importing the same file again returns the same import.
        """
        return await self._run(self._do.archive.bring_record(data))

    async def imports(self, after: str | None = None, limit: int = 50) -> ImportPage:
        """List your imported records, the newest first."""
        return await self._run(self._do.archive.imports(after, limit))

    async def imported(self, import_: str) -> ImportBody:
        """Return the summary of an imported record."""
        return await self._run(self._do.archive.imported(import_))

    async def forget_import(self, import_: str) -> None:
        """Delete an imported record."""
        await self._run(self._do.archive.forget_import(import_))

    async def imported_record(self, import_: str) -> bytes:
        """Return the imported file, byte for byte."""
        return await self._run(self._do.archive.imported_record(import_))

    async def imported_events(
        self, import_: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None
    ) -> EventPage:
        """List the events of an imported game, by default as spectators saw them.

        Args:
            import_: the import's id.
            after: the last known `seq`; -1 starts at the first event.
            limit: the most events in the answer.
            viewer: a seat, or "spectator".
        """
        return await self._run(self._do.archive.imported_events(import_, after, limit, viewer))

    async def imported_view(self, import_: str, at: int | None = None, viewer: Viewer | None = None) -> TableView:
        """Return the view of an imported game at its end, or after event `at`."""
        return await self._run(self._do.archive.imported_view(import_, at, viewer))

    async def imported_replay(self, import_: str, viewer: Watcher | None = None) -> Replay:
        """Return an imported game event by event, as `viewer` saw it.

        "everything" shows all hands of a complete record.
        """
        return await self._run(self._do.archive.imported_replay(import_, viewer))

    async def imported_frames(
        self, import_: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None
    ) -> FramePage:
        """Return an imported game view by view. Continue after `next` until it is None."""
        return await self._run(self._do.archive.imported_frames(import_, after, limit, viewer))
