"""Calls of all tournaments to players, and the notices that follow from them."""
from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta

from ludarium.notices.schemas import Notice, NoticeKind
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections import calls
from ludarium.tables.commands import stored
from ludarium.tables.model.timing import timestamp
from ludarium.tournaments.calls import Call, calls_of
from ludarium.tournaments.store import TournamentStore

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
KINDS: dict[str, NoticeKind] = {"next_table": "round", "check_in": "check_in", "ruling": "ruling"}
"""The kind of a notice, by the type of the call."""


class TournamentCalls:
    """The calls of all tournaments."""

    def __init__(self, database: Database, tournaments: TournamentStore) -> None:
        self._database, self._tournaments = database, tournaments

    async def of(self, players: Collection[str]) -> dict[str, list[Call]]:
        """Return the current calls by player.

        Raises:
            Problem: with status 503, while the calls cannot be read.
        """
        with stored():
            found: dict[str, list[Call]] = {}
            for stream, entered in (await calls.entered_players(self._database, players)).items():
                state = await self._tournaments.fresh(stream)
                unopened = await self._tournaments.unopened(state)
                for player in entered:
                    found.setdefault(player, []).extend(calls_of(state, player, self._tournaments.now(), unopened))
        return found


def notices_of_calls(called: Collection[Call]) -> Iterator[Notice]:
    """Yield the notices of a player's calls, as not read."""
    for call in called:
        at, data = EPOCH + timedelta(microseconds=call.at), call.data
        identifier = ids.derived_id(call.at // 1000, b"", f"{call.type} {call.about}".encode())
        yield Notice(
            id=ids.encode(identifier), kind=KINDS[call.type], at=timestamp(at), read=False, tournament=data["tournament"],
            table=data.get("table"), stage=data.get("stage"), round=data.get("round"), board=data.get("board"),
            verdict=data.get("verdict"), until=data.get("until"),
        )  # fmt: skip
