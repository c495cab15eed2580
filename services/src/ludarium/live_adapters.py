"""Adapters through which the live gateway reads tables, games and tournaments."""

from collections.abc import Collection
from contextlib import suppress
from typing import Any

import msgspec

import ludarium_eventstore
from ludarium.accounts import relations
from ludarium.live.lobby import LobbyFilter
from ludarium.live.personal import Call, OwnGame
from ludarium.live.ports import (
    EventPlace,
    EventRef,
    EventsAfter,
    FoundEvents,
    LogCheckpoint,
    LogProgress,
    Viewpoint,
    WholeTable,
)
from ludarium.notices.notices import Notices
from ludarium.notices.tournament_calls import TournamentCalls
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.projections import turns
from ludarium.projections.lobby import TableQuery
from ludarium.projections.registry import Projections
from ludarium.projections.schemas import OwnTable
from ludarium.tables.appends import json
from ludarium.tables.commands import stored, stream_of
from ludarium.tables.event_schemas import Reset, ResetData
from ludarium.tables.model import access
from ludarium.tables.model.hash_chain import head_of
from ludarium.tables.model.table_state import TableState
from ludarium.tables.page_cache import PageCache
from ludarium.tables.service import Tables
from ludarium.tournaments.event_types import OPENED
from ludarium.tournaments.stream_export import pushed_event

NOBODY = -1


class TableLog:
    """Adapter that reads what a viewer may see of a table, and the events missed."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self._pages = tables, PageCache(tables)

    async def viewpoint(self, player: str | None, table_id: str, as_: int | None) -> Viewpoint:
        with stored():
            stream = stream_of(table_id)
            table, audience = await self._tables.attend(stream, player, as_)
            newest = await self._tables.cache.load(stream)      # `table` can be an earlier state, for delayed spectators
        guest = not access.may_see(table, player)
        row = EventRef(newest.version, head_of(newest.hash))
        return Viewpoint(audience, table.version, needed_seat(table, player, audience), player, guest, row)

    async def events_after(self, table: str, audience: int, after: int) -> EventsAfter:
        with stored():
            heads, events = await self._pages.read(stream_of(table), audience, after)
            known = (await self._tables.cache.load(stream_of(table))).version
        return EventsAfter(heads[0], events, known)

    async def current_view(self, table: str, audience: int) -> WholeTable:
        with stored():
            view = await self._tables.queries.view_for(stream_of(table), audience)
        reset = json(Reset(view.seq, view.head, ResetData(view)))
        return WholeTable(view.seq, reset)

    async def progress(self, tables: Collection[str], since: LogCheckpoint | None) -> LogProgress:
        with stored():
            mark, heads, whole = await self._tables.store.advanced(
                [*map(ids.decode, tables)], since and ludarium_eventstore.Mark(*since)
            )
        return LogProgress(LogCheckpoint(*mark), {ids.encode(stream): version for stream, version in heads.items()}, whole)

    async def find_events(self, places: Collection[EventPlace]) -> FoundEvents:
        with stored():
            rows = await self._tables.store.standing([(ids.decode(table), seq) for table, seq in places])
        names = {row.stream: ids.encode(row.stream) for row in rows}
        heads = {(names[row.stream], row.version): head_of(row.hash) for row in rows if row.hash is not None}
        return FoundEvents(heads, {names[row.stream]: row.last for row in rows if row.last is not None})

    def apply_replicated(self, table: str, row: bytes) -> None:
        with suppress(Problem):
            self._tables.cache.apply_replicated(stream_of(table), row)


def needed_seat(table: TableState, player: str | None, audience: int) -> int | None:
    """Return the player's seat if only this seat lets the player see the audience."""
    own = access.own_seat(table, player)
    insider = table.policies.spectators.are_private and player != table.lifecycle.host
    return own if own == audience or insider else None


class PlayersGames:
    """Adapter that finds players' games, and those in which it is their turn."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def playing(self, players: Collection[str]) -> dict[str, list[OwnGame]]:
        found = await turns.playing_tables(self._database, players)
        return {player: [own_game(table) for table in tables] for player, tables in found.items()}


class PlayersCalls:
    """Adapter that reads the calls of tournaments to players."""

    def __init__(self, calls: TournamentCalls) -> None:
        self._calls = calls

    async def calls(self, players: Collection[str]) -> dict[str, list[Call]]:
        found = await self._calls.of(players)
        return {player: [Call(call.type, call.about, call.data) for call in listed] for player, listed in found.items()}


class PlayersNotices:
    """Adapter that reads the notices of players."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices

    async def notices(self, players: Collection[str]) -> dict[str, dict[str, dict[str, Any]]]:
        found = await self._notices.of(players)
        return {player: {one.id: msgspec.structs.asdict(one) for one in listed} for player, listed in found.items()}


class LobbyTables:
    """Adapter that finds the listed tables."""

    def __init__(self, projections: Projections, people: Database) -> None:
        self._projections, self._people = projections, people

    async def shown(self, wish: LobbyFilter, most: int) -> dict[str, bytes]:
        friends = None if wish.follower is None else await relations.friends(self._people, wish.follower)
        wanted = TableQuery(wish.status, wish.ruleset, wish.seats, wish.clock, wish.rated, friends)
        page = await self._projections.tables(wanted, None, most, wish.order)
        return {table.id: json(table) for table in page.tables}


class TournamentRows:
    """Adapter that reads the events of tournaments."""

    def __init__(self, store: ludarium_eventstore.EventStore) -> None:
        self._store = store

    async def rows(self, tournament: str, after: int, most: int) -> list[tuple[int, bytes]]:
        """Return encoded events by version. Raises Problem `not-found`."""
        stream = stream_of(tournament)
        with stored():
            first, *_ = [*await self._store.read(stream, limit=1), None]
            rows = await self._store.read(stream, after=after, limit=most)
        if first is None or first.type != OPENED:
            raise Problem("not-found")
        return [(row.version, json(pushed_event(row))) for row in rows]


def own_game(own: OwnTable) -> OwnGame:
    seat = NOBODY if own.seat is None else own.seat
    since, deadline = (own.since, own.deadline) if own.your_turn else (None, None)
    return OwnGame(own.table.id, own.table.ruleset, seat, since, deadline)
