"""Generated from `async_records.py` by `make schema`: do not edit."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

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
from ludarium_client.runner import Runner


class Records(Runner):
    def records(self, **wanted: Any) -> FinishedPage:
        """Games that are over: by `player`, `tournament`, `ruleset`, `seats`, `outcome`, `bot`, `since`, `until`, `length`."""
        return self._run(self._do.archive.records(**wanted))

    def bulk_records(self, **wanted: Any) -> list[dict[str, Any]]:
        """The records of the games that `records` finds, at most 100 at a time; go on behind the last one's `table`."""
        return self._run(self._do.archive.bulk_records(**wanted))

    def card_statistics(
        self, ruleset: str, seats: int | None = None, seat: int | None = None, who: Literal["people", "bots"] = "people"
    ) -> CardStatistics:
        return self._run(self._do.archive.card_statistics(ruleset, seats, seat, who))

    def leaderboard(self, ruleset: str, size: Literal["two", "many"] = "two", limit: int = 100) -> Leaderboard:
        """Who is best at a ruleset, by rated games at tables of two seats or of many."""
        return self._run(self._do.archive.leaderboard(ruleset, size, limit))

    def ratings(self, player: str) -> PlayerRatings:
        """How good somebody is at each ruleset, and how that came."""
        return self._run(self._do.archive.ratings(player))

    def signing_keys(self) -> SigningKeys:
        """Those under which this server signs. Keep them where it cannot change them."""
        return self._run(self._do.archive.signing_keys())

    def statement(self, table: str) -> Statement:
        """How long the table's log is, and its last hash, under the server's name; `kept.is_signed` checks it."""
        return self._run(self._do.archive.statement(table))

    def check_kept(self, kept: Kept, keys: Sequence[str]) -> Judgement:
        """Whether the server still has the event that one has kept; if not, whether a signed cut excuses it."""
        return self._run(self._do.archive.check_kept(kept, keys))

    def cuts(self, table: str) -> list[Cut]:
        return (self._run(self._do.archive.cuts(table))).cuts

    def heads(self, since: str | None = None, limit: int = 100) -> HourPage:
        """An hour's root over the tables that were over in it; go on at `next` until it is None."""
        return self._run(self._do.archive.heads(since, limit))

    def hour_proof(self, table: str) -> HourProof:
        return self._run(self._do.archive.hour_proof(table))

    def bring_record(self, data: bytes) -> Import:
        """Keep the file of a game that was played elsewhere, to look at it here; the same one is kept once."""
        return self._run(self._do.archive.bring_record(data))

    def imports(self, after: str | None = None, limit: int = 50) -> ImportPage:
        """What one has brought here, the newest first."""
        return self._run(self._do.archive.imports(after, limit))

    def imported(self, import_: str) -> Import:
        return self._run(self._do.archive.imported(import_))

    def forget_import(self, import_: str) -> None:
        self._run(self._do.archive.forget_import(import_))

    def imported_record(self, import_: str) -> bytes:
        """The file as it was brought."""
        return self._run(self._do.archive.imported_record(import_))

    def imported_events(
        self, import_: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None
    ) -> EventPage:
        """As `events` of a table, by default as spectators saw them."""
        return self._run(self._do.archive.imported_events(import_, after, limit, viewer))

    def imported_view(self, import_: str, at: int | None = None, viewer: Viewer | None = None) -> TableView:
        return self._run(self._do.archive.imported_view(import_, at, viewer))

    def imported_replay(self, import_: str, viewer: Watcher | None = None) -> Replay:
        """The imported game event by event, as `viewer` saw it; "everything" has all hands."""
        return self._run(self._do.archive.imported_replay(import_, viewer))

    def imported_frames(
        self, import_: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None
    ) -> FramePage:
        """View by view; go on behind `next` until it is None."""
        return self._run(self._do.archive.imported_frames(import_, after, limit, viewer))
